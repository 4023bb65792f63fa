"""Recall and injection with the packaged model, whose vectors represent meaning."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from app.adapters.embedding.onnx_model import OnnxEmbedder
from graph.memories.models import MemoryDraft
from graph.vectors.index.models import EmbeddedQuery, VectorIndex
from tests.fixtures.local_models import word_specificity
from tests.fixtures.recall import injection_under, recall_under


@dataclass
class Read:
    """The embedding functions that a recall uses, with the packaged model's vectors in the active slot."""

    embedder: OnnxEmbedder
    signature: str
    vector_property: str = "embedding_a"
    active: VectorIndex = field(init=False)

    def __post_init__(self) -> None:
        self.active = VectorIndex(
            slot="a", signature=self.signature, dimension=384, quantization="NONE", since=datetime.now(UTC)
        )

    async def embed_query(self, *texts: str) -> EmbeddedQuery:
        return EmbeddedQuery((await self.embedder.embed(texts)).tolist(), self.active)


@pytest.fixture
def with_model(services, minilm):
    """Return a function that builds a recall part as in a deployment with the packaged model."""

    def under(built, signature: str | None):
        return built(
            services,
            embeddings=Read(minilm, signature or minilm.signature),
            specificity=word_specificity,
            merge_above=2.0,
        )

    return under


@pytest.fixture
def recall(with_model):
    """Return a function that builds the recall of a deployment with the packaged model."""
    return lambda signature=None: with_model(recall_under, signature)


@pytest.fixture
def injection(with_model):
    """Return a function that builds the injection of a deployment with the packaged model."""
    return lambda signature=None: with_model(injection_under, signature)


@pytest.fixture
def remember(services, workspace_id, minilm):
    """Return a function that saves texts with their vectors and returns their ids."""

    async def save(contents: Sequence[str], **fields) -> list[str]:
        vectors = (await minilm.embed(contents)).tolist()
        drafts = [
            MemoryDraft(content=content, embedding=tuple(vector), dedup=False, **fields)
            for content, vector in zip(contents, vectors, strict=True)
        ]
        receipts = await services.memories.store.save_all(workspace_id, drafts)
        return [receipt.memory.id for receipt in receipts]

    return save
