"""Tags, ids and texts of LangGraph's items in the store; needs no package of LangGraph."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

ROOT = "langgraph"
"""The first level of every tag, and the key of the metadata that holds an item."""
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")


def tag_of(namespace: Sequence[str]) -> str:
    """Return the tag of a namespace; characters except lower-case letters and digits are percent-encoded."""
    return "/".join((ROOT, *(_encoded(label) for label in namespace)))


def namespace_of(tags: Sequence[str]) -> tuple[str, ...] | None:
    """Return the namespace that one of the tags encodes, or None."""
    tag = next((tag for tag in tags if tag.startswith(f"{ROOT}/")), None)
    return None if tag is None else tuple(unquote(label) for label in tag.split("/")[1:])


def memory_id(workspace_id: str, namespace: Sequence[str], key: str) -> str:
    """Return the id of the memory that holds an item."""
    named = json.dumps([workspace_id, *namespace, key])
    return f"lg_{hashlib.sha256(named.encode()).hexdigest()[:40]}"


def _encoded(label: str) -> str:
    return "".join(
        char if char in _PLAIN else "".join(f"%{byte:02x}" for byte in char.encode()) for char in label
    )


def texts_of(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines that a whole value reads as: its one text, else a line for each field."""
    if len(value) == 1 and isinstance(text := next(iter(value.values())), str):
        yield text
    else:
        yield from (f"{name}: {_readable(part)}" for name, part in value.items())


def _readable(part: object) -> str:
    return part if isinstance(part, str) else json.dumps(part, ensure_ascii=False)
