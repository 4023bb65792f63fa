"""Statements of a slot on the real server: a newer one closes the older one."""

import asyncio
from datetime import UTC, datetime

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.core.text.lucene import slot_query
from graph.memories.bulk import BulkChange, Owner, Selection
from graph.memories.changes.queries import lock_slot
from graph.memories.models import AssociationType, MemoryChange, MemoryDraft, SaveOutcome
from graph.memories.policy import SourceType
from graph.retrieval.recall.models import RecallQuery, Validity
from tests.fixtures.archives import exported, restored
from tests.fixtures.graphs import run
from tests.fixtures.locks import overtaken_by
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until

JANUARY = datetime(2025, 1, 10, 9, tzinfo=UTC)
MARCH = datetime(2026, 3, 5, 12, tzinfo=UTC)
JUNE = datetime(2026, 6, 1, 8, tzinfo=UTC)
_FOUND = "MATCH (memory:Memory {workspace_id: $ws, id: $id}) "
_KEYS = f"CYPHER 25 {_FOUND} RETURN memory.slot_keys[0] AS key"
_ENDINGS = {
    "deleted": f"CYPHER 25 {_FOUND} DETACH DELETE memory",
    "archived": f"CYPHER 25 {_FOUND} SET memory.active = false REMOVE memory.content",
}


async def said(services, workspace_id, content: str, at: datetime | None, **fields) -> str:
    draft = MemoryDraft(content=content, timestamp=at, **fields)
    receipt = await services.memories.store.save(workspace_id, draft)
    assert receipt.outcome is SaveOutcome.CREATED
    return receipt.memory.id


async def is_settled(services, workspace_id) -> bool:
    page = await services.core.jobs.page(workspace_id)
    return not any(job.kind == "TIMELINE" for job in page.items)


async def ends(services, workspace_id, *ids: str) -> list[datetime | None]:
    """Return the end of each memory's validity once all slots are settled."""
    await until(lambda: is_settled(services, workspace_id))
    found = await services.memories.store.find_all(workspace_id, ids)
    return [found[id_].t_invalid for id_ in ids]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Munich", "I moved to Berlin last month"),
        ("我住在杭州", "我搬到了成都"),
    ],
)
async def test_a_newer_statement_closes_the_older_one(services, workspace_id, old, new) -> None:
    """Issue 36, point 1: the older one ends at the newer one's date and stays active."""
    older = await said(services, workspace_id, old, JANUARY)
    newer = await said(services, workspace_id, new, MARCH)

    assert await ends(services, workspace_id, older, newer) == [MARCH, None]
    edges = (await services.memories.associations.of_memories(workspace_id, [older], first=10))[older]
    assert [(edge.type, edge.from_id, edge.to_id) for edge in edges] == [
        (AssociationType.INVALIDATED_BY, older, newer)
    ]


@pytest.mark.parametrize(
    ("old", "new", "about", "beside"),
    [
        (
            "The user lives in Munich, has two dogs and is allergic to penicillin",
            "The user moved to Berlin in February 2026",
            "Where do I live now?",
            "Am I allergic to penicillin?",
        ),
        (
            "I work at Siemens as an engineer and my son is called Max",
            "I started at Bosch last week",
            "Where do I work?",
            "What is my son called?",
        ),
        ("我住在慕尼黑，对青霉素过敏", "我上个月搬到柏林了", "我住在哪里？", "我对青霉素过敏吗？"),
    ],
)
async def test_a_memory_that_states_more_does_not_end(
    services, workspace_id, old, new, about, beside
) -> None:
    """Issue 36, point 1: the newer memory answers questions about the slot, and the older one all others."""
    older = await said(services, workspace_id, old, JANUARY)
    newer = await said(services, workspace_id, new, MARCH)

    assert await ends(services, workspace_id, older, newer) == [None, None]
    for question, first in ((about, newer), (beside, older)):
        query = RecallQuery(query=question, dry_run=True)
        hits = (await services.retrieval.recall.recall(workspace_id, query)).hits
        assert {hit.memory.id: hit.validity for hit in hits}[older] is Validity.CURRENT
        assert hits[0].memory.id == first


