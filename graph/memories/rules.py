"""Validation of memories, and their stored properties."""

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

import numpy as np
from pydantic.alias_generators import to_camel

from graph.core.errors import InvalidInput
from graph.core.scope import owner_properties
from graph.core.text.checks import filled, identifier, short_name, short_text, storable
from graph.core.text.normal_forms import composed, folded_apart, plain
from graph.core.time import in_utc
from graph.memories.changes.relative_times import RELATIVE_TIMES
from graph.memories.models import (
    Memory,
    MemoryChange,
    MemoryDraft,
    MemoryFacet,
    MemoryKind,
    MemoryState,
    MemoryType,
)
from graph.memories.policy import AUTOMATIC_SOURCES, MOST_CHARS, MOST_TURN_CHARS, SourceType, is_cut
from graph.memories.saving.classification import classify
from graph.memories.tags import compute_tag_prefixes, normalize_tag_list

DEFAULT_IMPORTANCE = 0.5
STATED_TYPE_CONFIDENCE = 0.9  # below 1: callers may be wrong about the type
# Nobody sees an error of an automatic save, so its text is cut if it is too long.
_CUT_SOURCES = frozenset(AUTOMATIC_SOURCES)
MAX_TAGS = 100
_MAX_METADATA_CHARS = 65_536
_NEVER_NULL = frozenset(
    {"content", "importance", "confidence", "type", "kind", "facet", "timestamp", "updated_at"}
)
_TIMES = ("timestamp", "updated_at", "last_accessed_at", "t_valid", "t_invalid", "expires_at")
NOTED_OF_TEXT = frozenset({"object", "polarity", "requestedValue", RELATIVE_TIMES})
"""Metadata fields in which extraction describes the current text of a fact; a new text drops them."""
SYNTHESIZED = "synthesized"
"""Metadata field that marks a text written by a language model; a new text drops it."""

# A missing kind or facet follows from the type.
_KIND_OF = {
    MemoryType.PREFERENCE: MemoryKind.FACTUAL,
    MemoryType.STYLE: MemoryKind.FACTUAL,
    MemoryType.HABIT: MemoryKind.FACTUAL,
    MemoryType.DECISION: MemoryKind.EPISODIC,
    MemoryType.PATTERN: MemoryKind.PROCEDURAL,
    MemoryType.INSIGHT: MemoryKind.FACTUAL,
    MemoryType.CONTEXT: MemoryKind.FACTUAL,
}
_FACET_OF = {
    MemoryType.PREFERENCE: MemoryFacet.PREFERENCE,
    MemoryType.STYLE: MemoryFacet.PREFERENCE,
    MemoryType.HABIT: MemoryFacet.SKILL,
    MemoryType.DECISION: MemoryFacet.CONTEXT,
    MemoryType.PATTERN: MemoryFacet.SKILL,
    MemoryType.INSIGHT: MemoryFacet.CONTEXT,
    MemoryType.CONTEXT: MemoryFacet.CONTEXT,
}

# Types that fit a facet, the most usual first.
_TYPES_OF = {
    MemoryFacet.PREFERENCE: (MemoryType.PREFERENCE, MemoryType.STYLE),
    MemoryFacet.SKILL: (MemoryType.HABIT, MemoryType.PATTERN),
    MemoryFacet.OBJECTIVE: (MemoryType.CONTEXT,),
    MemoryFacet.CONTEXT: (MemoryType.CONTEXT, MemoryType.DECISION, MemoryType.INSIGHT),
}


