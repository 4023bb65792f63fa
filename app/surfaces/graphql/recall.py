"""Recall: its input, hits and report."""

from datetime import datetime
from enum import Enum

import strawberry
from strawberry.scalars import JSON

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import ScopeInput, Shown, build, made_of, or_default, scoped
from app.surfaces.graphql.memories import Association, Memory
from graph.core.models import RecallTier
from graph.memories.models import MemoryFacet, MemoryFilter, MemoryKind, MemoryType
from graph.retrieval.recall import models
from graph.retrieval.recall.markdown import render
from graph.retrieval.recall.validity import prompt_text
from graph.tenancy.models import Scope

for _vocabulary in (models.RecallStrategy, RecallTier, models.Fusion, models.Validity):
    strawberry.enum(_vocabulary)

_DEFAULT_LIMIT = 5


@strawberry.enum
class TagMode(Enum):
    """Number of tags that must match: one or all."""

    ANY = "any"
    ALL = "all"


@strawberry.input
class RecallInput:
    """A query with filters. Without a query text, tagged memories are ordered by importance, others by time."""

    query: str | None = None
    strategy: models.RecallStrategy | None = strawberry.field(
        default=None,
        description="Search strategy; defaults to the workspace's setting, or else the deployment's.",
    )
    fusion: models.Fusion | None = strawberry.field(
        default=None, description="Fusion of text and vector results; defaults to the fitted model."
    )
    limit: int | None = _DEFAULT_LIMIT
    offset: int | None = 0
    max_tokens: int | None = None
    min_score: float | None = strawberry.field(
        default=None, description="Minimum cosine of memory and query, -1 to 1; omitted: no threshold."
    )
    min_relevance: float | None = strawberry.field(
        default=None, description="Minimum relevance of a hit, 0 to 1; omitted: no threshold."
    )
    diversity: float = strawberry.field(
        default=0.0,
        description="Weight of novelty against relevance, 0 to 1; penalizes hits similar to better ones.",
    )
    tags: list[str] | None = None
    tag_mode: TagMode | None = None
    excluded_tags: list[str] | None = None
    types: list[MemoryType] | None = None
    kinds: list[MemoryKind] | None = None
    facets: list[MemoryFacet] | None = None
    categories: list[str] | None = None
    source_types: list[str] | None = None
    min_importance: float | None = None
    min_confidence: float | None = None
    valid_at: datetime | None = strawberry.field(
        default=None, description="Only memories that were valid at this time."
    )
    since: datetime | None = None
    until: datetime | None = None
    conversation_id: strawberry.ID | None = None
    session_id: strawberry.ID | None = strawberry.field(
        default=None, description="Only memories of this session, which is also the default of usedBy."
    )
    used_by: strawberry.ID | None = strawberry.field(
        default=None,
        description="Session whose run uses the hits, to relate memories to its outcome; does not filter.",
    )
    api_key_id: strawberry.ID | None = None
    scope: ScopeInput | None = strawberry.field(
        default=None, description="Owner of the memories to read; omitted: everything that the key may read."
    )
    expand_relations: bool | None = True
    dry_run: bool | None = False


@strawberry.type
class RecallHit:
    """A recalled memory, with the reasons for the match."""

    memory: Memory
    score: float = strawberry.field(
        description="Rank score within one recall: 0 to 1, the sum of reciprocal ranks with RRF, or the importance in "
        "a recall by tags."
    )
    relevance: float | None = strawberry.field(
        description=(
            "Probability that the memory is evidence for the query, 0 to 1; comparable between queries. Null without a "
            "query."
        )
    )
    vector_score: float | None
    vector_rank: int | None = strawberry.field(
        description="Rank in the vector search, from 1; null if that search did not find it."
    )
    text_score: float | None
    text_rank: int | None = strawberry.field(
        description="Rank in the text search, from 1; null if that search did not find it."
    )
    tier: RecallTier
    tokens: int
    why: list[str]
    relations: list[Association]
    superseded_by: list[strawberry.ID] = strawberry.field(
        description="Ids of memories that supersede it, by INVALIDATED_BY or EVOLVED_INTO."
    )
    validity: models.Validity = strawberry.field(description="CURRENT if the memory is true now.")
    disagrees_with: list[strawberry.ID] = strawberry.field(
        description="Ids of other hits that contradict this one."
    )
    source: strawberry.Private[models.RecallHit]

    @strawberry.field
    def prompt_text(self) -> str:
        """Content for a language model, with the day of relative times, and with the span of a HISTORY hit."""
        return prompt_text(self.source)

    @classmethod
    def of(cls, hit: models.RecallHit) -> "RecallHit":
        """Return the GraphQL form of a hit."""
        return made_of(
            cls,
            hit,
            memory=Memory.of(hit.memory),
            source=hit,
            relations=[
                Association.seen(relation, by=hit.memory.id, workspace_id=hit.memory.workspace_id)
                for relation in hit.relations
            ],
        )


