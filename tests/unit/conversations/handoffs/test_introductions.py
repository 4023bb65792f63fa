"""The user's introduction and the open items in handoff summaries without a language model."""

from datetime import UTC, datetime

import pytest

from graph.conversations.capture.models import Message
from graph.conversations.handoffs.extracting import HandoffSource, extracted, language_of
from graph.conversations.handoffs.models import Handoff


def handoff_of(text: str) -> Handoff:
    message = Message(
        id="1",
        workspace_id="w",
        conversation_id="c",
        created_at=datetime(2026, 1, 1, tzinfo=UTC),
        role="user",
        content=text,
    )
    source = HandoffSource(None, [message], [], [])
    return extracted(source, language_of(source))


@pytest.mark.parametrize(
    ("introduction", "background"),
    [
        ("I'm Carol.", ["The user is Carol."]),
        ("Hi, I'm Bob, a data engineer at Acme.", ["The user is Bob, a data engineer at Acme."]),
        ("Call me Dan. I live in Rome.", ["The user is called Dan.", "The user lives in Rome."]),
        ("My name's Eve.", ["The user's name's Eve."]),
        ("我是小王。", ["用户是小王。"]),
        ("I'm fine. I'm here.", []),
    ],
)
def test_the_user_is_introduced(introduction, background) -> None:
    """F11, issue 35.25: also by a name alone, and without the greeting."""
    assert handoff_of(introduction).user_background == background


@pytest.mark.parametrize(
    ("left", "items"),
    [
        ("Still open: the cutover date.", ["Still open: the cutover date."]),
        (
            "Still open:\n- the venue\n- the budget\n\nThe rest is fine.",
            ["Still open: the venue; the budget."],
        ),
        ("## Still open\n1. the venue\n2. the budget", ["Still open: the venue; the budget."]),
        (
            "Open: the tests of it. Outstanding: a review.",
            ["Outstanding: a review.", "Open: the tests of it."],
        ),
        ("还没定：上线时间。待定：回滚方案。", ["待定：回滚方案。", "还没定：上线时间。"]),
    ],
)
def test_open_items_are_found(left, items) -> None:
    """F11, issue 35.25: in one sentence, or as a list below it."""
    assert handoff_of(left).open_items == items
