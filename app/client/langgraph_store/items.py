"""Maps an item of LangGraph to a memory of the store, and back.

| LangGraph | Recollect |
|---|---|
| namespace | one tag with a level for each label, so that a prefix of labels is a prefix of the tag |
| namespace and key | the memory's id, a hash of both and of the workspace |
| value | ``metadata.langgraph.value``, complete |
| indexed fields | the memory's content, which is embedded and searched, truncated to 2000 characters |
| ttl | ``expiresAt``, extended at every read |
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from langgraph.store.base import Item, PutOp, SearchItem, get_text_at_path, tokenize_path
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from ..generated import MemoryFields, SaveMemoryInput
from ..langgraph_layout import ROOT, memory_id, tag_of, texts_of

WHOLE = "$"
MOST_CHARS = 2000
"""Maximum length of a memory's content."""


@dataclass(frozen=True)
class StoredItem:
    """An item with further properties of its memory.

    Attributes:
        id: Id of the memory.
        changed_at: Time of the memory's last change, which orders lists.
        indexed: True if queries rank it.
        ttl: Lifetime in minutes after the last read; None: without end.
    """

    id: str
    namespace: tuple[str, ...]
    key: str
    value: dict[str, Any]
    created_at: datetime
    updated_at: datetime
    changed_at: datetime
    indexed: bool
    ttl: float | None

    def item(self) -> Item:
        """Return the item in the form of ``get``."""
        return Item(
            value=self.value,
            key=self.key,
            namespace=self.namespace,
            created_at=self.created_at,
            updated_at=self.updated_at,
        )

    def search_item(self, score: float | None) -> SearchItem:
        """Return the item in the form of ``search``, with its score if a query ranked it."""
        return SearchItem(self.namespace, self.key, self.value, self.created_at, self.updated_at, score)


class _Held(BaseModel):
    """Metadata of a memory that contains an item."""

    model_config = ConfigDict(frozen=True)

    namespace: tuple[str, ...]
    key: str
    value: dict[str, Any]
    put_at: AwareDatetime = Field(alias="putAt")
    indexed: bool
    ttl_minutes: float | None = Field(alias="ttlMinutes")


def memory_of(
    op: PutOp, workspace_id: str, fields: Sequence[str], now: datetime, user_label: int | None = None
) -> SaveMemoryInput:
    """Return the memory for an item to store.

    Args:
        op: Item to put; its value is not None.
        workspace_id: Target workspace.
        fields: Paths of searched texts if the item itself names none.
        now: The time of the put.
        user_label: Index of the namespace's user label, from 0; None, or a shorter namespace: everybody.
    """
    value = dict(op.value or {})
    paths = [] if op.index is False else fields if op.index is None else op.index
    text = "\n".join(text for path in paths for text in _texts_at(value, path)).strip()
    held = _Held(
        namespace=op.namespace, key=op.key, value=value, putAt=now, indexed=bool(text), ttlMinutes=op.ttl
    )
    values: dict[str, Any] = {
        "id": memory_id(workspace_id, op.namespace, op.key),
        "content": (text or "/".join((*op.namespace, op.key)))[:MOST_CHARS],
        "tags": [tag_of(op.namespace)],
        "metadata": {ROOT: held.model_dump(mode="json", by_alias=True)},
        "dedup": False,
    }
    if user_label is not None and user_label < len(op.namespace):
        values["user_id"] = op.namespace[user_label]
    if op.ttl is not None:
        values["expires_at"] = end_of_life(op.ttl, now)
    return SaveMemoryInput(**values)


def item_of(memory: MemoryFields) -> StoredItem | None:
    """Return the item of a memory, or None for a memory of another surface."""
    try:
        held = _Held.model_validate(memory.metadata.get(ROOT))
    except ValidationError:
        return None
    return StoredItem(
        id=memory.id,
        namespace=held.namespace,
        key=held.key,
        value=held.value,
        created_at=memory.created_at,
        updated_at=max(held.put_at, memory.created_at),
        changed_at=memory.updated_at,
        indexed=held.indexed,
        ttl=held.ttl_minutes,
    )


def end_of_life(ttl_minutes: float, now: datetime | None = None) -> datetime:
    """Return the expiry of an item that is read or written now."""
    return (now or datetime.now(UTC)) + timedelta(minutes=ttl_minutes)


def _texts_at(value: Mapping[str, Any], path: str) -> Iterator[str]:
    if path == WHOLE:
        yield from texts_of(value)
    else:
        yield from get_text_at_path(value, tokenize_path(path))
