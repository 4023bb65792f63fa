"""Events of a person's life against events of the work at hand (issue 36, D22, D24)."""

from datetime import date

import pytest

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.facts import HEDGED
from graph.conversations.extraction.reading import facts_in_message
from graph.conversations.extraction.reference_form import extract_facts

KEPT = 0.6


def read(text: str, day: date | None = None):
    return facts_in_message(text, role=MessageRole.USER, speaker=None, day=day)


def kept(text: str) -> list[tuple[str, str]]:
    return [(fact.category.value, fact.content) for fact in read(text) if fact.confidence >= KEPT]


@pytest.mark.parametrize(
    ("text", "category", "content"),
    [
        ("I adopted a cat last week.", "personal", "The user adopted a cat last week"),
        ("We had our second child in May.", "personal", "The user had their second child in May"),
        ("I broke my wrist.", "health", "The user broke their wrist"),
        ("I broke two ribs skiing in February.", "health", "The user broke two ribs skiing in February"),
        ("I had knee surgery in October.", "health", "The user had knee surgery in October"),
        ("I passed my driving test this morning!", "personal", "The user passed their driving test this morning"),
        ("I sold my motorbike last month.", "personal", "The user sold their motorbike last month"),
        ("We moved into a new flat on Saturday.", "personal", "The user moved into a new flat on Saturday"),
        ("I became a Canadian citizen in 2025.", "personal", "The user became a Canadian citizen in 2025"),
        ("My wife and I separated in March.", "personal", "The user (and their wife) separated in March"),
        ("My bike was stolen last night.", "personal", "The user's bike was stolen last night"),
        ("I retired last summer.", "career", "The user retired last summer"),
        ("I opened my own bakery in 2020.", "career", "The user opened their own bakery in 2020"),
        ("I dropped out of university.", "career", "The user dropped out of university"),
        ("I ran my first marathon in April.", "activity", "The user ran their first marathon in April"),
        ("I won a pottery competition.", "activity", "The user won a pottery competition"),
        ("I hiked across Iceland in 2018.", "personal", "The user hiked across Iceland in 2018"),
        ("我上周领养了一只猫。", "personal", "用户上周领养了一只猫"),
        ("我们五月份生了二胎。", "personal", "用户五月份生了二胎"),
        ("我手腕骨折了。", "health", "用户手腕骨折了"),
        ("我十月份做了膝盖手术。", "health", "用户十月份做了膝盖手术"),
        ("我上個月把車賣了。", "personal", "用户上個月把車賣了"),
        ("我2025年5月拿到了新加坡永居。", "personal", "用户2025年5月拿到了新加坡永居"),
        ("我上周升了部门经理。", "career", "用户上周升了部门经理"),
        ("我十月底从律所辞职了。", "career", "用户十月底从律所辞职了"),
        ("我去年十二月在广州跑完了第一个全马。", "activity", "用户去年十二月在广州跑完了第一个全马"),
        ("我2018年徒步穿越了冰岛。", "personal", "用户2018年徒步穿越了冰岛"),
    ],
)  # fmt: skip
def test_life_events_are_facts(text: str, category: str, content: str) -> None:
    assert kept(text) == [(category, content)]


def test_life_events_have_their_date() -> None:
    (adopted,) = read("I adopted a cat yesterday.", date(2026, 3, 5))

    assert adopted.content == "The user adopted a cat on 2026-03-04"


@pytest.mark.parametrize(
    "text",
    [
        "I chose the wrong file, sorry.",
        "I decided to restart it.",
        "I decided to reboot the router, let's see.",
        "I prefer the second version of that paragraph.",
        "I prefer option B.",
        "I'll use the first draft for now.",
        "I always get this error when the test runs twice.",
        "I usually get the same result.",
    ],
)
def test_doubtful_facts_are_kept_only_on_request(text: str) -> None:
    """D11, D28: their confidence suffices for a request, but not for automatic extraction."""
    assert extract_facts(text)
    assert [fact.confidence for fact in read(text)] == [HEDGED]


@pytest.mark.parametrize(
    "text",
    [
        "I live for this stuff.",
        "I was born yesterday, apparently, explain it slowly.",
        "I'm married to this idea of a single table.",
        "I married the two datasets on the customer id.",
        "I adopted your suggestion and the query is faster.",
        "I quit vim with :q! and lost the changes.",
        "I moved the file into the other folder.",
        "We moved to the next question.",
        "I broke the build again.",
        "I broke my code.",
        "I got a 500 from the endpoint.",
        "I passed the wrong argument to the function.",
        "I gave birth to a monster of a function, lol.",
        "I retired the old endpoint last month.",
        "I opened a ticket for it last month.",
        "I accepted the cookie banner and now it hangs.",
        "I'm looking for a function that sorts by date.",
        "I'm training a model on this data.",
        "My script prints nothing.",
        "我选错文件了，抱歉。",
        "我决定重启一下试试。",
        "我把端口改成8080了，还是不行。",
        "我通过了参数校验。",
        "我传错参数了。",
        "我不喜欢最后一句。",
        "我继承了这个类。",
        "我總是忘記加分號。",
        "我毕业照传不上去。",
    ],
)
def test_events_of_the_current_task_are_not_kept(text: str) -> None:
    assert kept(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "I work as a test engineer.",
        "I always commit before pushing.",
        "I really like short answers with bullet points.",
        "I teach three classes a week.",
        "I live on the third floor.",
        "I was born in Nairobi.",
        "I'm using Windows 10 on my work laptop.",
        "My favourite colour is green.",
        "我是测试工程师。",
        "我负责接口开发。",
        "我更喜欢用简洁的回答。",
    ],
)
def test_statements_that_resemble_the_current_task_are_kept(text: str) -> None:
    assert len(kept(text)) == 1
