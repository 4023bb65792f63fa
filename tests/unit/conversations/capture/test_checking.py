"""What is noted of a message when it is checked."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.conversations.capture.rules import validated

MOMENT = datetime(2026, 3, 5, 7, tzinfo=timezone(timedelta(hours=8)))


@pytest.mark.parametrize(
    ("said_at", "utc_offset"),
    [(MOMENT, 480), (MOMENT.astimezone(UTC), None), (MOMENT.replace(tzinfo=None), None), (None, None)],
)
def test_the_offset_of_a_time_is_kept_beside_the_time_in_utc(said_at, utc_offset) -> None:
    """D21: the day on which something was said is that of the speaker; programs write times of anywhere in UTC."""
    draft = CaptureDraft(conversation_id="c", messages=[MessageDraft(content="Hello", said_at=said_at)])

    (message,) = validated(draft).messages

    assert message.utc_offset == utc_offset
    assert message.said_at is None or message.said_at.utcoffset() == timedelta(0)
