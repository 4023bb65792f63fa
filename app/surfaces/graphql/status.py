"""State of the engine: servers, embedder, vector index and pending work."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import made_of
from graph.core.errors import InvalidInput
from graph.core.pages import MAX_PAGE
from graph.operations import status as service
from graph.operations.queries import CountByWorkspaceRow
from graph.tenancy.models import Scope
from graph.vectors.external import models as external_models
from graph.vectors.index import models

strawberry.enum(external_models.MirrorPhase)


@strawberry.type
class VectorTierStatus:
    """State of the external store, which mirrors the vectors if it is enabled."""

    enabled: bool
    healthy: bool = strawberry.field(description="True if the store has just answered.")
    latency_ms: float | None
    serves: bool = strawberry.field(description="True if recall searches the store.")
    reason: str | None = strawberry.field(
        description="Reason why recall does not search the selected store; null if it does."
    )
    collection: str
    quantization: str
    phase: external_models.MirrorPhase | None
    mirrored: int = strawberry.field(description="Number of memories read since the filling began.")
    total: int
    pending: int = strawberry.field(description="Number of unfinished jobs for the store.")

    @classmethod
    def of(cls, status: external_models.TierStatus) -> "VectorTierStatus":
        """Return the GraphQL form of the status, without secret settings."""
        health = status.health
        return made_of(
            cls,
            status,
            enabled=status.settings.enabled,
            healthy=health is not None and health.ok,
            latency_ms=health.latency_ms if health is not None and health.ok else None,
            collection=status.settings.collection,
            quantization=status.settings.quantization,
        )


@strawberry.type
class VectorTierCleanup:
    """Number of memories removed from the external store; the graph keeps them."""

    expired: int
    old: int


@strawberry.type
class VectorTierMutations:
    """Mutations of the external store."""

    @strawberry.mutation
    async def cleanup_vector_tier(
        self, info: Info, retention_days: int | None = None, workspace_id: WorkspaceId = None
    ) -> VectorTierCleanup:
        """Remove expired and old memories from the external store only; the graph keeps them."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        removed = await info.context.services.vectors.external.cleanup(
            workspace, retention_days=retention_days
        )
        return VectorTierCleanup(expired=removed.expired, old=removed.old)


@strawberry.type
class Health:
    """State of the servers; only ``neo4j`` is required."""

    status: str
    neo4j: bool
    redis: bool
    embedder: bool


@strawberry.type
class EmbedderStatus:
    """The embedding model."""

    ready: bool = strawberry.field(description="True if the last call or probe succeeded.")
    signature: str | None
    reason: str | None
    since: datetime | None = strawberry.field(
        description="Start of the current failure; null while it is ready."
    )


@strawberry.type
class VectorIndex:
    """The vector index that recall uses."""

    name: str
    signature: str
    dimension: int
    quantization: str
    since: datetime


@strawberry.type
class BuildingIndex(VectorIndex):
    """The index for a new embedding model, under construction while recall uses the current one."""

    done: int
    total: int


@strawberry.type
class VectorMeta:
    """The vectors in use; all fields are empty until an embedding model has been ready once."""

    active_dim: int | None
    embedding_signature: str | None = strawberry.field(
        description="Signature: source:model:dimension, and the compression of the index, such as :int8."
    )
    last_reset_at: datetime | None = strawberry.field(
        description="Time at which they replaced the previous vectors."
    )
    vec_loaded: bool = strawberry.field(description="True if the index is online.")


@strawberry.type
class EmbeddingCacheStatus:
    """Statistics of the vector cache since this process started."""

    hits: int
    joined: int
    misses: int
    entries: int


@strawberry.type
class EmbeddingProvider:
    """A remote provider of embedding models."""

    name: str
    models: list[str]
    has_key: bool


@strawberry.type
class ReindexReport:
    """Result of a reindex, with the number of queued memories."""

    started: bool
    pending: int


