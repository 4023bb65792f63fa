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
from graph.retrieval import entities as entity_search
from graph.retrieval.search import models
from graph.retrieval.search.markdown import render
from graph.tenancy.models import Scope

strawberry.enum(models.SearchKind)

_DEFAULT_FIRST = 10

Kinds = Annotated[
    list[models.SearchKind] | None,
    strawberry.argument(description="Kinds to search; omitted: all kinds."),
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
        description="Score, 0 to 1, higher is better; comparable between kinds within one search."
    )
    vector_score: float | None = strawberry.field(
        description="Cosine of query and text, -1 to 1; null if the search used no vectors."
    )
    coverage: float = strawberry.field(
        description="Share of the query's words in the text, weighted by rarity, 0 to 1."
    )
    why: list[str]
    memory: Memory | None = strawberry.field(description="Found memory; null for other kinds.")
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
    """The hits of one page, best first, with a report on the search."""

    hits: list[SearchHit]
    resolution: RecallResolution
    markdown: str


@strawberry.type
class SearchQueries:
    """Queries that search all kinds of nodes."""

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
        """Search memories, entities, chunks of documents, artifacts and episodes; returns one ranked list."""
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
    strawberry.argument(description="Names of types; includes their subtypes; omitted: all types."),
]
MinScore = Annotated[
    float | None,
    strawberry.argument(
        description="Minimum cosine of hits by meaning alone, -1 to 1; does not apply to hits by name or words."
    ),
]


@strawberry.type
class EntityHit:
    """An entity that a search found."""

    entity: Entity
    score: float = strawberry.field(
        description="Score, 0 to 1, higher is better; comparable within one search."
    )
    vector_score: float | None = strawberry.field(
        description="Cosine of query and text, -1 to 1; null if the vector search did not find the entity."
    )
    text_score: float | None = strawberry.field(
        description="Text score, comparable within one search; null if the text search did not find the entity."
    )
    why: list[str]

    @classmethod
    def of(cls, hit: entity_search.EntityHit) -> "EntityHit":
        """Return the GraphQL form of a hit."""
        return made_of(cls, hit, entity=Entity.of(hit.entity))


@strawberry.type
class EntitySearchResult:
    """The hits of an entity search, best first, with a report on the search."""

    hits: list[EntityHit]
    resolution: RecallResolution


@strawberry.type
class EntitySearchQueries:
    """Queries that search entities."""

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
        """Search entities by name, words and meaning; without vectors, by name and words only."""
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
