"""Keywords by which a fact is found beyond its own words (D22)."""

import pytest

from graph.conversations.capture.models import MessageRole
from graph.conversations.extraction.facts import Fact, keywords_of
from graph.conversations.extraction.reading import facts_in_message


def read(text: str) -> list[Fact]:
    return facts_in_message(text, role=MessageRole.USER, speaker=None)


@pytest.mark.parametrize(
    ("said", "keyword"),
    [
        ("I have two cats, Miso and Tofu.", "pet"),
        ("My sister Ana lives in Porto.", "sibling"),
        ("I play the trombone.", "instrument"),
        ("I'm asthmatic.", "health"),
        ("I use Neovim for everything.", "editor"),
    ],
)
def test_a_fact_is_found_by_the_broader_term(said: str, keyword: str) -> None:
    """D22."""
    (fact,) = read(said)

    assert keyword in fact.keywords


def test_keywords_are_in_both_languages() -> None:
    """D23, C26."""
    (english,) = read("I love coffee in the morning.")
    (chinese,) = read("我喜欢喝咖啡。")

    assert {"coffee", "咖啡", "早上"} <= set(english.keywords)
    assert {"coffee", "咖啡"} <= set(chinese.keywords)
    assert len(english.keywords) <= 8


@pytest.mark.parametrize(
    ("statement", "others"),
    [
        ("The user is training to be an electrician", {"火车"}),
        ("The user is moving back to Oslo", {"背"}),
        ("The user's mother-in-law lives in Rome", {"法律", "妈妈", "parents"}),
        ("It was nice to meet the user", {"会议"}),
        ("The user is on parental leave", {"父母"}),
        ("The user is pregnant with twins", {"sibling"}),
        ("The user uses Windows 11", {"窗"}),
        ("The user's car has a bad engine", {"工程师"}),
        ("The user runs a bakery", {"跑步", "sport"}),
        ("The user is running a bakery", {"跑步", "sport"}),
        ("The user works in marketing", {"market"}),
        ("The user has a cat named Miso", {"名字"}),
        ("用户住在上海", {"海", "sea"}),
        ("用户坐火车上班", {"车", "car"}),
        ("用户有糖尿病", {"糖", "sugar"}),
        ("用户是专家", {"家", "home"}),
        ("The user loves live music", {"住在"}),
        ("用户完成都要测试", {"Chengdu", "成都"}),
        ("他会计划旅行", {"accountant", "会计"}),
        ("用户坐公交车上班", {"车", "car"}),
        ("The user lives by the river bank", {"银行"}),
        ("The user relies on a third party", {"派对"}),
    ],
)
def test_a_word_in_another_sense_adds_no_keywords(statement: str, others: set[str]) -> None:
    """D22."""
    assert others.isdisjoint(keywords_of(statement))


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        ("The user loves trains", {"火车"}),
        ("The user has back pain", {"背"}),
        ("The user's back hurts", {"背"}),
        ("The user studied law", {"法律", "学习"}),
        ("The user has a meeting on Monday", {"会议"}),
        ("The user's parents live in Rome", {"父母"}),
        ("The user has a twin", {"sibling"}),
        ("The user has a window seat", {"窗", "座位"}),
        ("The user has allergies", {"过敏", "health"}),
        ("The user likes running", {"跑步", "sport"}),
        ("The user swims every morning", {"游泳", "sport"}),
        ("The user smokes", {"吸烟"}),
        ("The user moved to Berlin", {"搬"}),
        ("用户有糖尿病", {"diabetes"}),
        ("The user lives in Oslo", {"住在"}),
        ("The user decided to use Kafka", {"决定", "使用"}),
        ("The user drives a Volvo", {"开车"}),
        ("用户住在上海", {"live", "Shanghai"}),
        ("The user has two cats", {"pet", "宠物", "猫"}),
        ("用户养了一只猫", {"cat", "pet", "宠物"}),
        ("用户的女儿喜欢弹钢琴", {"daughter", "children", "孩子", "piano", "instrument", "乐器"}),
        ("The user's aunt is a chef in Chengdu", {"亲戚", "阿姨", "厨师"}),
        ("The user plays the cello", {"instrument", "乐器"}),
        ("The user is divorced", {"离婚"}),
        ("The user danced on Friday", {"跳舞"}),
        ("The user loves purple", {"紫色"}),
        ("用户做过膝盖手术", {"surgery", "膝盖"}),
        ("用户是会计", {"accountant", "job", "工作"}),
        ("用户下周去成都出差", {"Chengdu"}),
        ("用户对花粉过敏", {"pollen", "allergic", "health", "健康"}),
    ],
)
def test_a_word_is_known_in_its_own_forms(statement: str, wanted: set[str]) -> None:
    """D22, D23."""
    assert wanted <= set(keywords_of(statement))
