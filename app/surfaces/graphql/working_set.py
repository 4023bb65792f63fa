"""The working set: what agents hold in mind for the length of a conversation."""

from typing import cast

import strawberry
from strawberry.scalars import JSON

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import or_default
from graph.core.working_set.service import DEFAULT_TTL_SECONDS
from graph.tenancy.access.models import Scope


@strawberry.type
class WorkingSetQueries:
    """Reading it."""

    @strawberry.field
    async def working_set(
        self, info: Info, conversation_id: strawberry.ID, slot: str, workspace_id: WorkspaceId = None
    ) -> JSON | None:
        """Value of a slot of a conversation; null if it has expired or Redis is unavailable.

        Reading restarts the slot's lifetime. It is never read automatically and never stored in the graph; recreate
        expired slots.
        """
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        value = await info.context.services.core.working_set.read(workspace, conversation_id, slot)
        return cast("JSON | None", value)


@strawberry.type
class WorkingSetMutations:
    """Writing it."""

    @strawberry.mutation
    async def set_working_set(
        self,
        info: Info,
        conversation_id: strawberry.ID,
        slot: str,
        value: JSON,
        ttl_seconds: int | None = None,
        workspace_id: WorkspaceId = None,
    ) -> bool:
        """Put a value of at most 256 KiB into a slot; false where Redis is unavailable.

        It stays until nobody has read it for an hour, or for ttlSeconds, 1 to 604800. Agents agree on slots, as on
        `planner_decision`, `recent_retrieval` and `intermediate_results`.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.core.working_set.write(
            workspace,
            conversation_id,
            slot,
            value,
            ttl_seconds=or_default(ttl_seconds, DEFAULT_TTL_SECONDS),
        )

    @strawberry.mutation
    async def clear_working_set(
        self, info: Info, conversation_id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> int:
        """Remove all slots of a conversation, as at its end; how many there were."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.core.working_set.clear(workspace, conversation_id)
