"""Keeps extraction and importers from restoring memories that somebody deleted."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from graph.core.database import Database
from graph.core.errors import Conflict
from graph.core.rows import Runner
from graph.core.scope import current_scope
from graph.core.text.checks import short_name
from graph.memories.changes.relative_times import with_day
from graph.memories.deletion.marks import import_marks, mark_of, marks_of
from graph.memories.deletion.queries import find_tombstones, note_marks
from graph.memories.models import MemoryDraft
from graph.memories.queries import LockMemoriesRow, lock_memories
from graph.memories.saving.naming import find_stored, names_of, stored_by_name


async def without_forgotten(
    database: Database, workspace_id: str, drafts: Sequence[MemoryDraft]
) -> list[MemoryDraft]:
    """Return the drafts without deleted ones; see :mod:`graph.memories.deletion.marks`."""
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
    """Return for each draft whether somebody deleted its memory: by id or key, or by text.

    If a live memory has its id or key, the draft counts as not deleted, despite earlier deletions.
    """
    drafts = [draft.model_copy(update={"key": short_name("key", draft.key)}) for draft in drafts]
    ids, keys = names_of(drafts)
    marks = [_import_marks(draft) for draft in drafts]

    async def read(tx: Runner) -> tuple[list[LockMemoriesRow], set[str]]:
        rows = await lock_memories(tx, workspace_id=workspace_id, ids=ids, keys=keys)
        asked = list({*ids, *(mark for each in marks for mark in each)})
        return rows, set(await find_tombstones(tx, workspace_id=workspace_id, ids=asked))

    rows, tombstones = await database.transaction(read)
    stored = stored_by_name(rows)

    def is_deleted(draft: MemoryDraft, own: Sequence[str]) -> bool:
        try:
            found = find_stored(stored, draft)
        except Conflict:  # which the save tells better
            return False
        if found is not None:
            return found.memory.deleted_at is not None
        return draft.id in tombstones or not tombstones.isdisjoint(own)

    return [is_deleted(draft, own) for draft, own in zip(drafts, marks, strict=True)]


async def note_deleted(runner: Runner, workspace_id: str, kind: str, id_: str, *, now: datetime) -> None:
    """Note that somebody deleted something else than a memory, so that no importer brings it back."""
    await note_marks(runner, workspace_id=workspace_id, marks=[mark_of(kind, id_)], now=now)


async def noted_deleted(
    runner: Runner, workspace_id: str, kind: str, ids: Iterable[str | None]
) -> Sequence[str]:
    """Return those of the ids of a kind that :func:`note_deleted` noted."""
    marks = {mark_of(kind, id_): id_ for id_ in ids if id_ is not None}
    if not marks:
        return []
    found = await find_tombstones(runner, workspace_id=workspace_id, ids=list(marks))
    return [marks[mark] for mark in found]


def deleted_conflict(what: str) -> Conflict:
    """Return the refusal of what somebody deleted."""
    return Conflict(
        f"{what} was deleted in this workspace; restoreDeleted brings it back", field="restoreDeleted"
    )


def _import_marks(draft: MemoryDraft) -> tuple[str, ...]:
    return import_marks(
        draft.content, draft.key, user_id=draft.user_id, agent_id=draft.agent_id, is_turn=draft.is_turn
    )
