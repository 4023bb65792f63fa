"""Latencies and rates over HTTP, compared with the bare statements and models behind them."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from app.adapters.embedding.local_models import LOCAL_MODELS
from cypher import Statement
from graph.core.database import Database
from graph.core.ids import new_memory_id
from graph.core.rows import Runner
from graph.memories.models import MemoryDraft
from graph.operations.services import Services
from graph.retrieval.recall.models import RecallQuery, RecallStrategy
from tests.bench.big_store import Store, loaded
from tests.bench.engine import engine
from tests.bench.model_times import ModelTimes, times_of
from tests.bench.progress import Progress, say
from tests.bench.recorded_statements import StatementRecorder
from tests.bench.results import Table, against
from tests.bench.service import ServiceClient, Timings, service, timed
from tests.bench.world import Size, World
from tests.fixtures.local_models import load

_STATEMENT = "gather_candidates"
_CREATION = "create_memories"
# Requests; a new Java server takes ten times as long for the smallest statement.
_WARM_UP = 300
_SAVES = 200
_BULK = 2000
_BULK_BATCH = 500
_MOST_TIMES_STATEMENT = 2.0
_MOST_TIMES_MODEL = 1.2
_MOST_TIMES_WRITE = 2.5
_CLIENTS = 16
_TOGETHER = 800
_LEAST_TOGETHER = 400.0
_LEAST_BULK_SHARE = 0.8


@dataclass
class RecallTimes:
    """Latencies in one workspace, in seconds; measured in turn, so that they are comparable."""

    cached: list[float] = field(default_factory=list)
    uncached: list[float] = field(default_factory=list)
    fast: list[float] = field(default_factory=list)
    statement: list[float] = field(default_factory=list)
    model: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class SaveTimes:
    """Latencies of single saves in seconds, and rates per second.

    Attributes:
        single: Latencies of single saves over HTTP.
        written: Latencies of the bare statement that creates such a memory, in its own transaction.
        together: Rate of single saves by concurrent clients.
        answered: Rate of requests that read and write nothing, by as many clients; the limit of ``together``.
        bulk: Rate of memories saved and embedded in bulk.
        linked: Rate of the same, including links to entities.
        embedder: Rate of the embedder alone.
        neo4j: Rate of saves with supplied vectors.
    """

    single: Sequence[float]
    written: Sequence[float]
    together: float
    answered: float
    bulk: float
    linked: float
    embedder: float
    neo4j: float


async def measure_speed(folder: Path | None, size: Size, queries: int) -> list[Table]:
    """Measure recall in workspaces of three sizes, saves, and the local models."""
    async with (
        loaded(folder, size) as (settings, store),
        engine(settings) as runtime,
        service(settings) as served,
    ):
        world = await World.embedded_by(runtime.services.vectors.embeddings)
        recalls = {
            name: await _recall_times(runtime.services, served.client, world, store, name, queries)
            for name in store.samples()
        }
        saves = await _save_times(runtime.services, served.client, world)
    say("speed: local models")
    models = {name: await times_of(name) for name in LOCAL_MODELS}
    return tables(store, recalls, saves, models)


async def _recall_times(
    services: Services, client: ServiceClient, world: World, store: Store, name: str, queries: int
) -> RecallTimes:
    place = store.samples()[name]
    workspace_id = store.tenants[place].workspace_id
    asked = world.queries(queries + _WARM_UP, seed=place)
    progress = Progress(f"speed: recalls of the {name} workspace", len(asked))
    for query in asked[:_WARM_UP]:
        await client.recall(workspace_id, query)
        await client.recall(workspace_id, query, strategy=RecallStrategy.FAST)
        progress.step("warming up")
    times, model = RecallTimes(), load()
    for query in asked[_WARM_UP:]:
        statement, parameters = await _statement_of(services, workspace_id, query)
        times.uncached.append((await timed(client.recall(workspace_id, query)))[0])
        times.cached.append((await timed(client.recall(workspace_id, query)))[0])
        times.fast.append((await timed(client.recall(workspace_id, query, strategy=RecallStrategy.FAST)))[0])
        times.statement.append((await timed(services.core.database.run(statement, parameters)))[0])
        times.model.append((await timed(model.embed([query], as_query=True)))[0])
        progress.step()
    return times


async def _statement_of(
    services: Services, workspace_id: str, query: str
) -> tuple[Statement, Mapping[str, Any]]:
    """Return the statement by which recall retrieves a query's candidates, with its parameters."""
    gatherer = services.retrieval.recall._pipeline._retriever
    recorder = StatementRecorder(services.core.database)
    gatherer._database = recorder
    try:
        await services.retrieval.recall.recall(workspace_id, RecallQuery(query=query, limit=10, dry_run=True))
    finally:
        gatherer._database = services.core.database
    (found,) = [sent for sent in recorder.sent if sent[0].name.startswith(_STATEMENT)]
    return found


