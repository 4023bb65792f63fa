"""Reads exports of AutoMem (responses of ``/memory/by-tag`` and ``/recall``, or a list) and of OmniRoute."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic.alias_generators import to_snake

from app.cli.importers.json_records import json_object, named, objects, read_list, unknown_fields
from app.cli.importers.models import Contents, LinkItem, Record, Remark, UnreadableFileError, read_item
from graph.memories.models import AssociationType, MemoryType

_COPIED = ("content", "tags", "importance", "confidence", "timestamp", "t_valid", "t_invalid", "updated_at")
_KNOWN = frozenset(
    (
        *_COPIED,
        *"embedding enriched id last_accessed match_type memory metadata processed relations relevance_score".split(),
        *"score tag_prefixes type".split(),
    )
)
"""Imported fields, and fields without information of their own."""
_TYPES = frozenset(type_.value.upper() for type_ in MemoryType)
_OTHERS = frozenset({"MEMORY", "BASE"})
"""AutoMem's types of a memory without a specific type."""


def read_automem(path: Path, max_chars: int) -> Contents:
    """Return the records of an export.

    Raises:
        UnreadableFileError: The file has no memory of AutoMem.
    """
    found = read_list(path, ("memories", "results", "data"))
    if not any(_memory(each) for each in found):
        raise UnreadableFileError(
            "no memory found; AutoMem lists {memories: [{id, content, type, tags, …}]} or {results: [{id, memory}]}"
        )
    return Contents(_read(found, max_chars), has_links=True)


def _read(found: Sequence[Any], max_chars: int) -> Iterator[Record]:
    ids: set[str] = set()
    relations: list[tuple[str, Any]] = []
    for position, each in enumerate(found, 1):
        memory = _memory(each)
        if memory is None:
            yield Remark(f"#{position}", "not a memory: id and content are missing")
            continue
        yield from _read_memory(memory, max_chars)
        id_ = str(memory["id"])
        ids.add(id_)
        relations += (
            (id_, relation) for relation in objects(each.get("relations") or memory.get("relations") or [])
        )
    seen: set[tuple[str, str, str]] = set()
    for id_, relation in relations:
        yield from _links(id_, relation, ids, seen)


def _memory(value: Any) -> Mapping[str, Any] | None:
    """Return the memory of a record: the record itself, or its field ``memory`` in a hit of a recall."""
    if not isinstance(value, Mapping):
        return None
    held = value.get("memory")
    memory = {"id": value.get("id"), **held} if isinstance(held, Mapping) else value
    is_memory = bool(memory.get("id")) and isinstance(memory.get("content"), str)
    return memory if is_memory else None


def _read_memory(memory: Mapping[str, Any], max_chars: int) -> Iterator[Record]:
    where = str(memory["id"])
    yield from unknown_fields(where, memory, _KNOWN)
    type_ = str(memory.get("type") or "").upper()
    if type_ and type_ not in _TYPES:
        if type_ not in _OTHERS:
            yield Remark(where, f"unknown type {memory['type']!r} left out", "changed")
        type_ = ""
    fields = {
        **{name: memory.get(name) for name in _COPIED},
        **named("automem", memory["id"]),
        "type": type_ or None,
        "last_accessed_at": memory.get("last_accessed"),
        "metadata": json_object(memory.get("metadata")),
        "dedup": False,
    }
    yield from read_item(where, fields, max_chars=max_chars)


def _links(
    id_: str, relation: Mapping[str, Any], ids: Collection[str], seen: set[tuple[str, str, str]]
) -> Iterator[Record]:
    """Yield the association of a relation once, although both of its memories list it."""
    other = relation.get("memory")
    other_id = str(other["id"]) if isinstance(other, Mapping) and other.get("id") else None
    where = f"{id_} → {other_id or '?'}"
    type_ = relation.get("type")
    if other_id is None or other_id not in ids:
        yield Remark(where, f"link {str(type_)[:60]} to a memory that is not in the export")
        return
    ends = (other_id, id_) if relation.get("direction") == "in" else (id_, other_id)
    known = type_ if isinstance(type_, str) and type_ in frozenset(AssociationType) else None
    edge = (*ends, known or AssociationType.RELATES_TO.value)
    if edge in seen:
        return
    seen.add(edge)
    if known is None:
        yield Remark(where, f"link of unknown type {str(type_)[:60]!r} becomes RELATES_TO", "changed")
    raw = relation.get("strength")
    strength = float(raw) if isinstance(raw, int | float) and 0 <= raw <= 1 else None
    if raw is not None and strength is None:
        yield Remark(where, "strength of a link left out: not between 0 and 1", "changed")
    yield LinkItem(
        where,
        from_name=_name(ends[0]),
        to_name=_name(ends[1]),
        type=edge[2],
        strength=strength,
    )


def _name(id_: str) -> str:
    return next(iter(named("automem", id_).values()))


# OmniRoute separates memories by API key, so the key becomes the user.


_OMNIROUTE_KNOWN = frozenset(
    "api_key_id content created_at expires_at id key metadata score session_id tokens type updated_at".split()
)
"""Imported fields, and fields without information of their own."""


def read_omniroute(path: Path, max_chars: int) -> Contents:
    """Return the records of an export.

    Raises:
        UnreadableFileError: The file has no memory of OmniRoute.
    """
    found = [_in_snake_case(each) for each in read_list(path, ("data", "memories", "items"))]
    if not any(map(_is_omniroute_memory, found)):
        raise UnreadableFileError(
            "no memory found; OmniRoute lists {data: [{id, apiKeyId, sessionId, type, key, content, …}]}"
        )
    records = (
        record
        for position, each in enumerate(found, 1)
        for record in _read_omniroute(position, each, max_chars)
    )
    return Contents(records, len(found))


def _in_snake_case(value: Any) -> Any:
    return {to_snake(name): each for name, each in value.items()} if isinstance(value, Mapping) else value


def _is_omniroute_memory(value: Any) -> bool:
    """Tell whether a record is a memory of OmniRoute; other systems' records have no key."""
    return (
        isinstance(value, Mapping) and isinstance(value.get("content"), str) and {"id", "key"} <= value.keys()
    )


def _read_omniroute(position: int, memory: Any, max_chars: int) -> Iterator[Record]:
    if not _is_omniroute_memory(memory):
        yield Remark(f"#{position}", "not a memory: id, key and content are missing")
        return
    yield from unknown_fields(str(memory["id"]), memory, _OMNIROUTE_KNOWN)
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
