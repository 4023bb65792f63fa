"""Marks deleted memories, so that extraction and imports do not restore them."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.database import Database
from graph.core.errors import Conflict
from graph.core.rows import Runner
from graph.core.scope import current_scope
from graph.core.text.checks import short_name
from graph.memories.changes.relative_times import dated_content, with_day
from graph.memories.deduplication.sameness import asks, informative_words
from graph.memories.models import Memory, MemoryDraft
from graph.memories.queries import LockMemoriesRow, find_tombstones, lock_memories, note_marks
from graph.memories.rules import content_hash
from graph.memories.saving.naming import find_stored, names_of, stored_by_name

# A mark is a tombstone whose id is a hash of a statement, instead of the id of a memory. Restoring the memory deletes
# it. Marks stop extraction and imports only; a person may save the same text again.


_SEPARATOR = "\x1f"
_POSITIVE = "positive"


def marks_of(
    content: str, key: str | None, metadata: Mapping[str, Any] | None, *, user_id: str | None = None
) -> tuple[str, ...]:
    """Return the marks of a statement: by its text, by its content words in order, and by key, polarity and value.

    After the deletion of "The user likes olives", a dislike of olives can still be saved, although it has the same key.
    After the deletion of one nickname, another nickname can be saved. Marks of one user do not apply to others.
    """
    marks = [_text_mark(content)]
    if words := informative_words(content):
        marks.append(f"words:{_hashed(*words)}")
    if key is not None:
        noted = metadata or {}
        value = [str(noted["requestedValue"]).casefold()] if "requestedValue" in noted else []
        marks.append(f"key:{_hashed(key, str(noted.get('polarity', _POSITIVE)), *value)}")
    return tuple(marks if user_id is None else (f"{mark}{suffix_of_marks(user_id)}" for mark in marks))


def suffix_of_marks(user_id: str) -> str:
    """Return the suffix that only the marks of this user have."""
    return f":{_hashed(user_id)}"


def import_marks(
    content: str, key: str | None, *, user_id: str | None, agent_id: str | None, is_turn: bool
) -> tuple[str, ...]:
    """Return the marks that imports check: by key, and by text except for turns, which may repeat a text."""
    suffix = "" if user_id is None else suffix_of_marks(user_id)
    named = () if key is None else (f"named:{_hashed(key, agent_id or '')}{suffix}",)
    return named if is_turn else (*named, f"{_text_mark(content)}{suffix}")


def mark_of(kind: str, id_: str) -> str:
    """Return the mark of something else that somebody deleted, such as a conversation or a relation."""
    return f"{kind}:{_hashed(id_)}"


def _text_mark(content: str) -> str:
    """Return the mark of a text; a question does not match the statement with the same words."""
    return f"said:{content_hash(content)}{'?' if asks(content) else ''}"


def marks_of_memory(memory: Memory, *, is_turn: bool = False) -> tuple[str, ...]:
    """Return the marks of a stored memory; a turn has none for extraction, because it is not a fact.

    For extraction, relative times are combined with their day; for imports, the text stays unchanged.
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


async def without_forgotten(
    database: Database, workspace_id: str, drafts: Sequence[MemoryDraft]
) -> list[MemoryDraft]:
    """Return the drafts whose statements nobody has deleted, for extraction."""
    if not drafts:
        return []
    own_user = current_scope().user_id
    marks = [
        marks_of(
            with_day(draft.content, draft.timestamp),
            draft.key,
            draft.metadata,
            user_id=draft.user_id or own_user,
        )
        for draft in drafts
    ]
    ids = list({mark for each in marks for mark in each})
    forgotten = set(await find_tombstones(database, workspace_id=workspace_id, ids=ids))
    return [draft for draft, own in zip(drafts, marks, strict=True) if forgotten.isdisjoint(own)]


async def deleted_before(database: Database, workspace_id: str, drafts: Sequence[MemoryDraft]) -> list[bool]:
    """Tell for each imported draft whether somebody deleted its memory, found by id, key or text.

    If a live memory has its id or key, the draft counts as not deleted.
    """
    drafts = [draft.model_copy(update={"key": short_name("key", draft.key)}) for draft in drafts]
    ids, keys = names_of(drafts)
    marks = [_import_marks(draft) for draft in drafts]

    async def read(tx: Runner) -> tuple[list[LockMemoriesRow], set[str]]:
        rows = await lock_memories(tx, workspace_id=workspace_id, ids=ids, keys=keys)
        tombstone_ids = list({*ids, *(mark for each in marks for mark in each)})
        return rows, set(await find_tombstones(tx, workspace_id=workspace_id, ids=tombstone_ids))

    rows, tombstones = await database.transaction(read)
    stored = stored_by_name(rows)

    def is_deleted(draft: MemoryDraft, own: Sequence[str]) -> bool:
        try:
            found = find_stored(stored, draft)
        except Conflict:  # the save raises it again, with its reason
            return False
        if found is not None:
            return found.memory.deleted_at is not None
        return draft.id in tombstones or not tombstones.isdisjoint(own)

    return [is_deleted(draft, own) for draft, own in zip(drafts, marks, strict=True)]


async def note_deleted(runner: Runner, workspace_id: str, kind: str, id_: str, *, now: datetime) -> None:
    """Mark a deleted object that is not a memory, so that imports do not restore it."""
    await note_marks(runner, workspace_id=workspace_id, marks=[mark_of(kind, id_)], now=now)


async def noted_deleted(
    runner: Runner, workspace_id: str, kind: str, ids: Iterable[str | None]
) -> Sequence[str]:
    """Return the ids of a kind that :func:`note_deleted` marked."""
    marks = {mark_of(kind, id_): id_ for id_ in ids if id_ is not None}
    if not marks:
        return []
    found = await find_tombstones(runner, workspace_id=workspace_id, ids=list(marks))
    return [marks[mark] for mark in found]


def deleted_conflict(what: str) -> Conflict:
    """Return the error for an import of something deleted."""
    return Conflict(
        f"{what} was deleted in this workspace; restoreDeleted brings it back", field="restoreDeleted"
    )


def _import_marks(draft: MemoryDraft) -> tuple[str, ...]:
    return import_marks(
        draft.content, draft.key, user_id=draft.user_id, agent_id=draft.agent_id, is_turn=draft.is_turn
    )
