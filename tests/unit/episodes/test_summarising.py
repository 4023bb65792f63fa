"""Summaries of turns say what was stated, in the third person (F3), and are told as formats F§5 has it."""

from datetime import UTC, datetime

import pytest

from graph.conversations.models import Message
from graph.episodes.models import Episode
from graph.episodes.summarising import SUMMARY_CHARS, turn_summary
from graph.episodes.wording import episode_block

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


def test_statements_are_told_of_roles_in_the_third_person() -> None:
    """F3: none of what was asked, commanded or addressed."""
    talk = [
        said("user", "I'm moving to Oslo in May with my two cats. Can you help me plan?", "Ada"),
        said("assistant", "You should book early. The movers in Oslo are expensive."),
        said("user", "I've decided to take the train. Please translate this paragraph for me.", "Ada"),
    ]

    assert turn_summary(talk) == (
        "The user said that they are moving to Oslo in May with their two cats. "
        "The assistant said that the movers in Oslo are expensive. "
        "The user said that they have decided to take the train."
    )


def test_names_of_speakers_are_left_out() -> None:
    talk = [said(None, "Ada and I like hiking.", "Bob"), said(None, "Bob was late again.", "Ada")]

    summary = turn_summary(talk)

    assert summary == (
        "A participant said that a participant and they like hiking. "
        "A participant said that a participant was late again."
    )


def test_chinese_turns_have_a_chinese_summary() -> None:
    assert turn_summary([said("user", "我喜欢喝绿茶。"), said("assistant", "好的，记住了。")]) == (
        "用户说自己喜欢喝绿茶。 助手说好的，记住了。"
    )


def test_where_nothing_is_stated_the_topics_are_named() -> None:
    talk = [said("user", "What about Oslo trains?"), said("assistant", "Which Oslo trains?")]

    assert turn_summary(talk) == "The user and the assistant talked about oslo, trains."
    assert turn_summary([said("user", "?"), said("assistant", "!")]) == (
        "The user and the assistant exchanged 2 short messages."
    )


@pytest.mark.parametrize("content", ["I like tea number {}. ", "x{} " * 300, "```\nI like code {}\n```"])
def test_a_summary_is_one_paragraph_of_limited_length(content) -> None:
    summary = turn_summary([said("user", content.replace("{}", str(number))) for number in range(300)])

    assert 0 < len(summary) <= SUMMARY_CHARS
    assert "\n" not in summary
    assert "code" not in summary


def test_episodes_are_told_the_most_recent_last() -> None:
    """F7: five at most, and nothing where there are none."""
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
