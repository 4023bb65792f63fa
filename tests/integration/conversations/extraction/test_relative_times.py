"""Dates of relative times in extracted facts; the metadata keeps the original words."""

from datetime import UTC, datetime

from graph.conversations.capture.models import MessageDraft
from graph.memories.models import MemoryDraft
from tests.integration.conversations.extraction.conftest import answer, asked, item

MARCH = datetime(2026, 3, 5, tzinfo=UTC)


async def test_a_fact_of_the_rules_has_the_date_and_the_words(talk) -> None:
    """Issue 36: in addition to the reference's fields."""
    await talk.say(MessageDraft(content="I got married last year.", id="m1", role="user", said_at=MARCH))
    await talk.pass_by(30)

    (fact,) = await talk.memories()
    assert fact.content == "The user got married in 2025"
    assert fact.metadata["relativeTimes"] == [
        {"words": "last year", "from": "2025-01-01", "to": "2025-12-31"}
    ]


async def test_relative_times_of_the_model_become_dates_of_the_message(listening, chat_server) -> None:
    """Issue 36: the metadata has the words, whether the model or the service turned them into a date."""
    memories = listening.services.memories.store
    known = MemoryDraft(content="Their trip is next week", timestamp=datetime(2026, 2, 2, tzinfo=UTC))
    trip = (await memories.save(listening.workspace_id, known)).memory
    chat_server.replies = [
        answer(
            item("Moved to Berlin in 2026-02"),
            item("Their trip is next week (2026-02-02). Was ill last month", "UPDATE", target_id=trip.id),
        )
    ]

    said = "I moved to Berlin last month, after the trip."
    await listening.say(MessageDraft(content=said, id="m1", role="user", said_at=MARCH))
    await listening.pass_by(30)

    _, data, _ = asked(chat_server)
    assert [each["text"] for each in data["known"]] == ["Their trip is next week (2026-02-02)"]
    february = [{"words": "last month", "from": "2026-02-01", "to": "2026-02-28"}]
    told = {each.content: each.metadata["relativeTimes"] for each in await listening.memories()}
    assert told["Moved to Berlin in 2026-02"] == february
    assert set(told) - {"Moved to Berlin in 2026-02"} == {
        "Their trip is in the week of 2026-02-09. Was ill in February 2026"
    }
