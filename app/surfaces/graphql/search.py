"""Search over a whole workspace: its kinds, hits and query."""

from typing import Annotated

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.entities import Entity
from app.surfaces.graphql.inputs import ScopeArgument, made_of, or_default, scoped
from app.surfaces.graphql.memories import Memory
from app.surfaces.graphql.nodes import Node
from app.surfaces.graphql.recall import RecallResolution
from app.surfaces.graphql.traversal import read_node
from graph.knowledge.models import NodeKind
from graph.knowledge.ontology.models import EntityFilter
from graph.retrieval.entities import models as entities_models
from graph.retrieval.search import models
from graph.retrieval.search.markdown import render
from graph.tenancy.models import Scope

strawberry.enum(models.SearchKind)

_DEFAULT_FIRST = 10

Kinds = Annotated[
    list[models.SearchKind] | None,
    strawberry.argument(description="Kinds to search; omitted: all."),
]


@strawberry.type
class SearchHit:
    """One search result of any kind."""

    kind: models.SearchKind
    node_id: strawberry.ID = strawberry.field(description="Id of the found node.")
    text: str = strawberry.field(description="Searched text; for a memory its content.")
    passage: str = strawberry.field(description="Sentences around the match, at most 500 characters.")
    location: str | None = strawberry.field(
        description="URI or title of a chunk's document, with page and characters; null for other kinds."
    )
    is_excerpt: bool = strawberry.field(
        description="True if the service stores only an excerpt of the chunk; the whole text is at its location."
    )
    score: float = strawberry.field(
        description="0 to 1; higher is better, and comparable between kinds within one search."
    )
    vector_score: float | None = strawberry.field(description="The cosine of query and text, -1 to 1.")
    coverage: float = strawberry.field(
        description="The share of the query's words that it holds, weighted by how rare they are, 0 to 1."
    )
    why: list[str]
    memory: Memory | None = strawberry.field(description="The memory, where it is one.")
    workspace_id: strawberry.Private[str]

    @strawberry.field
    async def node(self, info: Info) -> Node | None:
        """Found node, such as the chunk with its document; null if deleted."""
        if self.memory is not None:
            return self.memory
        return await read_node(info, self.workspace_id, NodeKind[self.kind.name], self.node_id)

    @classmethod
    def of(cls, hit: models.SearchHit, workspace_id: str) -> "SearchHit":
        """Return the GraphQL form of a hit."""
        return made_of(
            cls,
            hit,
            node_id=hit.id,
            memory=Memory.of(hit.memory) if hit.memory else None,
            workspace_id=workspace_id,
        )


@strawberry.type
class SearchResult:
    """The hits of a page, best first, and how they were found."""

    hits: list[SearchHit]
    resolution: RecallResolution
    markdown: str


@strawberry.type
class SearchQueries:
    """Finding anything."""

    @strawberry.field
    async def search(
        self,
        info: Info,
        query: str,
        kinds: Kinds = None,
        first: int | None = _DEFAULT_FIRST,
        offset: int | None = 0,
        workspace_id: WorkspaceId = None,
        scope: ScopeArgument = None,
    ) -> SearchResult:
        """Memories, entities, chunks of documents, artifacts and episodes in one ranked list."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        start = or_default(offset, 0)
        with scoped(scope):
            result = await info.context.services.retrieval.search.search(
                workspace, query, kinds=kinds or (), first=or_default(first, _DEFAULT_FIRST), offset=start
            )
        return SearchResult(
            hits=[SearchHit.of(hit, workspace) for hit in result.hits],
            resolution=RecallResolution.of(result.resolution),
            markdown=render(result, offset=start),
        )


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
    def of(cls, hit: entities_models.EntityHit) -> "EntityHit":
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
