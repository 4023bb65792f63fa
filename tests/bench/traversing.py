"""``recollect bench traversal``: two hops through a large ontology, from anywhere and from a hub."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from neo4j import AsyncDriver

from graph.knowledge.traversal.models import TraversalQuery
from graph.operations.services import Services
from tests.bench.engine import engine, servers
from tests.bench.filling import fill, open_driver
from tests.bench.retrieval import Outcome
from tests.bench.service import Timings, timed
from tests.bench.tables import Table, against

_HERE = Path(__file__).parent
_ENTITIES = (_HERE / "entities.cypher").read_text(encoding="utf-8")
_RELATIONS = (_HERE / "relations.cypher").read_text(encoding="utf-8")
_HUB = 0
_BATCH = 10_000
_LIMIT = 100
_WARM_UP = 300  # the server needs so many until its compiler has done its work, as in `bench speed`
_MOST_P95_MS = 100.0


async def measure_traversal(entities: int, relations: int, queries: int) -> Outcome:
    """Measure traversals and paths in one workspace whose first entity is joined to every other one."""
    async with servers(heap_mb=2048, pagecache_mb=1024) as settings, engine(settings) as runtime:
        services = runtime.services
        workspace = await services.tenancy.workspaces.create("traversal")
        async with open_driver(settings) as driver:
            await _fill(driver, workspace.id, entities, relations)
        random = np.random.default_rng(7)
        starts = random.integers(1, entities, size=queries + _WARM_UP).tolist()
        anywhere = await _times(services, workspace.id, starts)
        hub = await _times(services, workspace.id, [_HUB] * (queries + _WARM_UP))
        ends = random.integers(1, entities, size=(queries + _WARM_UP, 2)).tolist()
        paths = await _path_times(services, workspace.id, ends)
    return _outcome(entities, relations, {"any entity": anywhere, "the hub": hub}, paths)


async def _fill(driver: AsyncDriver, workspace_id: str, entities: int, relations: int) -> None:
    """Write the ontology past the service, whose own writing is measured elsewhere."""
    now = datetime.now(UTC)
    for first in range(0, entities, _BATCH):
        last = min(first + _BATCH, entities) - 1
        await fill(driver, _ENTITIES, workspace_id=workspace_id, first=first, last=last, now=now)
    random = np.random.default_rng(1)
    spokes = [[_HUB, number, 0.5] for number in range(1, entities)]
    ends = random.integers(1, entities, size=(max(relations - len(spokes), 0), 2))
    strengths = random.random(len(ends)).round(3)
    pairs = [*spokes, *([int(a), int(b), float(s)] for (a, b), s in zip(ends, strengths, strict=True))]
    for first in range(0, len(pairs), _BATCH):
        await fill(driver, _RELATIONS, pairs=pairs[first : first + _BATCH], now=now)


async def _times(services: Services, workspace_id: str, starts: Sequence[int]) -> Timings:
    seconds = [
        (
            await timed(
                services.knowledge.traversal.traverse(
                    workspace_id, TraversalQuery(start=[f"ent_bench{start}"], limit=_LIMIT)
                )
            )
        )[0]
        for start in starts
    ]
    return Timings(seconds[_WARM_UP:])


async def _path_times(services: Services, workspace_id: str, ends: Sequence[Sequence[int]]) -> Timings:
    seconds = [
        (
            await timed(
                services.knowledge.traversal.paths(
                    workspace_id, from_id=f"ent_bench{start}", to_id=f"ent_bench{end}", max_depth=4
                )
            )
        )[0]
        for start, end in ends
    ]
    return Timings(seconds[_WARM_UP:])


def _outcome(entities: int, relations: int, walks: dict[str, Timings], paths: Timings) -> Outcome:
    table = Table(
        f"two hops, limit {_LIMIT}, {entities:,} entities and {relations:,} relations, one client",
        ["from", "p50 ms", "p95 ms", "target p95"],
        note=f"The hub is joined to all {entities - 1:,} others. Through the service, without HTTP.",
    )
    for name, times in walks.items():
        reached = against(times.ms(95), _MOST_P95_MS, at_most=True)
        table.rows.append([name, f"{times.ms(50):.1f}", f"{times.ms(95):.1f}", reached])
    ways = Table("paths of at most 4 hops between two entities", ["p50 ms", "p95 ms"])
    ways.rows.append([f"{paths.ms(50):.1f}", f"{paths.ms(95):.1f}"])
    figures = {
        **{name: [times.ms(50), times.ms(95)] for name, times in walks.items()},
        "paths": [paths.ms(50), paths.ms(95)],
    }
    return Outcome([table, ways], figures)
