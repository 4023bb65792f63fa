"""Reads a folder of Markdown notes, such as an Obsidian vault: a memory for each note, associations for their links.

A note longer than a memory becomes several memories, split before headings or paragraphs.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

import regex
import yaml

from app.cli.importers.models import Contents, LinkItem, Record, Remark, UnreadableFileError, read_item
from graph.core.exact import read_untyped_time
from graph.core.text.normal_forms import comparable, composed
from graph.core.time import last_moment
from graph.memories.models import MemoryType

_FRONT_MATTER_FENCE = "---"
_MOST_CHARS = 65_536
_FRONT_MATTER_TEXTS = frozenset(
    {"alias", "aliases", "agent_id", "category", "tag", "tags", "title", "user_id"}
)
"""Fields whose values stay texts, even ``no``, ``2025`` and ``1:30``."""
_ENTRY = re.compile(r"(?P<name>[^\s#:\-\[\]{},][^:\n]{0,99}):(?=\s|$)")
# YAML reads "#" as the start of a comment; authors mean a tag.
_HASH_ITEM = re.compile(
    r"^([ \t]*-[ \t]+|tags?:[ \t]+)(#[^\s#'](?:(?![ \t]#[ \t])[^\n'])*)", re.MULTILINE | re.IGNORECASE
)
_HASH_LIST = re.compile(r"^tags?:[ \t]*\[[^\]\n]*+\]", re.MULTILINE | re.IGNORECASE)
_HASH = re.compile(r"(?<=[\[,\s])#(?=\S)")
_BOOLEAN = "tag:yaml.org,2002:bool"
_INTEGER = "tag:yaml.org,2002:int"
_NULL = "tag:yaml.org,2002:null"


class FrontMatterError(ValueError):
    """Raised if front matter cannot be parsed."""


class _Loader(yaml.SafeLoader):
    """Loads plain values of YAML 1.2; refuses aliases, because a few of them can expand to gigabytes."""

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
            if isinstance(key.value, str) and key.value.lower() in _FRONT_MATTER_TEXTS:
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
    if not lines or lines[0].strip() != _FRONT_MATTER_FENCE:
        return {}, text, []
    end = next(
        (place for place, line in enumerate(lines[1:], 1) if line.strip() in (_FRONT_MATTER_FENCE, "...")),
        None,
    )
    if end is None:
        return {}, text, []
    body = "".join(lines[end + 1 :])
    head = lines[1:end]
    if sum(map(len, head)) > _MOST_CHARS:
        return {}, body, [f"front matter longer than {_MOST_CHARS} characters left out"]
    try:
        return _read_front_matter("".join(head)), body, []
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
            fields |= _read_front_matter("".join(block))
        except FrontMatterError:
            fields[name] = _text_of_entry(block)
    return fields, left_out


def _text_of_entry(block: Sequence[str]) -> str | list[str]:
    """Return the value of a field that is not valid YAML: the texts of a list, or the whole text."""
    first, *lines = (line.strip() for line in block if line.strip())
    value = first.split(":", 1)[1].strip()
    if lines and not value and all(line.startswith("- ") for line in lines):
        return [line.removeprefix("- ").strip() for line in lines]
    return "\n".join([value, *lines]).strip()


def _entries(head: Sequence[str]) -> Iterator[tuple[str | None, list[str]]]:
    """Yield the name and lines of each field; None as the name for lines outside of fields."""
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


def _read_front_matter(head: str) -> Mapping[str, Any]:
    head = _HASH_ITEM.sub(r"\1'\2'", head.replace("\t", "  "))  # people use tabs, which YAML does not allow
    head = _HASH_LIST.sub(lambda found: _HASH.sub("", found[0]), head)
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
"""Field with the last year, month or day on which a note is true."""
_FRACTIONS = frozenset({"importance", "confidence"})
_TEXTS = frozenset({"category", "user_id", "agent_id"})
_TAGS = frozenset({"tag", "tags"})
_TYPES = frozenset(type_.value.upper() for type_ in MemoryType)


@dataclass(frozen=True)
class Note:
    """One note.

    Attributes:
        place: Path in the vault, with slashes and without suffix.
        fields: Fields of a memory; ``metadata`` has the other fields of the front matter.
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
    """Return the note of a file from its front matter, the text after it, and the unreadable fields."""
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
            tags = (tag for text in _texts(value) for part in _HASH.split(text) for tag in _texts(part))
            fields["tags"] = [*fields.get("tags", ()), *tags]
        elif field in _TIMES and _TIMES[field] not in fields and (moment := _moment(value)) is not None:
            fields[_TIMES[field]] = last_moment(moment) if field == _LAST else moment
        elif _is_field(field, value):
            fields[field] = value
        elif field != "title" and value is not None:
            metadata[name] = value
    return fields | ({"metadata": metadata} if metadata else {})


