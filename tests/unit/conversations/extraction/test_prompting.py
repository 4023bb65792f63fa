"""The language model's prompt for extraction (D21)."""

import json
from datetime import UTC, datetime

from graph.conversations.capture.models import Message
from graph.conversations.extraction.prompting import instructions, prompt

CAPTURED = datetime(2026, 3, 6, 9, tzinfo=UTC)


def said(content: str, said_at: datetime | None = None, utc_offset: int | None = None) -> Message:
    return Message(
        id=content,
        workspace_id="w",
        conversation_id="c",
        content=content,
        role="user",
        said_at=said_at,
        utc_offset=utc_offset,
        created_at=CAPTURED,
    )


def test_each_message_in_the_prompt_has_its_date() -> None:
    """It is the speaker's local day or the capture's, and it turns relative times into dates."""
    earlier = said("I like trains.", datetime(2026, 3, 3, 23, tzinfo=UTC))
    dated = said("I fly to Tokyo tomorrow.", datetime(2026, 3, 4, 23, tzinfo=UTC), utc_offset=480)
    undated = said("I fly to Osaka tomorrow.")

    messages = json.loads(prompt([], [earlier], [dated, undated], read=[dated, undated]))["messages"]

    assert [(each["text"], each["date"]) for each in messages] == [
        ("I like trains.", "2026-03-03 UTC"),
        ("I fly to Tokyo tomorrow.", "2026-03-05"),
        ("I fly to Osaka tomorrow.", "2026-03-06 UTC"),
    ]
    assert "Write a relative time as the date that it means" in instructions(is_requested=False, least=0.6)
