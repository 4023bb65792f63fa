"""Memory of the service process, and of Neo4j's Java heap for the whole store."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from app.settings import Settings
from tests.bench.big_store import Store, loaded
from tests.bench.engine import engine
from tests.bench.heap import heap_in_use, open_driver
from tests.bench.progress import Progress
from tests.bench.results import Table, against
from tests.bench.service import Service, service
from tests.bench.world import Size, World

HEAP_MB = 2048
_MOST_RSS_MB = 1200.0
_MB = 1024 * 1024
_QUERIES = 300
_SAVES = 500
_AT_ONCE = 8
_SAMPLE_SECONDS = 0.5


async def measure_memory(folder: Path | None, size: Size) -> list[Table]:
    """Measure the memory of the service and of Neo4j (heap of 2 GB) under load."""
    async with loaded(folder, size, heap_mb=HEAP_MB) as (settings, store):
        async with engine(settings) as runtime:
            world = await World.embedded_by(runtime.services.vectors.embeddings)
            own = await runtime.services.tenancy.workspaces.create("saves")
        async with service(settings) as served:
            idle = served.process.memory_info().rss / _MB
            heaps: list[float] = []
            watching = asyncio.create_task(_watch(settings, heaps))
            try:
                await _load(served, world, store, own.id)
            finally:
                watching.cancel()
                with suppress(asyncio.CancelledError):
                    await watching
            after = served.process.memory_info().rss / _MB
            peak = _peak_mb(served.process.pid) or after
    return _outcome(store, idle, after, peak, heaps)


async def _load(served: Service, world: World, store: Store, own: str) -> None:
    """Recall in all workspaces by concurrent requests, and save memories to embed."""
    tenants = [tenant.workspace_id for tenant in store.tenants]
    queries = world.queries(_QUERIES, seed=5)
    progress = Progress("memory: recalls", len(queries))
    for first in range(0, len(queries), _AT_ONCE):
        together = queries[first : first + _AT_ONCE]
        asked = (
            served.client.recall(tenants[(first + number) % len(tenants)], query, limit=100)
            for number, query in enumerate(together)
        )
        await asyncio.gather(*asked)
        progress.step(count=len(together))
    await served.client.save(own, world.notes(_SAVES, seed=6))
    await served.client.until_idle(own)


async def _watch(settings: Settings, heaps: list[float]) -> None:
    async with open_driver(settings) as driver:
        while True:
            heaps.append(await heap_in_use(driver) / _MB)
            await asyncio.sleep(_SAMPLE_SECONDS)


def _peak_mb(pid: int) -> float | None:
    """Return the process's peak memory in MB, or None if the system does not report it (not Linux)."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return None
    lines = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines())
    return float(lines["VmHWM"].split()[0]) / 1024


def _outcome(store: Store, idle: float, after: float, peak: float, heaps: Sequence[float]) -> list[Table]:
    table = Table(
        f"memory in MB, {store.size.memories:,} memories",
        ["figure", "value", "target"],
        note=f"Neo4j ran with -Xmx{HEAP_MB}m; the lowest is about what stays after a collection.",
    )
    table.rows.extend(
        [
            ["service process, model loaded", f"{idle:.0f}", ""],
            [f"service process after {_QUERIES} recalls, {_SAVES} saves", f"{after:.0f}", ""],
            ["service process, peak", f"{peak:.0f}", against(peak, _MOST_RSS_MB, at_most=True)],
            ["Java heap in use, lowest", f"{min(heaps):.0f}", ""],
            ["Java heap in use, highest", f"{max(heaps):.0f}", against(max(heaps), HEAP_MB, at_most=True)],
        ]
    )
    return [table]