def _is_field(name: str, value: Any) -> bool:
    """Tell whether a field has Recollect's meaning; notes may use the same name for something else."""
    if name in _FRACTIONS:
        return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
    if name == "type":
        return isinstance(value, str) and value.upper() in _TYPES
    return name in _TEXTS and isinstance(value, str) and bool(value.strip())


def _moment(value: Any) -> datetime | None:
    if not isinstance(value, str | int) or isinstance(value, bool):
        return None
    try:
        return read_untyped_time(str(value))  # YAML parses a year as a number
    except ValueError:
        return None


def _texts(value: Any) -> list[str]:
    """Return the texts of a list, or of one text separated by commas."""
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
    """Return a text without code, where ``#`` does not mean a tag."""
    lines: list[str] = []
    in_code = False
    for line in body.splitlines():
        if _FENCE.match(line):
            in_code = not in_code
        elif not in_code:
            lines.append(line)
    return "\n".join(lines)


_ENDINGS = frozenset({".md", ".markdown"})
_MOST_BYTES = 16 * 1024 * 1024


class _TooLongError(ValueError):
    """Raised if a file is too long for a note."""


def read_vault(path: Path, max_chars: int, *, content_chars: int = 2000) -> Contents:
    """Return the records of a folder of notes, or of one note.

    Args:
        path: Folder or file.
        max_chars: Unused, because notes are not turns.
        content_chars: Maximum length of a memory.

    Raises:
        UnreadableFileError: The path has no Markdown file.
    """
    del max_chars
    found = sorted(_files_below(path)) if path.is_dir() else [path]
    files = [file for file in found if file.suffix.lower() in _ENDINGS]
    if not files:
        raise UnreadableFileError("no note found; name a folder with Markdown files (.md), or one of them")
    root = path if path.is_dir() else path.parent
    others = [file.relative_to(root).as_posix() for file in found if file.suffix.lower() not in _ENDINGS]
    return Contents(_read(root, files, others, content_chars), has_links=True)


def _files_below(folder: Path) -> Iterator[Path]:
    """Yield files; skip links, and hidden files and folders such as .obsidian and .trash."""
    for path in folder.iterdir():
        if path.name.startswith(".") or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files_below(path)
        else:
            yield path


