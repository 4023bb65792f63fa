"""``recollect bench reembed``: the embedder is changed while recalls and saves go on, and a worker is killed midway.

The API runs in one process and the jobs in another, as in a deployment. Every recall says whose vectors served it;
each score it shows must be the one that these vectors give, or vectors of two embedders were mixed.
"""

import asyncio
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from model2vec import StaticModel
from tokenizers import Tokenizer

from app.settings import Settings
from tests.bench.big_store import Store, loaded
from tests.bench.engine import engine
from tests.bench.retrieval import Outcome
from tests.bench.service import RequestFailed, ServiceClient, Timings, service, start_worker, stop, timed
from tests.bench.tables import Table, against
from tests.bench.world import Size, World
from tests.fixtures.local_models import files_of

_PROBES = 40
_BASELINE_HITS = 100
_RECALLERS = 2
_SAVE_PAUSE_SECONDS = 0.1
_POLL_SECONDS = 0.25
_SAME_SCORE = 0.005
_STATIC_DIMENSION = 256
_MOST_SECONDS = 3600.0

Scores = Mapping[tuple[int, str], float]


@dataclass(frozen=True)
class Probe:
    """A question that is asked again and again of one workspace."""

    number: int
    workspace_id: str
    query: str


@dataclass
class Watched:
    """What the steady stream of requests met."""

    recall_seconds: list[float] = field(default_factory=list)
    saves: int = 0
    failures: list[str] = field(default_factory=list)
    shown: list[tuple[str, int, str, float]] = field(default_factory=list)
    without_vectors: int = 0


@dataclass(frozen=True)
class Change:
    """How the change went."""

    seconds: float
    signatures: tuple[str, str]
    missing: int


async def measure_reembedding(folder: Path | None, size: Size) -> Outcome:
    """Change from the packaged model to a static one, killing the worker halfway."""
    with tempfile.TemporaryDirectory(prefix="recollect-static-") as static:
        _make_static_model(Path(static))
        changed = {"RECOLLECT_EMBEDDING_SOURCE": "static", "RECOLLECT_EMBEDDING_STATIC_MODEL": static}
        async with loaded(folder, size) as (settings, store):
            probes, own, notes = await _prepare(settings, store)
            async with service(settings) as served:
                old = await _scores(served.client, probes)
            watched = Watched()
            async with service(settings, RECOLLECT_WORKER_INLINE="false", **changed) as served:
                async with _stream(served.client, probes, own, notes, watched):
                    change = await _change(settings, served.client, store, own, changed)
                new = await _scores(served.client, probes)
    expected = dict(zip(change.signatures, (old, new), strict=True))
    return _outcome(store, watched, change, _mixed(watched, expected))


async def _prepare(settings: Settings, store: Store) -> tuple[list[Probe], str, list[str]]:
    async with engine(settings) as runtime:
        world = await World.embedded_by(runtime.services.vectors.embeddings)
        own = await runtime.services.tenancy.workspaces.create("saved during the change")
    places = list(store.samples().values())
    probes = [
        Probe(number, store.tenants[places[number % len(places)]].workspace_id, query)
        for number, query in enumerate(world.queries(_PROBES, seed=7))
    ]
    return probes, own.id, world.notes(100_000, seed=8)


async def _scores(client: ServiceClient, probes: Sequence[Probe]) -> Scores:
    """Return the cosine that every hit of every probe has with the vectors in use."""
    found = {}
    for probe in probes:
        answer = await client.recall(probe.workspace_id, probe.query, limit=_BASELINE_HITS)
        for hit in answer["hits"]:
            found[probe.number, hit["memory"]["id"]] = hit["vectorScore"]
    return found


@asynccontextmanager
async def _stream(
    client: ServiceClient, probes: Sequence[Probe], own: str, notes: Sequence[str], watched: Watched
) -> AsyncIterator[None]:
    """Recall and save without a pause inside the block."""
    ended = asyncio.Event()
    tasks = [
        asyncio.create_task(_keep_recalling(client, probes[start::_RECALLERS], watched, ended))
        for start in range(_RECALLERS)
    ]
    tasks.append(asyncio.create_task(_keep_saving(client, own, notes, watched, ended)))
    try:
        yield
    finally:
        ended.set()
        await asyncio.gather(*tasks)


