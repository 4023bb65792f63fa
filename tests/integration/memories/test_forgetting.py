"""Memories that are deleted, cleared, expired or past retention, and their restoration."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from graph.core.errors import NotFound
from graph.memories.models import (
    Deletion,
    MemoryChange,
    MemoryClearing,
    MemoryDraft,
    MemoryFilter,
    MemoryOrder,
    MemoryType,
    SaveOutcome,
)
from graph.memories.policy import DeleteMode, RetentionSurface
from graph.memories.queries import sweep_expired
from graph.retrieval.recall.models import RecallQuery, RecallStrategy
from tests.fixtures.graphs import one_of_each, run
from tests.fixtures.locks import overtaken_by
from tests.fixtures.memories import MovingClock
from tests.fixtures.timeouts import scaled_timeout

WORDS = "zebra crossing"
_VECTORS_COME = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws, id: $id})
SET memory.embedded_revision = memory.revision
CREATE (:Passage {workspace_id: $ws, memory_id: $id, ordinal: 1, slot: 'a', active: true, search_kind: 'passage',
                  user_id: memory.user_id})-[:PART_OF]->(memory)"""
_PASSAGES = """CYPHER 25
MATCH (passage:Passage {workspace_id: $ws, memory_id: $id}) RETURN count(passage) AS count"""

_FAILED_MIRRORING = """CYPHER 25
CREATE (:Job {workspace_id: $ws, kind: 'MIRROR', subject_id: $id, id: 'job_' + $id, state: 'FAILED', revision: 3,
              attempts: 5, due_at: datetime('2019-01-01T00:00:00Z')})"""
_MIRRORING = """CYPHER 25
MATCH (job:Job {workspace_id: $ws, kind: 'MIRROR', subject_id: $id})
RETURN job.state AS state, job.attempts AS attempts, job.revision AS revision"""


async def shown(services, workspace_id, memories=None) -> list[set[str]]:
    """Return the memory ids that each way of reading shows."""
    memories = memories or services.memories.store
    listed = [
        {memory.id for memory in (await memories.page(workspace_id, MemoryFilter(), order=order)).items}
        for order in (MemoryOrder.CREATED_AT, MemoryOrder.USAGE_COUNT)
    ]
    recalled = [
        {hit.memory.id for hit in (await services.retrieval.recall.recall(workspace_id, query)).hits}
        for query in (RecallQuery(query=WORDS), RecallQuery(strategy=RecallStrategy.EXACT))
    ]
    return [*listed, *recalled]


async def saved(memories, workspace_id, content=WORDS, **fields):
    return (await memories.save(workspace_id, MemoryDraft(content=content, dedup=False, **fields))).memory


async def test_a_soft_delete_hides_a_memory_until_it_is_restored(services, workspace_id) -> None:
    """A30, A32, A25: in all reads; a second deletion changes nothing."""
    kept = await saved(services.memories.store, workspace_id, f"{WORDS} one")
    gone = await saved(services.memories.store, workspace_id, f"{WORDS} two")

    assert await services.memories.deletion.remove(workspace_id, gone.id) is Deletion.DELETED
    assert await services.memories.deletion.remove(workspace_id, gone.id) is Deletion.GONE_BEFORE
    assert await shown(services, workspace_id) == [{kept.id}] * 4
    assert await services.memories.store.count(workspace_id) == 1
    assert await services.memories.store.count(workspace_id, MemoryFilter(text="zebra")) == 1
    with pytest.raises(NotFound):
        await services.memories.store.get(workspace_id, gone.id)
    with pytest.raises(NotFound):
        await services.memories.store.update(workspace_id, gone.id, MemoryChange(importance=1.0))
    hidden = await services.memories.store.get(workspace_id, gone.id, include_deleted=True)
    assert hidden.deleted_at is not None

    restored = await services.memories.store.restore(workspace_id, gone.id)
    assert (restored.deleted_at, restored.content, restored.version) == (None, f"{WORDS} two", 1)
    assert await shown(services, workspace_id) == [{kept.id, gone.id}] * 4
    assert await services.memories.store.count(workspace_id) == 2


