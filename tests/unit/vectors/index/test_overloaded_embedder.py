"""Overload of an embedder, which retries texts, and texts that crash it, which are given up."""

from collections.abc import Sequence
from typing import Any, cast

import pytest

from graph.core.ports import EmbedderCrashed, EmbedderUnavailable, EmbeddingFailed, Vectors
from graph.vectors.index.models import EmbeddingSource, VectorIndex
from graph.vectors.index.reembedding import Reembedding
from graph.vectors.index.vectors import Target, Texts
from tests.fixtures.embedders import HashingEmbedder


async def test_a_rate_limited_text_waits() -> None:
    """B15: although a short text passes, it is not marked; a retry in the next minute embeds it."""
    embedder = HashingEmbedder(dimension=8)
    busy = EmbedderUnavailable("answered with status 429")

    with pytest.raises(EmbedderUnavailable, match="answered with status 429"):
        await Marking().store(embedder, busy)

    assert embedder.calls == [HARMLESS]


async def test_a_text_that_always_crashes_the_embedder_is_marked() -> None:
    """Issue 35 (13): a change of model does not wait for a text that can never have a vector."""
    embedder, marking = Crashing(passes=10), Marking()

    await marking.store(embedder, CRASH)

    assert marking.marked == ["answered with status 500"]
    assert embedder.calls == [HARMLESS, ["a long text"], HARMLESS]


@pytest.mark.parametrize("passes", [0, 1])
async def test_no_text_is_marked_while_a_harmless_one_fails_as_well(passes: int) -> None:
    """B15: that is an outage, even if it begins during the check."""
    marking = Marking()

    with pytest.raises(EmbedderCrashed):
        await marking.store(Crashing(passes=passes), CRASH)

    assert marking.marked == []


HARMLESS = ["Does the embedder answer?"]
CRASH = EmbedderCrashed("answered with status 500")


class Crashing(HashingEmbedder):
    """An embedder that crashes on every text but the harmless one, which passes a number of times."""

    def __init__(self, *, passes: int) -> None:
        super().__init__(dimension=8)
        self.passes = passes

    async def embed(self, texts: Sequence[str], *, as_query: bool = False) -> Vectors:
        rows = await super().embed(texts)
        self.passes -= list(texts) == HARMLESS
        if list(texts) != HARMLESS or self.passes < 0:
            raise CRASH
        return rows


class Marking(Reembedding):
    """A job that records the reasons of marks instead of writing them."""

    def __init__(self) -> None:
        super().__init__(*cast("tuple[Any, Any, Any]", (None,) * 3))
        self.marked: list[str] = []

    async def store(self, embedder: HashingEmbedder, failure: EmbeddingFailed) -> None:
        source = EmbeddingSource.model_construct(workspace_id="w", id="m", revision=1, content="a long text")
        index = VectorIndex.model_construct(slot="b", signature=embedder.signature, dimension=8)
        texts = [Texts(source, source.content, ())]
        await self._store_what_passes(texts, Target(index, embedder), failure, cursor="")

    async def _mark(self, source: EmbeddingSource, target: Target, reason: str) -> None:
        self.marked.append(reason)
