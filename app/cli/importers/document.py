"""Opens the formats whose whole file is one JSON document, such as the chat exports."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from app.cli.importers.models import UnreadableFileError


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
