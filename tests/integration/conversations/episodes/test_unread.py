"""Messages that must not be consolidated yet, and records of consolidated ones (F1, F4)."""

from datetime import UTC, datetime

from graph.conversations.capture.alignment import text_key, text_of
from graph.conversations.capture.models import MessageDraft
from graph.conversations.episodes.models import Consolidation
from graph.conversations.queries import advance_extraction, list_gone_messages, schedule_extraction
from graph.memories.models import MemoryDraft
from tests.fixtures.graphs import run
from tests.integration.conversations.episodes.conftest import OLD, TEXTS

FAIL = "CYPHER 25 MATCH (job:Job {workspace_id: $ws, kind: 'EXTRACT'}) SET job.state = 'FAILED', job.due_at = null"

EXTRACTED = {"conversation_id": "c", "seen": -1, "position": 3, "rereads": 0, "requested_at": None}


async def test_messages_without_extraction_are_kept(
    services, capturing_workspace_id, talk, consolidate, left, graph_driver
) -> None:
    """F1, F4: a conversation consolidated right after its import keeps all messages still to be extracted."""
    await services.tenancy.workspaces.update(
        capturing_workspace_id, settings={"extractionMode": "regex", "extractionWindowSeconds": 3600}
    )
    await talk()

    unread = await services.conversations.episodes.consolidate(capturing_workspace_id, "c", retain_last=0)
    kept = await left()
    await run(graph_driver, FAIL, ws=capturing_workspace_id)
    failing = await services.conversations.episodes.consolidate(capturing_workspace_id, "c", retain_last=0)
    await advance_extraction(services.core.database, **EXTRACTED, workspace_id=capturing_workspace_id)
    read = await consolidate(retain_last=0)

    assert unread.notice == "facts are still to be extracted from the messages; nothing was changed"
    assert failing.notice == "the extraction of facts from the messages fails; nothing was changed"
    assert kept == [0, 1, 2, 3, 4, 5]
    assert (read.turn_count, await left()) == (4, [4, 5])


async def test_messages_of_a_requested_extraction_stay_until_it_ends(
    services, capturing_workspace_id, talk, consolidate, left
) -> None:
    """F1, F4: even if automatic extraction is off."""
    await talk()
    await schedule_extraction(
        services.core.database,
        workspace_id=capturing_workspace_id,
        conversation_id="c",
        now=datetime.now(UTC),
    )

    assert await consolidate(retain_last=0) is None
    assert await left() == [0, 1, 2, 3, 4, 5]


async def test_imported_turns_do_not_delay_consolidation(
    services, capturing_workspace_id, consolidate
) -> None:
    """F1: nothing extracts facts from them."""
    await services.tenancy.workspaces.update(capturing_workspace_id, settings={"extractionMode": "regex"})
    turns = [
        MemoryDraft(content=text, source_conversation_id="c", source_message_id=text, timestamp=OLD)
        for text in TEXTS
    ]
    await services.memories.store.save_all(capturing_workspace_id, turns)

    assert (await consolidate(retain_last=0)).turn_count == len(TEXTS)


async def test_only_recaptured_messages_are_looked_up_among_the_deleted(
    services, capturing_workspace_id, talk, consolidate
) -> None:
    """F4, N3: by id, position or text, however many messages were deleted."""
    await talk(ids=True)
    await consolidate(retain_last=0)
    text = text_key(text_of(MessageDraft(content=TEXTS[4], role="user")))

    gone = await list_gone_messages(
        services.core.database,
        workspace_id=capturing_workspace_id,
        conversation_id="c",
        ids=["m1", "m9"],
        positions=[3],
        texts=[text, "unknown user"],
    )

    assert [(row.id, row.position) for row in gone] == [("m1", 1), ("m3", 3), ("m4", 4)]
    assert gone[2].text == text


LIFE = "I'm allergic to peanuts and to some kinds of shellfish."


async def test_a_message_with_facts_that_would_be_lost_stays(
    services, capturing_workspace_id, talk, left
) -> None:
    """Issue 35.1: extraction is off, and rules could keep the fact only as a quotation."""
    episodes = services.conversations.episodes
    await talk(texts=["I like tea.", LIFE, "I like jazz.", LIFE])

    first = await episodes.consolidate(capturing_workspace_id, "c", retain_last=0)
    second = await episodes.consolidate(capturing_workspace_id, "c", retain_last=0)

    assert (first.episode.summary, first.episode.turn_count) == (
        "The user likes tea. The user likes jazz. The topics were tea, jazz.", 2,
    )  # fmt: skip
    assert second == Consolidation(
        notice="the messages contain facts that only a language model can summarize without quoting them, "
        "and the extraction of facts is off; nothing was changed"
    )
    assert await left() == [1, 3]


async def test_messages_beyond_one_summary_are_in_the_next(
    services, capturing_workspace_id, talk, left
) -> None:
    """Issue 35.1."""
    things = [f"{colour} {thing}" for colour in ("red", "green", "blue") for thing in (
        "tea", "jazz", "chess", "cats", "bread", "trains", "maps", "soup", "hats", "boats",
    )]  # fmt: skip
    await talk(texts=[f"I like {each}." for each in things])

    summaries = []
    while (
        made := await services.conversations.episodes.consolidate(capturing_workspace_id, "c", retain_last=0)
    ).episode:
        summaries.append(made.episode.summary)

    assert len(summaries) == 2
    assert all(f"The user likes {each}." in " ".join(summaries) for each in things)
    assert await left() == []


async def test_messages_kept_beside_their_episode_are_consolidated_whatever_they_state(
    services, capturing_workspace_id, talk
) -> None:
    """Issue 35.1: because no message is deleted."""
    settings = {"extractionMode": "off", "rawConversationRetention": "keep"}
    await services.tenancy.workspaces.update(capturing_workspace_id, settings=settings)
    await talk(texts=["I like tea.", LIFE])

    made = await services.conversations.episodes.consolidate(capturing_workspace_id, "c", retain_last=0)

    assert made.episode.turn_count == 2
