"""OmniRoute's forms of memories, lists and previews."""

from datetime import datetime
from typing import Annotated, Any, Final, Literal, Self

from litestar.params import QueryParameter
from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic.alias_generators import to_camel
from pydantic.config import JsonDict
from pydantic.json_schema import SkipJsonSchema

from app.surfaces.http.credentials import CREDENTIAL, Credential
from app.surfaces.http.shapes import NOT_BLANK, Content, Name
from graph.conversations.extraction.reference_form import in_reference_form
from graph.core.exact import Flag, Instant, Whole, not_null
from graph.core.models import RecallTier
from graph.core.ports import CacheStats
from graph.core.text.normal_forms import is_blank
from graph.memories.models import Memory, MemoryKind
from graph.retrieval.pages import NumberedPage
from graph.retrieval.recall.models import RecallHit, RecallResult
from graph.tenancy.settings import MOST_TOKENS_SET

OF_MEMORY: Final = {CREDENTIAL: Credential.KEY_OR_SESSION}
"""Credential of the routes of memories: each requires the scope of its operation."""
OF_SETTINGS: Final = {CREDENTIAL: Credential.MANAGEMENT}
"""Credential of the routes of settings."""


class Answer(BaseModel):
    """Base of OmniRoute's response bodies."""

    model_config = ConfigDict(frozen=True, alias_generator=to_camel, populate_by_name=True)


class Body(BaseModel):
    """Base of OmniRoute's request bodies; refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True)


OwnKey = Annotated[
    str | None,
    QueryParameter(
        name="apiKeyId",
        max_length=512,
        description="Only memories of this API key; omitted: all keys.",
        schema_extra=NOT_BLANK,
    ),
]


_MEMORY: JsonDict = {
    "id": "7b0f3a52-6f0d-4c8a-9a53-0c4b0f2c9d11",
    "apiKeyId": "key_4f7q2m9s1t8w3y6p0a5d7h2k",
    "sessionId": None,
    "type": "factual",
    "key": "preference:indentation",
    "content": "Prefers tabs over spaces",
    "metadata": {"category": "preference"},
    "createdAt": "2026-03-07T12:00:00Z",
    "updatedAt": "2026-03-07T12:00:00Z",
    "expiresAt": None,
}
_CACHE: JsonDict = {"size": 12, "hits": 30, "misses": 12, "hitRate": 0.7143}
_PAGE: JsonDict = {
    "data": [_MEMORY],
    "total": 1,
    "page": 1,
    "limit": 50,
    "totalPages": 1,
    "stats": {"total": 1, "tokensUsed": 6, "hitRate": 0.9},
    "cacheStats": _CACHE,
}
_PREVIEW: JsonDict = {
    "items": [{**_MEMORY, "score": 0.0328, "tier": "vector", "tokens": 6, "vecScore": 0.41, "ftsScore": 2.7}],
    "totalTokens": 6,
    "resolution": {
        "embeddingSource": "transformers",
        "vectorStore": "neo4j",
        "fallback": None,
        "strategy": "hybrid",
        "maxTokens": 2000,
    },
}
_STORE_OF_TIER = {RecallTier.EXTERNAL: "qdrant", RecallTier.VECTOR: "neo4j", RecallTier.KEYWORD: None}
_CHANGEABLE = {
    "type": "kind", "key": "key", "content": "content", "metadata": "metadata", "expires_at": "expires_at",
}  # fmt: skip
_MAY_BE_NULL = frozenset({"key", "expires_at"})
Tier = Literal["keyword", "vector", "qdrant"]
_TIERS: dict[RecallTier, Tier] = {
    RecallTier.EXTERNAL: "qdrant",
    RecallTier.VECTOR: "vector",
    RecallTier.KEYWORD: "keyword",
}


class EntryFields(Answer):
    """Fields of a memory; ``type`` uses OmniRoute's vocabulary."""

    id: str
    api_key_id: str | None
    session_id: str | None
    type: MemoryKind
    key: str | None
    content: str
    metadata: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    expires_at: datetime | None


class MemoryEntry(EntryFields):
    """Response with one memory."""

    model_config = ConfigDict(json_schema_extra={"examples": [_MEMORY]})

    @classmethod
    def of(cls, memory: Memory) -> Self:
        """Return the shape of a memory."""
        return cls(**_values(memory))


