"""Shapes of memories: the stored one, what a caller hands in, and the vocabularies."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import field_validator
from pydantic_core import from_json

from graph.core.models import Frozen
from graph.memories.policy import CONCLUDING_SOURCES, RetentionWindow, SourceType


class MemoryType(StrEnum):
    """AutoMem's vocabulary: what a memory is to an agent's work."""

    DECISION = "Decision"
    PATTERN = "Pattern"
    PREFERENCE = "Preference"
    STYLE = "Style"
    HABIT = "Habit"
    INSIGHT = "Insight"
    CONTEXT = "Context"


class MemoryKind(StrEnum):
    """OmniRoute's vocabulary: which faculty a memory belongs to."""

    FACTUAL = "factual"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"
    SEMANTIC = "semantic"


class MemoryFacet(StrEnum):
    """MemoryX's vocabulary: which side of a person a memory shows."""

    SKILL = "skill"
    PREFERENCE = "preference"
    OBJECTIVE = "objective"
    CONTEXT = "context"


class MemoryState(StrEnum):
    """Processing state of a memory."""

    STORED = "STORED"
    EMBEDDED = "EMBEDDED"
    LINKED = "LINKED"
    FAILED = "FAILED"


class ImportanceBand(StrEnum):
    """A reading of ``importance``; each band includes its lower bound."""

    CRITICAL = "CRITICAL"
    IMPORTANT = "IMPORTANT"
    STANDARD = "STANDARD"
    MINOR = "MINOR"
    LOW = "LOW"


_BANDS = (
    (0.9, ImportanceBand.CRITICAL),
    (0.7, ImportanceBand.IMPORTANT),
    (0.5, ImportanceBand.STANDARD),
    (0.3, ImportanceBand.MINOR),
)


class Memory(Frozen):
    """A stored memory. Times are timezone-aware UTC; scores lie in 0..1.

    Attributes:
        failure: Error of the parked work: the reason for the missing vector, or after ``linking:`` for missing links;
            removed once the work succeeds.
        key_is_derived: True if the key comes from the content, rather than from a caller.
        user_id: Owner; None: everybody of the workspace. ``agent_id`` likewise.
        duplicate_of: Id of a memory that says the same, noticed after both were stored; a proposal, nothing was merged.
    """

    id: str
    workspace_id: str
    content: str
    summary: str | None = None
    category: str | None = None
    type: MemoryType
    kind: MemoryKind
    facet: MemoryFacet
    key: str | None = None
    tags: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    importance: float
    confidence: float
    metadata: Mapping[str, Any] = {}
    source_type: str
    source_conversation_id: str | None = None
    source_message_id: str | None = None
    session_id: str | None = None
    api_key_id: str | None = None
    user_id: str | None = None
    agent_id: str | None = None
    speaker: str | None = None
    timestamp: datetime
    created_at: datetime
    updated_at: datetime
    last_accessed_at: datetime | None = None
    t_valid: datetime | None = None
    t_invalid: datetime | None = None
    expires_at: datetime | None = None
    deleted_at: datetime | None = None
    old_text: str | None = None
    usage_count: int = 0
    last_used_at: datetime | None = None
    enriched: bool = False
    state: MemoryState
    failure: str | None = None
    version: int = 1
    duplicate_of: str | None = None
    key_is_derived: bool = False

    @field_validator("metadata", mode="before")
    @classmethod
    def _read_json(cls, value: object) -> object:
        # Neo4j cannot store nested maps, so metadata is kept as JSON text.
        return from_json(value) if isinstance(value, str) else value

    @field_validator("user_id", "agent_id", mode="before")
    @classmethod
    def _shared_is_nobodys(cls, value: object) -> object:
        return value or None

    @field_validator("tags", "keywords", mode="before")
    @classmethod
    def _absent_is_empty(cls, value: object) -> object:
        return () if value is None else value

    @property
    def holds_since(self) -> datetime:
        """Start of its validity, or else the time of its event or of the save."""
        return self.t_valid or self.timestamp

    @property
    def needs_reindex(self) -> bool:
        """True if it has no vector of its present text."""
        return self.state in (MemoryState.STORED, MemoryState.FAILED)

    @property
    def importance_band(self) -> ImportanceBand:
        """The band ``importance`` falls into."""
        return next((band for floor, band in _BANDS if self.importance >= floor), ImportanceBand.LOW)


class _MemoryFields(Frozen):
    """Fields that callers may set; None if unset."""

    content: str | None = None
    summary: str | None = None
    category: str | None = None
    type: MemoryType | None = None
    kind: MemoryKind | None = None
    facet: MemoryFacet | None = None
    key: str | None = None
    tags: tuple[str, ...] | None = None
    keywords: tuple[str, ...] | None = None
    importance: float | None = None
    confidence: float | None = None
    metadata: Mapping[str, Any] | None = None
    timestamp: datetime | None = None
    updated_at: datetime | None = None
    last_accessed_at: datetime | None = None
    t_valid: datetime | None = None
    t_invalid: datetime | None = None
    expires_at: datetime | None = None
    embedding: tuple[float, ...] | None = None


