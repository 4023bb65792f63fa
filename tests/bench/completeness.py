"""``recollect bench ann``: whether the vector leg finds what comparing every memory would find."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph.memories.models import MemoryFilter
from graph.operations.services import Services
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.vectors.index.models import EmbeddedQuery
from tests.bench.big_store import Store, Tenant, loaded
from tests.bench.engine import engine
from tests.bench.metrics import Interval, bootstrap
from tests.bench.retrieval import Outcome
from tests.bench.tables import Table, against, with_bounds
from tests.bench.world import Size, World

TARGET = 0.99
_NEAREST = 10


async def measure_completeness(folder: Path | None, size: Size, queries: int) -> Outcome:
    """Compare the vector leg with exact cosine in the largest, the median and the smallest workspace."""
    async with loaded(folder, size) as (settings, store), engine(settings) as runtime:
        world = await World.embedded_by(runtime.services.vectors.embeddings)
        found = {
            name: await _recall_in(runtime.services, world, store, place, queries)
            for name, place in store.samples().items()
        }
    return _outcome(store, found, queries)


async def _recall_in(services: Services, world: World, store: Store, place: int, queries: int) -> Interval:
    tenant = store.tenants[place]
    stored = np.array([draft.embedding for draft in world.memories(place, len(tenant.memory_ids))])
    shares = []
    for vector in world.query_vectors(queries, seed=place):
        nearest = np.argsort(-(stored @ vector), kind="stable")[:_NEAREST]
        exact = {tenant.memory_ids[row] for row in nearest}
        shares.append(len(exact & await _vector_leg(services, tenant, vector)) / len(exact))
    return bootstrap(shares)


async def _vector_leg(services: Services, tenant: Tenant, vector: NDArray[np.float32]) -> set[str]:
    """Return the best ten of what the vector index alone brought into the pool, by the cosine computed for each."""
    index = services.vectors.embeddings.active
    assert index is not None
    embedded = EmbeddedQuery([vector.tolist()], index)
    gathered = await services.retrieval.recall._pipeline._retriever.gather(
        tenant.workspace_id, ParsedQuery(""), embedded, filter_=MemoryFilter()
    )
    fetched = set(gathered.pool.vector_ids)
    compared = [c for c in gathered.pool.candidates if c.id in fetched and c.cosine is not None]
    best = sorted(compared, key=lambda candidate: -(candidate.cosine or 0.0))
    return {candidate.id for candidate in best[:_NEAREST]}


def _outcome(store: Store, found: Mapping[str, Interval], queries: int) -> Outcome:
    table = Table(
        f"recall@{_NEAREST} of the vector leg against exact cosine, {store.size.memories:,} memories in "
        f"{store.size.workspaces} workspaces",
        ["workspace", "memories", "queries", "recall@10 [95 %]", "target"],
        note=f"loaded at {store.rows_per_second:.0f} memories a second, vectors supplied",
    )
    figures: dict[str, Any] = {"rows_per_second": store.rows_per_second}
    for name, place in store.samples().items():
        count, interval = len(store.tenants[place].memory_ids), found[name]
        table.rows.append(
            [name, f"{count:,}", str(queries), with_bounds(interval), against(interval.mean, TARGET)]
        )
        figures[name] = {"memories": count, "recall@10": interval.mean}
    return Outcome([table], figures)
