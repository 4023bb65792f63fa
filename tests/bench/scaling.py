"""Growth of latency, memory and disk with the number of memories; each size is a separate store."""

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path

from app.settings import Settings
from tests.bench.big_store import Store, loaded
from tests.bench.engine import engine
from tests.bench.heap import heap_in_use, open_driver
from tests.bench.progress import Progress, say
from tests.bench.results import Table, against
from tests.bench.service import Service, Timings, service, timed
from tests.bench.world import Size, World

HEAP_MB = 6144
_PAGECACHE_MB = 3072
_WARM_UP = 300
_MB = 10**6
_MOST_MS = 60.0
_MOST_FIRST_SECONDS = 2.0


@dataclass(frozen=True)
class Point:
    """One size of the store.

    Attributes:
        seconds: Latency in seconds of each recall over HTTP with a cached vector, by workspace.
        sizes: Number of memories in each of these workspaces.
        first_seconds: Latency of the first recall after a restart of Neo4j and the service.
        heap_mb: Java heap in use after the recalls, including garbage.
        disk_mb: Size of Neo4j's data without transaction logs.
    """

    memories: int
    rows_per_second: float
    seconds: Mapping[str, Sequence[float]]
    sizes: Mapping[str, int]
    first_seconds: float
    heap_mb: float
    disk_mb: float


async def measure_scale(
    folder: Path | None, memories: Sequence[int], workspaces: int, queries: int
) -> list[Table]:
    """Fill a store of each size, restart it, and recall in its largest, median and smallest workspace."""
    with ExitStack() as stack:
        place = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-scale-")))
        points = [await _point(place / str(count), Size(count, workspaces), queries) for count in memories]
    return [table_of(points)]


async def _point(folder: Path, size: Size, queries: int) -> Point:
    say(f"scale: {size.memories:,} memories")
    async with _store(folder, size) as (settings, store), engine(settings) as runtime:
        world = await World.embedded_by(runtime.services.vectors.embeddings)
    async with _store(folder, size) as (settings, _), service(settings) as served:
        asked = world.queries(queries + _WARM_UP, seed=1)
        largest = store.tenants[0].workspace_id
        first, _ = await timed(served.client.recall(largest, asked[0]))
        places = store.samples()
        seconds = {
            name: await _seconds(served, store.tenants[place].workspace_id, asked)
            for name, place in places.items()
        }
        return Point(
            memories=size.memories,
            rows_per_second=store.rows_per_second,
            seconds=seconds,
            sizes={name: len(store.tenants[place].memory_ids) for name, place in places.items()},
            first_seconds=first,
            heap_mb=await _heap_mb(settings),
            disk_mb=_disk_mb(folder / "neo4j"),
        )


def _store(folder: Path, size: Size) -> AbstractAsyncContextManager[tuple[Settings, Store]]:
    return loaded(folder, size, heap_mb=HEAP_MB, pagecache_mb=_PAGECACHE_MB)


async def _seconds(served: Service, workspace_id: str, asked: Sequence[str]) -> list[float]:
    """Send each query twice and time the second request, whose vector is cached."""
    for query in asked[:_WARM_UP]:
        await served.client.recall(workspace_id, query)
    seconds = []
    progress = Progress("scale: recalls", len(asked) - _WARM_UP)
    for query in asked[_WARM_UP:]:
        await served.client.recall(workspace_id, query)
        seconds.append((await timed(served.client.recall(workspace_id, query)))[0])
        progress.step()
    return seconds


async def _heap_mb(settings: Settings) -> float:
    async with open_driver(settings) as driver:
        return await heap_in_use(driver) / _MB


def _disk_mb(folder: Path) -> float:
    """Return the size of the database's files without transaction logs."""
    files = (file for file in folder.rglob("*") if file.is_file() and "transactions" not in file.parts)
    return sum(file.stat().st_size for file in files) / _MB


def table_of(points: Sequence[Point]) -> Table:
    places = list(points[0].seconds)
    table = Table(
        "recall over HTTP, limit 10, vector cached, one client: p50 / p95 ms, by workspace (its memories)",
        ["memories", *places, "target of p95", "first recall s", "heap MB", "disk MB", "loaded a second"],
        note=f"First recall: of the largest workspace, after Neo4j and the service were restarted; target "
        f"≤ {_MOST_FIRST_SECONDS:g} s. Neo4j ran with -Xmx{HEAP_MB}m and a page cache of {_PAGECACHE_MB} MB; heap in "
        "use is what stood there after the recalls, garbage included. Disk without the logs of transactions. The "
        "vectors of what is loaded are given.",
    )
    for point in points:
        timings = {name: Timings(each) for name, each in point.seconds.items()}
        worst = max(each.ms(95) for each in timings.values())
        table.rows.append(
            [
                f"{point.memories:,}",
                *(
                    f"{each.ms(50):.1f} / {each.ms(95):.1f} ({point.sizes[name]:,})"
                    for name, each in timings.items()
                ),
                against(worst, _MOST_MS, at_most=True),
                f"{point.first_seconds:.2f} {against(point.first_seconds, _MOST_FIRST_SECONDS, at_most=True)}",
                f"{point.heap_mb:.0f}",
                f"{point.disk_mb:.0f}",
                f"{point.rows_per_second:.0f}",
            ]
        )
    return table
