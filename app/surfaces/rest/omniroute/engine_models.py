"""The wire shapes of how the engine stands."""

from datetime import datetime
from typing import Self

from pydantic import ConfigDict
from pydantic.config import JsonDict

from app.surfaces.rest.omniroute.memory_models import CacheFigures
from app.surfaces.rest.omniroute.wire import Answer
from graph.operations.settings.models import RunningMemorySettings
from graph.operations.status.service import EngineStatus
from graph.vectors.index.models import EmbeddingProvider

_REPORT: JsonDict = {
    "keyword": {"available": True},
    "embedding": {
        "ready": True,
        "source": "transformers",
        "model": "all-MiniLM-L6-v2",
        "dimension": 384,
        "signature": "transformers:all-MiniLM-L6-v2:384",
        "reason": None,
        "since": None,
        "cache": {"size": 12, "hits": 30, "misses": 12, "hitRate": 0.7143},
    },
    "vectorStore": {
        "setting": "auto",
        "store": "neo4j",
        "quantization": "SCALAR",
        "total": 120,
        "indexed": 118,
        "needsReindex": 2,
        "rebuilding": None,
    },
    "qdrant": {
        "enabled": False,
        "ok": False,
        "latencyMs": None,
        "serves": False,
        "reason": None,
        "collection": "omniroute_memory",
        "pending": 0,
    },
    "rerank": {"enabled": False, "providerModel": None},
}


class ProviderEntry(Answer):
    """A remote provider of embedding models."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"provider": "openai", "models": ["text-embedding-3-small"], "hasKey": False}]
        }
    )

    provider: str
    models: list[str]
    has_key: bool

    @classmethod
    def of(cls, provider: EmbeddingProvider) -> Self:
        """Return the shape of a provider."""
        return cls(provider=provider.name, models=list(provider.models), has_key=provider.has_key)


class KeywordReport(Answer):
    """The full-text index, tier 0."""

    available: bool


class EmbeddingReport(Answer):
    """The model whose vectors are in use.

    Attributes:
        signature: ``source:model:dimension``; other fields have the three parts.
        ready: Result of the last call or probe.
        reason: Why it is not ready, where it is not.
        since: Start of the present failure; null while it is ready.
    """

    ready: bool
    source: str | None
    model: str | None
    dimension: int | None
    signature: str | None
    reason: str | None
    since: datetime | None
    cache: CacheFigures


class Rebuilding(Answer):
    """A new model whose index is being filled while the current one serves."""

    signature: str
    done: int
    total: int


class VectorStoreReport(Answer):
    """Source of the vectors that recall searches.

    Attributes:
        setting: Value of the setting ``vectorStore``.
        store: Store in use; null if recall only uses words.
        quantization: Compression of the graph's own index.
        needs_reindex: Memories whose vector is still to be made, or to be made again.
    """

    setting: str
    store: str | None
    quantization: str | None
    total: int
    indexed: int
    needs_reindex: int
    rebuilding: Rebuilding | None


class QdrantReport(Answer):
    """The external tier.

    Attributes:
        ok: True if it answered just now.
        serves: Whether recall searches it.
        pending: Number of updates waiting to be sent.
    """

    enabled: bool
    ok: bool
    latency_ms: float | None
    serves: bool
    reason: str | None
    collection: str
    pending: int


class RerankReport(Answer):
    """The model that reads query and text together."""

    enabled: bool
    provider_model: str | None


class EngineReport(Answer):
    """State of the engine."""

    model_config = ConfigDict(json_schema_extra={"examples": [_REPORT]})

    keyword: KeywordReport
    embedding: EmbeddingReport
    vector_store: VectorStoreReport
    qdrant: QdrantReport
    rerank: RerankReport

    @classmethod
    def of(cls, status: EngineStatus, chosen: RunningMemorySettings) -> Self:
        """Return the shape of the status of one workspace."""
        return cls(
            keyword=KeywordReport(available=status.keyword_ready),
            embedding=_embedding(status),
            vector_store=_vector_store(status),
            qdrant=_qdrant(status),
            rerank=RerankReport(enabled=chosen.rerank_enabled, provider_model=chosen.rerank_provider_model),
        )


def _embedding(status: EngineStatus) -> EmbeddingReport:
    signature = status.embedder.signature
    source, _, rest = (signature or "").partition(":")
    model, _, dimension = rest.rpartition(":")
    return EmbeddingReport(
        ready=status.embedder.ready,
        source=source or None,
        model=model or None,
        dimension=int(dimension) if dimension.isdecimal() else None,
        signature=signature,
        reason=status.embedder.reason,
        since=status.embedder.since,
        cache=CacheFigures.of(status.cache),
    )


def _vector_store(status: EngineStatus) -> VectorStoreReport:
    (counts,) = status.workspaces
    store = {"external": "qdrant", "vector": "neo4j"}.get(status.tiers[-1])
    building = status.building
    return VectorStoreReport(
        setting=status.vector_tier.settings.vector_store.value,
        store=store,
        quantization=status.index.quantization if status.index else None,
        total=counts.memories,
        indexed=counts.embedded,
        needs_reindex=counts.needs_reindex,
        rebuilding=Rebuilding(signature=building.signature, done=building.done, total=building.total)
        if building
        else None,
    )


def _qdrant(status: EngineStatus) -> QdrantReport:
    tier = status.vector_tier
    ok = tier.health is not None and tier.health.ok
    return QdrantReport(
        enabled=tier.settings.enabled,
        ok=ok,
        latency_ms=tier.health.latency_ms if ok and tier.health else None,
        serves=tier.serves,
        reason=tier.reason or (tier.health.error if tier.health else None),
        collection=tier.settings.collection,
        pending=tier.pending,
    )
