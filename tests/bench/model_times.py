"""Load time, latency and rate of a local model.

``python -m tests.bench.model_times NAME`` prints the figures of one model. Only a new process, which has
nothing loaded yet, can measure the load time.
"""

import asyncio
import json
import sys
import time
from dataclasses import asdict, dataclass
from statistics import median

from graph.core.ports import Embedder

_REPEATS = 50
_TEXTS = 400
_WORDS = (
    "the red kite flew over our house on monday while Ada was painting the old garden fence again".split()
)


@dataclass(frozen=True)
class ModelTimes:
    """Load time, latency of a short text, and rate of one model."""

    load_seconds: float
    p50_ms: float
    texts_per_second: float


async def times_of(name: str) -> ModelTimes:
    """Measure a model in a new process.

    Raises:
        RuntimeError: The process failed.
    """
    from tests.bench.service import ROOT  # noqa: PLC0415 - an import at the top would count as loading

    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bench.model_times", name, cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    answer, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"measuring {name} ended with {process.returncode}")
    return ModelTimes(**json.loads(answer.splitlines()[-1]))


async def _measure(name: str) -> ModelTimes:
    start = time.perf_counter()
    embedder = _load(name)
    await embedder.embed(["ready"])
    loaded = time.perf_counter() - start
    texts = [" ".join(_WORDS[number % 8 : number % 8 + 10]) + f" {number}" for number in range(_TEXTS)]
    single = []
    for text in texts[:_REPEATS]:
        start = time.perf_counter()
        await embedder.embed([text])
        single.append(time.perf_counter() - start)
    start = time.perf_counter()
    await embedder.embed(texts)
    return ModelTimes(loaded, median(single) * 1000, _TEXTS / (time.perf_counter() - start))


def _load(name: str) -> Embedder:
    from app.adapters.embedding.local_models import LOCAL_MODELS  # noqa: PLC0415 - importing is part of loading
    from tests.fixtures.local_models import load  # noqa: PLC0415

    return load(LOCAL_MODELS[name])


if __name__ == "__main__":
    print(json.dumps(asdict(asyncio.run(_measure(sys.argv[1])))))