class CacheFigures(Answer):
    """Counters of the embedding cache since the process started."""

    size: int
    hits: int
    misses: int
    hit_rate: float

    @classmethod
    def of(cls, stats: CacheStats | None) -> Self:
        """Return OmniRoute's form of the counters; sharing a concurrent computation counts as a hit."""
        if stats is None:
            return cls(size=0, hits=0, misses=0, hit_rate=0.0)
        hits = stats.hits + stats.joined
        requests = hits + stats.misses
        return cls(
            size=stats.entries,
            hits=hits,
            misses=stats.misses,
            hit_rate=round(hits / requests, 4) if requests else 0.0,
        )


class ListStats(Answer):
    """Number of memories in the whole list, their approximate tokens, and the share of recalls with a hit."""

    total: int
    tokens_used: int
    hit_rate: float


class EntryPage(Answer):
    """A page of memories, the newest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [_PAGE]})

    data: list[MemoryEntry]
    total: int
    page: int
    limit: int
    total_pages: int
    stats: ListStats
    cache_stats: CacheFigures

    @classmethod
    def of(cls, page: NumberedPage, cache: CacheFigures) -> Self:
        """Return the shape of a page."""
        return cls(
            data=[MemoryEntry.of(memory) for memory in page.memories],
            total=page.total,
            page=page.page,
            limit=page.limit,
            total_pages=page.total_pages,
            stats=ListStats(total=page.total, tokens_used=page.tokens, hit_rate=round(page.hit_rate, 4)),
            cache_stats=cache,
        )


class AsListed(Body):
    """Read-only fields of a listed memory, accepted so that a client can send a memory as listed."""

    created_at: Instant | None = Field(None, description="Accepted as listed, and ignored.")
    updated_at: Instant | None = Field(None, description="Accepted as listed, and ignored.")

    @property
    def changes(self) -> dict[str, Any]:
        """The changes to the existing memory, under the engine's names."""
        fields = self.model_dump(include=self.model_fields_set & _CHANGEABLE.keys())
        return {
            _CHANGEABLE[name]: value
            for name, value in fields.items()
            if value is not None or name in _MAY_BE_NULL
        }


class NewEntry(AsListed):
    """A memory to save; an existing memory with its id or key is updated, with merged metadata."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "content": "Prefers tabs over spaces",
                    "key": "preference:indentation",
                    "type": "factual",
                    "metadata": {"category": "preference"},
                }
            ]
        }
    )

    id: str | None = Field(
        None,
        min_length=1,
        max_length=512,
        description="Id of a memory of this workspace, to update it; any other id is ignored.",
    )
    content: Content
    key: Name | None = Field(description="Key of the memory; null: none.")
    type: MemoryKind | None = Field(None, description="Kind; omitted: classified from the content.")
    session_id: Name | None = None
    api_key_id: Name | None = Field(None, description="Owning API key; omitted: the caller's.")
    metadata: dict[str, Any] | None = None
    expires_at: Instant | None = Field(None, description="Expiry time, ISO 8601; omitted: never.")


class EntryChange(AsListed):
    """Fields to change; metadata is merged, null removes a metadata key, and ``key: null`` removes the key."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"content": "Prefers spaces over tabs"}]})

    id: str | None = Field(None, description="Accepted as listed, and ignored.")
    api_key_id: str | None = Field(None, description="Accepted as listed, and ignored.")
    session_id: str | None = Field(None, description="Accepted as listed, and ignored.")
    type: MemoryKind | SkipJsonSchema[None] = None
    key: str | None = Field(None, max_length=512)
    content: Content | SkipJsonSchema[None] = None
    metadata: dict[str, Any] | SkipJsonSchema[None] = None
    expires_at: Instant | None = Field(None, description="Expiry time, ISO 8601; null: never.")

    _is_not_null = field_validator("type", "content", "metadata")(not_null)


class Deleted(Answer):
    """Result of a permanent deletion."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"success": True, "id": _MEMORY["id"]}]})

    success: Literal[True] = True
    id: str


class Working(Answer):
    """Result of a successful test: a memory was created, found and deleted."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"working": True, "latencyMs": 41.7}]})

    working: Literal[True] = True
    latency_ms: float


