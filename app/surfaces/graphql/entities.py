"""Entities and the relations between them.

Another feature adds fields to ``Entity`` by a mixin in its own module: a class of resolvers that read ``self.id`` and
``self.workspace_id``, and a base class of ``Entity``.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry.scalars import JSON

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import Shown, build, or_default, set_fields
from app.surfaces.graphql.loaders import Key, PageKey
from app.surfaces.graphql.mentions import MentionsOfEntity
from app.surfaces.graphql.nodes import Node
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from app.surfaces.graphql.telemetry import Action, ActionConnection
from graph.core.pages import Page
from graph.knowledge import models as knowledge_models
from graph.knowledge.ontology import models
from graph.memories.models import MemoryState
from graph.retrieval.recall.models import RecallResolution as RecallAccount
from graph.tenancy.models import Scope

if TYPE_CHECKING:
    from app.surfaces.graphql.recall import RecallResolution


DEFAULT_ROWS = 20


@strawberry.type
class Entity(Node, MentionsOfEntity, Shown[models.Entity]):
    """A thing that the workspace knows: its type, properties and location, never a document's text."""

    key: str = strawberry.field(
        description="Key, unique in the workspace: the caller's own, or derived from type and name."
    )
    type: str
    name: str
    aliases: list[str]
    description: str | None
    summary: str | None
    properties: JSON
    uri: str | None = strawberry.field(description="Location of its description or storage.")
    connection_ids: list[strawberry.ID] = strawberry.field(
        description="Source connections; empty for an entity that came from none."
    )
    state: MemoryState
    created_at: datetime
    updated_at: datetime

    @strawberry.field
    async def relations(self, info: Info, first: int | None = DEFAULT_ROWS) -> "list[Relation]":
        """Relations to and from live entities, the strongest first; at most 100."""
        key = Key(self.workspace_id, self.id, or_default(first, DEFAULT_ROWS))
        found = await info.context.loaders.relations.load(key) or ()
        return [Relation.of(relation, workspace_id=self.workspace_id) for relation in found]

    @strawberry.field
    async def actions(
        self, info: Info, first: int | None = DEFAULT_ROWS, after: str | None = None
    ) -> ActionConnection:
        """Agent history: actions on this entity, the latest first."""
        key = PageKey(self.workspace_id, self.id, or_default(first, DEFAULT_ROWS), after)
        page = await info.context.loaders.target_actions.load(key)
        edges, page_info = connection_parts(page, Action.of, after)
        return ActionConnection(edges=edges, page_info=page_info)


async def _source(root: "Relation", info: Info) -> Entity | None:
    return await _end(info, root.workspace_id, root.from_id)


async def _target(root: "Relation", info: Info) -> Entity | None:
    return await _end(info, root.workspace_id, root.to_id)


async def _end(info: Info, workspace_id: str, id_: str) -> Entity | None:
    found = await info.context.loaders.entities.load(Key(workspace_id, id_))
    return Entity.of(found) if found else None


@strawberry.type
class Relation(Shown[models.Relation]):
    """An edge from one entity to another; unique for its ends and type."""

    id: strawberry.ID
    type: str
    from_id: strawberry.ID
    to_id: strawberry.ID
    strength: float
    properties: JSON
    connection_ids: list[strawberry.ID]
    created_at: datetime
    updated_at: datetime
    workspace_id: strawberry.Private[str]

    source: Entity | None = strawberry.field(
        name="from",
        resolver=_source,
        description="Start entity; null if deleted.",
    )
    target: Entity | None = strawberry.field(
        name="to",
        resolver=_target,
        description="End entity; null if deleted.",
    )


@strawberry.type
class EntityConnection(Connection[Entity]):
    """A page of entities, with the total number of matches."""

    workspace_id: strawberry.Private[str]
    filter_: strawberry.Private[models.EntityFilter]
    resolution: Annotated["RecallResolution", strawberry.lazy("app.surfaces.graphql.recall")] | None = (
        strawberry.field(default=None, description="Tier that served a query; null for a list without one.")
    )

    @strawberry.field
    async def total_count(self, info: Info) -> int:
        """Number of entities that match the filter; a query returns at most the best 200 of them."""
        return await info.context.services.knowledge.ontology.count(self.workspace_id, self.filter_)

    @classmethod
    def of(
        cls,
        page: Page[models.Entity],
        after: str | None,
        *,
        workspace_id: str,
        filter_: models.EntityFilter,
        resolution: RecallAccount | None = None,
    ) -> "EntityConnection":
        """Return the GraphQL form of a page."""
        from app.surfaces.graphql.recall import RecallResolution  # noqa: PLC0415 - hits of recall speak of memories

        edges, page_info = connection_parts(page, Entity.of, after)
        return cls(
            edges=edges,
            page_info=page_info,
            workspace_id=workspace_id,
            filter_=filter_,
            resolution=RecallResolution.of(resolution) if resolution else None,
        )