@strawberry.type
class RecallResolution(Shown[models.RecallResolution]):
    """Report on how the search produced its hits."""

    strategy: models.RecallStrategy
    tier: RecallTier
    embedder: str | None
    fallback: str | None = strawberry.field(
        description="Reason why a less capable tier served; null if the best one did."
    )
    exact: bool = strawberry.field(
        description="True if the search compared every matching memory instead of using the vector index."
    )
    max_tokens: int | None = strawberry.field(
        description="Token budget in force: the requested one, at most 8000."
    )
    merged: int = strawberry.field(description="Number of omitted duplicates of better hits.")
    calibration: str | None = strawberry.field(
        description="Embedder whose calibration gives the relevance, with the reason if it is not the current one."
    )
    threshold: float | None = strawberry.field(
        description=(
            "Minimum relevance of a useful hit: `minRelevance`, or else the calibrated threshold. Null if the hits "
            "have no relevance."
        )
    )
    degraded: list[str] = strawberry.field(
        description="Truncated, approximated or skipped parts of the search, with the reason."
    )
    stages_ms: JSON


@strawberry.type
class RecallResult:
    """The hits of a recall, best first, with a report on the search."""

    hits: list[RecallHit]
    resolution: RecallResolution
    total_tokens: int
    result: strawberry.Private[models.RecallResult]
    offset: strawberry.Private[int]

    @strawberry.field
    def markdown(self) -> str:
        """The hits as Markdown for a language model."""
        # A resolver, because rendering takes as long as all other hit fields together.
        return render(self.result, offset=self.offset)

    @classmethod
    def of(cls, result: models.RecallResult, offset: int) -> "RecallResult":
        """Return the GraphQL form of a result."""
        return cls(
            hits=[RecallHit.of(hit) for hit in result.hits],
            resolution=RecallResolution.of(result.resolution),
            total_tokens=result.total_tokens,
            result=result,
            offset=offset,
        )


@strawberry.type
class RecallQueries:
    """Queries that recall memories."""

    @strawberry.field
    async def recall(self, info: Info, input: RecallInput, workspace_id: WorkspaceId = None) -> RecallResult:
        """Recall the most relevant memories for a query, within the limit and the token budget."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        with scoped(input.scope):
            result = await info.context.services.retrieval.recall.recall(workspace, _query(input))
        return RecallResult.of(result, or_default(input.offset, 0))


def _query(input_: RecallInput) -> models.RecallQuery:
    tags = tuple(input_.tags or ())
    filter_ = build(
        MemoryFilter,
        {
            "types": input_.types or (),
            "kinds": input_.kinds or (),
            "facets": input_.facets or (),
            "categories": input_.categories or (),
            "source_types": input_.source_types or (),
            "all_tags" if input_.tag_mode is TagMode.ALL else "any_tags": tags,
            "excluded_tags": tuple(input_.excluded_tags or ()),
            "min_importance": input_.min_importance,
            "min_confidence": input_.min_confidence,
            "conversation_id": input_.conversation_id,
            "session_id": input_.session_id,
            "since": input_.since,
            "until": input_.until,
            "valid_at": input_.valid_at,
            "api_key_id": input_.api_key_id,
        },
    )
    return build(
        models.RecallQuery,
        {
            "query": input_.query,
            "strategy": input_.strategy,
            "fusion": input_.fusion or models.Fusion.MODEL,
            "limit": or_default(input_.limit, _DEFAULT_LIMIT),
            "offset": or_default(input_.offset, 0),
            "max_tokens": input_.max_tokens,
            "min_score": input_.min_score,
            "min_relevance": input_.min_relevance,
            "diversity": input_.diversity,
            "filter": filter_,
            "expand_relations": input_.expand_relations is not False,
            "used_by": input_.used_by,
            "dry_run": bool(input_.dry_run),
        },
    )
