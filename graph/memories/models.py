"""Models of memories, drafts, changes, receipts, filters, vocabularies, associations and users."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import field_validator
from pydantic_core import from_json

from graph.core.models import Frozen
from graph.memories.policy import CONCLUDING_SOURCES, RetentionWindow, SourceType


class MemoryType(StrEnum):
    """AutoMem's vocabulary: the role of a memory in an agent's work."""

    DECISION = "Decision"
    PATTERN = "Pattern"
    PREFERENCE = "Preference"
    STYLE = "Style"
    HABIT = "Habit"
    INSIGHT = "Insight"
    CONTEXT = "Context"


class MemoryKind(StrEnum):
    """OmniRoute's vocabulary: the cognitive type of a memory."""

    FACTUAL = "factual"
    EPISODIC = "episodic"
    PROCEDURAL = "procedural"
    SEMANTIC = "semantic"


class MemoryFacet(StrEnum):
    """MemoryX's vocabulary: the aspect of a person that a memory describes."""

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
    """Level of ``importance``; each band includes its lower bound."""

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
        failure: Why the vector is missing, or, after ``linking:``, why links are missing; removed once the job
            succeeds.
        key_is_derived: True if the key was derived from the content instead of chosen by a caller.
        user_id: Owner; None: shared by the whole workspace. ``agent_id`` likewise.
        duplicate_of: Id of a memory that says the same, found after both were stored; only a hint, nothing is merged.
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
        """Start of validity; else the event time, which defaults to the time of the save."""
        return self.t_valid or self.timestamp

    @property
    def needs_reindex(self) -> bool:
        """True if the memory has no vector of its current text."""
        return self.state in (MemoryState.STORED, MemoryState.FAILED)

    @property
    def importance_band(self) -> ImportanceBand:
        """The band of ``importance``."""
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
    """The rule, and the kind of job, by which the service saved a memory automatically."""

    rule: str
    job: str | None = None


class MemoryDraft(_MemoryFields):
    """A memory to save, not yet validated; None means not given.

    Attributes:
        created_at: Creation time from another store; None: now. It does not change a stored memory's.
        updated_at: Time of the last change from another store; None: now.
        last_accessed_at: Time of the last read from another store.
        key_is_derived: True if the key was derived from the content instead of chosen by a caller.
        original: The text that ``content`` restates; stored as its previous version.
        merges: If a memory with the same meaning exists, also copy metadata and a higher importance to it, not only
            tags.
        reembeds_on_mismatch: Embed the text if the given vector's length does not fit the index.
        learnt: Rule and job that saved it, shown in the list of automatic changes; None: saved by a caller.
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
    """Fields to change: an unset field keeps its value, a nullable field set to None is cleared.

    Attributes:
        updated_at: Time of a change in another store; unset: now.
        last_accessed_at: Time of the last read in another store.
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
        original_length: Length of the text before a language model shortened it, in characters.
        degraded: Fallbacks used in place of requested work, with reasons.
        merged: Fields of the draft that were copied to the existing memory.
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
        """True if a language model shortened the text; version 1 of the memory has the original."""
        return self.original_length is not None

    @property
    def summarized_length(self) -> int | None:
        """Length of the shortened text, in characters."""
        return len(self.memory.content) if self.summarized else None


def length_before(original: str | None, content: str) -> int | None:
    """Return the length of the text that a language model shortened to ``content``; None if it did not."""
    return len(original) if original is not None and len(original) > len(content) else None


class MemoryVersion(Frozen):
    """A previous text of a memory; ``created_at`` is the time of its replacement."""

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
        since: Earliest event time, inclusive; ``until`` is the latest, inclusive.
        valid_at: Only memories that were valid at that time.
        text: Substring of the content, for lists and counts; a recall uses its query instead.
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
    """Sort order of a list, always descending; the id breaks ties."""

    CREATED_AT = "created_at"
    TIMESTAMP = "timestamp"
    UPDATED_AT = "updated_at"
    IMPORTANCE = "importance"
    USAGE_COUNT = "usage_count"
    OUTCOME = "outcome"


class AssociationType(StrEnum):
    """Relation of the first memory to the second."""

    INVALIDATED_BY = "INVALIDATED_BY"
    DERIVED_FROM = "DERIVED_FROM"
    PREFERS_OVER = "PREFERS_OVER"
    EVOLVED_INTO = "EVOLVED_INTO"
    RELATES_TO = "RELATES_TO"
    LEADS_TO = "LEADS_TO"
    OCCURRED_BEFORE = "OCCURRED_BEFORE"
    EXEMPLIFIES = "EXEMPLIFIES"
    CONTRADICTS = "CONTRADICTS"
    REINFORCES = "REINFORCES"
    PART_OF = "PART_OF"


class Association(Frozen):
    """An edge from one memory to another; ``strength`` lies in 0..1."""

    id: str
    type: AssociationType
    strength: float
    created_at: datetime
    from_id: str
    to_id: str


class User(Frozen):
    """An owner of memories, conversations or runs of a workspace.

    Attributes:
        id: User id that the saves named.
        memories: Number of memories, including expired ones.
        deleted_memories: Number of deleted memories that are still stored and can be restored.
        conversations: Number of conversations.
        runs: Number of runs.
        since: Creation time of the oldest of them.
        last_used_at: Latest recall or change of a memory, message of a conversation or step of a run; None: unknown.
    """

    id: str
    memories: int
    deleted_memories: int
    conversations: int
    runs: int
    since: datetime | None
    last_used_at: datetime | None
