"""The state of the embedder, from its last call or from a probe."""

from collections.abc import Sequence
from typing import Any, cast

import pytest

from app.adapters.embedding.cache import CachedEmbedder, EmbeddingCache
from app.adapters.embedding.lazy import MeasuredEmbedder
from graph.core.database import Database
from graph.core.measuring import UNMEASURED
from graph.core.ports import EmbedderState, EmbeddingFailed, TextsRefused
from graph.core.text.owners import texts_owned_by
from graph.core.text.work import TextWork
from graph.vectors.index.models import RETRIED, TRUSTED, EmbedderOutcomes, VectorIndex
from graph.vectors.index.queries import FindVectorIndexRow
from graph.vectors.index.service import Embeddings
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.jobs import FakeClock

PROBE = ["Does the embedder answer?"]


class Bench:
    """An embedder behind the cache, as in the service, whose vectors are in use."""

    def __init__(self) -> None:
        self.clock = FakeClock()
        self.embedder = HashingEmbedder(dimension=8)
        outcomes = EmbedderOutcomes(self.clock)
        cached = CachedEmbedder(MeasuredEmbedder(self.embedder, UNMEASURED, outcomes), EmbeddingCache())
        self.embeddings = Embeddings(
            cast("Database", None),
            cached,
            self.clock,
            quantization="NONE",
            text_work=cast("TextWork", None),
            outcomes=outcomes,
        )
        index = VectorIndex.model_construct(slot="a", signature=self.embedder.signature, dimension=8)
        empty: dict[str, Any] = dict.fromkeys(FindVectorIndexRow.model_fields)
        self.embeddings._indexes = FindVectorIndexRow.model_construct(**(empty | {"active": index}))

    async def embed(self, *texts: str) -> None:
        with texts_owned_by(["ws"] * len(texts)):
            await self.embeddings.embed(texts)

    def failing(self, reason: str, since: Any) -> EmbedderState:
        return EmbedderState(ready=False, signature=self.embedder.signature, reason=reason, since=since)

    @property
    def ready(self) -> EmbedderState:
        return EmbedderState(ready=True, signature=self.embedder.signature)


@pytest.fixture
def bench() -> Bench:
    return Bench()


async def test_a_failed_call_is_reported_with_its_reason_until_one_works(bench: Bench) -> None:
    """Issue 35 (13): with the time of the first failure; a text from the cache is no call."""
    await bench.embed("tabs")
    assert bench.embeddings.state == bench.ready

    bench.embedder.failure = "answered with status 401"
    began = bench.clock.now()
    for _ in range(2):
        with pytest.raises(EmbeddingFailed):
            await bench.embed("spaces")
        bench.clock.move(1)
    await bench.embed("tabs")
    assert bench.embeddings.state == bench.failing("answered with status 401", began)

    bench.embedder.failure = None
    await bench.embed("spaces")
    assert bench.embeddings.state == bench.ready


async def test_a_check_probes_without_a_recent_call(bench: Bench) -> None:
    """Issue 35 (13): never from the cache, and rarely, because providers charge for it."""

    async def probes(seconds: float = 0) -> Sequence[list[str]]:
        bench.clock.move(seconds)
        bench.embedder.calls.clear()
        with texts_owned_by(["ws"]):
            await bench.embeddings.check()
        return bench.embedder.calls

    assert await probes() == [PROBE]
    assert await probes(TRUSTED.total_seconds() - 1) == []
    bench.embedder.failure = "answered with status 500"
    assert await probes(1) == [PROBE]
    assert bench.embeddings.state == bench.failing("answered with status 500", bench.clock.now())
    bench.embedder.failure = None
    assert await probes(RETRIED.total_seconds() - 1) == []
    assert await probes(1) == [PROBE]
    assert bench.embeddings.state == bench.ready


async def test_a_refused_text_leaves_the_embedder_ready(bench: Bench) -> None:
    """Issue 35 (13): unless it refuses a harmless text as well."""
    bench.embedder.refused["a poem"] = "answered with status 400"
    with pytest.raises(TextsRefused):
        await bench.embed("a poem")
    assert await bench.embeddings.check() == bench.ready

    bench.embedder.refused[PROBE[0]] = "answered with status 400"
    with pytest.raises(TextsRefused):
        await bench.embed("a poem")
    assert await bench.embeddings.check() == bench.failing("answered with status 400", bench.clock.now())
