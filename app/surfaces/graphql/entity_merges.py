"""Merges of entities that are one."""

from datetime import datetime
from typing import Annotated

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.entities import Entity
from app.surfaces.graphql.inputs import or_default
from app.surfaces.graphql.loaders import Key
from app.surfaces.graphql.made_of import Shown
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.knowledge import models
from graph.tenancy.models import Scope

_DEFAULT_ALIKE = 20


@strawberry.type
class EntityMerge(Shown[models.EntityMerge]):
    """A note of two entities that were found to be one, by which that can be undone."""

    id: strawberry.ID
    from_id: strawberry.ID = strawberry.field(description="The duplicate, out of sight since then.")
    into_id: strawberry.ID = strawberry.field(description="Remaining entity.")
    from_name: str | None = strawberry.field(
        description="Name of the duplicate; null if it is deleted permanently."
    )
    into_name: str | None = strawberry.field(
        description="Name of the remaining entity; null if it is deleted permanently."
    )
    copied: int = strawberry.field(description="Number of edges taken over from the duplicate.")
    created_at: datetime
    undone_at: datetime | None
    workspace_id: strawberry.Private[str]

    @strawberry.field
    async def into(self, info: Info) -> Entity | None:
        """Remaining entity; null if deleted or merged again."""
        found = await info.context.loaders.entities.load(Key(self.workspace_id, self.into_id))
        return Entity.of(found) if found else None


@strawberry.type
class EntityMergeConnection(Connection[EntityMerge]):
    """A page of merges."""


@strawberry.type
class AlikeEntities:
    """Two entities that go by the same name but for blanks, hyphens and full stops."""

    entity: Entity = strawberry.field(
        description="The one that somebody wrote, or else that is known longer."
    )
    duplicate: Entity = strawberry.field(description="The one that could be merged into it.")


@strawberry.type
class EntityMergeQueries:
    """Reading merges, and finding what may be merged."""

    @strawberry.field
    async def alike_entities(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        of: Annotated[
            strawberry.ID | None,
            strawberry.argument(
                description="Only duplicates of this entity, by an acronym or a part of its name too."
            ),
        ] = None,
        first: int | None = _DEFAULT_ALIKE,
    ) -> list[AlikeEntities]:
        """Pairs of entities that may be duplicates, equal names first, except pairs whose merge was undone."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await info.context.services.retrieval.entities.alike_pairs(
            workspace, of=of, first=or_default(first, _DEFAULT_ALIKE)
        )
        return [
            AlikeEntities(entity=Entity.of(each.entity), duplicate=Entity.of(each.duplicate))
            for each in found
        ]

    @strawberry.field
    async def entity_merges(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> EntityMergeConnection:
        """Merges, undone ones included, the newest first."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        size = or_default(first, DEFAULT_PAGE)
        page = await info.context.services.knowledge.merging.page(workspace, first=size, after=after)
        edges, page_info = connection_parts(
            page, lambda merge: EntityMerge.of(merge, workspace_id=workspace), after
        )
        return EntityMergeConnection(edges=edges, page_info=page_info)


@strawberry.type
class EntityMergeMutations:
    """Merging entities."""

    @strawberry.mutation
    async def merge_entities(
        self,
        info: Info,
        from_: Annotated[strawberry.ID, strawberry.argument(name="from", description="The duplicate.")],
        into: strawberry.ID,
        workspace_id: WorkspaceId = None,
    ) -> EntityMerge:
        """Merge one entity into another, which takes over its names, relations and mentions."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        merge = await info.context.services.knowledge.merging.merge(workspace, from_id=from_, into_id=into)
        await info.context.services.core.wake_up.signal()
        return EntityMerge.of(merge, workspace_id=workspace)

    @strawberry.mutation
    async def unmerge_entities(
        self,
        info: Info,
        id: Annotated[strawberry.ID, strawberry.argument(description="Of the merge, or of the duplicate.")],
        workspace_id: WorkspaceId = None,
    ) -> Entity:
        """Undo a merge and return the entity that is back; changes made since are kept."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        back = await info.context.services.knowledge.merging.undo(workspace, id)
        await info.context.services.core.wake_up.signal()
        return Entity.of(back)
