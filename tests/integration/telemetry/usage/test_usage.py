"""Counts of memory uses: collected at once, written later, none lost or counted twice."""

import asyncio

import pytest

from graph.core.errors import Unavailable
from graph.memories.models import MemoryDraft
from graph.retrieval.recall.models import RecallQuery
from graph.telemetry import queries
from graph.telemetry.usage import Usage
from tests.fixtures.memories import MovingClock
from tests.fixtures.waiting import until


@pytest.fixture
async def ids(services, workspace_id) -> list[str]:
    """Save two memories and return their ids."""
    receipts = await services.memories.store.save_all(
        workspace_id, [MemoryDraft(content="Ada likes tea"), MemoryDraft(content="Bob lives in Rome")]
    )
    return [receipt.memory.id for receipt in receipts]


async def counts(services, workspace_id, ids) -> list[int]:
    found = await services.memories.store.find_all(workspace_id, ids)
    return [found[id_].usage_count for id_ in ids]


async def test_every_use_is_counted_with_its_time(services, workspace_id, ids) -> None:
    """A37: as last use and last access; text and update time stay."""
    clock = MovingClock()
    usage = Usage(services.core.database, clock)
    before = await services.memories.store.get(workspace_id, ids[0])
    usage.record(workspace_id, ids)
    clock.move(seconds=5)
    usage.record(workspace_id, ids[:1])

    await usage.flush()
    await usage.flush()

    assert await counts(services, workspace_id, ids) == [2, 1]
    memory = await services.memories.store.get(workspace_id, ids[0])
    assert memory.last_used_at == memory.last_accessed_at == clock.now()
    assert (memory.updated_at, memory.version) == (before.updated_at, 1)


async def test_no_use_is_lost_between_processes(services, workspace_id, ids) -> None:
    """A37, N10: five processes count the same memories concurrently."""
    processes = [Usage(services.core.database, MovingClock()) for _ in range(5)]

    async def use(usage: Usage) -> None:
        for _ in range(10):
            usage.record(workspace_id, ids)
            await usage.flush()

    await asyncio.gather(*(use(usage) for usage in processes))

    assert await counts(services, workspace_id, ids) == [50, 50]


async def test_no_use_is_lost_between_flushes(services, workspace_id, ids) -> None:
    """A37, N10: uses are recorded while earlier ones are written."""
    usage = Usage(services.core.database, MovingClock())

    async def use() -> None:
        for _ in range(10):
            usage.record(workspace_id, ids[:1])
            await asyncio.sleep(0)
        await usage.flush()

    await asyncio.gather(*(use() for _ in range(5)))

    assert await counts(services, workspace_id, ids) == [50, 0]


async def test_failed_writes_of_uses_are_retried_later(services, workspace_id, ids, monkeypatch) -> None:
    """A37."""
    usage = Usage(services.core.database, MovingClock())
    usage.record(workspace_id, ids)

    async def away(*_, **__) -> None:
        raise Unavailable("neo4j", "the graph does not answer")

    with monkeypatch.context() as patch:
        patch.setattr(queries, "add_usage", away)
        with pytest.raises(Unavailable):
            await usage.flush()
    usage.record(workspace_id, ids)
    await usage.flush()

    assert await counts(services, workspace_id, ids) == [2, 2]


async def test_a_use_of_a_deleted_or_foreign_memory_is_ignored(
    services, workspace_id, other_workspace_id, ids
) -> None:
    """A37, I8."""
    usage = Usage(services.core.database, MovingClock())
    await services.memories.deletion.delete(workspace_id, ids[1], hard=True)
    usage.record(workspace_id, [*ids, "mem_missing"])
    usage.record(other_workspace_id, ids)

    await usage.flush()

    assert await counts(services, workspace_id, ids[:1]) == [1]


async def test_a_change_keeps_the_counters(services, workspace_id) -> None:
    """A37, A20: a concurrent upsert and flush lose nothing."""
    id_ = (await services.memories.store.save(workspace_id, MemoryDraft(content="v", key="k"))).memory.id
    usage = Usage(services.core.database, MovingClock())

    async def use() -> None:
        for _ in range(10):
            usage.record(workspace_id, [id_])
            await usage.flush()

    async def change() -> None:
        for number in range(10):
            draft = MemoryDraft(content="v", key="k", metadata={str(number): number})
            await services.memories.store.save(workspace_id, draft)

    await asyncio.gather(use(), change())

    memory = await services.memories.store.get(workspace_id, id_)
    assert (memory.usage_count, len(memory.metadata)) == (10, 10)


async def test_a_recall_counts_as_a_use(services, workspace_id, ids) -> None:
    """A37: a dry run does not."""
    for dry_run in (True, False):
        await services.retrieval.recall.recall(
            workspace_id, RecallQuery(query="Ada tea", limit=1, dry_run=dry_run)
        )

    async def used() -> bool:
        return (await counts(services, workspace_id, ids))[0] > 0

    await until(used)
    assert await counts(services, workspace_id, ids) == [1, 0]
