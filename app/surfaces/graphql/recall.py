"""Recall: its inputs, hits and account."""

from datetime import datetime
from enum import Enum

import strawberry
from strawberry.scalars import JSON

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import ScopeInput, Shown, build, made_of, or_default, scoped
from app.surfaces.graphql.memories import Association, Memory
from graph.core.models import RecallTier
from graph.memories.changes.relative_times import dated_content
from graph.memories.models import Memory as StoredMemory
from graph.memories.models import MemoryFacet, MemoryFilter, MemoryKind, MemoryType
from graph.retrieval.recall import models
from graph.retrieval.recall.markdown import render
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
    """Query. Without it, memories with the tags come by importance and then time; without tags, the newest first."""

    query: str | None = None
    strategy: models.RecallStrategy | None = strawberry.field(
        default=None, description="Defaults to the workspace's setting, or else the deployment's."
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
        default=0.0, description="0 to 1: how much relevance is traded for novelty against better hits."
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
        default=None, description="Only memories that were valid at that moment."
    )
    since: datetime | None = None
    until: datetime | None = None
    conversation_id: strawberry.ID | None = None
    session_id: strawberry.ID | None = strawberry.field(
        default=None, description="Only memories of this session, which is also taken for usedBy."
    )
    used_by: strawberry.ID | None = strawberry.field(
        default=None,
        description=("Session whose run uses the hits, to relate memories to its outcome; does not filter."),
    )
    api_key_id: strawberry.ID | None = None
    scope: ScopeInput | None = strawberry.field(
        default=None, description="Owner of the memories to read; omitted: everything that the key may read."
    )
    expand_relations: bool | None = True
    dry_run: bool | None = False


@strawberry.type
class RecallHit:
    """One memory found, with the reasons."""

    memory: Memory
    score: float = strawberry.field(
        description="Orders the hits of one recall: 0 to 1, with RRF its plain sum, of a recall by tags the importance."
    )
    relevance: float | None = strawberry.field(
        description=(
            "Probability that the memory is evidence for the query, 0 to 1; comparable between queries. Null in a list "
            "of the newest or by tag."
        )
    )
    vector_score: float | None
    vector_rank: int | None = strawberry.field(
        description="Place on the list of meaning, from 1; null where that list does not have it."
    )
    text_score: float | None
    text_rank: int | None = strawberry.field(
        description="Place on the list of words, from 1; null where that list does not have it."
    )
    tier: RecallTier
    tokens: int
    why: list[str]
    relations: list[Association]
    superseded_by: list[strawberry.ID] = strawberry.field(
        description="Ids of memories that replaced it: it is INVALIDATED_BY or EVOLVED_INTO them."
    )
    validity: models.Validity = strawberry.field(description="CURRENT if the memory is true now.")
    disagrees_with: list[strawberry.ID] = strawberry.field(
        description="Ids of other hits that contradict this one."
    )
    source: strawberry.Private[StoredMemory]

    @strawberry.field
    def prompt_text(self) -> str:
        """Content for a model to read: with the day of the statement behind it if it has relative times."""
        return dated_content(self.source)

    @classmethod
    def of(cls, hit: models.RecallHit) -> "RecallHit":
        """Return the GraphQL form of a hit."""
        return made_of(
            cls,
            hit,
            memory=Memory.of(hit.memory),
            source=hit.memory,
            relations=[
                Association.seen(relation, by=hit.memory.id, workspace_id=hit.memory.workspace_id)
                for relation in hit.relations
            ],
        )


@strawberry.type
class RecallResolution(Shown[models.RecallResolution]):
    """Report on the way to this answer."""

    strategy: models.RecallStrategy
    tier: RecallTier
    embedder: str | None
    fallback: str | None = strawberry.field(description="Why a lesser tier served, where one did.")
    exact: bool = strawberry.field(
        description="True if the search compared every admitted memory instead of using an index."
    )
    max_tokens: int | None = strawberry.field(
        description="The token budget in force: the requested one, at most 8000."
    )
    merged: int = strawberry.field(description="Number of omitted duplicates of better hits.")
    calibration: str | None = strawberry.field(
        description="Embedder whose calibration gives the relevance, with the reason if it is not the current one."
    )
    threshold: float | None = strawberry.field(
        description=(
            "Least relevance of a hit that bears on the query: `minRelevance`, or else the calibrated one. Null where "
            "the hits have no relevance."
        )
    )
    degraded: list[str] = strawberry.field(description="Cut, approximated or skipped parts, with the reason.")
    stages_ms: JSON


@strawberry.type
class RecallResult:
    """The hits, best first, and how they were found."""

    hits: list[RecallHit]
    resolution: RecallResolution
    total_tokens: int
    result: strawberry.Private[models.RecallResult]
    offset: strawberry.Private[int]

    @strawberry.field
    def markdown(self) -> str:
        """The hits as text for a model to read."""
        # Only where it is asked for: it takes as long as all hits.
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
    """Finding memories."""

    @strawberry.field
    async def recall(self, info: Info, input: RecallInput, workspace_id: WorkspaceId = None) -> RecallResult:
        """The memories that matter for a query, best first, within the limit and the token budget."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        with scoped(input.scope):
            result = await info.context.services.retrieval.recall.recall(workspace, _query(input))
        return RecallResult.of(result, or_default(input.offset, 0))


def _query(input_: RecallInput) -> models.RecallQuery:
    tags = tuple(input_.tags or ())
    wanted = build(
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
            "filter": wanted,
            "expand_relations": input_.expand_relations is not False,
            "used_by": input_.used_by,
            "dry_run": bool(input_.dry_run),
        },
    )
