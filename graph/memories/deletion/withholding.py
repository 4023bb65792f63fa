"""Holds back what the service finds by itself and somebody has deleted."""

from collections.abc import Sequence

from graph.core.database import Database
from graph.core.scope import current_scope
from graph.memories.deletion.marks import marks_of
from graph.memories.deletion.queries import find_tombstones
from graph.memories.models import MemoryDraft


async def without_forgotten(
    database: Database, workspace_id: str, drafts: Sequence[MemoryDraft]
) -> list[MemoryDraft]:
    """Return the drafts but for those that say what somebody deleted; see :mod:`graph.memories.deletion.marks`."""
    if not drafts:
        return []
    own_user = current_scope().user_id
    marks = [
        marks_of(draft.content, draft.key, draft.metadata, user_id=draft.user_id or own_user)
        for draft in drafts
    ]
    ids = list({mark for each in marks for mark in each})
    forgotten = set(await find_tombstones(database, workspace_id=workspace_id, ids=ids))
    return [draft for draft, own in zip(drafts, marks, strict=True) if forgotten.isdisjoint(own)]
