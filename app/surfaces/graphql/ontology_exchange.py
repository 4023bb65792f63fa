"""The registry of types in and out: as JSON, Turtle or JSON-LD."""

from typing import Annotated

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import or_default
from app.surfaces.graphql.made_of import Shown
from graph.knowledge.exchange import models
from graph.knowledge.exchange.models import OntologyFormat
from graph.tenancy.access.models import Scope

strawberry.enum(OntologyFormat)

Format = Annotated[
    OntologyFormat | None,
    strawberry.argument(description="TURTLE and JSON_LD need the extra rdf. Left out: JSON."),
]


@strawberry.input
class ImportOntologyInput:
    """An ontology to take over."""

    content: str = strawberry.field(description="At most 4,000,000 characters.")
    format: OntologyFormat | None = strawberry.field(
        default=OntologyFormat.JSON,
        description="JSON: {entityTypes, relationTypes} with the fields of their inputs. TURTLE and JSON_LD: "
        "classes become types of entities, properties become types of relations or properties of a type.",
    )
    only: list[str] | None = strawberry.field(
        default=None,
        description="Types of entities to take, with those above them and the relations between. Left out: all.",
    )
    dry_run: bool | None = strawberry.field(
        default=False, description="Whether only to tell what would change."
    )


@strawberry.type
class TypeChanges(Shown[models.TypeChanges]):
    """What an import changed in the types of one kind, by name."""

    created: list[str]
    updated: list[str]
    unchanged: list[str]


@strawberry.type
class OntologyImport:
    """What an import did, or would do."""

    dry_run: bool
    entity_types: TypeChanges
    relation_types: TypeChanges
    notes: list[str] = strawberry.field(
        description="What could not be imported as written, with its position."
    )


@strawberry.type
class OntologyExport:
    """The types of a workspace as a text; imported again they are the same."""

    format: OntologyFormat
    media_type: str
    content: str


@strawberry.type
class OntologyExchangeQueries:
    """Taking the registry out."""

    @strawberry.field
    async def export_ontology(
        self, info: Info, format: Format = OntologyFormat.JSON, workspace_id: WorkspaceId = None
    ) -> OntologyExport:
        """The types of entities and relations, by name."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        wanted = or_default(format, OntologyFormat.JSON)
        content = await info.context.services.knowledge.exchange.export(workspace, wanted)
        return OntologyExport(format=wanted, media_type=wanted.media_type, content=content)


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
            or_default(input.format, OntologyFormat.JSON),
            only=input.only or (),
            dry_run=input.dry_run is True,
        )
        return OntologyImport(
            dry_run=report.dry_run,
            entity_types=TypeChanges.of(report.entity_types),
            relation_types=TypeChanges.of(report.relation_types),
            notes=list(report.notes),
        )
