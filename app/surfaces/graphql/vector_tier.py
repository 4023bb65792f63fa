"""The external vector tier: how it stands, and cleaning it up."""

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.made_of import made_of
from graph.tenancy.models import Scope
from graph.vectors.external import models

strawberry.enum(models.MirrorPhase)


@strawberry.type
class VectorTierStatus:
    """The external store that mirrors the vectors, where one is enabled."""

    enabled: bool
    healthy: bool = strawberry.field(description="True if it answered just now.")
    latency_ms: float | None
    serves: bool = strawberry.field(description="True if recall searches it.")
    reason: str | None = strawberry.field(description="Why it does not serve, where it should.")
    collection: str
    quantization: str
    phase: models.MirrorPhase | None
    mirrored: int = strawberry.field(description="Memories looked at since filling began.")
    total: int
    pending: int = strawberry.field(description="Jobs that have still to tell it something.")

    @classmethod
    def of(cls, status: models.TierStatus) -> "VectorTierStatus":
        """Return the GraphQL form of the status; of the settings, none that is a secret."""
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
    """Cleaning up the external store."""

    @strawberry.mutation
    async def cleanup_vector_tier(
        self, info: Info, retention_days: int | None = None, workspace_id: WorkspaceId = None
    ) -> VectorTierCleanup:
        """Remove expired and old memories from the external store; without days the retention setting decides."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        removed = await info.context.services.vectors.external.cleanup(
            workspace, retention_days=retention_days
        )
        return VectorTierCleanup(expired=removed.expired, old=removed.old)
