"""Reads the YAML between two lines of ``---`` that a Markdown file may begin with."""

from collections.abc import Hashable, Mapping
from datetime import date, datetime
from typing import Any

import yaml

_FENCE = "---"
_MOST_CHARS = 65_536


class FrontMatterError(ValueError):
    """Raised when what stands between the lines is no mapping in YAML."""


class _Loader(yaml.SafeLoader):
    """Plain values only; aliases are refused, since a few of them can stand for gigabytes."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("an alias stands in it")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        return {str(name): value for name, value in super().construct_mapping(node, deep=deep).items()}


def split_front_matter(text: str) -> tuple[Mapping[str, Any], str]:
    """Return the fields of a file, JSON values, and what follows them; no fields where it has none.

    Raises:
        FrontMatterError: They cannot be read.
    """
    lines = text.splitlines(keepends=True)
    if not lines or lines[0].strip() != _FENCE:
        return {}, text
    end = next((place for place, line in enumerate(lines[1:], 1) if line.strip() in (_FENCE, "...")), None)
    if end is None:
        return {}, text
    body = "".join(lines[end + 1 :])
    head = "".join(lines[1:end])
    if len(head) > _MOST_CHARS:
        raise FrontMatterError(f"longer than {_MOST_CHARS} characters")
    return _read(head), body


def _read(head: str) -> Mapping[str, Any]:
    try:
        found = yaml.load(head, Loader=_Loader)  # noqa: S506 - a safe loader
    except (yaml.YAMLError, ValueError, RecursionError, LookupError, AttributeError, OverflowError) as error:
        raise FrontMatterError("not YAML") from error
    if found is None:
        return {}
    if not isinstance(found, Mapping):
        raise FrontMatterError("not a mapping")
    return {name: _as_json(value) for name, value in found.items()}


def _as_json(value: Any) -> Any:
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): _as_json(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set):
        return [_as_json(each) for each in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