async def test_a_hard_delete_leaves_a_tombstone_and_nothing_else(
    services, workspace_id, stored_memories
) -> None:
    """A30, A32, E4: node, versions, jobs and edges are removed, also after a soft delete."""
    gone = await saved(services.memories.store, workspace_id)
    other = await saved(services.memories.store, workspace_id)
    await services.memories.store.update(workspace_id, gone.id, MemoryChange(content="zebra crossing two"))
    await services.memories.associations.associate(
        workspace_id, from_id=gone.id, to_id=other.id, type_="RELATES_TO"
    )
    await services.memories.deletion.remove(workspace_id, gone.id)

    assert await services.memories.deletion.remove(workspace_id, gone.id, hard=True) is Deletion.DELETED
    assert await services.memories.deletion.remove(workspace_id, gone.id, hard=True) is Deletion.GONE_BEFORE
    assert await stored_memories.remains(workspace_id, gone.id) == [("Tombstone", 0)]
    assert (await services.memories.associations.of_memories(workspace_id, [other.id], first=5))[
        other.id
    ] == []
    with pytest.raises(NotFound):
        await services.memories.store.restore(workspace_id, gone.id)


async def test_an_unknown_id_is_distinguished_from_a_deleted_one(
    services, workspace_id, other_workspace_id
) -> None:
    """A32: an id of another workspace counts as unknown."""
    theirs = await saved(services.memories.store, other_workspace_id)
    for hard in (False, True):
        for id_ in ("mem_never", theirs.id):
            assert await services.memories.deletion.remove(workspace_id, id_, hard=hard) is Deletion.UNKNOWN
    assert await services.memories.store.get(other_workspace_id, theirs.id)


async def test_a_deleted_id_can_be_saved_again(services, workspace_id) -> None:
    """A20, A32, A42: the new memory shares only the id and, after a soft delete, the versions."""
    id_ = f"again.{workspace_id}"
    for hard in (True, False):
        await saved(services.memories.store, workspace_id, "old", id=id_, importance=0.9, tags=("old",))
        await services.memories.deletion.remove(workspace_id, id_, hard=hard)
        memory = await saved(services.memories.store, workspace_id, "new", id=id_)
        assert (memory.content, memory.importance, memory.tags, memory.deleted_at) == ("new", 0.5, (), None)
        assert await services.memories.store.count(workspace_id) == 1
        await services.memories.deletion.remove(workspace_id, id_, hard=True)


@pytest.mark.parametrize(
    ("mode", "asked", "remains"),
    [
        (DeleteMode.SOFT, True, True),
        (DeleteMode.HARD, False, False),
        (DeleteMode.PER_SURFACE, True, False),
        (DeleteMode.PER_SURFACE, False, True),
    ],
)
async def test_the_deployment_may_set_the_kind_of_deletes(
    workspace_id, memory_parts_under, mode, asked, remains
) -> None:
    """A30: ``delete_mode``."""
    memories = memory_parts_under(delete_mode=mode)
    memory = await saved(memories.store, workspace_id)

    await memories.deletion.remove(workspace_id, memory.id, hard=asked)

    found = await memories.store.find(workspace_id, memory.id, include_deleted=True)
    assert (found is not None) is remains


@pytest.mark.parametrize("hard", [False, True])
async def test_clearing_deletes_and_counts_matching_memories(
    services, workspace_id, other_workspace_id, memory_parts_under, hard
) -> None:
    """A41: by owner, type, age, all of them combined, then the rest."""
    clock = MovingClock()
    parts = memory_parts_under(clock=clock)
    memories = parts.store
    clock.move(days=-10)
    await saved(memories, workspace_id, api_key_id="key-a", type="Decision")
    kept = await saved(memories, workspace_id, api_key_id="key-b", type="Decision")
    await saved(memories, other_workspace_id, api_key_id="key-a", type="Decision")
    clock.move(days=5)
    young = await saved(memories, workspace_id, api_key_id="key-a", type="Decision")
    await saved(memories, workspace_id, api_key_id="key-a", type="Habit")
    old_decisions_of_a = MemoryClearing(
        api_key_id="key-a", types=(MemoryType.DECISION,), older_than=young.created_at
    )

    assert await parts.deletion.clear(workspace_id, old_decisions_of_a, hard=hard) == 1
    assert await parts.deletion.clear(workspace_id, old_decisions_of_a, hard=hard) == 0
    assert await parts.deletion.clear(workspace_id, MemoryClearing(kinds=("factual",)), hard=hard) == 1
    left = await memories.page(workspace_id, MemoryFilter())
    assert [memory.id for memory in left.items] == [young.id, kept.id]
    assert await parts.deletion.clear(workspace_id, MemoryClearing(facets=("context",)), hard=hard) == 2
    assert await memories.count(workspace_id) == 0
    assert await memories.count(other_workspace_id) == 1


async def test_clearing_uses_several_transactions(services, workspace_id) -> None:
    """A41."""
    unit = (1.0,) + (0.0,) * 383
    drafts = [MemoryDraft(content=f"{number}", dedup=False, embedding=unit) for number in range(501)]
    await services.memories.store.save_all(workspace_id, drafts)

    assert await services.memories.deletion.clear(workspace_id, MemoryClearing(), hard=True) == 501
    assert await services.memories.store.count(workspace_id) == 0


