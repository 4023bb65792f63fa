"""Builds the parts of the room of vectors that the other rooms are built on."""

from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta

from app.bootstrap.dependencies import Dependencies
from app.bootstrap.embedders import EmbedderRegistry, build_embeddings
from app.bootstrap.vector_tier import Tier, build_tier
from graph.core.ports import Embedder, EmbedderCatalogue
from graph.vectors.external.connection import TierOpener
from graph.vectors.index.reembedding import Reembedding
from graph.vectors.index.service import Embeddings

_GRACE_ROUNDS = 5  # an index that was replaced is kept until every process has surely read of it


@dataclass(frozen=True)
class VectorParts:
    """The embedder, the vector stores, and the reindexer."""

    embeddings: Embeddings
    registry: EmbedderRegistry
    reembedding: Reembedding
    tier: Tier


def build_vectors(
    on: Dependencies,
    stack: AsyncExitStack,
    *,
    embedder: Embedder | None,
    catalogue: EmbedderCatalogue | None,
    tier_opener: TierOpener,
) -> VectorParts:
    """Return the parts; ``stack`` closes their resources.

    Raises:
        InvalidInput: The settings name a model that is not available.
    """
    embeddings, registry = build_embeddings(on, stack, embedder=embedder, catalogue=catalogue)
    grace = timedelta(seconds=_GRACE_ROUNDS * on.refresh_seconds)
    reembedding = Reembedding(
        on.database, embeddings, on.clock, batch_size=on.job_rules.batch_size, grace=grace
    )
    tier = build_tier(on, embeddings, tier_opener, stack)
    return VectorParts(embeddings, registry, reembedding, tier)
