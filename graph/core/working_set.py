"""Working set: volatile values of a conversation, outside of the graph."""

import json
from typing import Any

from graph.core.errors import InvalidInput
from graph.core.ports import WorkingSetStore
from graph.core.scope import SHARED, current_scope
from graph.core.text.checks import short_text

DEFAULT_TTL_SECONDS = 3600
MOST_TTL_SECONDS = 7 * 86_400
MOST_VALUE_BYTES = 256 * 1024
_SLOT_CHARS = 128
_SEPARATOR = "\x1f"


class WorkingSet:
    """The use cases of the working set; lives as long as the process.

    If the store does not answer, a slot reads as empty and a write does nothing. Callers must therefore be able to
    compute a missing value again. It works regardless of a workspace's memory switch. The engine itself never reads or
    writes it.
    """

    def __init__(self, store: WorkingSetStore) -> None:
        self._store = store

    async def read(self, workspace_id: str, conversation_id: str, slot: str) -> Any:
        """Return the JSON value of a slot and restart its lifetime; None if it is missing or has expired.

        Raises:
            InvalidInput: An id is blank or too long.
        """
        text = await self._store.get(workspace_id, _conversation(conversation_id), _slot(slot))
        return None if text is None else json.loads(text)

    async def write(
        self,
        workspace_id: str,
        conversation_id: str,
        slot: str,
        value: object,
        *,
        ttl_seconds: int = DEFAULT_TTL_SECONDS,
    ) -> bool:
        """Write a JSON value into a slot; return whether it is stored.

        Args:
            workspace_id: Workspace of the working set.
            conversation_id: Conversation of the workspace.
            slot: Any name. Agents that share a slot use the same name, such as ``planner_decision``,
                ``recent_retrieval`` or ``intermediate_results``.
            value: Value of at most 256 KiB as JSON.
            ttl_seconds: Lifetime without a read, 1 second to 7 days.

        Raises:
            InvalidInput: An id is blank or too long, the value is not JSON or too large, or the time is out of range.
        """
        if not 1 <= ttl_seconds <= MOST_TTL_SECONDS:
            raise InvalidInput(
                "ttlSeconds", f"ttlSeconds must be between 1 and {MOST_TTL_SECONDS}, got {ttl_seconds}"
            )
        return await self._store.set(
            workspace_id, _conversation(conversation_id), _slot(slot), _json(value), ttl_seconds
        )

    async def clear(self, workspace_id: str, conversation_id: str) -> int:
        """Remove the slots of a conversation that belong to the current scope; return their number.

        Raises:
            InvalidInput: The id is blank or too long.
        """
        return await self._store.clear(workspace_id, _conversation(conversation_id))

    async def end(self, workspace_id: str, conversation_id: str, *, user_id: str) -> int:
        """Remove all slots of a deleted conversation, for every writer; return their number.

        Raises:
            InvalidInput: The id is blank or too long.
        """
        named = _named("conversationId", conversation_id)
        removed = await self._store.clear(workspace_id, named)
        if user_id == SHARED:
            return removed + await self._store.clear_named(workspace_id, end=f"{_SEPARATOR}{named}")
        return removed + await self._store.clear(workspace_id, f"{user_id}{_SEPARATOR}{named}")

    async def clear_user(self, workspace_id: str, user_id: str) -> int:
        """Remove all slots of a user; return their number."""
        return await self._store.clear_named(workspace_id, beginning=f"{user_id}{_SEPARATOR}")

    async def clear_workspace(self, workspace_id: str) -> int:
        """Remove all slots of a workspace; return their number."""
        return await self._store.clear(workspace_id, None)


def _conversation(id_: str) -> str:
    """Return the store's name of a conversation; it includes the user, because each user has separate slots."""
    named, user_id = _named("conversationId", id_), current_scope().user_id
    return named if user_id is None else f"{user_id}{_SEPARATOR}{named}"


def _slot(slot: str) -> str:
    return _named("slot", slot, limit=_SLOT_CHARS)


def _named(field: str, name: str, *, limit: int = 512) -> str:
    checked = short_text(field, name, limit=limit)
    assert checked is not None  # noqa: S101 - a text was given
    return checked


def _json(value: object) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        size = len(text.encode())
    except (TypeError, ValueError, RecursionError):
        raise InvalidInput("value", "value must be JSON, with finite numbers and valid Unicode") from None
    if size > MOST_VALUE_BYTES:
        raise InvalidInput("value", f"value must have at most {MOST_VALUE_BYTES} bytes as JSON, got {size}")
    return text
