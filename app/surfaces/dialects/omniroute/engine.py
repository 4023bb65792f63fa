"""``/api/memory/…``: state, previews, compaction and reindexing of the engine."""

from datetime import datetime
from typing import Any, Self

from litestar import Controller, Request, Response, get, post
from litestar.datastructures import State
from litestar.params import JSONBody
from pydantic import ConfigDict
from pydantic.config import JsonDict

from app.surfaces.dialects.omniroute.models import (
    OF_MEMORY,
    Answer,
    CacheFigures,
    Compaction,
    CompactionQuery,
    Failing,
    Preview,
    PreviewQuery,
    Reindexing,
    ReindexQuery,
    Working,
)
from app.surfaces.http.shapes import cut_notice
from graph.memories.compaction.service import CompactionRequest
from graph.memories.models import MemoryFilter
from graph.memories.policy import RetentionSurface
from graph.operations.models import RunningMemorySettings
from graph.operations.services import Services
from graph.operations.status import EngineStatus
from graph.retrieval.recall.models import Fusion, RecallQuery, strategy_named
from graph.tenancy.models import Scope
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
    """The embedding model in use.

    Attributes:
        ready: Whether the last call or probe succeeded.
        signature: ``source:model:dimension``, whose parts are also separate fields.
        reason: Reason why it is not ready; null while it is.
        since: Start of the current failure; null while it is ready.
        cache: Counters of the embedding cache.
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
    """The index of a new model, under construction while the current one serves."""

    signature: str
    done: int
    total: int


class VectorStoreReport(Answer):
    """Source of the vectors that recall searches.

    Attributes:
        setting: Value of the setting ``vectorStore``.
        store: Store in use; null if recall only uses words.
        quantization: Compression of the graph's own index.
        needs_reindex: Number of memories whose vector is missing or outdated.
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
        ok: Whether Qdrant answered this request's check.
        serves: Whether recall searches Qdrant.
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
    """The reranking model, which reads query and text together."""

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


Caller = Request[Any, Any, State]


class EngineRoutes(Controller):
    """Routes of the engine, for the key's workspace."""

    path = "/api/memory"
    tags = ("omniroute",)
    opt = OF_MEMORY

    @get("/health", summary="Test the memory path")
    async def health(self, request: Caller, state: State) -> Working | Failing:
        """Create, find and permanently delete a test memory."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        found = await services.operations.readiness.verify()
        if found.error is None:
            return Working(latency_ms=found.latency_ms)
        return Failing(latency_ms=found.latency_ms, error=found.error)

    @post(
        "/retrieve-preview",
        summary="Preview a recall",
        status_code=200,
    )
    async def preview(self, request: Caller, state: State, data: JSONBody[PreviewQuery]) -> Response[Preview]:
        """Return the memories that a query would recall, fused by reciprocal rank; records no use.

        The service reads the last 8,000 characters of a long query and reports this in the header `x-recollect-notice`.
        """
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        await services.tenancy.access.enter_pool_of(workspace_id, data.api_key_id)
        chosen = await services.operations.settings.of(workspace_id)
        query = RecallQuery(
            query=data.query,
            strategy=strategy_named(data.strategy) if data.strategy else None,
            fusion=Fusion.RRF,
            limit=data.limit,
            max_tokens=chosen.max_tokens if data.max_tokens is None else data.max_tokens,
            filter=MemoryFilter(api_key_id=data.api_key_id, session_id=data.session_id),
            expand_relations=False,
            dry_run=True,
        )
        found = await services.retrieval.recall.recall(
            workspace_id, query, surface=RetentionSurface.API_MEMORY
        )
        return Response(Preview.of(found), headers=cut_notice([data.query]))

    @get("/embedding-providers", summary="List providers of embedding models")
    async def providers(self, request: Caller, state: State) -> list[ProviderEntry]:
        """Return every provider with its known models, and whether it has a key; never the key."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.READ)
        return [ProviderEntry.of(provider) for provider in services.vectors.embeddings.providers]

    @get("/engine-status", summary="State of the engine")
    async def status(self, request: Caller, state: State) -> EngineReport:
        """Return the state of each tier, and the number of memories without a vector."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        status = await services.operations.status.engine([workspace_id])
        return EngineReport.of(status, await services.operations.settings.of(workspace_id))

    @post("/summarize", summary="Compact old memories", status_code=200)
    async def summarize(
        self, request: Caller, state: State, data: JSONBody[CompactionQuery | None] = None
    ) -> Compaction:
        """Compact old memories; runs only on request, and a dry run changes nothing."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        query = data or CompactionQuery()
        await services.tenancy.access.enter_pool_of(workspace_id, query.api_key_id)
        days = query.older_than_days
        if days is None:
            days = (await services.operations.settings.of(workspace_id)).days_before_compaction
        compaction = CompactionRequest(
            older_than_days=days, api_key_id=query.api_key_id, dry_run=query.dry_run
        )
        report = await services.memories.compaction.compact(workspace_id, compaction)
        return Compaction(candidates=report.candidate_count, tokens_saved=report.tokens_saved)

    @post("/reindex", summary="Embed memories without a vector", status_code=200)
    async def reindex(
        self, request: Caller, state: State, data: JSONBody[ReindexQuery | None] = None
    ) -> Reindexing:
        """Queue the memories of the workspace for embedding, all of them with `force`; recall continues."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        report = await services.vectors.embeddings.reindex(
            workspace_id, force=data is not None and data.force
        )
        await services.core.wake_up.signal()
        return Reindexing(started=report.started, pending=report.pending)
