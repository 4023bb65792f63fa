"""Opens exports that are lists of JSON objects: a list, an object that holds one, or one object a line."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.cli.importers.models import Remark, UnreadableFileError
from graph.core.text.checks import is_identifier


def read_document(path: Path) -> Any:
    """Return the JSON value that a file holds.

    Raises:
        UnreadableFileError: It is not JSON in UTF-8.
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
    """Yield the objects of a list; a single object counts as a list of one, anything else as none."""
    yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict))


def text_of(value: Any) -> str:
    """Return a string as it is and anything else as the empty string."""
    return value if isinstance(value, str) else ""


def read_list(path: Path, names: Sequence[str]) -> list[Any]:
    """Return the records of a file.

    Args:
        path: JSON in UTF-8, or JSON lines.
        names: Fields of an object around the list that may hold it; the first that does is taken.

    Raises:
        UnreadableFileError: It is neither.
    """
    return list_in(read_value(path), names)


def read_value(path: Path) -> Any:
    """Return the value of a JSON file, or those of JSON lines as a list.

    Raises:
        UnreadableFileError: It is neither.
    """
    try:
        return read_document(path)
    except UnreadableFileError:
        lines = _read_lines(path)
        if lines is None:
            raise
        return lines


def list_in(value: Any, names: Sequence[str]) -> list[Any]:
    """Return the records that a value is or holds under the first of the names that does; see :func:`read_list`."""
    if isinstance(value, Mapping):
        held = next((value[name] for name in names if isinstance(value.get(name), list)), None)
        return [value] if held is None else held
    return value if isinstance(value, list) else []


def unknown_fields(where: str, record: Mapping[str, Any], known: Collection[str]) -> Iterator[Remark]:
    """Yield a remark for each field of a record that has a value and is not known."""
    for name in sorted(record.keys() - known):
        if record[name] not in (None, "", [], {}):
            yield Remark(where, f"unknown field {name!r} left out", "changed")


def named(source: str, id_: Any) -> dict[str, str]:
    """Return the id or, where that is none Recollect takes, the key of a record that has an id in its source."""
    text = str(id_)
    return {"id": text} if is_identifier(text) else {"key": f"{source}/{text}"}


def json_object(value: Any) -> dict[str, Any] | None:
    """Return a JSON object, also one that a database column holds as text; None where there is none."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) and value else None


def _read_lines(path: Path) -> list[Any] | None:
    """Return the values of JSON lines; None where a line is none, or there is only one."""
    try:
        lines = path.read_text("utf-8-sig").split("\n")  # not splitlines(): strings may hold U+2028
        found = [json.loads(line) for line in lines if line.strip()]
    except (ValueError, RecursionError):
        return None
    return found if len(found) > 1 else None