def validated(draft: MemoryDraft) -> MemoryDraft:
    """Validate every field of a draft; return it with trimmed text and normalised tags.

    Raises:
        InvalidInput: A field breaks a rule; the error names the first one and the expected form.
    """
    return draft.model_copy(
        update={
            "content": _checked_draft_content(draft),
            "summary": None if draft.summary is None else composed(storable("summary", draft.summary)),
            "category": short_name("category", draft.category),
            "key": short_name("key", draft.key),
            "id": draft.id if draft.id is None else identifier("id", draft.id),
            "speaker": short_name("speaker", draft.speaker),
            "source_conversation_id": short_text("sourceConversationId", draft.source_conversation_id),
            "source_message_id": short_text("sourceMessageId", draft.source_message_id),
            "session_id": short_text("sessionId", draft.session_id),
            "user_id": short_text("userId", draft.user_id),
            "agent_id": short_text("agentId", draft.agent_id),
            "tags": None if draft.tags is None else validated_tags(draft.tags),
            "keywords": None if draft.keywords is None else validated_tags(draft.keywords, field="keywords"),
            "importance": fraction("importance", draft.importance),
            "confidence": fraction("confidence", draft.confidence),
            "metadata": None if draft.metadata is None else validated_metadata(draft.metadata),
            **{name: in_utc(to_camel(name), getattr(draft, name)) for name in ("created_at", *_TIMES)},
            "original": None if draft.original is None else composed(draft.original).strip()[:MOST_CHARS],
        }
    )


def validated_change(change: MemoryChange) -> dict[str, Any]:
    """Return the set fields of a change, validated, apart from the content.

    The caller checks the content with :func:`validated_content`, because its limit depends on the stored memory.

    Raises:
        InvalidInput: A field breaks a rule, or a field that is never null is set to null; the error names the first
            one and the expected form.
    """
    fields = change.model_dump(include=change.model_fields_set)
    for name in _NEVER_NULL & fields.keys():
        if fields[name] is None:
            field = to_camel(name)
            raise InvalidInput(field, f"{field} must not be null; leave it out to keep it")
    checks: dict[str, Callable[[Any], Any]] = {
        "summary": lambda value: None if value is None else composed(storable("summary", value)),
        "category": lambda value: short_name("category", value),
        "key": lambda value: short_name("key", value),
        "importance": lambda value: fraction("importance", value),
        "confidence": lambda value: fraction("confidence", value),
        "tags": lambda value: list(validated_tags(value or ())),
        "keywords": lambda value: list(validated_tags(value or (), field="keywords")),
        "metadata": lambda value: validated_metadata(value or {}),
        **{name: partial(in_utc, to_camel(name)) for name in _TIMES},
    }
    return {name: checks[name](value) if name in checks else value for name, value in fields.items()}


def new_properties(draft: MemoryDraft, *, now: datetime) -> dict[str, Any]:
    """Return the stored properties of a new memory, apart from those for search (see ``saving.indexing``)."""
    kind, facet, type_, confidence = vocabularies(draft)
    tags = draft.tags or ()
    check_validity(draft.t_valid, draft.t_invalid)
    return {
        "content": draft.content,
        "content_hash": content_hash(draft.content),
        "summary": draft.summary,
        "category": draft.category,
        "type": type_,
        "kind": kind,
        "facet": facet,
        "key": draft.key,
        "key_is_derived": draft.key_is_derived,
        "folded_key": folded_apart(draft.key) if draft.key else None,
        "tags": list(tags),
        "tag_prefixes": list(compute_tag_prefixes(tags)),
        "keywords": list(draft.keywords or ()),
        "importance": DEFAULT_IMPORTANCE if draft.importance is None else draft.importance,
        "confidence": confidence if draft.confidence is None else draft.confidence,
        "metadata": as_json(draft.metadata or {}),
        "source_type": draft.source_type,
        "source_conversation_id": draft.source_conversation_id,
        "source_message_id": draft.source_message_id,
        "session_id": draft.session_id,
        "api_key_id": draft.api_key_id,
        **owner_properties(draft.user_id, draft.agent_id),
        "speaker": draft.speaker,
        "timestamp": draft.timestamp or now,
        "created_at": min(draft.created_at or now, now),
        "updated_at": draft.updated_at or now,
        "last_accessed_at": draft.last_accessed_at,
        "t_valid": draft.t_valid,
        "t_invalid": draft.t_invalid,
        "expires_at": draft.expires_at,
        "usage_count": 0,
        "enriched": False,
        "state": MemoryState.STORED,
        "version": 1,
        "revision": 1,
        "active": is_live(deleted_at=None, expires_at=draft.expires_at, now=now),
        "search_kind": "memory",
    }