@strawberry.input
class EntityInput:
    """An entity to write; a known entity is updated; omitted fields keep their values."""

    type: str = strawberry.field(
        description="Entity type, in PascalCase. A new type is created, unless the registry is strict."
    )
    name: str
    id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Id of a stored entity, to rename it or to change its type."
    )
    key: str | None = strawberry.field(
        default=strawberry.UNSET, description="Default: derived from type and name, ignoring case."
    )
    aliases: list[str] | None = strawberry.UNSET
    description: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Description, at most 500 characters; uri is the location of longer texts.",
    )
    summary: str | None = strawberry.UNSET
    properties: JSON | None = strawberry.field(
        default=strawberry.UNSET,
        description="JSON object that matches the schema of the type; merged, and null removes a key.",
    )
    uri: str | None = strawberry.field(
        default=strawberry.UNSET,
        description="Location of its description or storage: a URI with a scheme.",
    )
    connection_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Source connection; its first use creates it."
    )


@strawberry.input
class RelationInput:
    """A relation to write; an existing relation of these ends and type is updated."""

    from_: strawberry.ID = strawberry.field(name="from", description="Id or key of an entity.")
    to: strawberry.ID = strawberry.field(description="Id or key of an entity.")
    type: str = strawberry.field(
        description="Relation type, in UPPER_SNAKE. A new type is created, unless the registry is strict."
    )
    strength: float | None = strawberry.field(
        default=None,
        description="Confidence, 0 to 1; defaults to 1 for a new relation, unchanged for an existing one.",
    )
    properties: JSON | None = strawberry.field(
        default=None,
        description="JSON object that matches the schema of the type; merged, and null removes a key.",
    )
    connection_id: strawberry.ID | None = strawberry.field(
        default=None, description="Source connection; its first use creates it."
    )


@strawberry.input
class EntityFilter:
    """Filter of entities; an omitted field admits everything."""

    types: list[str] = strawberry.field(
        default_factory=list, description="Names of types; includes their subtypes."
    )
    name: str | None = strawberry.field(
        default=None, description="Part of a name or of an alias, ignoring case."
    )
    connection_id: strawberry.ID | None = None
    query: str | None = strawberry.field(
        default=None, description="Query by names, words and meaning; the best matches come first."
    )


@strawberry.type
class EntityQueries:
    """Queries of entities."""

    @strawberry.field
    async def entity(
        self,
        info: Info,
        id: strawberry.ID | None = None,
        key: str | None = None,
        workspace_id: WorkspaceId = None,
    ) -> Entity | None:
        """One entity by its id or its key; null if the workspace has no such entity."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await info.context.services.knowledge.ontology.find(workspace, id_=id, key=key)
        return Entity.of(found) if found else None

    @strawberry.field
    async def entities(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        filter: EntityFilter | None = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> EntityConnection:
        """A page of live entities, the newest first, or the best matches of a query."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        fields = set_fields(filter) if filter else {}
        query = fields.pop("query", None)
        filter_ = build(models.EntityFilter, fields)
        size = or_default(first, DEFAULT_PAGE)
        if query is None:
            page = await info.context.services.knowledge.ontology.page(
                workspace, filter_, first=size, after=after
            )
            return EntityConnection.of(page, after, workspace_id=workspace, filter_=filter_)
        search = info.context.services.retrieval.entities
        page, resolution = await search.page(workspace, query, filter_, first=size, after=after)
        return EntityConnection.of(
            page, after, workspace_id=workspace, filter_=filter_, resolution=resolution
        )