@pytest.mark.parametrize("end", _ENDINGS)
async def test_a_statement_that_is_deleted_while_its_slot_is_locked_is_left_out(
    services, workspace_id, graph_driver, end
) -> None:
    """The slot's job must not crash on a deleted statement."""
    older = await said(services, workspace_id, "I live in Munich", JANUARY)
    gone = await said(services, workspace_id, "I moved to Berlin last month", MARCH)
    assert await ends(services, workspace_id, older) == [MARCH]
    (row,) = (await run(graph_driver, _KEYS, ws=workspace_id, id=gone)).records

    members = await overtaken_by(
        graph_driver,
        _ENDINGS[end],
        lock_slot(
            services.core.database,
            workspace_id=workspace_id,
            slot_query=slot_query(row["key"], workspace_id),
            now=JUNE,
            limit=10,
        ),
        ws=workspace_id,
        id=gone,
    )

    assert [member.id for member in members] == [older]


async def test_the_order_of_saving_does_not_count(services, workspace_id) -> None:
    """Issue 36, point 1: the earlier statement is closed even if it is saved later."""
    newer = await said(services, workspace_id, "I moved to Berlin last month", MARCH)
    older = await said(services, workspace_id, "I live in Munich", JANUARY)

    assert await ends(services, workspace_id, older, newer) == [MARCH, None]


async def test_deleting_the_newer_opens_the_older_again(services, workspace_id) -> None:
    """Issue 36, point 1."""
    memories = services.memories
    older = await said(services, workspace_id, "I live in Munich", JANUARY)
    for hard in (False, True):
        newer = await said(services, workspace_id, "I moved to Berlin last month", MARCH)
        assert await ends(services, workspace_id, older) == [MARCH]

        await memories.deletion.delete(workspace_id, newer, hard=hard)
        assert await ends(services, workspace_id, older) == [None]

        if not hard:
            await memories.store.restore(workspace_id, newer)
            assert await ends(services, workspace_id, older) == [MARCH]
            await memories.deletion.delete(workspace_id, newer, hard=True)
            assert await ends(services, workspace_id, older) == [None]


async def test_editing_either_settles_the_slot_again(services, workspace_id) -> None:
    """Issue 36, point 1."""
    store = services.memories.store
    older = await said(services, workspace_id, "I live in Munich", JANUARY)
    newer = await said(services, workspace_id, "I moved to Berlin last month", MARCH)
    assert await ends(services, workspace_id, older) == [MARCH]

    await store.update(workspace_id, newer, MemoryChange(content="I like Berlin"))
    assert await ends(services, workspace_id, older) == [None]

    await store.update(workspace_id, newer, MemoryChange(content="I moved to Hamburg"))
    assert await ends(services, workspace_id, older) == [MARCH]

    await store.update(workspace_id, newer, MemoryChange(timestamp=JUNE))
    assert await ends(services, workspace_id, older) == [JUNE]

    await store.update(workspace_id, older, MemoryChange(content="I like Munich"))
    assert await ends(services, workspace_id, older) == [None]


async def test_a_move_to_another_user_settles_the_slots_of_both(services, workspace_id) -> None:
    """Issues 35 and 36, point 1: the statement now closes Bob's home, and Alice's reopens."""
    of_alice = await said(services, workspace_id, "I live in Munich", JANUARY, user_id="alice")
    of_bob = await said(services, workspace_id, "I live in Vienna", JANUARY, user_id="bob")
    newer = await said(services, workspace_id, "I moved to Berlin last month", MARCH, user_id="alice")
    assert await ends(services, workspace_id, of_alice, of_bob) == [MARCH, None]

    report = await services.memories.bulk.change(
        workspace_id, Selection(ids=(newer,)), BulkChange(move_to=Owner(user_id="bob"))
    )

    assert report.changed == 1
    assert await ends(services, workspace_id, of_alice, of_bob) == [None, MARCH]
    edges = await services.memories.associations.of_memories(workspace_id, [newer], first=10)
    assert [(edge.from_id, edge.to_id) for edge in edges[newer]] == [(of_bob, newer)]


async def test_the_old_state_said_again_opens_a_new_span(services, workspace_id) -> None:
    """Issue 36, point 1: deduplication does not match it with the closed one."""
    first = await said(services, workspace_id, "I live in Munich", JANUARY)
    second = await said(services, workspace_id, "I moved to Berlin last month", MARCH)
    again = await said(services, workspace_id, "I live in Munich", None)

    found = await ends(services, workspace_id, first, second, again)
    memory = await services.memories.store.get(workspace_id, again)
    assert found == [MARCH, memory.timestamp, None]
    receipt = await services.memories.store.save(workspace_id, MemoryDraft(content="I live in Munich"))
    assert (receipt.outcome, receipt.memory.id) == (SaveOutcome.DEDUPLICATED, again)
    receipt = await services.memories.store.save(
        workspace_id, MemoryDraft(content="I live in Munich", timestamp=JANUARY)
    )
    assert (receipt.outcome, receipt.memory.id) == (SaveOutcome.DEDUPLICATED, first)


