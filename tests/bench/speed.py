"""``recollect bench speed``: how long requests take over HTTP, beside what they cannot do without."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.adapters.embedding.local_models import LOCAL_MODELS
from cypher import Statement
from graph.core.database import Database
from graph.memories.models import MemoryDraft
from graph.operations.services import Services
from graph.retrieval.recall.models import RecallQuery
from tests.bench.big_store import Store, loaded
from tests.bench.engine import engine
from tests.bench.model_times import ModelTimes, times_of
from tests.bench.retrieval import Outcome
from tests.bench.service import ServiceClient, Timings, service, timed
from tests.bench.tables import Table, against
from tests.bench.world import Size, World
from tests.fixtures.local_models import load

_STATEMENT = "gather_candidates"
_WARM_UP = (
    300  # requests: a Java server that just started takes ten times as long over the smallest statement
)
_SAVES = 200
_BULK = 2000
_BULK_BATCH = 500
_MOST_TIMES_STATEMENT = 2.0
_MOST_TIMES_MODEL = 1.2
_MOST_SAVE_MS = 15.0
_LEAST_BULK_SHARE = 0.8


@dataclass
class RecallTimes:
    """Timings of one workspace, taken in turn so that they meet the same machine."""

    cached: list[float] = field(default_factory=list)
    uncached: list[float] = field(default_factory=list)
    statement: list[float] = field(default_factory=list)
    model: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class SaveTimes:
    """Seconds of single saves, and memories a second of the bulk and of its two halves alone.

    ``linked`` is the bulk's rate up to its last link to an entity.
    """

    single: Sequence[float]
    bulk: float
    linked: float
    embedder: float
    neo4j: float


class _Statements:
    """Records the statements that an engine sends, so that they can be sent again bare."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.sent: list[tuple[Statement, Mapping[str, Any]]] = []

    async def run(self, statement: Statement, parameters: Mapping[str, Any]) -> Any:
        self.sent.append((statement, parameters))
        return await self._database.run(statement, parameters)


async def measure_speed(folder: Path | None, size: Size, queries: int) -> Outcome:
    """Measure recall and save over HTTP in workspaces of three sizes, and the model beside its reference."""
    async with (
        loaded(folder, size) as (settings, store),
        engine(settings) as runtime,
        service(settings) as served,
    ):
        world = await World.embedded_by(runtime.services.vectors.embeddings)
        recalls = {
            name: await _recall_times(runtime.services, served.client, world, store, place, queries)
            for name, place in store.samples().items()
        }
        saves = await _save_times(runtime.services, served.client, world)
    models = {name: await times_of(name) for name in LOCAL_MODELS}
    return _outcome(store, recalls, saves, models)


async def _recall_times(
    services: Services, client: ServiceClient, world: World, store: Store, place: int, queries: int
) -> RecallTimes:
    workspace_id = store.tenants[place].workspace_id
    asked = world.queries(queries + _WARM_UP, seed=place)
    for query in asked[:_WARM_UP]:
        await client.recall(workspace_id, query)
    times, model = RecallTimes(), load()
    for query in asked[_WARM_UP:]:
        statement, parameters = await _statement_of(services, workspace_id, query)
        times.uncached.append((await timed(client.recall(workspace_id, query)))[0])
        times.cached.append((await timed(client.recall(workspace_id, query)))[0])
        times.statement.append((await timed(services.core.database.run(statement, parameters)))[0])
        times.model.append((await timed(model.embed([query], as_query=True)))[0])
    return times


async def _statement_of(
    services: Services, workspace_id: str, query: str
) -> tuple[Statement, Mapping[str, Any]]:
    """Return the statement that gathers a query's candidates, with the parameters recall gives it."""
    gatherer = services.retrieval.recall._pipeline._retriever
    recorder = _Statements(services.core.database)
    gatherer._database = recorder
    try:
        await services.retrieval.recall.recall(workspace_id, RecallQuery(query=query, limit=10, dry_run=True))
    finally:
        gatherer._database = services.core.database
    (found,) = [sent for sent in recorder.sent if sent[0].name.startswith(_STATEMENT)]
    return found


async def _save_times(services: Services, client: ServiceClient, world: World) -> SaveTimes:
    """Save into workspaces of their own, so that the store stays what the world says."""
    warm = await services.tenancy.workspaces.create("warming up")
    for text in world.notes(_WARM_UP, seed=3):
        await client.save(warm.id, [text])
    await _save_in_bulk(client, warm.id, world.notes(_BULK, seed=4))
    await client.until_idle(warm.id)
    own = await services.tenancy.workspaces.create("single saves")
    single = [(await timed(client.save(own.id, [text])))[0] for text in world.notes(_SAVES, seed=1)]
    await client.until_idle(own.id)
    texts = world.notes(_BULK, seed=2)
    fresh = await services.tenancy.workspaces.create("bulk")
    bulk, _ = await timed(_save_in_bulk(client, fresh.id, texts))
    further, _ = await timed(client.until_idle(fresh.id))
    embedder, vectors = await timed(load().embed(texts))
    other = await services.tenancy.workspaces.create("bulk, vectors supplied")
    start = time.perf_counter()
    for first in range(0, _BULK, _BULK_BATCH):
        rows = zip(texts[first : first + _BULK_BATCH], vectors[first : first + _BULK_BATCH], strict=True)
        drafts = [
            MemoryDraft(content=text, embedding=tuple(vector.tolist()), dedup=False) for text, vector in rows
        ]
        await services.memories.store.save_all(other.id, drafts)
    neo4j = time.perf_counter() - start
    return SaveTimes(single, _BULK / bulk, _BULK / (bulk + further), _BULK / embedder, _BULK / neo4j)


