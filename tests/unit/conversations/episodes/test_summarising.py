"""Summaries of turns: facts and topics (F3), in the format of F§5."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from graph.conversations.capture.models import Message
from graph.conversations.episodes.models import Episode, episode_block
from graph.conversations.episodes.summarising import SUMMARY_CHARS, summary_and_omitted
from graph.conversations.episodes.writing import WrittenEpisode, validated
from graph.core.text.language import Specificity
from tests.fixtures.local_models import word_specificity
from tests.fixtures.scripts import traditional

AT = datetime(2026, 1, 1, tzinfo=UTC)


def said(role: str | None, content: str, speaker: str | None = None) -> Message:
    return Message(
        id="1",
        workspace_id="w",
        conversation_id="c",
        created_at=AT,
        role=role,
        content=content,
        speaker=speaker,
    )


def turn_summary(messages: Sequence[Message], specificity: Specificity = lambda _: 1.0) -> str:
    return summary_and_omitted(messages, specificity)[0]


def test_turns_are_summarized_by_facts_and_topics() -> None:
    """F3: summaries name roles instead of people and quote no sentence."""
    talk = [
        said("user", "I'm moving to Oslo in May with my two cats. Can you help me plan?", "Ada"),
        said("assistant", "You should book early. The movers in Oslo are expensive."),
        said("user", "We decided to use PostgreSQL for the billing data.", "Ada"),
        said("user", "I prefer green tea.", "Ada"),
    ]

    assert turn_summary(talk, word_specificity) == (
        "The user prefers green tea. The user stated 1 decision (PostgreSQL) and 1 plan (Oslo). The topic was Oslo."
    )


def test_names_of_speakers_are_dropped() -> None:
    talk = [
        said(None, "Melanie and I like hiking.", "Bob"),
        said(None, "Mel, Bob was late again.", "Melanie"),
    ]

    assert turn_summary(talk, word_specificity) == (
        "The participant likes hiking. The topics were hiking, late."
    )


def test_names_of_speakers_are_dropped_from_chinese_counts_and_topics() -> None:
    """F3: facts that cannot be stated are counted, without their speaker."""
    talk = [
        said(None, "我更喜欢深色模式而不是浅色模式。", "李雷"),
        said(None, "李雷喜欢深色模式。", "韩梅梅"),
    ]

    summary = turn_summary(talk)

    assert "参与者提到 1 项偏好（深色模式）" in summary
    assert "李雷" not in summary


def test_a_name_mentioned_once_is_not_a_topic() -> None:
    """F3: names are topics only if the talk is really about them."""
    once = [said("user", "The kettle is broken, as Priya saw."), said("user", "The kettle hisses.")]
    often = [*once, said("user", "So Priya brought another."), said("user", "And Priya likes this kettle.")]

    assert "Priya" not in turn_summary(once)
    assert "The topics were kettle, Priya." in turn_summary(often)


def test_addresses_and_numbers_are_not_topics() -> None:
    talk = [said("user", "Write to ada@example.org or call 555-0142, ada@example.org.") for _ in range(3)]

    summary = turn_summary(talk)

    assert "example" not in summary
    assert "0142" not in summary


def test_personal_details_that_need_a_quotation_are_dropped() -> None:
    told = turn_summary([said("user", "I'm allergic to peanuts."), said("user", "Fine.")])
    left_out = turn_summary([said("user", "I'm allergic to peanuts and to some kinds of shellfish.")] * 2)

    assert told.startswith("The user is allergic to peanuts. ")
    assert "allergic to peanuts and" not in left_out


def test_messages_with_omitted_facts_are_named() -> None:
    """Issue 35.1: the summary omits a personal fact that would quote its message, but counts decisions."""
    talk = [
        said("user", "I like tea."),
        said("user", "I'm allergic to peanuts and to some kinds of shellfish."),
        said("user", "We decided to use PostgreSQL for the billing data."),
        said("user", "My cat is called Ada.", "Ada"),
    ]
    numbered = [each.model_copy(update={"id": str(place)}) for place, each in enumerate(talk)]

    assert summary_and_omitted(numbered)[1] == {"1"}


@pytest.mark.parametrize("script", [str, traditional])
def test_chinese_turns_have_a_chinese_summary(script) -> None:
    tea = script("绿茶")
    talk = [
        said("user", script("我喜欢喝绿茶。绿茶对身体好。上海的天气怎么样？")),
        said("assistant", script("好的，记住了。")),
    ]

    assert turn_summary(talk) == f"用户{script('喜欢')}喝{tea}。话题：{tea}。"


@pytest.mark.parametrize(
    ("asked", "answered", "topic"),
    [
        ("私は緑茶が好きです。京都に住んでいます。", "わかりました。京都の緑茶は有名です。", "緑茶"),
        ("저는 녹차를 좋아해요. 오늘 天氣가 좋아요.", "알겠습니다. 서울은 맑아요.", "天氣"),
    ],
)
def test_japanese_and_korean_turns_have_an_english_summary(asked, answered, topic) -> None:
    assert turn_summary([said("user", asked), said("assistant", answered)]) == f"The topic was {topic}."


@pytest.mark.parametrize(
    ("speaker", "written", "kept"),
    [
        ("健太", "健太は緑茶が好きです。", "the userは緑茶が好きです。"),
        ("민수", "민수는 녹차를 좋아한다.", "the user는 녹차를 좋아한다."),
        ("小明", "小明喜欢喝绿茶。", "用户喜欢喝绿茶。"),
    ],
)
def test_a_written_summary_names_the_role_in_its_language(speaker, written, kept) -> None:
    """F3: the role is in English unless the summary is Chinese."""
    talk = [said("user", "...", speaker)]

    assert validated(WrittenEpisode(summary=written), talk) == kept


def test_without_facts_a_summary_names_only_topics() -> None:
    talk = [said("user", "What about Oslo trains?"), said("assistant", "Which Oslo trains?")]

    assert turn_summary(talk) == "The topics were Oslo, trains."


def test_without_facts_and_topics_there_is_no_summary() -> None:
    assert turn_summary([said("user", "!"), said("assistant", "!")]) == ""
    assert turn_summary([said("tool", "a b c"), said("system", "d")]) == ""


@pytest.mark.parametrize("content", ["I like tea number {}. ", "x{} " * 300, "```\nI like code {}\n```"])
def test_a_summary_is_one_paragraph_of_limited_length(content) -> None:
    summary = turn_summary([said("user", content.replace("{}", str(number))) for number in range(300)])

    assert len(summary) <= SUMMARY_CHARS
    assert "\n" not in summary
    assert "code" not in summary


def test_episodes_are_listed_with_the_latest_last() -> None:
    """F7: at most five; without episodes there is no list."""
    episodes = [
        Episode(
            id=str(number),
            workspace_id="w",
            conversation_id="c",
            summary=f"sum {number}",
            source_message_ids=["m"],
            turn_count=number,
            is_deleted=False,
            state="STORED",
            created_at=AT,
        )
        for number in (7, 6, 5, 4, 3, 2)
    ]

    assert episode_block(episodes) == (
        "Earlier conversation summaries (most recent last):\n"
        "- (3 turns) sum 3\n- (4 turns) sum 4\n- (5 turns) sum 5\n- (6 turns) sum 6\n- (7 turns) sum 7"
    )
    assert episode_block([]) == ""
