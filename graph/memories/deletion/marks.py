"""Hashes of deleted memories, which keep extraction and importers from restoring them; no text is stored.

A mark is the id of a tombstone, beside tombstones with the ids of memories. It stays until the memory is restored.
Marks do not apply to a person who saves the same text again, only to extraction and importers.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

from graph.memories.changes.relative_times import dated_content
from graph.memories.deduplication.sameness import asks, informative_words
from graph.memories.models import Memory
from graph.memories.rules import content_hash

_SEPARATOR = "\x1f"
_POSITIVE = "positive"


def marks_of(
    content: str, key: str | None, metadata: Mapping[str, Any] | None, *, user_id: str | None = None
) -> tuple[str, ...]:
    """Return the marks of a statement: by its text, by its telling words in order, and by its key, polarity and value.

    After the deletion of "The user likes olives", a dislike of olives can still be saved, although it has the same key,
    and after the deletion of one nickname another one can. Marks of one user do not apply to others.
    """
    marks = [_said(content)]
    if words := informative_words(content):
        marks.append(f"words:{_hashed(*words)}")
    if key is not None:
        noted = metadata or {}
        value = [str(noted["requestedValue"]).casefold()] if "requestedValue" in noted else []
        marks.append(f"key:{_hashed(key, str(noted.get('polarity', _POSITIVE)), *value)}")
    return tuple(marks if user_id is None else (f"{mark}{suffix_of_marks(user_id)}" for mark in marks))


def suffix_of_marks(user_id: str) -> str:
    """Return what the marks of one user end with, and nobody else's."""
    return f":{_hashed(user_id)}"


def import_marks(
    content: str, key: str | None, *, user_id: str | None, agent_id: str | None, is_turn: bool
) -> tuple[str, ...]:
    """Return the marks that an importer asks for: by key and, but for turns, which may say the same, by text."""
    suffix = "" if user_id is None else suffix_of_marks(user_id)
    named = () if key is None else (f"named:{_hashed(key, agent_id or '')}{suffix}",)
    return named if is_turn else (*named, f"{_said(content)}{suffix}")


def mark_of(kind: str, id_: str) -> str:
    """Return the mark of something else that somebody deleted: a conversation, a relation or a connection."""
    return f"{kind}:{_hashed(id_)}"


def _said(content: str) -> str:
    """Return the mark of a text; a question does not match the statement with the same words."""
    return f"said:{content_hash(content)}{'?' if asks(content) else ''}"


def marks_of_memory(memory: Memory, *, is_turn: bool = False) -> tuple[str, ...]:
    """Return the marks of a stored memory; a turn has none for extraction, because it is not a fact.

    Extraction compares a relative time with its day, importers compare the text as it is.
    """
    imported = import_marks(
        memory.content, memory.key, user_id=memory.user_id, agent_id=memory.agent_id, is_turn=is_turn
    )
    if is_turn:
        return imported
    extracted = marks_of(dated_content(memory), memory.key, memory.metadata, user_id=memory.user_id)
    return tuple(dict.fromkeys((*extracted, *imported)))


def _hashed(*parts: str) -> str:
    return hashlib.sha256(_SEPARATOR.join(parts).encode()).hexdigest()[:32]
