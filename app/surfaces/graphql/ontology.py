"""The registry of entity types and relation types."""

from datetime import datetime

import strawberry
from strawberry.scalars import JSON

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import Shown, build, set_fields
from graph.knowledge import models as knowledge_models
from graph.knowledge.ontology import models
from graph.tenancy.models import Scope


@strawberry.type
class EntityType(Shown[models.EntityType]):
    """A type of entities; its name is also a label of their nodes."""

    id: strawberry.ID
    name: str
    description: str | None
    parent: str | None = strawberry.field(
        description="Parent type; its property rules apply to this type too."
    )
    properties: JSON = strawberry.field(
        description="JSON Schema (2020-12) of the properties of its entities."
    )
    created_at: datetime
    updated_at: datetime
    workspace_id: strawberry.Private[str]

    @strawberry.field
    async def count(self, info: Info) -> int:
        """Number of live entities of exactly this type."""
        counts = await info.context.loaders.entity_counts.load(self.workspace_id)
        return counts.get(self.name, 0)


@strawberry.type
class RelationType(Shown[models.RelationType]):
    """A type of relations; its name is the type of their edges."""

    id: strawberry.ID
    name: str
    description: str | None
    from_types: list[str] = strawberry.field(
        description="Allowed types of start entities, including subtypes; empty: any."
    )
    to_types: list[str] = strawberry.field(
        description="Allowed types of end entities, including subtypes; empty: any."
    )
    properties: JSON = strawberry.field(
        description="JSON Schema (2020-12) of the properties of its relations."
    )
    created_at: datetime
    updated_at: datetime
    workspace_id: strawberry.Private[str]

    @strawberry.field
    async def count(self, info: Info) -> int:
        """Number of relations of this type between live entities."""
        counts = await info.context.loaders.relation_counts.load(self.workspace_id)
        return counts.get(self.name, 0)


@strawberry.type
class Ontology:
    """The types of a workspace, by name."""

    entity_types: list[EntityType]
    relation_types: list[RelationType]
    is_strict: bool = strawberry.field(
        description="True if only explicitly created types are allowed: the setting ontologyStrict."
    )


@strawberry.input
class EntityTypeInput:
    """A type of entities to create or change; omitted fields keep their values."""

    name: str = strawberry.field(description="Name, in PascalCase.")
    description: str | None = strawberry.UNSET
    parent: str | None = strawberry.UNSET
    properties: JSON | None = strawberry.field(
        default=strawberry.UNSET,
        description="JSON Schema (2020-12) of an object; null admits any properties.",
    )


@strawberry.input
class RelationTypeInput:
    """A type of relations to create or change; omitted fields keep their values."""

    name: str = strawberry.field(description="Name, in UPPER_SNAKE.")
    description: str | None = strawberry.UNSET
    from_types: list[str] | None = strawberry.UNSET
    to_types: list[str] | None = strawberry.UNSET
    properties: JSON | None = strawberry.field(
        default=strawberry.UNSET,
        description="JSON Schema (2020-12) of an object; null admits any properties.",
    )


@strawberry.type
class OntologyQueries:
    """Queries of the registry."""

    @strawberry.field
    async def ontology(self, info: Info, workspace_id: WorkspaceId = None) -> Ontology:
        """Entity types and relation types of a workspace."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        types = info.context.services.knowledge.ontology.types
        registry = await types.read(workspace)
        return Ontology(
            entity_types=[EntityType.of(type_) for type_ in registry.entity_types.values()],
            relation_types=[RelationType.of(type_) for type_ in registry.relation_types.values()],
            is_strict=await types.is_strict(workspace),
        )


@strawberry.type
class OntologyMutations:
    """Mutations of the registry."""

    @strawberry.mutation
    async def upsert_entity_types(
        self, info: Info, inputs: list[EntityTypeInput], workspace_id: WorkspaceId = None
    ) -> list[EntityType]:
        """Create or change entity types in one transaction, all or none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        drafts = [build(models.EntityTypeDraft, set_fields(input_)) for input_ in inputs]
        written = await info.context.services.knowledge.ontology.types.upsert_entity_types(workspace, drafts)
        return [EntityType.of(type_) for type_ in written]

    @strawberry.mutation
    async def upsert_relation_types(
        self, info: Info, inputs: list[RelationTypeInput], workspace_id: WorkspaceId = None
    ) -> list[RelationType]:
        """Create or change relation types in one transaction, all or none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        drafts = [build(models.RelationTypeDraft, set_fields(input_)) for input_ in inputs]
        written = await info.context.services.knowledge.ontology.types.upsert_relation_types(
            workspace, drafts
        )
        return [RelationType.of(type_) for type_ in written]

    @strawberry.mutation
    async def delete_entity_type(self, info: Info, name: str, workspace_id: WorkspaceId = None) -> bool:
        """Delete an unused entity type; false if there was none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.knowledge.ontology.types.delete_entity_type(workspace, name)

    @strawberry.mutation
    async def delete_relation_type(self, info: Info, name: str, workspace_id: WorkspaceId = None) -> bool:
        """Delete an unused relation type; false if there was none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.knowledge.ontology.types.delete_relation_type(workspace, name)


@strawberry.input
class ImportOntologyInput:
    """An ontology to import."""

    content: str = strawberry.field(
        description="JSON object {entityTypes, relationTypes} with the fields of their inputs, "
        "at most 4,000,000 characters."
    )
    only: list[str] | None = strawberry.field(
        default=None,
        description="Entity types to import, with their parents and the relations between them; omitted: all.",
    )
    dry_run: bool | None = strawberry.field(
        default=False, description="Report the changes without making them."
    )


@strawberry.type
class TypeChanges(Shown[knowledge_models.TypeChanges]):
    """Effect of an import on entity types or relation types, by name."""

    created: list[str]
    updated: list[str]
    unchanged: list[str]


@strawberry.type
class OntologyImport:
    """Effect of an import, or its expected effect."""

    dry_run: bool
    entity_types: TypeChanges
    relation_types: TypeChanges


@strawberry.type
class OntologyExport:
    """The types of a workspace as JSON; importing it again changes nothing."""

    content: str


@strawberry.type
class OntologyExchangeQueries:
    """Queries that export the registry."""

    @strawberry.field
    async def export_ontology(self, info: Info, workspace_id: WorkspaceId = None) -> OntologyExport:
        """Entity types and relation types of a workspace as JSON, by name."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        return OntologyExport(content=await info.context.services.knowledge.exchange.export(workspace))


@strawberry.type
class OntologyExchangeMutations:
    """Mutations that import types."""

    @strawberry.mutation
    async def import_ontology(
        self, info: Info, input: ImportOntologyInput, workspace_id: WorkspaceId = None
    ) -> OntologyImport:
        """Create or change the types of an exported ontology in one transaction, all or none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        report = await info.context.services.knowledge.exchange.import_types(
            workspace,
            input.content,
            only=input.only or (),
            dry_run=input.dry_run is True,
        )
        return OntologyImport(
            dry_run=report.dry_run,
            entity_types=TypeChanges.of(report.entity_types),
            relation_types=TypeChanges.of(report.relation_types),
        )