async def _keep_recalling(
    client: ServiceClient, probes: Sequence[Probe], watched: Watched, ended: asyncio.Event
) -> None:
    while not ended.is_set():
        for probe in probes:
            try:
                seconds, answer = await timed(client.recall(probe.workspace_id, probe.query))
            except RequestFailed as error:
                watched.failures.append(str(error))
                continue
            watched.recall_seconds.append(seconds)
            _note(answer, probe, watched)


def _note(answer: Mapping[str, Any], probe: Probe, watched: Watched) -> None:
    signature = answer["resolution"]["embedder"]
    if signature is None:
        watched.without_vectors += 1
        return
    watched.shown += [
        (signature, probe.number, hit["memory"]["id"], hit["vectorScore"]) for hit in answer["hits"]
    ]


async def _keep_saving(
    client: ServiceClient, own: str, notes: Sequence[str], watched: Watched, ended: asyncio.Event
) -> None:
    for note in notes:
        if ended.is_set():
            return
        try:
            await client.save(own, [note])
        except RequestFailed as error:
            watched.failures.append(str(error))
        else:
            watched.saves += 1
        await asyncio.sleep(_SAVE_PAUSE_SECONDS)


async def _change(
    settings: Settings, client: ServiceClient, store: Store, own: str, changed: Mapping[str, str]
) -> Change:
    """Wait until the new vectors are in use and nothing is left to do; kill the worker halfway."""
    workspaces = [*(tenant.workspace_id for tenant in store.tenants), own]
    before = (await client.engine([]))["index"]["signature"]
    start = time.monotonic()
    worker = await start_worker(settings, **changed)
    killed = False
    try:
        async with asyncio.timeout(_MOST_SECONDS):
            while (status := await client.engine([]))["index"]["signature"] == before:
                building = status["building"]
                if building and not killed and building["done"] * 2 >= building["total"] > 0:
                    worker.kill()
                    await worker.wait()
                    worker = await start_worker(settings, **changed)
                    killed = True
                await asyncio.sleep(_POLL_SECONDS)
            seconds = time.monotonic() - start
            while any(counts["pendingJobs"] for counts in (await client.engine(workspaces))["workspaces"]):
                await asyncio.sleep(_POLL_SECONDS)
            status = await client.engine(workspaces)
    finally:
        await stop(worker)
    if not killed:
        raise RuntimeError("the change was over before the worker could be killed; use more memories")
    missing = sum(counts["memories"] - counts["embedded"] for counts in status["workspaces"])
    return Change(seconds, (before, status["index"]["signature"]), missing)


def _mixed(watched: Watched, expected: Mapping[str, Scores]) -> int:
    """Count the hits whose score is not what the vectors named by their answer give."""
    wrong = 0
    for signature, number, id_, score in watched.shown:
        known = expected.get(signature, {}).get((number, id_))
        if signature not in expected or (known is not None and abs(known - score) > _SAME_SCORE):
            wrong += 1
    return wrong


def _make_static_model(folder: Path) -> None:
    """Write a static model that gives each token of the default model's vocabulary a random direction."""
    tokenizer = Tokenizer.from_buffer(files_of().tokenizer())
    random = np.random.default_rng(9)
    vectors = random.standard_normal((tokenizer.get_vocab_size(), _STATIC_DIMENSION)).astype(np.float32)
    StaticModel(vectors=vectors, tokenizer=tokenizer).save_pretrained(str(folder))


def _outcome(store: Store, watched: Watched, change: Change, mixed: int) -> Outcome:
    timings = Timings(watched.recall_seconds)
    figures = {
        "seconds until the new vectors were in use": round(change.seconds),
        "recalls meanwhile": len(watched.recall_seconds),
        "saves meanwhile": watched.saves,
        "failed requests": len(watched.failures),
        "recalls without vectors": watched.without_vectors,
        "hits with a score of other vectors": mixed,
        "memories without a new vector at the end": change.missing,
    }
    must_be_none = {name for name in figures if not name.endswith("meanwhile")} - {next(iter(figures))}
    table = Table(
        f"changing the embedder of {store.size.memories:,} memories, the worker killed halfway",
        ["figure", "value", "target"],
        note=f"recall meanwhile p50 / p95 {timings.ms(50):.0f} / {timings.ms(95):.0f} ms, {_RECALLERS} clients; "
        + "; ".join(sorted(set(watched.failures))[:3]),
    )
    for name, value in figures.items():
        target = against(float(value), 0.0, at_most=True) if name in must_be_none else ""
        table.rows.append([name, f"{value:,}", target])
    return Outcome([table], figures)