@strawberry.type
class WorkspaceCounts:
    """Processing state of one workspace's memories, with statistics of its recalls."""

    workspace_id: strawberry.ID
    memories: int
    embedded: int
    needs_reindex: int = strawberry.field(
        description="Number of memories whose vector is missing or outdated."
    )
    failed: int
    pending_jobs: int
    failed_jobs: int
    recalls: int = strawberry.field(
        description="Number of recalls since the creation of the workspace, without dry runs."
    )
    answered_recalls: int = strawberry.field(description="Number of recalls with a hit.")
    recall_hit_rate: float | None = strawberry.field(
        description="Share of recalls with a hit, 0 to 1; null before the first recall."
    )

    @strawberry.field
    async def tokens(self, info: Info) -> int:
        """Approximate number of tokens of all memories; slow, because the service reads every text."""
        return await info.context.services.retrieval.pages.tokens(self.workspace_id)

    @strawberry.field
    async def unread_share(self, info: Info) -> float:
        """Share of the newest memories in languages that the embedding model does not read; read every 15 minutes."""
        return await info.context.services.operations.status.unread_share(self.workspace_id)

    @classmethod
    def of(cls, row: CountByWorkspaceRow) -> "WorkspaceCounts":
        """Return the GraphQL form of the counts."""
        rate = row.answered_recalls / row.recalls if row.recalls else None
        return cls(**row.model_dump(), recall_hit_rate=rate)


@strawberry.type
class EngineStatus:
    """State of the engine: components of recall and pending work."""

    embedder: EmbedderStatus
    vectors: VectorMeta
    index: VectorIndex | None
    building: BuildingIndex | None
    embedding_cache: EmbeddingCacheStatus | None
    embedding_providers: list[EmbeddingProvider]
    local_models: list[str]
    tiers: list[str]
    vector_tier: VectorTierStatus
    workspaces: list[WorkspaceCounts]

    @classmethod
    def of(cls, status: service.EngineStatus) -> "EngineStatus":
        """Return the GraphQL form of the status."""
        return cls(
            embedder=EmbedderStatus(
                ready=status.embedder.ready,
                signature=status.embedder.signature,
                reason=status.embedder.reason,
                since=status.embedder.since,
            ),
            vectors=VectorMeta(**asdict(status.vectors)),
            index=VectorIndex(**_described(status.index)) if status.index else None,
            building=BuildingIndex(
                **_described(status.building), done=status.building.done, total=status.building.total
            )
            if status.building
            else None,
            embedding_cache=EmbeddingCacheStatus(**asdict(status.cache)) if status.cache else None,
            embedding_providers=[
                EmbeddingProvider(name=provider.name, models=list(provider.models), has_key=provider.has_key)
                for provider in status.providers
            ],
            local_models=list(status.local_models),
            tiers=list(status.tiers),
            vector_tier=VectorTierStatus.of(status.vector_tier),
            workspaces=[WorkspaceCounts.of(row) for row in status.workspaces],
        )


def _described(index: models.VectorIndex) -> dict[str, Any]:
    return {
        "name": index.name,
        "signature": index.signature,
        "dimension": index.dimension,
        "quantization": index.quantization,
        "since": index.since,
    }


@strawberry.type
class StatusQueries:
    """Queries of the engine's state."""

    @strawberry.field
    async def health(self, info: Info) -> Health:
        """State of the servers."""
        health = await info.context.services.operations.status.health()
        return Health(
            status=health.status, neo4j=health.neo4j, redis=health.redis, embedder=health.embedder.ready
        )

    @strawberry.field
    async def engine(self, info: Info, workspace_ids: list[strawberry.ID] | None = None) -> EngineStatus:
        """State of the engine, with counts of the given workspaces, or of all that the caller may see."""
        await info.context.workspace(Scope.READ, None)
        if workspace_ids is None:
            visible = await info.context.services.tenancy.workspaces.visible(
                info.context.principal, first=MAX_PAGE
            )
            ids = [workspace.id for workspace in visible.items]
        else:
            if len(workspace_ids) > MAX_PAGE:
                raise InvalidInput("workspaceIds", f"workspaceIds must name at most {MAX_PAGE} workspaces")
            ids = [await info.context.workspace(Scope.READ, id_) for id_ in workspace_ids]
        return EngineStatus.of(await info.context.services.operations.status.engine(ids))


@strawberry.type
class StatusMutations:
    """Mutations that repair the engine's state."""

    @strawberry.mutation
    async def reindex(
        self, info: Info, force: bool | None = False, workspace_id: WorkspaceId = None
    ) -> ReindexReport:
        """Queue memories without a vector, or all with force, for embedding; recall continues."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        report = await info.context.services.vectors.embeddings.reindex(workspace, force=bool(force))
        await info.context.services.core.wake_up.signal()
        return ReindexReport(started=report.started, pending=report.pending)
