"""``/api/settings/…``: the settings of memory and of Qdrant, read and written while the service runs."""

from typing import Any

from litestar import Controller, Request, Response, get, post, put
from litestar.datastructures import State
from litestar.params import JSONBody

from app.surfaces.http.answer_headers import NOTICE_HEADER
from app.surfaces.rest.omniroute.settings_models import (
    EmbeddingModelEntry,
    QdrantChange,
    QdrantCleanup,
    QdrantFound,
    QdrantHealth,
    QdrantSearch,
    QdrantSettings,
)
from app.surfaces.rest.omniroute.wire import OF_MEMORY, OF_SETTINGS
from app.surfaces.rest.texts import cut_notice
from graph.operations.services import Services
from graph.operations.settings.models import RunningMemorySettings, SettingsChange
from graph.tenancy.access.models import Scope

Caller = Request[Any, Any, State]


class SettingsRoutes(Controller):
    """The twelve settings, as they are in force for the workspace of the key."""

    path = "/api/settings/memory"
    tags = ("omniroute",)
    opt = OF_SETTINGS

    @get(summary="The settings of memory")
    async def show(self, request: Caller, state: State) -> RunningMemorySettings:
        """Return all twelve."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.ADMIN)
        return await services.operations.settings.of(workspace_id)

    @put(summary="Change settings of memory")
    async def change(
        self, request: Caller, state: State, data: JSONBody[SettingsChange]
    ) -> Response[RunningMemorySettings]:
        """Change the given settings, all or none, and return the effective ones.

        If this switches memory on, the header `x-recollect-notice` states its cost.

        Settings of embeddings, reranking and the vector store apply to all workspaces; only an administrator's key of
        the default workspace may change them.
        """
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.ADMIN)
        changed = await services.operations.settings.change(request.auth, workspace_id, data)
        warning = changed.cost_warning if data.enabled else None
        return Response(changed, headers={NOTICE_HEADER: warning} if warning else None)


class QdrantRoutes(Controller):
    """The external tier; how it is reached is one for all workspaces."""

    path = "/api/settings/qdrant"
    tags = ("omniroute",)
    opt = OF_SETTINGS

    @get(summary="The settings of Qdrant")
    async def show(self, request: Caller, state: State) -> QdrantSettings:
        """Return all of them; the key is never shown."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.ADMIN)
        return QdrantSettings.of(services.vectors.external.settings, services.vectors.embeddings.active)

    @put(summary="Change the settings of Qdrant")
    async def change(self, request: Caller, state: State, data: JSONBody[QdrantChange]) -> QdrantSettings:
        """Change the given settings; a new server is filled from the start."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.ADMIN)
        changed = await services.operations.settings.change_tier(
            request.auth, data.as_change(services.vectors.embeddings.active)
        )
        return QdrantSettings.of(changed, services.vectors.embeddings.active)

    @get("/health", summary="Whether Qdrant answers")
    async def health(self, request: Caller, state: State) -> QdrantHealth:
        """Ask its own probe."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.ADMIN)
        return QdrantHealth.of(await services.vectors.external.health())

    @post("/search", summary="What Qdrant alone finds", status_code=200, opt=OF_MEMORY)
    async def search(
        self, request: Caller, state: State, data: JSONBody[QdrantSearch]
    ) -> Response[QdrantFound]:
        """Search the memories of the key's workspace; `topK` beyond 1 to 20 is 1 or 20.

        Of a long query the last 8,000 characters are read, as the header `x-recollect-notice` says then.
        """
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.READ)
        await services.tenancy.access.enter_pool_of(workspace_id, data.api_key_id)
        hits = await services.vectors.external.search(
            workspace_id,
            data.query,
            top_k=data.top_k,
            api_key_id=data.api_key_id,
            session_id=data.session_id,
        )
        return Response(QdrantFound.of(hits), headers=cut_notice([data.query]))

    @post(
        "/cleanup",
        summary="Remove what is expired or old from Qdrant",
        status_code=200,
        opt=OF_MEMORY,
    )
    async def cleanup(self, request: Caller, state: State) -> QdrantCleanup:
        """Remove the workspace's memories older than the setting `retentionDays`, and count them."""
        services: Services = state.services
        workspace_id = await services.tenancy.access.authorize(request.auth, Scope.WRITE)
        days = (await services.operations.settings.of(workspace_id)).retention_days
        removed = await services.vectors.external.cleanup(workspace_id, retention_days=days)
        return QdrantCleanup(expired=removed.expired, old=removed.old, deleted=removed.expired + removed.old)

    @get("/embedding-models", summary="Models whose vectors Qdrant can hold")
    async def embedding_models(self, request: Caller, state: State) -> list[EmbeddingModelEntry]:
        """Return the model in use, whose vectors it holds, then those the setting `embeddingProviderModel` may name."""
        services: Services = state.services
        await services.tenancy.access.authorize(request.auth, Scope.ADMIN)
        return EmbeddingModelEntry.all_of(
            services.vectors.embeddings.providers, services.vectors.embeddings.active
        )
