"""Import and export of the type registry as JSON."""

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.made_of import Shown
from graph.knowledge import models
from graph.tenancy.models import Scope


@strawberry.input
class ImportOntologyInput:
    """An ontology to take over."""

    content: str = strawberry.field(
        description="JSON object {entityTypes, relationTypes} with the fields of their inputs, "
        "at most 4,000,000 characters."
    )
    only: list[str] | None = strawberry.field(
        default=None,
        description="Entity types to export, with their parents and the relations between them; omitted: all.",
    )
    dry_run: bool | None = strawberry.field(
        default=False, description="Report the changes without making them."
    )


@strawberry.type
class TypeChanges(Shown[models.TypeChanges]):
    """Effect of an import on the types of one kind, by name."""

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
    """Taking the registry out."""

    @strawberry.field
    async def export_ontology(self, info: Info, workspace_id: WorkspaceId = None) -> OntologyExport:
        """The types of entities and relations, by name."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        return OntologyExport(content=await info.context.services.knowledge.exchange.export(workspace))


@strawberry.type
class OntologyExchangeMutations:
    """Bringing types in."""

    @strawberry.mutation
    async def import_ontology(
        self, info: Info, input: ImportOntologyInput, workspace_id: WorkspaceId = None
    ) -> OntologyImport:
        """Create the types that a text describes, or change them: all in one transaction, or none of them."""
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