async def test_an_expired_memory_is_returned_nowhere(services, workspace_id, memories_under) -> None:
    """A35: even before the sweep; an end in the future hides nothing."""
    clock = MovingClock()
    memories = memories_under(clock=clock)
    ends = clock.now() + timedelta(hours=1)
    memory = await saved(memories, workspace_id, expires_at=ends)
    assert await memories.count(workspace_id) == 1
    assert (await shown(services, workspace_id))[0] == {memory.id}

    clock.time = ends
    assert await memories.count(workspace_id) == 0
    assert await memories.count(workspace_id, MemoryFilter(text="zebra")) == 0
    assert (await shown(services, workspace_id, memories))[:2] == [set(), set()]
    assert await memories.find(workspace_id, memory.id) is None
    with pytest.raises(NotFound):
        await memories.update(workspace_id, memory.id, MemoryChange(importance=1.0))

    revived = await memories.update(workspace_id, memory.id, MemoryChange(expires_at=None))
    assert revived.expires_at is None
    assert await memories.count(workspace_id) == 1


async def test_saving_an_expired_key_starts_a_new_lifetime(services, workspace_id, memories_under) -> None:
    """A35, A20: the category sets the lifetime; an explicit end is kept."""
    await services.tenancy.workspaces.update(workspace_id, settings={"lifetimeDays": {"status": 7}})
    clock = MovingClock()
    memories = memories_under(clock=clock)
    draft = MemoryDraft(content="The build is red", key="build", category="status")
    first = (await memories.save(workspace_id, draft)).memory
    clock.move(days=8)

    again = (await memories.save(workspace_id, draft)).memory
    clock.move(days=8)
    stated = clock.now() + timedelta(days=1)
    third = (await memories.save(workspace_id, draft.model_copy(update={"expires_at": stated}))).memory

    assert again.id == third.id == first.id
    assert (again.expires_at, third.expires_at) == (again.updated_at + timedelta(days=7), stated)


async def test_recall_shows_no_memory_that_expired_before_it(services, workspace_id, memories_under) -> None:
    """A35: another memory makes sure that recall finds something."""
    past = MovingClock()
    past.move(days=-2)
    expired = await saved(
        memories_under(clock=past), workspace_id, expires_at=past.now() + timedelta(hours=1)
    )
    ends = past.now() + timedelta(days=9)
    live = await saved(services.memories.store, workspace_id, f"{WORDS} again", expires_at=ends)

    assert await shown(services, workspace_id) == [{live.id}] * 4
    restored = await services.memories.store.restore(workspace_id, expired.id)
    assert restored.expires_at is None
    assert await shown(services, workspace_id) == [{live.id, expired.id}] * 4


async def test_the_sweep_removes_expired_memories_from_the_index(
    services, workspace_id, memories_under, stored_memories
) -> None:
    """A35, A21: before and after the sweep, the same text can be saved again."""
    past = MovingClock()
    past.move(days=-2)
    drafts = MemoryDraft(content=WORDS, expires_at=past.now() + timedelta(hours=1))
    expired = (await memories_under(clock=past).save(workspace_id, drafts)).memory
    live = await saved(services.memories.store, workspace_id, "another")

    await services.memories.deletion.sweep_expired()

    assert (await stored_memories.get(workspace_id, expired.id))["active"] is False
    assert (await stored_memories.get(workspace_id, live.id))["active"] is True
    assert await services.memories.store.count(workspace_id) == 1
    again = await services.memories.store.save(workspace_id, MemoryDraft(content=WORDS))
    assert (again.outcome, again.memory.id != expired.id) == (SaveOutcome.CREATED, True)


async def test_the_sweep_announces_expired_memories_as_deleted(
    services, workspace_id, other_workspace_id, memories_under
) -> None:
    """A35, issue 35: they vanish from every list; undoing the expiry is announced as well."""
    past = MovingClock()
    past.move(days=-2)
    until_then = past.now() + timedelta(hours=1)
    drafts = [MemoryDraft(content=WORDS, expires_at=until_then), MemoryDraft(content="another")]
    expired, live = await memories_under(clock=past).save_all(workspace_id, drafts)

    async with (
        asyncio.timeout(scaled_timeout(60)),
        services.memories.subscriptions.of_memories(workspace_id) as told,
        services.memories.subscriptions.of_memories(other_workspace_id) as told_others,
    ):
        await services.memories.deletion.sweep_expired()
        await services.memories.deletion.delete(workspace_id, live.memory.id)
        await services.memories.store.save(other_workspace_id, MemoryDraft(content="elsewhere"))
        deleted = (event async for event in told if event.type != "SAVED")
        events = [await anext(deleted) for _ in range(2)]
        elsewhere = await anext(told_others)

    assert [(event.type, event.memory_id, event.memory) for event in events] == [
        ("DELETED", expired.memory.id, None),
        ("DELETED", live.memory.id, None),
    ]
    assert elsewhere.type == "SAVED"


