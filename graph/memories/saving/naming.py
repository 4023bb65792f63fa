"""Finds the stored memories that drafts name by id or key; splits batches that name one twice."""

from collections.abc import Iterable, Mapping, Sequence

from graph.core.errors import Conflict
from graph.core.scope import SHARED
from graph.memories.models import Memory, MemoryDraft
from graph.memories.queries import LockMemoriesRow
from graph.memories.saving.preparing import PreparedDraft

_SEPARATOR = "\x1f"


def rounds(batch: Sequence[PreparedDraft]) -> list[list[PreparedDraft]]:
    """Split a batch, in order, so that no round has an id, a key or an equal text twice.

    A later draft then updates the memory of the earlier one, or is recognised as its duplicate.
    """
    result: list[list[PreparedDraft]] = [[]]
    named: set[str] = set()
    for prepared in batch:
        draft = prepared.draft
        key = draft.key and _SEPARATOR.join((draft.user_id or SHARED, draft.agent_id or SHARED, draft.key))
        names = {name for name in (draft.id, key) if name}
        if prepared.is_compared and prepared.same_as is None:
            names.add(prepared.dedup_key)
        if names & named:
            result.append([])
            named = set()
        result[-1].append(prepared)
        named |= names
    return result


def distinct_beginning(
    batch: Sequence[PreparedDraft], stored: Mapping[tuple[str | None, ...], LockMemoriesRow]
) -> Sequence[PreparedDraft]:
    """Return the drafts before the first that names the same memory as an earlier one, by id instead of key."""
    met: set[str] = set()
    for place, prepared in enumerate(batch):
        found = find_stored(stored, prepared.draft)
        if found is not None and found.memory.id in met:
            return batch[:place]
        if found is not None:
            met.add(found.memory.id)
    return batch


def names_of(drafts: Iterable[MemoryDraft]) -> tuple[list[str], list[dict[str, str]]]:
    """Return the ids and keys of drafts, as parameters of ``lock_memories``."""
    ids: list[str] = []
    keys: list[dict[str, str]] = []
    for draft in drafts:
        if draft.id:
            ids.append(draft.id)
        if draft.key:
            owner = {"user_id": draft.user_id or SHARED, "agent_id": draft.agent_id or SHARED}
            keys.append({**owner, "key": draft.key})
    return ids, keys


def stored_by_name(rows: Iterable[LockMemoriesRow]) -> dict[tuple[str | None, ...], LockMemoriesRow]:
    """Index stored memories by ``("id", id)`` and ``("key of", user, agent, key)``."""
    found: dict[tuple[str | None, ...], LockMemoriesRow] = {}
    for row in rows:
        found["id", row.memory.id] = row
        if row.memory.key is not None:
            found["key of", row.memory.user_id, row.memory.agent_id, row.memory.key] = row
    return found


def find_stored(
    stored: Mapping[tuple[str | None, ...], LockMemoriesRow], draft: MemoryDraft
) -> LockMemoriesRow | None:
    """Return the stored memory that a draft names by id or key.

    Raises:
        Conflict: The key belongs to a memory with another id, or the id to another user's or agent's memory.
    """
    by_id = stored.get(("id", draft.id)) if draft.id else None
    if by_id is not None:
        _check_owner(by_id.memory, draft)
    owner = by_id.memory if by_id else draft
    by_key = stored.get(("key of", owner.user_id, owner.agent_id, draft.key)) if draft.key else None
    if draft.id and by_key is not None and by_key.memory.id != draft.id:
        raise Conflict(
            f"key {draft.key!r} belongs to memory {by_key.memory.id!r}; leave id out to update that one",
            field="key",
        )
    return by_id or by_key


def _check_owner(stored: Memory, draft: MemoryDraft) -> None:
    """Check that a draft names no other user or agent than those of the stored memory.

    Raises:
        Conflict: The draft names another.
    """
    for name, owner, named in (
        ("userId", stored.user_id, draft.user_id),
        ("agentId", stored.agent_id, draft.agent_id),
    ):
        if named is not None and named != owner:
            raise Conflict(f"memory {stored.id!r} has another {name}; choose another id", field=name)
