"""``recollect bench archive``: a workspace goes out as a file, into another deployment, and answers as before."""

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from graph.operations.services import Services
from graph.retrieval.recall.models import RecallQuery
from tests.bench.big_store import loaded
from tests.bench.engine import engine, servers, settle_all
from tests.bench.retrieval import Outcome
from tests.bench.tables import Table, against
from tests.bench.world import Size, World

OUT_TARGET = 2000.0
IN_TARGET = 800.0
_HITS = 10
Answers = list[list[tuple[str, float]]]


@dataclass(frozen=True)
class _Restored:
    """What came in: its rate, and what the recalls answered there."""

    rate: float
    answers: Answers


async def measure_archive(folder: Path | None, size: Size, queries: int) -> Outcome:
    """Export one workspace with and without vectors, and restore each file into a deployment of its own."""
    files: dict[bool, Path] = {}
    rates: dict[bool, float] = {}
    with tempfile.TemporaryDirectory(prefix="recollect-archive-") as place:
        async with loaded(folder, size) as (settings, store), engine(settings) as runtime:
            workspace_id = store.tenants[0].workspace_id
            world = await World.embedded_by(runtime.services.vectors.embeddings)
            asked = world.queries(queries, seed=0)
            before = await _answers(runtime.services, workspace_id, asked)
            for with_vectors in (True, False):
                files[with_vectors] = Path(place) / f"{with_vectors}.tar.zst"
                started = time.perf_counter()
                await _export(runtime.services, workspace_id, files[with_vectors], vectors=with_vectors)
                rates[with_vectors] = size.memories / (time.perf_counter() - started)
        sizes = {with_vectors: file.stat().st_size / 2**20 for with_vectors, file in files.items()}
        restored = {
            with_vectors: await _restore(file, workspace_id, size, asked if with_vectors else [])
            for with_vectors, file in files.items()
        }
    table = Table(
        f"a workspace of {size.memories:,} memories as an archive",
        ["archive", "MB", "memories a second", "target"],
        note=f"{_same_hits(before, restored[True].answers)} of {len(asked)} recalls of the restored workspace give the "
        f"same {_HITS} hits in the same order, {_same(before, restored[True].answers)} of them with the same scores to "
        "six digits: the index is approximate, and now and then finds another one of the farthest candidates, which "
        "the scores of all are measured against; texts restored without vectors are embedded afterwards",
    )
    for with_vectors, rate in rates.items():
        name = f"out, {'with' if with_vectors else 'without'} vectors"
        table.rows.append([name, f"{sizes[with_vectors]:.0f}", f"{rate:.0f}", against(rate, OUT_TARGET)])
    for with_vectors, entry in restored.items():
        name = f"in, {'with' if with_vectors else 'without'} vectors"
        table.rows.append([name, "", f"{entry.rate:.0f}", against(entry.rate, IN_TARGET)])
    figures = {
        "out": {str(key): rate for key, rate in rates.items()},
        "in": {str(key): entry.rate for key, entry in restored.items()},
        "same_recalls": _same(before, restored[True].answers),
        "same_hits": _same_hits(before, restored[True].answers),
    }
    return Outcome([table], figures)


async def _export(services: Services, workspace_id: str, file: Path, *, vectors: bool) -> None:
    stream = await services.operations.archives.export(workspace_id, vectors=vectors)
    with file.open("wb") as opened:
        async for piece in stream.pieces:
            opened.write(piece)


async def _restore(file: Path, workspace_id: str, size: Size, asked: list[str]) -> _Restored:
    """Restore into a deployment that holds nothing; what is asked there waits for its background work."""
    async with servers(heap_mb=2048, pagecache_mb=512) as settings, engine(settings) as runtime:
        archives = runtime.services.operations.archives
        with file.open("rb") as opened:
            started = time.perf_counter()
            async for _ in archives.restore(workspace_id, await archives.check(opened), opened):
                pass
            rate = size.memories / (time.perf_counter() - started)
        if not asked:
            return _Restored(rate, [])
        await settle_all(runtime.services)
        return _Restored(rate, await _answers(runtime.services, workspace_id, asked))


async def _answers(services: Services, workspace_id: str, asked: list[str]) -> Answers:
    answers = []
    for query in asked:
        found = await services.retrieval.recall.recall(
            workspace_id, RecallQuery(query=query, limit=_HITS, dry_run=True)
        )
        answers.append([(hit.memory.id, round(hit.score, 6)) for hit in found.hits])
    return answers


def _same_hits(before: Answers, after: Answers) -> int:
    return _same(*([[(id_, 0.0) for id_, _ in answer] for answer in answers] for answers in (before, after)))


def _same(before: Answers, after: Answers) -> int:
    return sum(one == other and bool(one) for one, other in zip(before, after, strict=True))
