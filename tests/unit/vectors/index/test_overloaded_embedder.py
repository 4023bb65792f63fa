"""An overloaded embedder is no reason to give a text up."""

from typing import Any, cast

import pytest

from graph.core.ports import EmbedderUnavailable
from graph.vectors.index.models import EmbeddingSource, VectorIndex
from graph.vectors.index.reembedding import Reembedding
from graph.vectors.index.vectors import Target, Texts
from tests.fixtures.embedders import HashingEmbedder


async def test_a_text_that_a_limit_of_tokens_refuses_is_waited_for() -> None:
    """B15: it stands alone and a short text passes, and yet it is not marked: the next minute takes it."""
    embedder = HashingEmbedder(dimension=8)
    source = EmbeddingSource.model_construct(workspace_id="w", id="m", revision=1, content="a long text")
    index = VectorIndex.model_construct(slot="b", signature=embedder.signature, dimension=8)
    reembedding = Reembedding(*cast("tuple[Any, Any, Any]", (None,) * 3))
    busy = EmbedderUnavailable("answered with status 429")

    with pytest.raises(EmbedderUnavailable, match="answered with status 429"):
        await reembedding._store_what_passes(
            [Texts(source, source.content, ())], Target(index, embedder), busy, cursor=""
        )

    assert len(embedder.calls) == 1
