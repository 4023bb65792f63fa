"""Reads ``jsonl``: one memory a line, the fields of ``SaveMemoryInput`` in snake case.

The reader never loads the whole file. Lines with the same ``source_conversation_id`` and ``session_id`` are turns of
one session, in the order of the file.
"""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

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

MAX_LINE_BYTES = 16 * 1024 * 1024
"""Maximum length of a line; longer lines are skipped without loading them."""
_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_FIELDS = frozenset(ImportedMemory.model_fields)


class _BadLineError(ValueError):
    """Raised if a line is not a JSON object."""


def read_jsonl(path: Path, max_chars: int) -> Contents:
    """Return the records of a jsonl file.

    Raises:
        UnreadableFileError: The file is not text in UTF-8.
    """
    if path.is_file():
        _refuse_utf16(path)
    return Contents(_read_records(path, max_chars), _count_lines(path))


def _refuse_utf16(path: Path) -> None:
    with path.open("rb") as stream:
        if stream.read(2) in _UTF16_MARKS:
            raise UnreadableFileError("the file is UTF-16; save it as UTF-8")


def _count_lines(path: Path) -> int | None:
    if not path.is_file():
        return None
    with path.open("rb") as stream:
        return sum(block.count(b"\n") for block in iter(lambda: stream.read(1 << 20), b""))


def _read_records(path: Path, max_chars: int) -> Iterator[Record]:
    keys = DerivedKeys("jsonl")
    with path.open("rb") as stream:
        for where, line in _lines(stream):
            for record in _read_line(where, line, max_chars):
                yield keys.complete(record) if isinstance(record, ImportItem) else record


def _lines(stream: BinaryIO) -> Iterator[tuple[str, bytes | None]]:
    """Yield each non-blank line with its place; None instead of a line that is too long."""
    number = 0
    while line := stream.readline(MAX_LINE_BYTES):
        number += 1
        whole = line.endswith(b"\n") or len(line) < MAX_LINE_BYTES
        if not whole:
            _skip_rest(stream)
        stripped = line.removeprefix(_UTF8_MARK).strip() if number == 1 else line.strip()
        if stripped:
            yield f"line {number}", stripped if whole else None


def _skip_rest(stream: BinaryIO) -> None:
    while (rest := stream.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
        pass


def _read_line(where: str, line: bytes | None, max_chars: int) -> Iterator[Record]:
    if line is None:
        yield Remark(where, f"longer than {MAX_LINE_BYTES // 1024**2} MB")
        return
    if b"\0" in line:
        yield Remark(where, "NUL bytes removed", "changed")
        line = line.replace(b"\0", b"")
    try:
        fields = _parse_object(line)
    except _BadLineError as error:
        yield Remark(where, str(error))
        return
    for name in sorted(fields.keys() - _FIELDS):
        yield Remark(where, f"unknown field {name!r} left out", "changed")
    yield from read_item(where, {k: v for k, v in fields.items() if k in _FIELDS}, max_chars=max_chars)


def _parse_object(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line.decode(), parse_constant=_refuse_constant, parse_float=_finite)
    except UnicodeDecodeError as error:
        raise _BadLineError("not UTF-8") from error
    except RecursionError as error:
        raise _BadLineError("nests too deep") from error
    except json.JSONDecodeError as error:
        raise _BadLineError(f"not JSON: {error.msg}") from error
    except ValueError as error:
        raise _BadLineError(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise _BadLineError("not a JSON object")
    if "content" not in value:
        raise _BadLineError("content: is missing")
    return value


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number
