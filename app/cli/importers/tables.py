"""Reads CSV: one memory a row, columns with the names of ``jsonl`` fields; other columns become metadata."""

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.cli.importers.models import (
    Contents,
    DerivedKeys,
    ImportedMemory,
    ImportItem,
    Record,
    Remark,
    UnreadableFileError,
    read_item,
)
from graph.core.exact import read_untyped_time

_FIELDS = frozenset(ImportedMemory.model_fields)
_JSON = frozenset({"metadata", "embedding"})
_TIMES = frozenset(
    {"timestamp", "created_at", "updated_at", "last_accessed_at", "t_valid", "t_invalid", "expires_at"}
)
_DELIMITERS = ",;\t"


def read_csv(path: Path, max_chars: int, *, columns: Mapping[str, str] = {}) -> Contents:
    """Return the records of a table.

    Args:
        path: CSV in UTF-8 whose first line names the columns, separated by commas, semicolons or tabs.
        max_chars: Maximum length of a content.
        columns: Names of columns by field, if they differ.

    Raises:
        UnreadableFileError: The file is not a table, or has no column for the content.
    """
    header, delimiter = _read_header(path)
    fields = {columns.get(field, field): field for field in sorted(_FIELDS)}
    unknown = sorted(columns.keys() - _FIELDS)
    missing = sorted(set(columns.values()) - set(header))
    if unknown:
        raise UnreadableFileError(f"no field {unknown[0]!r}; the fields are {', '.join(sorted(_FIELDS))}")
    if missing or "content" not in {fields.get(name) for name in header}:
        name = missing[0] if missing else "content"
        raise UnreadableFileError(
            f"no column {name!r} among {', '.join(header[:20]) or 'none'}; name the text's with --column content=NAME"
        )
    return Contents(_read_rows(path, delimiter, header, fields, max_chars), _count_lines(path))


def _read_header(path: Path) -> tuple[list[str], str]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            line = stream.readline()
            delimiter = max(_DELIMITERS, key=line.count)
            stream.seek(0)
            header = next(csv.reader(stream, delimiter=delimiter, strict=True), [])
    except UnicodeDecodeError as error:
        raise UnreadableFileError("the file is not UTF-8") from error
    except csv.Error as error:
        raise UnreadableFileError(f"the file is not CSV: {error}") from error
    names = [name.strip() for name in header]
    if len(set(names)) < len(names):
        raise UnreadableFileError("two columns have one name")
    return names, delimiter


def _count_lines(path: Path) -> int:
    """Count the lines after the first; this also decodes the whole file before anything is saved."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            return max(0, sum(block.count("\n") for block in iter(lambda: stream.read(1 << 20), "")) - 1)
    except UnicodeDecodeError as error:
        raise UnreadableFileError("the file is not UTF-8") from error


def _read_rows(
    path: Path, delimiter: str, header: Sequence[str], fields: Mapping[str, str], max_chars: int
) -> Iterator[Record]:
    keys = DerivedKeys("csv")
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = csv.reader(stream, delimiter=delimiter)
        next(rows, None)
        while True:
            try:
                row = next(rows)
            except StopIteration:
                return
            except csv.Error as error:
                yield Remark(f"line {rows.line_num}", f"not CSV: {error}")
                continue
            if any(row):
                for record in _read_row(f"line {rows.line_num}", row, header, fields, max_chars):
                    yield keys.complete(record) if isinstance(record, ImportItem) else record


def _read_row(
    where: str, row: Sequence[str], header: Sequence[str], fields: Mapping[str, str], max_chars: int
) -> Iterator[Record]:
    if len(row) > len(header):
        yield Remark(where, "more values than columns")
        return
    values = {name: value for name, value in zip(header, row, strict=False) if value.strip()}
    found: dict[str, Any] = {"content": ""}
    for name, value in values.items():
        if name in fields:
            found[fields[name]] = _parsed(fields[name], value)
    others = {name: value for name, value in values.items() if name not in fields}
    if others and isinstance(found.get("metadata"), dict | None):
        found["metadata"] = others | (found.get("metadata") or {})
    yield from read_item(where, found, max_chars=max_chars)


def _parsed(field: str, value: str) -> Any:
    try:
        if field in _TIMES:
            return read_untyped_time(value.strip())
        return json.loads(value) if field in _JSON else value
    except (ValueError, RecursionError):
        return value