@strawberry.type
class EntityMutations:
    """Mutations of entities and relations."""

    @strawberry.mutation
    async def upsert_entities(
        self,
        info: Info,
        inputs: list[EntityInput],
        workspace_id: WorkspaceId = None,
        restore_deleted: bool = True,
    ) -> list[Entity]:
        """Write up to 1000 entities in one transaction, all or none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        drafts = [build(models.EntityDraft, set_fields(input_)) for input_ in inputs]
        written = await info.context.services.knowledge.ontology.upsert_entities(
            workspace, drafts, restores_deleted=restore_deleted
        )
        return [Entity.of(entity) for entity in written]

    @strawberry.mutation
    async def upsert_relations(
        self,
        info: Info,
        inputs: list[RelationInput],
        workspace_id: WorkspaceId = None,
        restore_deleted: bool = True,
    ) -> list[Relation]:
        """Write up to 1000 relations in one transaction, all or none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        drafts = [_relation_draft(input_) for input_ in inputs]
        drawn = await info.context.services.knowledge.ontology.upsert_relations(
            workspace, drafts, restores_deleted=restore_deleted
        )
        return [Relation.of(relation, workspace_id=workspace) for relation in drawn]

    @strawberry.mutation
    async def delete_entity(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> bool:
        """Delete an entity from lists, searches and traversals, restorably; false if there was none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.knowledge.ontology.delete(workspace, id)

    @strawberry.mutation
    async def restore_entity(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> Entity:
        """Restore a deleted entity with its relations."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return Entity.of(await info.context.services.knowledge.ontology.restore(workspace, id))

    @strawberry.mutation
    async def delete_relation(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> bool:
        """Delete a relation; false if there was none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.knowledge.ontology.relations.delete(workspace, id)


def _relation_draft(input_: RelationInput) -> models.RelationDraft:
    values = set_fields(input_)
    ends = {"from_name": values.pop("from_"), "to_name": values.pop("to")}
    return build(models.RelationDraft, {**values, **ends})


_DEFAULT_ALIKE = 20


@strawberry.type
class EntityMerge(Shown[knowledge_models.EntityMerge]):
    """The record of a merge of two entities, which allows undoing it."""

    id: strawberry.ID
    from_id: strawberry.ID = strawberry.field(description="Duplicate, hidden since the merge.")
    into_id: strawberry.ID = strawberry.field(description="Remaining entity.")
    from_name: str | None = strawberry.field(
        description="Name of the duplicate; null if it is deleted permanently."
    )
    into_name: str | None = strawberry.field(
        description="Name of the remaining entity; null if it is deleted permanently."
    )
    copied: int = strawberry.field(description="Number of edges copied from the duplicate.")
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
    """Two entities with equal names, ignoring blanks, hyphens and full stops, or with similar names."""

    entity: Entity = strawberry.field(
        description="Entity to keep: the one that a caller wrote, otherwise the older one."
    )
    duplicate: Entity = strawberry.field(description="Entity to merge into it.")


@strawberry.type
class EntityMergeQueries:
    """Queries of merges and of possible duplicates."""

    @strawberry.field
    async def alike_entities(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        of: Annotated[
            strawberry.ID | None,
            strawberry.argument(
                description="Only duplicates of this entity, including matches by acronym or part of the name."
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
    """Mutations that merge entities."""

    @strawberry.mutation
    async def merge_entities(
        self,
        info: Info,
        from_: Annotated[strawberry.ID, strawberry.argument(name="from", description="Duplicate entity.")],
        into: strawberry.ID,
        workspace_id: WorkspaceId = None,
    ) -> EntityMerge:
        """Merge a duplicate into another entity, which gets its names, relations and mentions."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        merge = await info.context.services.knowledge.merging.merge(workspace, from_id=from_, into_id=into)
        await info.context.services.core.wake_up.signal()
        return EntityMerge.of(merge, workspace_id=workspace)

    @strawberry.mutation
    async def unmerge_entities(
        self,
        info: Info,
        id: Annotated[
            strawberry.ID, strawberry.argument(description="Id of the merge, or of the duplicate.")
        ],
        workspace_id: WorkspaceId = None,
    ) -> Entity:
        """Undo a merge and return the restored duplicate; later changes stay."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        back = await info.context.services.knowledge.merging.undo(workspace, id)
        await info.context.services.core.wake_up.signal()
        return Entity.of(back)