async def _save_in_bulk(client: ServiceClient, workspace_id: str, texts: Sequence[str]) -> None:
    for first in range(0, len(texts), _BULK_BATCH):
        await client.save(workspace_id, texts[first : first + _BULK_BATCH])
    await client.until_embedded(workspace_id)


def _outcome(
    store: Store, recalls: Mapping[str, RecallTimes], saves: SaveTimes, models: Mapping[str, ModelTimes]
) -> Outcome:
    tables = [_recall_table(store, recalls), _save_table(saves), _model_table(models)]
    figures = {
        "recall": {
            name: {
                kind: [Timings(getattr(times, kind)).ms(50), Timings(getattr(times, kind)).ms(95)]
                for kind in ("cached", "uncached", "statement", "model")
            }
            for name, times in recalls.items()
        },
        "save_ms": [Timings(saves.single).ms(50), Timings(saves.single).ms(95)],
        "per_second": {
            "bulk": saves.bulk,
            "linked": saves.linked,
            "embedder": saves.embedder,
            "neo4j": saves.neo4j,
        },
        "models": {name: vars(times) for name, times in models.items()},
    }
    return Outcome(tables, figures)


def _recall_table(store: Store, recalls: Mapping[str, RecallTimes]) -> Table:
    table = Table(
        f"recall over HTTP, limit 10, {store.size.memories:,} memories, one client: p50 / p95 ms",
        [
            "workspace",
            "memories",
            "cached",
            "statement",
            "ratio of p50",
            "not cached",
            "model",
            "allowed p50",
        ],
        note="ratio: cached over the bare statement of the same queries in the same run; target "
        f"≤ {_MOST_TIMES_STATEMENT:g}. Allowed when not cached: {_MOST_TIMES_STATEMENT:g} × statement + "
        f"{_MOST_TIMES_MODEL:g} × model.",
    )
    for name, times in recalls.items():
        cached, uncached, statement, model = map(
            Timings, (times.cached, times.uncached, times.statement, times.model)
        )
        ratio = cached.ms(50) / statement.ms(50)
        allowed = _MOST_TIMES_STATEMENT * statement.ms(50) + _MOST_TIMES_MODEL * model.ms(50)
        table.rows.append(
            [
                name,
                f"{len(store.tenants[store.samples()[name]].memory_ids):,}",
                _p50_p95(cached),
                _p50_p95(statement),
                f"{ratio:.2f} {against(ratio, _MOST_TIMES_STATEMENT, at_most=True)}",
                _p50_p95(uncached),
                _p50_p95(model),
                against(uncached.ms(50), round(allowed, 1), at_most=True),
            ]
        )
    return table


def _save_table(saves: SaveTimes) -> Table:
    slower = min(saves.embedder, saves.neo4j)
    share = saves.bulk / slower
    single = Timings(saves.single)
    table = Table("saving over HTTP", ["figure", "value", "target"])
    table.rows.extend(
        [
            ["one save, p50 / p95 ms", _p50_p95(single), against(single.ms(50), _MOST_SAVE_MS, at_most=True)],
            [f"{_BULK:,} saved and embedded, a second", f"{saves.bulk:.0f}", ""],
            ["saved, embedded and linked, a second", f"{saves.linked:.0f}", ""],
            ["embedder alone, a second", f"{saves.embedder:.0f}", ""],
            ["Neo4j alone (vectors supplied), a second", f"{saves.neo4j:.0f}", ""],
            ["bulk against the slower of the two", f"{share:.0%}", against(share, _LEAST_BULK_SHARE)],
        ]
    )
    return table


def _model_table(models: Mapping[str, ModelTimes]) -> Table:
    table = Table(
        "all-MiniLM-L6-v2, each in a process of its own",
        ["runs on", "loads in s", "one short text, p50 ms", "short texts a second"],
    )
    names = {"minilm": "onnxruntime (default)", "transformers": "sentence-transformers"}
    for name, times in models.items():
        table.rows.append(
            [names[name], f"{times.load_seconds:.2f}", f"{times.p50_ms:.1f}", f"{times.texts_per_second:.0f}"]
        )
    return table


def _p50_p95(timings: Timings) -> str:
    return f"{timings.ms(50):.1f} / {timings.ms(95):.1f}"
