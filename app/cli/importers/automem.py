"""Reads what AutoMem lists: the answers of ``/memory/by-tag`` and ``/recall``, or a list of its memories."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.cli.importers.json_records import json_object, named, objects, read_list, unknown_fields
from app.cli.importers.models import Contents, LinkItem, Record, Remark, UnreadableFileError, read_item
from graph.memories.associations.models import AssociationType
from graph.memories.models import MemoryType

_COPIED = ("content", "tags", "importance", "confidence", "timestamp", "t_valid", "t_invalid", "updated_at")
_KNOWN = frozenset(
    (
        *_COPIED,
        *"embedding enriched id last_accessed match_type memory metadata processed relations relevance_score".split(),
        *"score tag_prefixes type".split(),
    )
)
"""Fields that are taken, or that say nothing of their own."""
_TYPES = frozenset(type_.value.upper() for type_ in MemoryType)
_OTHERS = frozenset({"MEMORY", "BASE"})
"""AutoMem's names for a memory of no type."""


def read_automem(path: Path, max_chars: int) -> Contents:
    """Return the one part of an export.

    Raises:
        UnreadableFileError: The file holds no memory of AutoMem.
    """
    found = read_list(path, ("memories", "results", "data"))
    if not any(_memory(each) for each in found):
        raise UnreadableFileError(
            "no memory found; AutoMem lists {memories: [{id, content, type, tags, …}]} or {results: [{id, memory}]}"
        )
    return Contents(_read(found, max_chars), has_links=True)


def _read(found: Sequence[Any], max_chars: int) -> Iterator[Record]:
    links: list[LinkItem] = []
    for position, each in enumerate(found, 1):
        memory = _memory(each)
        if memory is None:
            yield Remark(f"#{position}", "not a memory: id and content are missing")
            continue
        yield from _read_memory(memory, max_chars)
        links += _links(str(memory["id"]), each.get("relations"))
    yield from links


def _memory(value: Any) -> Mapping[str, Any] | None:
    """Return the memory that a record is or, as a hit of a recall, holds."""
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


def _links(id_: str, relations: Any) -> Iterator[LinkItem]:
    for relation in objects(relations or []):
        other = relation.get("memory")
        other_id = other.get("id") if isinstance(other, Mapping) else None
        if not isinstance(other_id, str):
            continue
        ends = (other_id, id_) if relation.get("direction") == "in" else (id_, other_id)
        strength = relation.get("strength")
        yield LinkItem(
            f"{id_} → {other_id}",
            from_name=_name(ends[0]),
            to_name=_name(ends[1]),
            type=_association_type(relation.get("type")),
            strength=float(strength) if isinstance(strength, int | float) and 0 <= strength <= 1 else None,
        )


def _name(id_: str) -> str:
    return next(iter(named("automem", id_).values()))


def _association_type(value: Any) -> str:
    is_known = isinstance(value, str) and value in frozenset(AssociationType)
    return value if is_known else AssociationType.RELATES_TO.value