async def test_a_batch_keeps_its_spans_apart(services, workspace_id) -> None:
    """Issue 36, point 1."""
    contents = ("I live in Munich", "I moved to Berlin", "I live in Munich", "I live in Munich")
    receipts = await services.memories.store.save_all(
        workspace_id, [MemoryDraft(content=content) for content in contents]
    )

    ids = [receipt.memory.id for receipt in receipts]
    assert len(set(ids)) == 3
    assert ids[2] == ids[3]


async def test_equal_dates_close_nothing(services, workspace_id) -> None:
    """Issue 36, point 1: equal times have no order, and two states on one day remain a contradiction."""
    one = await said(services, workspace_id, "I live in Ulm", MARCH)
    two = await said(services, workspace_id, "I moved to Augsburg", MARCH)
    three = await said(services, workspace_id, "I live in Kempten", MARCH.replace(hour=14))

    assert await ends(services, workspace_id, one, two, three) == [None, None, None]


async def test_a_change_told_on_the_same_day_closes(services, workspace_id) -> None:
    """Issue 36, point 1."""
    older = await said(services, workspace_id, "I live in Munich", None)
    newer = await said(services, workspace_id, "I moved to Berlin", None)

    memory = await services.memories.store.get(workspace_id, newer)
    assert await ends(services, workspace_id, older, newer) == [memory.timestamp, None]


async def test_other_owners_close_nothing(services, workspace_id) -> None:
    """Issue 36, point 1."""
    older = await said(services, workspace_id, "I live in Munich", JANUARY, user_id="ada")
    await said(services, workspace_id, "I moved to Berlin", MARCH, user_id="bob")
    await said(services, workspace_id, "I moved to Berlin", MARCH, user_id="ada", speaker="Eve")
    await said(services, workspace_id, "I moved to Berlin", MARCH, user_id="ada", speaker="assistant")
    await said(services, workspace_id, "Maya moved to Berlin", MARCH, user_id="ada")

    assert await ends(services, workspace_id, older) == [None]


async def test_what_a_caller_decided_stays(services, workspace_id) -> None:
    """Issue 36, point 1: an end that a caller set, and one that a caller removed."""
    store = services.memories.store
    older = await said(services, workspace_id, "I live in Munich", JANUARY, t_invalid=JUNE)
    newer = await said(services, workspace_id, "I moved to Berlin", MARCH)
    assert await ends(services, workspace_id, older) == [JUNE]

    await store.update(workspace_id, older, MemoryChange(t_invalid=None))
    assert await ends(services, workspace_id, older) == [MARCH]

    await store.update(workspace_id, older, MemoryChange(t_invalid=None))
    assert await ends(services, workspace_id, older) == [None]
    await store.update(workspace_id, newer, MemoryChange(importance=0.9))
    assert await ends(services, workspace_id, older) == [None]

    await said(services, workspace_id, "I moved to Hamburg", JUNE)
    assert await ends(services, workspace_id, older, newer) == [JUNE, JUNE]


async def test_a_memory_of_two_slots_ends_with_the_last(services, workspace_id) -> None:
    """Issue 36, point 1."""
    older = await said(services, workspace_id, "I live in Munich and I work at Siemens", JANUARY)
    await said(services, workspace_id, "I moved to Berlin", MARCH)
    assert await ends(services, workspace_id, older) == [None]

    await said(services, workspace_id, "I started at Zalando", JUNE)
    assert await ends(services, workspace_id, older) == [JUNE]


async def test_removing_the_edge_reopens_the_older_memory_permanently(services, workspace_id) -> None:
    """Issue 36, point 1: a person says that nothing was replaced, as with a second home."""
    associations = services.memories.associations
    older = await said(services, workspace_id, "I live in Munich", JANUARY)
    newer = await said(services, workspace_id, "I moved to Berlin", MARCH)
    assert await ends(services, workspace_id, older) == [MARCH]

    (edge,) = (await associations.of_memories(workspace_id, [older], first=10))[older]
    assert await associations.dissociate(workspace_id, edge.id)
    assert await ends(services, workspace_id, older) == [None]

    await services.memories.store.update(workspace_id, newer, MemoryChange(timestamp=JUNE))
    assert await ends(services, workspace_id, older) == [None]