def _read(root: Path, files: Sequence[Path], others: Sequence[str], content_chars: int) -> Iterator[Record]:
    notes: list[Note] = []
    for place in others:
        yield Remark(place, f"{PurePosixPath(place).suffix or 'other'} file, no note")
    for file in files:
        where = composed(file.relative_to(root).as_posix())  # some file systems decompose accented letters
        try:
            notes.append(_read_file(file, where))
        except (OSError, UnicodeDecodeError, _TooLongError) as error:
            yield Remark(where, "not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error))
            continue
        for left_out in notes[-1].left_out:
            yield Remark(where, left_out, "changed")
        if not notes[-1].text:
            yield Remark(where, "no text")
        yield from _memories(root.name, notes[-1], content_chars)
    resolve = _Resolver(notes)
    for note in notes:
        yield from _note_links(root.name, note, resolve, content_chars)


def _read_file(file: Path, where: str) -> Note:
    if file.stat().st_size > _MOST_BYTES:
        raise _TooLongError(f"longer than {_MOST_BYTES // 1024**2} MB")
    front_matter, body, left_out = split_front_matter(file.read_text("utf-8-sig"))
    return read_note(str(PurePosixPath(where).with_suffix("")), front_matter, body, left_out)


def _memories(vault: str, note: Note, content_chars: int) -> Iterator[Record]:
    for number, piece in enumerate(_pieces(note, content_chars), start=1):
        fields = {**note.fields, "content": piece, "key": _key(vault, note, number), "dedup": False}
        yield from read_item(_where(note, number), fields, max_chars=content_chars)


def _note_links(vault: str, note: Note, resolve: "_Resolver", content_chars: int) -> Iterator[Record]:
    key = _key(vault, note, 1)
    for number in range(2, len(_pieces(note, content_chars)) + 1):
        yield LinkItem(_where(note, number), _key(vault, note, number), key)
    for link in note.links:
        found = resolve.find(note, link)
        if found is None:
            yield Remark(note.place, "link to no note of the vault left out", "changed")
        elif found is not note:
            yield LinkItem(f"{note.place} → {link}", key, _key(vault, found, 1))


def _key(vault: str, note: Note, number: int) -> str:
    place = f"markdown/{vault}/{note.place}"
    return place if number == 1 else f"{place}#{number}"


def _where(note: Note, number: int) -> str:
    return note.place if number == 1 else f"{note.place} #{number}"


def _pieces(note: Note, most_chars: int) -> list[str]:
    """Return a note's text in pieces that fit into memories, each after the note's title."""
    if not note.text:
        return []
    title = note.title[: most_chars // 4]
    has_title = note.text.lstrip("# ").startswith(title)
    if len(note.text) + len(title) + 2 <= most_chars:
        return [note.text if has_title else f"{title}\n\n{note.text}"]
    return [f"{title}\n\n{piece}" for piece in _cut(note.text, most_chars - len(title) - 2)]


def _cut(text: str, most_chars: int) -> list[str]:
    pieces: list[str] = []
    for block in _blocks(text, most_chars):
        begins_section = block.startswith("#")
        if pieces and not begins_section and len(pieces[-1]) + len(block) + 2 <= most_chars:
            pieces[-1] = f"{pieces[-1]}\n\n{block}"
        else:
            pieces.append(block)
    return pieces


def _blocks(text: str, most_chars: int) -> Iterator[str]:
    """Yield paragraphs, and parts of paragraphs that are too long."""
    for paragraph in text.split("\n\n"):
        rest = paragraph.strip()
        while len(rest) > most_chars:
            end = max(rest.rfind(mark, 0, most_chars) for mark in ("\n", ". ", " ")) + 1
            yield rest[: end or most_chars].strip()
            rest = rest[end or most_chars :].strip()
        if rest:
            yield rest


class _Resolver:
    """Finds the note of a link: by path, else by name or alias, the shortest path first.

    Case does not matter. Accents do not matter if no note has exactly the name of the link.
    """

    def __init__(self, notes: Sequence[Note]) -> None:
        self._as_written = _Names(notes, lambda name: composed(name).lower())
        self._folded = _Names(notes, comparable)

    def find(self, note: Note, link: str) -> Note | None:
        """Return the target of a link in ``note``, or None."""
        return self._as_written.find(note, link) or self._folded.find(note, link)


class _Names:
    """The paths and names of notes in one normal form."""

    def __init__(self, notes: Sequence[Note], form: Callable[[str], str]) -> None:
        self._form = form
        self._by_place: Mapping[str, Note] = {form(note.place): note for note in notes}
        by_name: defaultdict[str, list[Note]] = defaultdict(list)
        for note in sorted(notes, key=lambda each: (each.place.count("/"), each.place)):
            for name in (note.place.rsplit("/", 1)[-1], note.title, *note.aliases):
                by_name[form(name)].append(note)
        self._by_name = by_name

    def find(self, note: Note, link: str) -> Note | None:
        """Return the target of a link in ``note``, or None."""
        path = self._form(link).removesuffix(".md")
        beside = PurePosixPath(self._form(note.place)).parent / path
        for place in (_normal(str(beside)), _normal(path)):
            if place in self._by_place:
                return self._by_place[place]
        found = self._by_name.get(path) or self._by_name.get(path.rsplit("/", 1)[-1])
        return found[0] if found else None


def _normal(path: str) -> str:
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