def is_live(*, deleted_at: datetime | None, expires_at: datetime | None, now: datetime) -> bool:
    """Tell whether a memory is visible."""
    return deleted_at is None and (expires_at is None or expires_at > now)


def vocabularies(draft: MemoryDraft) -> tuple[MemoryKind, MemoryFacet, MemoryType, float]:
    """Return kind, facet, type and the type's confidence; derive those that the draft omits."""
    type_, confidence = _type_of(draft)
    usual_kind = MemoryKind.EPISODIC if draft.facet is MemoryFacet.OBJECTIVE else _KIND_OF[type_]
    return draft.kind or usual_kind, draft.facet or _FACET_OF[type_], type_, confidence


def revised_vocabularies(stored: Memory, changed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the further changes that a new type causes.

    The confidence becomes that of a stated type. Kind and facet are derived again if they were derived from the old
    type. Fields that ``changed`` sets itself are omitted.
    """
    type_ = changed.get("type")
    if type_ is None or type_ == stored.type:
        return {}
    derived: dict[str, Any] = {"confidence": STATED_TYPE_CONFIDENCE}
    if stored.kind == _KIND_OF[stored.type]:
        derived["kind"] = _KIND_OF[type_]
    if stored.facet == _FACET_OF[stored.type]:
        derived["facet"] = _FACET_OF[type_]
    return {name: value for name, value in derived.items() if name not in changed}


def merged_metadata(stored: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """Merge metadata one level deep; a key set to null is removed.

    Raises:
        InvalidInput: The merged metadata is too large, or contains a value that is not JSON.
    """
    updated = {**stored, **change}
    merged = {key: value for key, value in updated.items() if not (key in change and value is None)}
    return validated_metadata(merged) if change else merged


def lasting_metadata(stored: Memory, content: str | None) -> Mapping[str, Any]:
    """Return the metadata without the fields that describe the old text, if the text changes."""
    if content is None or content == stored.content:
        return stored.metadata
    dropped = NOTED_OF_TEXT if stored.source_type == SourceType.EXTRACTED else {SYNTHESIZED, RELATIVE_TIMES}
    return {name: value for name, value in stored.metadata.items() if name not in dropped}


def content_hash(content: str) -> str:
    """Return a hash of the text that ignores case, white space, punctuation and emphasis."""
    return hashlib.sha256(plain(content).casefold().encode()).hexdigest()[:32]


def message_hash(content: str) -> str:
    """Return a hash of a message that ignores case and white space; "Yes!" and "Yes" are two messages."""
    return hashlib.sha256(" ".join(content.casefold().split()).encode()).hexdigest()[:32]


def validated_embedding(vector: Sequence[float], dimension: int) -> list[float]:
    """Return the vector if the active index can store it.

    Raises:
        InvalidInput: The vector has the wrong length, a non-finite value, only zeros, or a norm that single precision
            cannot represent.
    """
    if len(vector) != dimension:
        raise InvalidInput("embedding", f"embedding must have {dimension} numbers, got {len(vector)}")
    if not all(math.isfinite(value) for value in vector):
        raise InvalidInput("embedding", "embedding must hold finite numbers only")
    if not any(vector):
        raise InvalidInput("embedding", "embedding must not be all zeros")
    with np.errstate(over="ignore"):
        squares = np.square(np.asarray(vector, dtype=np.float32)).sum()
    if not 0.0 < squares < math.inf:  # the index computes in single precision
        raise InvalidInput("embedding", "embedding must have a length that fits into single precision")
    return list(vector)


def validated_tags(tags: Sequence[str], *, field: str = "tags") -> tuple[str, ...]:
    """Return normalised tags.

    Raises:
        InvalidInput: There are too many tags, or one is too long or not storable.
    """
    normalized = normalize_tag_list(tags)
    if len(normalized) > MAX_TAGS:
        raise InvalidInput(field, f"{field} must have at most {MAX_TAGS} entries, got {len(normalized)}")
    for tag in normalized:
        short_name(field, tag, limit=200)
    return normalized


def joined_tags(stored: Sequence[str], further: Sequence[str]) -> tuple[str, ...]:
    """Append further tags to stored ones, up to the maximum per memory."""
    return tuple(dict.fromkeys([*stored, *further]))[:MAX_TAGS]


def validated_metadata(metadata: object) -> dict[str, Any]:
    """Return the metadata if it is a JSON object of at most 65,536 characters.

    Raises:
        InvalidInput: The metadata is not an object, contains a value that is not JSON, or is too large.
    """
    if not isinstance(metadata, Mapping):
        raise InvalidInput("metadata", "metadata must be a JSON object")
    if len(as_json(metadata)) > _MAX_METADATA_CHARS:
        raise InvalidInput("metadata", f"metadata must have at most {_MAX_METADATA_CHARS} characters as JSON")
    return dict(metadata)


def as_json(metadata: Mapping[str, Any]) -> str:
    """Return the metadata as JSON text, the form in which Neo4j stores it.

    Raises:
        InvalidInput: A value is not JSON, or the database cannot store it.
    """
    try:
        return storable("metadata", json.dumps(metadata, ensure_ascii=False, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise InvalidInput(
            "metadata", "metadata must hold JSON values only, finite numbers included"
        ) from None


def fraction(field: str, value: float | None) -> float | None:
    """Return ``value`` if it lies in 0..1.

    Raises:
        InvalidInput: ``value`` lies outside.
    """
    if value is not None and not 0.0 <= value <= 1.0:
        raise InvalidInput(field, f"{field} must be a number between 0.0 and 1.0")
    return value


def check_validity(t_valid: datetime | None, t_invalid: datetime | None) -> None:
    """Check that a validity does not end before it starts.

    Raises:
        InvalidInput: It does.
    """
    if t_valid and t_invalid and t_invalid < t_valid:
        raise InvalidInput("tInvalid", "tInvalid must not be before tValid")


def matches_stored(memory: Memory, properties: Mapping[str, Any]) -> bool:
    """Tell whether the memory already has all ``properties`` that callers can see."""
    visible = {name: value for name, value in properties.items() if name in Memory.model_fields}
    stored = memory.model_dump()
    stored["metadata"] = as_json(memory.metadata)
    return all(_comparable(stored.get(name)) == _comparable(value) for name, value in visible.items())


def _comparable(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def validated_content(text: str, most: int) -> str:
    """Return trimmed content of 1 to ``most`` characters; accept a cut turn, whose gap note makes it longer.

    Raises:
        InvalidInput: The content is blank, too long or not storable.
    """
    trimmed = filled("content", text)
    if len(trimmed) > most and not (most == MOST_TURN_CHARS and is_cut(trimmed)):
        raise InvalidInput("content", f"content must have at most {most} characters, got {len(trimmed)}")
    return trimmed


def _checked_draft_content(draft: MemoryDraft) -> str:
    most = MOST_TURN_CHARS if draft.is_turn else MOST_CHARS
    text = draft.content.strip()[:most] if draft.source_type in _CUT_SOURCES else draft.content
    return validated_content(text, most)


def _type_of(draft: MemoryDraft) -> tuple[MemoryType, float]:
    """Return the stated type; else classify the text, limited to the types that fit a stated facet."""
    if draft.type is not None:
        return draft.type, STATED_TYPE_CONFIDENCE
    recognised, confidence = classify(draft.content)
    if draft.facet is None:
        return recognised, confidence
    fitting = _TYPES_OF[draft.facet]
    return (recognised if recognised in fitting else fitting[0]), STATED_TYPE_CONFIDENCE
