"""Memories that cannot both hold."""

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import or_default
from app.surfaces.graphql.memories import Memory
from graph.tenancy.access.models import Scope

_DEFAULT_FIRST = 20


@strawberry.type
class Contradiction:
    """Two memories of one owner that cannot both hold."""

    newer: Memory = strawberry.field(description="The one that was saved later.")
    older: Memory = strawberry.field(description="The one that was saved before.")


@strawberry.type
class ContradictionQueries:
    """Finding contradictions."""

    @strawberry.field
    async def contradictions(
        self, info: Info, workspace_id: WorkspaceId = None, first: int | None = _DEFAULT_FIRST
    ) -> list[Contradiction]:
        """Disagreements of the 100 latest memories with older ones, newest first.

        Delete one of the two, or associate them as CONTRADICTS if both are to stay.
        """
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await info.context.services.memories.contradictions.latest(
            workspace, first=or_default(first, _DEFAULT_FIRST)
        )
        return [Contradiction(newer=Memory.of(each.newer), older=Memory.of(each.older)) for each in found]