class Learnt(Frozen):
    """Why a job saves a memory that nobody asked it to save: by which rule, and of which kind the job is."""

    rule: str
    job: str | None = None


class MemoryDraft(_MemoryFields):
    """A memory as a caller hands it in, before the rules are applied; None means not given.

    Attributes:
        created_at: When it was stored first, as another store knows it; None: now. A stored memory keeps its own.
        updated_at: When it was changed last, as another store knows it; None: now.
        last_accessed_at: When it was read last, for the same.
        key_is_derived: True if the key comes from the content, rather than from a caller.
        original: The text that ``content`` restates, to be kept as the version before it.
        merges: If a memory with the same meaning exists, also copy metadata and a higher importance to it, not only
            tags.
        reembeds_on_mismatch: Embed the text if the given vector does not have the index's length.
        learnt: Rule and job that found it; None: a caller saves it. The list of automatic changes shows it.
    """

    content: str
    id: str | None = None
    created_at: datetime | None = None
    speaker: str | None = None
    source_type: SourceType = SourceType.API
    source_conversation_id: str | None = None
    source_message_id: str | None = None
    session_id: str | None = None
    api_key_id: str | None = None
    user_id: str | None = None
    agent_id: str | None = None
    dedup: bool | None = None
    key_is_derived: bool = False
    original: str | None = None
    merges: bool = False
    reembeds_on_mismatch: bool = False
    learnt: Learnt | None = None

    @property
    def is_turn(self) -> bool:
        """True if it is a verbatim turn of a conversation, rather than a statement derived from one."""
        return self.source_conversation_id is not None and self.source_type not in CONCLUDING_SOURCES


class MemoryChange(_MemoryFields):
    """Fields to change: one that was not set stays, one set to None is cleared where it may be.

    Attributes:
        updated_at: When it was changed, for what happened elsewhere; not set: now.
        last_accessed_at: When it was read last, for the same.
    """


class SaveOutcome(StrEnum):
    """Outcome of a save."""

    CREATED = "CREATED"
    UPDATED = "UPDATED"
    UNCHANGED = "UNCHANGED"
    DEDUPLICATED = "DEDUPLICATED"


class SavedMemory(Frozen):
    """The receipt of a save.

    Attributes:
        warnings: Possible improvements of the memory, or skipped work.
        suggested_associations: Types of associations that usually follow.
        original_length: Characters of the text as it came, where a language model shortened it.
        degraded: Requested work that was done in a lesser way, with reasons.
        merged: Fields that a known memory took over from this save.
    """

    memory: Memory
    outcome: SaveOutcome
    warnings: tuple[str, ...] = ()
    suggested_associations: tuple[str, ...] = ()
    original_length: int | None = None
    degraded: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()

    @property
    def summarized(self) -> bool:
        """True if the text was shortened; version 1 of the memory has the original."""
        return self.original_length is not None

    @property
    def summarized_length(self) -> int | None:
        """Characters of the shortened text."""
        return len(self.memory.content) if self.summarized else None


class MemoryVersion(Frozen):
    """A text a memory had before; ``created_at`` is when it was replaced."""

    memory_id: str
    version: int
    content: str
    created_at: datetime


class Deletion(StrEnum):
    """Result of a delete."""

    DELETED = "DELETED"
    GONE_BEFORE = "GONE_BEFORE"
    UNKNOWN = "UNKNOWN"


class MemoryClearing(Frozen):
    """Memories that a bulk delete removes; an omitted field matches everything."""

    api_key_id: str | None = None
    types: tuple[MemoryType, ...] = ()
    kinds: tuple[MemoryKind, ...] = ()
    facets: tuple[MemoryFacet, ...] = ()
    older_than: datetime | None = None


class MemoryFilter(Frozen):
    """Filter of a list, a count or a recall; empty fields match everything.

    Attributes:
        confidence_below: Exclusive upper bound of the confidence.
        excluded_speakers: Excluded speakers, in lower case; their names match in any case.
        since: Of the event time, inclusive, as is ``until``.
        valid_at: Only memories that were valid at that moment.
        text: Text in the content, for lists and counts; a recall has its query instead.
    """

    types: tuple[MemoryType, ...] = ()
    kinds: tuple[MemoryKind, ...] = ()
    facets: tuple[MemoryFacet, ...] = ()
    categories: tuple[str, ...] = ()
    source_types: tuple[str, ...] = ()
    any_tags: tuple[str, ...] = ()
    all_tags: tuple[str, ...] = ()
    excluded_tags: tuple[str, ...] = ()
    excluded_speakers: tuple[str, ...] = ()
    min_importance: float | None = None
    min_confidence: float | None = None
    confidence_below: float | None = None
    conversation_id: str | None = None
    session_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    valid_at: datetime | None = None
    text: str | None = None
    api_key_id: str | None = None
    retention: RetentionWindow | None = None


class MemoryOrder(StrEnum):
    """Sort order of a list, always descending, with the id last."""

    CREATED_AT = "created_at"
    TIMESTAMP = "timestamp"
    UPDATED_AT = "updated_at"
    IMPORTANCE = "importance"
    USAGE_COUNT = "usage_count"
    OUTCOME = "outcome"