async def test_the_sweep_removes_expired_memories_from_the_external_tier(
    services, workspace_id, graph_driver
) -> None:
    """B21, A35: even if an earlier mirroring was parked; nothing else sweeps before the time."""
    now = datetime.now(UTC)
    memory = await saved(services.memories.store, workspace_id, expires_at=now + timedelta(hours=1))
    await run(graph_driver, _FAILED_MIRRORING, ws=workspace_id, id=memory.id)

    await sweep_expired(services.core.database, now=now + timedelta(hours=2), limit=1000, mirrors=True)

    (job,) = (await run(graph_driver, _MIRRORING, ws=workspace_id, id=memory.id)).records
    assert job.data() == {"state": "PENDING", "attempts": 0, "revision": 4}


async def test_retention_excludes_old_memories_on_its_surfaces(
    services, workspace_id, memories_under
) -> None:
    """A36: those created more than 30 days ago; they are kept, and shown everywhere else."""
    clock = MovingClock()
    memories = memories_under(clock=clock)
    clock.move(days=-31)
    old = await saved(memories, workspace_id, source_type="user")
    clock.move(seconds=1)
    extracted = await saved(memories, workspace_id, source_type="extracted")
    clock.move(days=2)
    young = await saved(memories, workspace_id, source_type="extracted")
    clock.move(days=29, seconds=-1)

    async def kept(surface: RetentionSurface) -> list[str]:
        window = memories.retention.window(surface, clock.now())
        page = await memories.page(workspace_id, MemoryFilter(retention=window))
        assert len(page.items) == await memories.count(workspace_id, MemoryFilter(retention=window))
        return [memory.id for memory in page.items]

    assert await kept(RetentionSurface.API_MEMORY) == [young.id]
    assert await kept(RetentionSurface.INJECTION_AUTO) == [young.id, old.id]
    assert await kept(RetentionSurface.RECALL) == [young.id, extracted.id, old.id]


async def test_validity_and_expiry_are_independent(services, workspace_id) -> None:
    """A34: an invalid memory is still listed; only recall at a given time excludes it."""
    clock = MovingClock()
    then, now = clock.now() - timedelta(days=100), clock.now()
    oslo = await saved(services.memories.store, workspace_id, f"{WORDS} oslo", t_valid=then, t_invalid=now)
    rome = await saved(services.memories.store, workspace_id, f"{WORDS} rome", t_valid=now)

    async def valid_at(moment) -> set[str]:
        found = await services.retrieval.recall.recall(
            workspace_id, RecallQuery(query=WORDS, filter=MemoryFilter(valid_at=moment))
        )
        return {hit.memory.id for hit in found.hits}

    assert await valid_at(then + timedelta(days=1)) == {oslo.id}
    assert await valid_at(now + timedelta(days=1)) == {rome.id}
    assert await services.memories.store.count(workspace_id) == 2

    cleared = await services.memories.store.update(workspace_id, oslo.id, MemoryChange(t_invalid=None))
    assert (cleared.t_valid, cleared.t_invalid) == (then, None)
    assert await valid_at(now + timedelta(days=1)) == {oslo.id, rome.id}


async def test_a_deleted_turn_leaves_its_neighbours_joined(services, workspace_id, stored_memories) -> None:
    """A30, E4."""
    drafts = [MemoryDraft(content=f"turn {number}", source_conversation_id="c") for number in range(3)]
    first, middle, last = [
        receipt.memory for receipt in await services.memories.store.save_all(workspace_id, drafts)
    ]

    await services.memories.deletion.remove(workspace_id, middle.id, hard=True)

    outgoing = (await stored_memories.get(workspace_id, first.id))["outgoing"]
    assert ["NEXT", "Memory", last.id] in outgoing


async def test_vectors_stored_during_a_permanent_delete_are_removed(services, graph_driver) -> None:
    """A31: otherwise only the index would still contain them."""
    seeded = await one_of_each(graph_driver)
    node = {"ws": seeded.workspace_id, "id": seeded.memory_ids[3]}

    await overtaken_by(
        graph_driver,
        _VECTORS_COME,
        services.memories.deletion.forget(seeded.workspace_id, [node["id"]], is_act=False),
        **node,
    )

    (left,) = (await run(graph_driver, _PASSAGES, **node)).records
    assert left["count"] == 0