async def _save_times(services: Services, client: ServiceClient, world: World) -> SaveTimes:
    """Measure saves into new workspaces, which leave the workspaces of the store unchanged."""
    say("speed: saves, warming up")
    warm = await services.tenancy.workspaces.create("warming up")
    for text in world.notes(_WARM_UP, seed=3):
        await client.save(warm.id, [text])
    await _save_in_bulk(client, warm.id, world.notes(_BULK, seed=4))
    await client.until_idle(warm.id)
    say("speed: single saves")
    own = await services.tenancy.workspaces.create("single saves")
    single, written = await _single_saves(services, client, own.id, world.notes(_SAVES, seed=1))
    await client.until_idle(own.id)
    say(f"speed: saves of {_CLIENTS} clients")
    crowd = await services.tenancy.workspaces.create("saves at once")
    saves = (partial(client.save, crowd.id, [text]) for text in world.notes(_TOGETHER, seed=5))
    together, _ = await timed(_at_once(saves))
    await client.until_idle(crowd.id)
    answered, _ = await timed(_at_once([client.own_workspace] * _TOGETHER))
    say("speed: saves in bulk")
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
    return SaveTimes(
        single=single,
        written=written,
        together=_TOGETHER / together,
        answered=_TOGETHER / answered,
        bulk=_BULK / bulk,
        linked=_BULK / (bulk + further),
        embedder=_BULK / embedder,
        neo4j=_BULK / neo4j,
    )


async def _single_saves(
    services: Services, client: ServiceClient, workspace_id: str, texts: Sequence[str]
) -> tuple[list[float], list[float]]:
    """Time saves over HTTP and the bare statement that creates such a memory, in turn."""
    single, written = [], []
    for text in texts:
        single.append((await timed(client.save(workspace_id, [text])))[0])
        statement, parameters = await _creation_of(services, workspace_id, text)
        written.append((await timed(_written(services.core.database, statement, parameters)))[0])
    return single, written


async def _creation_of(
    services: Services, workspace_id: str, text: str
) -> tuple[Statement, Mapping[str, Any]]:
    """Return the statement by which a save creates a memory of the text, with its parameters."""
    saver = services.memories.store._saver
    recorder = StatementRecorder(services.core.database)
    saver._database = recorder
    try:
        await services.memories.store.save(workspace_id, MemoryDraft(content=text, dedup=False))
    finally:
        saver._database = services.core.database
    (found,) = [sent for sent in recorder.sent if sent[0].name == _CREATION]
    statement, parameters = found
    memories = [{**memory, "id": new_memory_id()} for memory in parameters["memories"]]
    return statement, {**parameters, "memories": memories}


async def _written(database: Database, statement: Statement, parameters: Mapping[str, Any]) -> None:
    async def work(tx: Runner) -> None:
        await tx.run(statement, parameters)

    await database.transaction(work)


async def _at_once(requests: Iterable[Callable[[], Awaitable[object]]]) -> None:
    """Send requests from ``_CLIENTS`` concurrent clients."""
    waiting = iter(requests)

    async def send_in_turn() -> None:
        for request in waiting:
            await request()

    await asyncio.gather(*(send_in_turn() for _ in range(_CLIENTS)))


async def _save_in_bulk(client: ServiceClient, workspace_id: str, texts: Sequence[str]) -> None:
    for first in range(0, len(texts), _BULK_BATCH):
        await client.save(workspace_id, texts[first : first + _BULK_BATCH])
    await client.until_embedded(workspace_id)


def tables(
    store: Store, recalls: Mapping[str, RecallTimes], saves: SaveTimes, models: Mapping[str, ModelTimes]
) -> list[Table]:
    """Return the tables of recalls, of saves and of local models."""
    return [_recall_table(store, recalls), _save_table(saves), _model_table(models)]


def _recall_table(store: Store, recalls: Mapping[str, RecallTimes]) -> Table:
    table = Table(
        f"recall over HTTP, limit 10, {store.size.memories:,} memories, one client: p50 / p95 ms",
        [
            "workspace",
            "memories",
            "cached",
            "statement",
            "ratio of p50",
            "FAST, cached",
            "not cached",
            "model",
            "allowed p50",
        ],
        note="ratio: cached over the bare statement of the same queries in the same run; target "
        f"≤ {_MOST_TIMES_STATEMENT:g}. Allowed when not cached: {_MOST_TIMES_STATEMENT:g} × statement + "
        f"{_MOST_TIMES_MODEL:g} × model.",
    )
    for name, times in recalls.items():
        cached, uncached, fast, statement, model = map(
            Timings, (times.cached, times.uncached, times.fast, times.statement, times.model)
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
                _p50_p95(fast),
                _p50_p95(uncached),
                _p50_p95(model),
                against(uncached.ms(50), round(allowed, 1), at_most=True),
            ]
        )
    return table


def _save_table(saves: SaveTimes) -> Table:
    slower = min(saves.embedder, saves.neo4j)
    share = saves.bulk / slower
    single, written = Timings(saves.single), Timings(saves.written)
    times = single.ms(50) / written.ms(50)
    table = Table("saving over HTTP", ["figure", "value", "target"])
    table.rows.extend(
        [
            ["one save, p50 / p95 ms", _p50_p95(single), ""],
            ["the bare write transaction of the same memory, p50 / p95 ms", _p50_p95(written), ""],
            ["one save against it, p50", f"{times:.2f}", against(times, _MOST_TIMES_WRITE, at_most=True)],
            [
                f"single saves a second, {_CLIENTS} clients",
                f"{saves.together:.0f}",
                against(saves.together, _LEAST_TOGETHER),
            ],
            [
                f"requests for nothing but the key's workspace a second, {_CLIENTS} clients",
                f"{saves.answered:.0f}",
                "",
            ],
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
        "local models, each in a process of its own",
        ["model", "loads in s", "one short text, p50 ms", "short texts a second"],
    )
    for name, times in models.items():
        table.rows.append(
            [name, f"{times.load_seconds:.2f}", f"{times.p50_ms:.1f}", f"{times.texts_per_second:.0f}"]
        )
    return table


def _p50_p95(timings: Timings) -> str:
    return f"{timings.ms(50):.1f} / {timings.ms(95):.1f}"
