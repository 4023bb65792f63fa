"""Parses a Markdown note: its fields, text, tags and links."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import unquote

import regex

from graph.core.exact import read_untyped_time
from graph.core.time import last_moment
from graph.memories.models import MemoryType

_WIKI_LINK = re.compile(r"!?\[\[([^\[\]|\n]{1,500})(?:\|([^\[\]\n]{1,500}))?\]\]")
_LINK = re.compile(r"\]\(<?([^()<>\n]{1,500}\.md)(?:#[^()<>\n]{0,500})?>?\)")
_TAG = regex.compile(r"(?:^|(?<=\s))#([\p{L}_][\p{L}\p{N}\p{M}_/-]{0,99})")
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)")
_TIMES: Mapping[str, str] = {
    "created": "timestamp",
    "created_at": "timestamp",
    "date": "timestamp",
    "timestamp": "timestamp",
    "updated": "updated_at",
    "updated_at": "updated_at",
    "modified": "updated_at",
    "t_valid": "t_valid",
    "valid_from": "t_valid",
    "t_invalid": "t_invalid",
    "valid_until": "t_invalid",
    "expires_at": "expires_at",
}
_LAST = "valid_until"
"""The field that names the last year, month or day on which something holds."""
_FRACTIONS = frozenset({"importance", "confidence"})
_TEXTS = frozenset({"category", "user_id", "agent_id"})
_TAGS = frozenset({"tag", "tags"})
_TYPES = frozenset(type_.value.upper() for type_ in MemoryType)


@dataclass(frozen=True)
class Note:
    """One note.

    Attributes:
        place: Its path below the vault, with slashes and without the ending.
        fields: Fields of a memory, and under ``metadata`` what else the front matter has.
        links: Names or paths of other notes, as written.
        left_out: Unreadable parts of its front matter.
    """

    place: str
    title: str
    text: str
    fields: Mapping[str, Any]
    aliases: tuple[str, ...]
    links: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def read_note(place: str, front_matter: Mapping[str, Any], body: str, left_out: Sequence[str] = ()) -> Note:
    """Return what a file says, given its front matter, what follows it and what of the former cannot be read."""
    title = front_matter.get("title")
    name = str(title) if isinstance(title, str | int) and str(title).strip() else place.rsplit("/", 1)[-1]
    prose = _without_code(body)
    fields = _fields(front_matter)
    tags = [*fields.get("tags", ()), *(match[1] for match in _TAG.finditer(prose))]
    return Note(
        place=place,
        title=name,
        text=_WIKI_LINK.sub(lambda match: match[2] or match[1], body).strip(),
        fields=fields | ({"tags": list(dict.fromkeys(tags))} if tags else {}),
        aliases=tuple(_texts(front_matter.get("aliases", front_matter.get("alias")))),
        links=tuple(dict.fromkeys(_links(prose))),
        left_out=tuple(left_out),
    )


def _fields(front_matter: Mapping[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    for name, value in front_matter.items():
        field = name.lower()
        if field in _TAGS:
            tags = (tag for text in _texts(value) for tag in _texts(text))
            fields["tags"] = [*fields.get("tags", ()), *tags]
        elif field in _TIMES and _TIMES[field] not in fields and (moment := _moment(value)) is not None:
            fields[_TIMES[field]] = last_moment(moment) if field == _LAST else moment
        elif _is_field(field, value):
            fields[field] = value
        elif field != "title" and value is not None:
            metadata[name] = value
    return fields | ({"metadata": metadata} if metadata else {})


def _is_field(name: str, value: Any) -> bool:
    """Tell whether a field of this name means Recollect's, which a note may have for something else."""
    if name in _FRACTIONS:
        return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    if name == "type":
        return isinstance(value, str) and value.upper() in _TYPES
    return name in _TEXTS and isinstance(value, str) and bool(value.strip())


def _moment(value: Any) -> datetime | None:
    if not isinstance(value, str | int) or isinstance(value, bool):
        return None
    try:
        return read_untyped_time(str(value))  # YAML has a year as a number
    except ValueError:
        return None


def _texts(value: Any) -> list[str]:
    """Return the texts of a list, which one text with commas is too."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    return [text for part in parts if (text := str(part).strip().lstrip("#"))]


def _links(prose: str) -> Iterator[str]:
    for match in _WIKI_LINK.finditer(prose):
        if target := match[1].split("#")[0].split("^")[0].strip().rstrip("\\"):
            yield target
    for match in _LINK.finditer(prose):
        if "://" not in match[1]:
            yield unquote(match[1])


def _without_code(body: str) -> str:
    """Return a text without its code, in which a ``#`` is no tag."""
    kept: list[str] = []
    in_code = False
    for line in body.splitlines():
        if _FENCE.match(line):
            in_code = not in_code
        elif not in_code:
            kept.append(line)
    return "\n".join(kept)
