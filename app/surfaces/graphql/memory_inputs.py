"""Inputs of memory operations: save, change, list and clear."""

from datetime import datetime

import strawberry
from strawberry.scalars import JSON

from graph.memories.models import MemoryFacet, MemoryKind, MemoryType
from graph.memories.policy import SourceType
from graph.memories.tags import TAG_CONVENTIONS


@strawberry.input
class SaveMemoryInput:
    """A memory to save; a stored id or key updates that memory."""

    content: str
    category: str | None = strawberry.UNSET
    type: MemoryType | None = strawberry.UNSET
    kind: MemoryKind | None = strawberry.UNSET
    facet: MemoryFacet | None = strawberry.UNSET
    key: str | None = strawberry.UNSET
    id: strawberry.ID | None = strawberry.UNSET
    tags: list[str] | None = strawberry.field(
        default=strawberry.UNSET,
        description="Labels; ':' and '/' divide levels. By convention: "
        + "; ".join(f"{what}: {', '.join(tags)}" for what, tags in TAG_CONVENTIONS.items())
        + "; the date as YYYY-MM.",
    )
    keywords: list[str] | None = strawberry.UNSET
    importance: float | None = strawberry.UNSET
    confidence: float | None = strawberry.UNSET
    metadata: JSON | None = strawberry.UNSET
    timestamp: datetime | None = strawberry.UNSET
    created_at: datetime | None = strawberry.field(
        default=strawberry.UNSET, description="Time of creation in another store, for imports; omitted: now."
    )
    updated_at: datetime | None = strawberry.field(
        default=strawberry.UNSET,
        description="Time of the last change in another store, for imports; omitted: now.",
    )
    last_accessed_at: datetime | None = strawberry.field(
        default=strawberry.UNSET, description="Time of the last read in another store, for imports."
    )
    t_valid: datetime | None = strawberry.UNSET
    t_invalid: datetime | None = strawberry.UNSET
    expires_at: datetime | None = strawberry.UNSET
    embedding: list[float] | None = strawberry.UNSET
    speaker: str | None = strawberry.UNSET
    source_type: str | None = strawberry.field(
        default=strawberry.UNSET,
        description=f"Source: {', '.join(SourceType)}; default api. With a source conversation, api and imported mark "
        "a turn of it, all others a text derived from it.",
    )
    source_conversation_id: strawberry.ID | None = strawberry.UNSET
    source_message_id: strawberry.ID | None = strawberry.UNSET
    session_id: strawberry.ID | None = strawberry.UNSET
    user_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Owning user; omitted: the key's, or everybody."
    )
    agent_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Owning agent; omitted: the key's, or every agent.",
    )
    dedup: bool | None = strawberry.UNSET


@strawberry.input
class UpdateMemoryInput:
    """Fields to change; omitted fields keep their values; metadata is merged, and null removes a key."""

    content: str | None = strawberry.UNSET
    summary: str | None = strawberry.UNSET
    category: str | None = strawberry.UNSET
    type: MemoryType | None = strawberry.UNSET
    kind: MemoryKind | None = strawberry.UNSET
    facet: MemoryFacet | None = strawberry.UNSET
    key: str | None = strawberry.UNSET
    tags: list[str] | None = strawberry.UNSET
    keywords: list[str] | None = strawberry.UNSET
    importance: float | None = strawberry.UNSET
    confidence: float | None = strawberry.UNSET
    metadata: JSON | None = strawberry.UNSET
    timestamp: datetime | None = strawberry.UNSET
    updated_at: datetime | None = strawberry.field(
        default=strawberry.UNSET,
        description="Time of the last change, for imports; omitted: now.",
    )
    last_accessed_at: datetime | None = strawberry.field(
        default=strawberry.UNSET, description="Time of the last read, for reads in another store."
    )
    t_valid: datetime | None = strawberry.UNSET
    t_invalid: datetime | None = strawberry.UNSET
    expires_at: datetime | None = strawberry.UNSET
    embedding: list[float] | None = strawberry.UNSET


@strawberry.input
class MemoryFilter:
    """Filter of memories; an omitted field admits everything."""

    types: list[MemoryType] = strawberry.field(default_factory=list)
    kinds: list[MemoryKind] = strawberry.field(default_factory=list)
    facets: list[MemoryFacet] = strawberry.field(default_factory=list)
    categories: list[str] = strawberry.field(default_factory=list)
    source_types: list[str] = strawberry.field(default_factory=list)
    any_tags: list[str] = strawberry.field(default_factory=list)
    all_tags: list[str] = strawberry.field(default_factory=list)
    excluded_tags: list[str] = strawberry.field(default_factory=list)
    min_importance: float | None = None
    min_confidence: float | None = None
    conversation_id: strawberry.ID | None = None
    session_id: strawberry.ID | None = None
    since: datetime | None = None
    until: datetime | None = None
    valid_at: datetime | None = strawberry.field(
        default=None, description="Only memories that were valid at this time."
    )
    text: str | None = None
    api_key_id: strawberry.ID | None = None


@strawberry.input
class ClearMemoriesInput:
    """Filter of the memories to delete; an omitted field admits everything."""

    api_key_id: strawberry.ID | None = None
    types: list[MemoryType] | None = None
    kinds: list[MemoryKind] | None = None
    facets: list[MemoryFacet] | None = None
    older_than: datetime | None = strawberry.field(
        default=None, description="Only memories created before this time."
    )
