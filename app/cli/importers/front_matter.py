"""Reads the YAML between two lines of ``---`` that a Markdown file may begin with."""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

import yaml

_FENCE = "---"
_MOST_CHARS = 65_536
_TEXTS = frozenset({"alias", "aliases", "agent_id", "category", "tag", "tags", "title", "user_id"})
"""Fields whose values are texts as they are written, also ``no``, ``2025`` and ``1:30``."""
_ENTRY = re.compile(r"(?P<name>[^\s#:\-\[\]{},][^:\n]{0,99}):(?=\s|$)")
_BOOLEAN = "tag:yaml.org,2002:bool"
_INTEGER = "tag:yaml.org,2002:int"
_NULL = "tag:yaml.org,2002:null"


class FrontMatterError(ValueError):
    """Raised when the text between the marks cannot be parsed."""


class _Loader(yaml.SafeLoader):
    """Plain values of YAML 1.2; refuses aliases, because a few of them can expand to gigabytes."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - yaml's own
        first: [each for each in found if each[0] not in (_BOOLEAN, _INTEGER)]
        for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("an alias stands in it")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        found: dict[Hashable, Any] = {
            str(name): value for name, value in super().construct_mapping(node, deep=deep).items()
        }
        for key, value in node.value:
            if isinstance(key.value, str) and key.value.lower() in _TEXTS:
                is_list = not isinstance(value, yaml.ScalarNode)
                texts = _as_written(value)
                found[key.value] = texts if is_list else next(iter(texts), None)
        return found


_Loader.add_implicit_resolver(_BOOLEAN, re.compile(r"(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))
_Loader.add_implicit_resolver(_INTEGER, re.compile(r"[-+]?(?:0|[1-9][0-9]*)$"), list("-+0123456789"))


def split_front_matter(text: str) -> tuple[Mapping[str, Any], str, list[str]]:
    """Return the fields of a file as JSON values, the text after them, and the skipped fields.

    A field that is not valid YAML, such as a title with a colon, is plain text.
    """
    lines = text.splitlines(keepends=True)
    if not lines or lines[0].strip() != _FENCE:
        return {}, text, []
    end = next((place for place, line in enumerate(lines[1:], 1) if line.strip() in (_FENCE, "...")), None)
    if end is None:
        return {}, text, []
    body = "".join(lines[end + 1 :])
    head = lines[1:end]
    if sum(map(len, head)) > _MOST_CHARS:
        return {}, body, [f"front matter longer than {_MOST_CHARS} characters left out"]
    try:
        return _read("".join(head)), body, []
    except FrontMatterError:
        fields, left_out = _read_entries(head)
        return fields, body, left_out


def _read_entries(head: Sequence[str]) -> tuple[Mapping[str, Any], list[str]]:
    """Parse each field separately; returns the readable ones, and the skipped ones."""
    fields: dict[str, Any] = {}
    left_out: list[str] = []
    for name, block in _entries(head):
        if name is None:
            left_out.append("a line of the front matter left out: no field")
            continue
        try:
            fields |= _read("".join(block))
        except FrontMatterError:
            fields[name] = _text_of_entry(block)
    return fields, left_out


def _text_of_entry(block: Sequence[str]) -> str | list[str]:
    """Return the value of a field that is no YAML: the texts of a list, or all that is written."""
    first, *lines = (line.strip() for line in block if line.strip())
    value = first.split(":", 1)[1].strip()
    if lines and not value and all(line.startswith("- ") for line in lines):
        return [line.removeprefix("- ").strip() for line in lines]
    return "\n".join([value, *lines]).strip()


def _entries(head: Sequence[str]) -> Iterator[tuple[str | None, list[str]]]:
    """Yield the name and the lines of each field; no name where a line is none of a field."""
    name: str | None = None
    block: list[str] = []
    for line in head:
        entry = _ENTRY.match(line)
        if block and (not line.strip() or line[0] in " \t" or line.startswith("- ")):
            block.append(line)
            continue
        if block:
            yield name, block
        name, block = (entry["name"].strip(), [line]) if entry else (None, [])
        if entry is None and line.strip() and not line.startswith("#"):
            yield None, [line]
    if block:
        yield name, block


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


def _as_written(node: yaml.Node) -> list[str]:
    """Return the texts of a value, flattening nested lists."""
    if isinstance(node, yaml.ScalarNode):
        return [] if node.tag == _NULL else [node.value]
    if isinstance(node, yaml.SequenceNode):
        return [text for each in node.value for text in _as_written(each)]
    return [
        f"{name}:{text}"
        for key, value in node.value
        for name in _as_written(key)
        for text in _as_written(value)
    ]


def _as_json(value: Any) -> Any:
    if isinstance(value, date | datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {str(name): _as_json(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set):
        return [_as_json(each) for each in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)
