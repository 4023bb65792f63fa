"""Pages of memories while a writer adds rows: no row twice, none missing."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph.memories.models import Memory, MemoryDraft, MemoryFilter, MemoryOrder
from graph.operations.services import Services
from graph.telemetry.usage import Usage
from tests.fixtures.memories import MovingClock
from tests.fixtures.timeouts import scaled_timeout

EPOCH = datetime(2024, 1, 1, tzinfo=UTC)
UNIT = (1.0,) + (0.0,) * 383
SIZE_BEFORE = 12
# Few distinct values, so that many rows share one.
ROWS = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 2)), min_size=1, max_size=SIZE_BEFORE
)


def drafts(rows: list[tuple[float, int]]) -> list[MemoryDraft]:
    return [
        MemoryDraft(
            content=f"row {number}",
            importance=importance,
            timestamp=EPOCH + timedelta(microseconds=place),
            embedding=UNIT,
            dedup=False,
        )
        for number, (importance, place) in enumerate(rows)
    ]


def rank(memory: Memory, order: MemoryOrder) -> object:
    """Return the sort value; by outcome all memories are equal, because no run used any of them."""
    return 0.5 if order is MemoryOrder.OUTCOME else getattr(memory, order.value)


async def walk(services: Services, before, added, size: int, order: MemoryOrder) -> None:
    """Read all pages, add a batch of rows after each page, and check the rows shown."""
    workspace = (await services.tenancy.workspaces.create("pages")).id
    stored = await services.memories.store.save_all(workspace, drafts(before))
    ids = [receipt.memory.id for receipt in stored]
    usage = Usage(services.core.database, MovingClock())
    for (_, uses), id_ in zip(before, ids, strict=True):
        usage.record(workspace, [id_] * uses)
    await usage.flush()
    shown, ranks, after, batches = [], [], None, iter(added)
    while True:
        page = await services.memories.store.page(
            workspace, MemoryFilter(), order=order, first=size, after=after
        )
        shown += [memory.id for memory in page.items]
        ranks += [rank(memory, order) for memory in page.items]
        assert len(page.items) == size or not page.has_more
        if not page.has_more:
            break
        after = page.cursors[-1].encode()
        if batch := next(batches, None):
            await services.memories.store.save_all(workspace, drafts(batch))
    assert len(set(shown)) == len(shown)
    assert set(ids) <= set(shown)
    assert ranks == sorted(ranks, reverse=True)
    whole = await services.memories.store.page(workspace, MemoryFilter(), order=order, first=200)
    in_order = [memory.id for memory in whole.items]
    assert shown == [id_ for id_ in in_order if id_ in set(shown)]


@pytest.mark.parametrize("order", list(MemoryOrder))
async def test_pages_repeat_no_row_and_skip_none(services, order) -> None:
    """A45, K1: in every order, with many equal values."""
    loop = asyncio.get_running_loop()

    @settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
    @given(ROWS, st.lists(ROWS, max_size=3), st.integers(1, 5))
    def walked(before, added, size) -> None:
        work = walk(services, before, added, size, order)
        asyncio.run_coroutine_threadsafe(work, loop).result(scaled_timeout(60))

    await asyncio.to_thread(walked)
