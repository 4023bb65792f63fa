"""``/api/memory/…``: what the engine does and how it stands, tried out and set going."""

from typing import Any

from litestar import Controller, Request, Response, get, post
from litestar.datastructures import State
from litestar.params import JSONBody

from app.surfaces.rest.omniroute.engine_models import EngineReport, ProviderEntry
from app.surfaces.rest.omniroute.memory_models import (
    Compaction,
    CompactionQuery,
    Failing,
    Preview,
    PreviewQuery,
    Reindexing,
    ReindexQuery,
    Working,
)
from app.surfaces.rest.omniroute.wire import OF_MEMORY
from app.surfaces.rest.texts import cut_notice
from graph.memories.compaction.models import CompactionWish
from graph.memories.models import MemoryFilter
from graph.memories.retention import RetentionSurface
from graph.operations.services import Services
from graph.retrieval.recall.models import Fusion, RecallQuery, strategy_named
from graph.tenancy.access.models import Scope

Caller = Request[Any, Any, State]


class EngineRoutes(Controller):
    """The engine, as the workspace of the key sees it."""

    path = "/api/memory"
    tags = ("omniroute",)
    opt = OF_MEMORY

    @get("/health", summary="Whether a memory can be created, found and deleted")
    async def health(self, request: Caller, state: State) -> Working | Failing:
        """Make the round trip, of which nothing is left."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        found = await services.operations.readiness.verify()
        if found.error is None:
            return Working(latency_ms=found.latency_ms)
        return Failing(latency_ms=found.latency_ms, error=found.error)

    @post(
        "/retrieve-preview",
        summary="What a query would recall, without any effect",
        status_code=200,
    )
    async def preview(self, request: Caller, state: State, data: JSONBody[PreviewQuery]) -> Response[Preview]:
        """Return the ranked memories, fused by reciprocal rank, and what served them.

        Of a long query the last 8,000 characters are read, as the header `x-recollect-notice` says then.
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

    @get("/embedding-providers", summary="Providers of embedding models")
    async def providers(self, request: Caller, state: State) -> list[ProviderEntry]:
        """Return every provider, the models known of it, and whether it has a key; never the key."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.READ)
        return [ProviderEntry.of(provider) for provider in services.vectors.embeddings.providers]

    @get("/engine-status", summary="How the engine stands")
    async def status(self, request: Caller, state: State) -> EngineReport:
        """Return the state of each tier, and the number of memories without a vector."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        status = await services.operations.status.engine([workspace_id])
        return EngineReport.of(status, await services.operations.settings.of(workspace_id))

    @post("/summarize", summary="Put old memories into one summary", status_code=200)
    async def summarize(
        self, request: Caller, state: State, data: JSONBody[CompactionQuery | None] = None
    ) -> Compaction:
        """Compact old memories; runs only on request, and a dry run changes nothing."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        asked = data or CompactionQuery()
        await services.tenancy.access.enter_pool_of(workspace_id, asked.api_key_id)
        days = asked.older_than_days
        if days is None:
            days = (await services.operations.settings.of(workspace_id)).days_before_compaction
        wish = CompactionWish(older_than_days=days, api_key_id=asked.api_key_id, dry_run=asked.dry_run)
        report = await services.memories.compaction.compact(workspace_id, wish)
        return Compaction(candidates=report.candidate_count, tokens_saved=report.tokens_saved)

    @post("/reindex", summary="Embed what has no vector", status_code=200)
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
