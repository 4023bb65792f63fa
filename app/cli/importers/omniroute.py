"""Reads what OmniRoute lists: the answer of ``/api/memory``, or rows of its table of memories.

OmniRoute keeps the memory of each API key apart, so the key is the user here.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic.alias_generators import to_snake

from app.cli.importers.json_records import json_object, named, read_list, unknown_fields
from app.cli.importers.models import Contents, Record, Remark, UnreadableFileError, read_item

_KNOWN = frozenset(
    "api_key_id content created_at expires_at id key metadata score session_id tokens type updated_at".split()
)
"""Fields that are taken, or that say nothing of their own."""


def read_omniroute(path: Path, max_chars: int) -> Contents:
    """Return the one part of an export.

    Raises:
        UnreadableFileError: The file holds no memory of OmniRoute.
    """
    found = [_in_snake_case(each) for each in read_list(path, ("data", "memories", "items"))]
    if not any(map(_is_memory, found)):
        raise UnreadableFileError(
            "no memory found; OmniRoute lists {data: [{id, apiKeyId, sessionId, type, key, content, …}]}"
        )
    records = (
        record for position, each in enumerate(found, 1) for record in _read(position, each, max_chars)
    )
    return Contents(records, len(found))


def _in_snake_case(value: Any) -> Any:
    return {to_snake(name): each for name, each in value.items()} if isinstance(value, Mapping) else value


def _is_memory(value: Any) -> bool:
    """Tell a memory of OmniRoute from those of others, which have no key."""
    return (
        isinstance(value, Mapping) and isinstance(value.get("content"), str) and {"id", "key"} <= value.keys()
    )


def _read(position: int, memory: Any, max_chars: int) -> Iterator[Record]:
    if not _is_memory(memory):
        yield Remark(f"#{position}", "not a memory: id, key and content are missing")
        return
    yield from unknown_fields(str(memory["id"]), memory, _KNOWN)
    fields = {
        "content": memory["content"],
        "key": memory["key"] or None,
        **named("omniroute", memory["id"]),
        "kind": memory.get("type") or None,
        "user_id": memory.get("api_key_id") or None,
        "session_id": memory.get("session_id") or None,
        "timestamp": memory.get("created_at"),
        "created_at": memory.get("created_at"),
        "updated_at": memory.get("updated_at"),
        "expires_at": memory.get("expires_at"),
        "metadata": json_object(memory.get("metadata")),
        "dedup": False,
    }
    yield from read_item(str(memory["id"]), fields, max_chars=max_chars)