async def test_reopening_by_hand_changes_the_memory_and_is_announced(services, workspace_id) -> None:
    """Issue 35: readers and subscribers see the change; removing another edge changes nothing."""
    associations, store = services.memories.associations, services.memories.store
    older = await said(services, workspace_id, "I live in Munich", JANUARY)
    newer = await said(services, workspace_id, "I moved to Berlin", MARCH)
    assert await ends(services, workspace_id, older) == [MARCH]
    before = await store.get(workspace_id, older)
    plain = await associations.associate(workspace_id, from_id=newer, to_id=older, type_="RELATES_TO")
    (edge,) = [
        each
        for each in (await associations.of_memories(workspace_id, [older], first=10))[older]
        if each.type == "INVALIDATED_BY"
    ]

    async with (
        asyncio.timeout(scaled_timeout(60)),
        services.memories.subscriptions.of_memories(workspace_id) as told,
    ):
        await associations.dissociate(workspace_id, plain.id)
        unchanged = await store.get(workspace_id, older)
        await associations.dissociate(workspace_id, edge.id)
        event = await anext(told)

    assert (unchanged.t_invalid, unchanged.updated_at) == (before.t_invalid, before.updated_at)
    assert (event.type, event.memory_id) == ("UPDATED", older)
    reopened = await store.get(workspace_id, older)
    assert reopened.t_invalid is None
    assert reopened.updated_at > before.updated_at


async def test_a_newer_statement_that_moves_away_opens_the_older_again(
    services, capturing_workspace_id, other_workspace_id
) -> None:
    """Issue 36, point 1: in its new workspace, the newer one closes the slot's earlier statements."""
    workspace_id, target_id = capturing_workspace_id, other_workspace_id
    draft = CaptureDraft(conversation_id="c", messages=[MessageDraft(content="A word", id="m1")])
    await services.conversations.capture.append(workspace_id, draft)
    older = await said(services, workspace_id, "I live in Munich", JANUARY)
    there = await said(services, target_id, "I live in Vienna", JANUARY)
    newer = await said(
        services,
        workspace_id,
        "I moved to Berlin",
        MARCH,
        source_type=SourceType.EXTRACTED,
        source_conversation_id="c",
    )
    assert await ends(services, workspace_id, older) == [MARCH]

    await services.conversations.moving.move(workspace_id, "c", target_id)

    assert await ends(services, workspace_id, older) == [None]
    assert await ends(services, target_id, there, newer) == [MARCH, None]


async def test_an_export_of_memories_brings_their_closings_along(
    services, workspace_id, other_workspace_id
) -> None:
    """Issue 36, point 7: an export contains the end; the import creates the edge, so that it can reopen."""
    store = services.memories.store
    older = await said(services, workspace_id, "I live in Munich", JANUARY)
    newer = await said(services, workspace_id, "I moved to Berlin last month", MARCH)
    await ends(services, workspace_id, older)
    found = await store.find_all(workspace_id, [older, newer])
    exported_fields = ("content", "timestamp", "t_valid", "t_invalid", "source_type")
    drafts = [
        MemoryDraft(**{name: getattr(found[id_], name) for name in exported_fields}) for id_ in (older, newer)
    ]

    there = [receipt.memory.id for receipt in await store.save_all(other_workspace_id, drafts)]

    assert await ends(services, other_workspace_id, *there) == [MARCH, None]
    edges = await services.memories.associations.of_memories(other_workspace_id, there[:1], first=10)
    assert [(edge.type, edge.from_id, edge.to_id) for edge in edges[there[0]]] == [
        (AssociationType.INVALIDATED_BY, *there)
    ]
    await services.memories.deletion.delete(other_workspace_id, there[1])
    assert await ends(services, other_workspace_id, there[0]) == [None]


async def test_the_timelines_of_a_restored_archive_include_existing_memories(
    services, workspace_id, other_workspace_id
) -> None:
    """Issue 36, point 1: M11."""
    newer = await said(services, other_workspace_id, "I moved to Berlin", MARCH)
    older = await said(services, workspace_id, "I live in Munich", JANUARY)
    archives = services.operations.archives

    await restored(archives, other_workspace_id, await exported(archives, workspace_id))

    assert await ends(services, other_workspace_id, older, newer) == [MARCH, None]
