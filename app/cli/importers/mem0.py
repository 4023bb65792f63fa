"""Reads mem0: the JSON of ``get_all``, or ``history.db``, its SQLite file of changes.

Only ``get_all`` has the owners of memories. Both have the same ids, so importing both creates each memory once.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

from app.cli.importers.json_records import json_object, list_in, named, read_value, text_of, unknown_fields
from app.cli.importers.models import Contents, Record, Remark, UnreadableFileError, read_item
from graph.core.exact import read_time
from graph.core.time import Beginning, last_moment

_TICK = timedelta(microseconds=1)
_SQLITE = b"SQLite format 3\0"
_EXPECTED = (
    "a mem0 export is the JSON of get_all, {results: [{id, memory, user_id, …}]}, or the file history.db"
)
_KNOWN = frozenset(
    "actor_id agent_id categories created_at event expiration_date hash id is_deleted memory memory_id metadata "
    "new_memory role run_id score updated_at user_id".split()
)
"""Imported fields, and fields without information of their own."""
_LAST_CHANGES = """
SELECT {columns} FROM history WHERE rowid IN (SELECT max(rowid) FROM history GROUP BY memory_id) ORDER BY rowid
"""
_COLUMNS = ("memory_id", "new_memory", "event")
_LATER_COLUMNS = ("created_at", "updated_at", "is_deleted", "actor_id", "role")
"""Fields that some versions of mem0 lack."""


def read_mem0(path: Path, max_chars: int) -> Contents:
    """Return the records of an export.

    Raises:
        UnreadableFileError: The file has no memory of mem0.
    """
    with path.open("rb") as stream:
        is_history = stream.read(len(_SQLITE)) == _SQLITE
    value = _read_history(path) if is_history else read_value(path)
    found = list_in(value, ("results", "memories"))
    if not is_history and not any(_is_memory(each) for each in found):
        raise UnreadableFileError(f"no memory found; {_EXPECTED}")
    return Contents(_records(found, _relations(value), max_chars), len(found))


def _records(found: Sequence[Any], relations: int, max_chars: int) -> Iterator[Record]:
    for position, each in enumerate(found, 1):
        yield from _read(position, each, max_chars)
    if relations:
        yield Remark("relations", f"{relations} relations of mem0's graph memory")


def _relations(value: Any) -> int:
    relations = value.get("relations") if isinstance(value, Mapping) else None
    return len(relations) if isinstance(relations, list) else 0


def _read_history(path: Path) -> list[Any]:
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)) as database:
            database.row_factory = sqlite3.Row
            there = {row["name"] for row in database.execute("PRAGMA table_info(history)")}
            columns = [*_COLUMNS, *(name for name in _LATER_COLUMNS if name in there)]
            rows = database.execute(_LAST_CHANGES.format(columns=", ".join(columns))).fetchall()
    except sqlite3.Error as error:
        raise UnreadableFileError(f"no history of mem0 ({error}); {_EXPECTED}") from error
    return [{"id": row["memory_id"], "memory": row["new_memory"], **dict(row)} for row in rows]


def _is_memory(value: Any) -> bool:
    return isinstance(value, Mapping) and bool(value.get("id")) and isinstance(value.get("memory"), str)


def _read(position: int, memory: Any, max_chars: int) -> Iterator[Record]:
    where = f"#{position}"
    if isinstance(memory, Mapping) and (memory.get("event") == "DELETE" or memory.get("is_deleted")):
        yield Remark(where, "deleted in mem0")
        return
    if not _is_memory(memory):
        yield Remark(where, "not a memory: id and memory are missing")
        return
    where = str(memory["id"])
    yield from unknown_fields(where, memory, _KNOWN)
    fields = {
        "content": memory["memory"],
        **named("mem0", memory["id"]),
        "user_id": memory.get("user_id"),
        "agent_id": memory.get("agent_id"),
        "session_id": memory.get("run_id"),
        "speaker": text_of(memory.get("actor_id")) or text_of(memory.get("role")) or None,
        "timestamp": memory.get("created_at"),
        "created_at": memory.get("created_at"),
        "updated_at": memory.get("updated_at"),
        "expires_at": _end_of_day(memory.get("expiration_date")),
        "tags": memory.get("categories") or None,
        "metadata": json_object(memory.get("metadata")),
        "dedup": False,
    }
    yield from read_item(where, fields, max_chars=max_chars)


def _end_of_day(value: Any) -> Any:
    """Return the end of the last day on which mem0 shows a memory; None for the last day of the calendar."""
    try:
        moment = read_time(value)
        return last_moment(moment) + _TICK if isinstance(moment, Beginning) else moment
    except OverflowError:
        return None
    except ValueError:
        return value
