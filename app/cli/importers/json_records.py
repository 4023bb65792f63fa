"""Opens exports that are lists of JSON objects: a list, an object with a list, or one object a line."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.cli.importers.models import Remark, UnreadableFileError
from graph.core.text.checks import is_identifier


def read_document(path: Path) -> Any:
    """Return the JSON value of a file.

    Raises:
        UnreadableFileError: The file is not JSON in UTF-8.
    """
    data = path.read_bytes()
    if data.startswith(b"PK"):
        raise UnreadableFileError("the file is a zip archive; unpack it and name the JSON file inside")
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UnreadableFileError("the file is not UTF-8") from error
    except (ValueError, RecursionError) as error:
        raise UnreadableFileError(f"the file is not JSON: {error}") from error


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects of a list; an object counts as a list of one, other values as an empty list."""
    yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict))


def text_of(value: Any) -> str:
    """Return a string unchanged, and the empty string for any other value."""
    return value if isinstance(value, str) else ""


def read_list(path: Path, names: Sequence[str]) -> list[Any]:
    """Return the records of a file.

    Args:
        path: JSON in UTF-8, or JSON lines.
        names: Possible fields of the list in an object; the first that has a list is used.

    Raises:
        UnreadableFileError: The file is neither.
    """
    return list_in(read_value(path), names)


def read_value(path: Path) -> Any:
    """Return the value of a JSON file, or the values of JSON lines as a list.

    Raises:
        UnreadableFileError: The file is neither.
    """
    try:
        return read_document(path)
    except UnreadableFileError:
        lines = _read_lines(path)
        if lines is None:
            raise
        return lines


def list_in(value: Any, names: Sequence[str]) -> list[Any]:
    """Return the records of a value: the list itself, or the one in a field; see :func:`read_list`."""
    if isinstance(value, Mapping):
        held = next((value[name] for name in names if isinstance(value.get(name), list)), None)
        return [value] if held is None else held
    return value if isinstance(value, list) else []


def unknown_fields(where: str, record: Mapping[str, Any], known: Collection[str]) -> Iterator[Remark]:
    """Yield a remark for each unknown field of a record that has a value."""
    for name in sorted(record.keys() - known):
        if record[name] not in (None, "", [], {}):
            yield Remark(where, f"unknown field {name!r} left out", "changed")


def named(source: str, id_: Any) -> dict[str, str]:
    """Return the source's id as ``id`` if it is valid in Recollect, else as ``key``."""
    text = str(id_)
    return {"id": text} if is_identifier(text) else {"key": f"{source}/{text}"}


def json_object(value: Any) -> dict[str, Any] | None:
    """Return a JSON object, also from its text in a database column; None for other values."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) and value else None


def _read_lines(path: Path) -> list[Any] | None:
    """Return the values of JSON lines; None if a line is not JSON, or there is only one line."""
    try:
        lines = path.read_text("utf-8-sig").split("\n")  # not splitlines(): strings may hold U+2028
        found = [json.loads(line) for line in lines if line.strip()]
    except (ValueError, RecursionError):
        return None
    return found if len(found) > 1 else None