class Failing(Answer):
    """Result of a failed test, with the error."""

    working: Literal[False] = False
    latency_ms: float
    error: str


class PreviewQuery(Body):
    """Query of a preview, which has no side effects."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"query": "indentation style", "strategy": "hybrid", "limit": 5}]}
    )

    query: str = Field(min_length=1, json_schema_extra=NOT_BLANK)
    strategy: Literal["exact", "recent", "semantic", "hybrid"] | None = Field(
        None, description="Search strategy; omitted: the setting `strategy`."
    )
    max_tokens: Whole | None = Field(
        None,
        ge=0,
        le=MOST_TOKENS_SET,
        description="Token budget, reduced to 8000 if larger; omitted: the setting `maxTokens`.",
    )
    limit: Whole = Field(20, ge=1, le=100)
    api_key_id: Name | None = None
    session_id: Name | None = None

    @field_validator("query")
    @classmethod
    def _is_not_blank(cls, query: str) -> str:
        if is_blank(query):
            raise ValueError("must have at least 1 character after trimming")
        return query


class PreviewItem(EntryFields):
    """A memory that a recall would return, with its scores.

    Attributes:
        score: Rank score; the sum of reciprocal ranks.
        vec_score: Cosine of query and memory.
        fts_score: Score of the full-text index.
    """

    score: float
    tier: Tier
    tokens: int
    vec_score: float | None
    fts_score: float | None

    @classmethod
    def of(cls, hit: RecallHit) -> Self:
        """Return OmniRoute's form of a hit."""
        return cls(
            **_values(hit.memory),
            score=hit.score,
            tier=_TIERS[hit.tier],
            tokens=hit.tokens,
            vec_score=hit.vector_score,
            fts_score=hit.text_score,
        )


class PreviewResolution(Answer):
    """Report on the search of a preview.

    Attributes:
        embedding_source: Source of the compared vectors; null if the search compared none.
        vector_store: Store of the searched vectors; null if the search compared only words.
        fallback: Tier that replaced the requested one, with the reason; null if none did.
        max_tokens: Token budget in force.
    """

    embedding_source: str | None
    vector_store: Literal["neo4j", "qdrant"] | None
    fallback: str | None
    strategy: Literal["exact", "semantic", "hybrid"]
    max_tokens: int | None


class Preview(Answer):
    """Memories that a turn would receive."""

    model_config = ConfigDict(json_schema_extra={"examples": [_PREVIEW]})

    items: list[PreviewItem]
    total_tokens: int
    resolution: PreviewResolution

    @classmethod
    def of(cls, result: RecallResult) -> Self:
        """Return OmniRoute's form of a recall."""
        how = result.resolution
        return cls(
            items=[PreviewItem.of(hit) for hit in result.hits],
            total_tokens=result.total_tokens,
            resolution=PreviewResolution(
                embedding_source=how.embedder.partition(":")[0] if how.embedder else None,
                vector_store=_STORE_OF_TIER[how.tier],
                fallback=how.fallback,
                strategy=how.strategy.value,
                max_tokens=how.max_tokens,
            ),
        )


class CompactionQuery(Body):
    """Memories to compact; without a body, those older than the setting `retentionDays`."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"olderThanDays": 90, "dryRun": True}]})

    older_than_days: Whole | None = Field(
        None, ge=0, le=36_500, description="Minimum age in days; omitted: the setting `retentionDays`."
    )
    api_key_id: Name | None = None
    dry_run: Flag = False


class Compaction(Answer):
    """Number of compacted memories, actual or in a dry run, and the approximate saved tokens."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"candidates": 12, "tokensSaved": 340}]})

    candidates: int
    tokens_saved: int


class ReindexQuery(Body):
    """Scope of a reindex: all memories, or only those without a vector."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"force": False}]})

    force: Flag = False


class Reindexing(Answer):
    """Result of a reindex: whether it started, and the number of memories without a vector."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"started": True, "pending": 12}]})

    started: bool
    pending: int


def _values(memory: Memory) -> dict[str, Any]:
    memory = in_reference_form(memory)
    return {
        "id": memory.id,
        "api_key_id": memory.api_key_id,
        "session_id": memory.session_id,
        "type": memory.kind,
        "key": memory.key,
        "content": memory.content,
        "metadata": dict(memory.metadata),
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "expires_at": memory.expires_at,
    }
