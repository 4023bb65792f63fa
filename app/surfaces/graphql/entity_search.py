"""Search over entities: its hits and query."""

from typing import Annotated

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.entities import Entity
from app.surfaces.graphql.inputs import or_default
from app.surfaces.graphql.made_of import made_of
from app.surfaces.graphql.recall import RecallResolution
from graph.knowledge.ontology.models import EntityFilter
from graph.retrieval.entities import models
from graph.tenancy.models import Scope

_DEFAULT_FIRST = 10

Types = Annotated[
    list[str] | None,
    strawberry.argument(description="Names of types, subtypes included; omitted: all."),
]
MinScore = Annotated[
    float | None,
    strawberry.argument(
        description="Minimum cosine, -1 to 1, of hits by meaning alone; hits by name or words always count."
    ),
]


@strawberry.type
class EntityHit:
    """An entity that was found."""

    entity: Entity
    score: float = strawberry.field(description="0 to 1; higher is better, within one search.")
    vector_score: float | None = strawberry.field(description="The cosine of query and text, -1 to 1.")
    text_score: float | None = strawberry.field(description="Text score, within one search.")
    why: list[str]

    @classmethod
    def of(cls, hit: models.EntityHit) -> "EntityHit":
        """Return the GraphQL form of a hit."""
        return made_of(cls, hit, entity=Entity.of(hit.entity))


@strawberry.type
class EntitySearchResult:
    """The entities found, best first, and how."""

    hits: list[EntityHit]
    resolution: RecallResolution


@strawberry.type
class EntitySearchQueries:
    """Finding entities."""

    @strawberry.field
    async def search_entities(
        self,
        info: Info,
        query: str,
        types: Types = None,
        first: int | None = _DEFAULT_FIRST,
        min_score: MinScore = None,
        workspace_id: WorkspaceId = None,
    ) -> EntitySearchResult:
        """Entities by their names, by words and by meaning; by names and words alone where there is no vector."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await info.context.services.retrieval.entities.search_entities(
            workspace,
            query,
            filter_=EntityFilter(types=tuple(types or ())),
            first=or_default(first, _DEFAULT_FIRST),
            min_score=min_score,
        )
        return EntitySearchResult(
            hits=[EntityHit.of(hit) for hit in found.hits], resolution=RecallResolution.of(found.resolution)
        )
