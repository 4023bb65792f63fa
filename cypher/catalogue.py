"""Reads every query file of this package once, and provides the statements by name."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from textwrap import indent
from types import MappingProxyType

from cypher.header import FOR_PEOPLE, HeaderError, Statement, parse

_SUFFIX = ".cypher"
_FRAGMENTS = "fragments"
_INCLUDE = re.compile(r"^(?P<indent> *)// include: (?P<name>\w+)(?: of (?P<variable>\w+))?$", re.MULTILINE)
_USUAL_VARIABLE = re.compile(r"\bmemory\b")


@cache
def catalogue() -> Mapping[str, Statement]:
    """Return every statement by name, ordered by folder and name.

    Raises:
        HeaderError: A file is malformed, or two have the same name.
    """
    return read_tree(files("cypher"))


def load(name: str) -> Statement:
    """Return a statement by name.

    Raises:
        LookupError: The file does not exist.
        HeaderError: A file of the catalogue is malformed.
    """
    statement = catalogue().get(name)
    if statement is None:
        raise LookupError(f"no query file is named {name}{_SUFFIX}")
    return statement


def browser_style() -> str:
    """Return the style sheet (GraSS) for Neo4j Browser: colours, sizes and captions by label and type."""
    return (files("cypher") / FOR_PEOPLE / "style.grass").read_text(encoding="utf-8")


def read_tree(root: Traversable) -> Mapping[str, Statement]:
    """Return the statements of ``root/<folder>/…/<name>.cypher`` by name.

    The lines of ``root/fragments/name.cypher`` replace a line ``// include: name``; with ``// include: name of
    episode`` they use the variable ``episode`` instead of ``memory``. A fragment may include others.

    Raises:
        HeaderError: A file is malformed, two have the same name, or a fragment includes itself.
    """
    statements: dict[str, Statement] = {}
    for statement in _statements(root):
        first = statements.setdefault(statement.name, statement)
        if first is not statement:
            raise HeaderError(statement.path, 1, f"the name is taken by {first.path}")
    return MappingProxyType(statements)


def _statements(root: Traversable) -> Iterator[Statement]:
    shared = root / _FRAGMENTS
    fragments = {
        entry.name.removesuffix(_SUFFIX): entry.read_text(encoding="utf-8").rstrip("\n")
        for entry in (_sorted(shared) if shared.is_dir() else ())
    }
    for folder in _sorted(root):
        if folder.is_dir() and folder.name != _FRAGMENTS:
            yield from _statements_in(folder, folder.name, fragments)


def _statements_in(folder: Traversable, path: str, fragments: Mapping[str, str]) -> Iterator[Statement]:
    for entry in _sorted(folder):
        if entry.is_dir():
            yield from _statements_in(entry, f"{path}/{entry.name}", fragments)
        elif entry.name.endswith(_SUFFIX):
            place = f"cypher/{path}/{entry.name}"
            yield parse(
                _expanded(entry.read_text(encoding="utf-8"), fragments, place),
                folder=path,
                stem=entry.name.removesuffix(_SUFFIX),
                path=place,
            )


def _expanded(text: str, fragments: Mapping[str, str], path: str, within: tuple[str, ...] = ()) -> str:
    def lines(include: re.Match[str]) -> str:
        name = include["name"]
        line = text.count("\n", 0, include.start()) + 1
        if name not in fragments:
            raise HeaderError(path, line, f"no fragment is named {name!r}")
        if name in within:
            raise HeaderError(path, line, f"the fragment {name!r} includes itself")
        place = f"cypher/{_FRAGMENTS}/{name}{_SUFFIX}"
        fragment = _expanded(fragments[name], fragments, place, (*within, name))
        if include["variable"] is not None:
            fragment = _USUAL_VARIABLE.sub(include["variable"], fragment)
        return indent(fragment, include["indent"])

    return _INCLUDE.sub(lines, text)


def _sorted(folder: Traversable) -> list[Traversable]:
    return sorted(folder.iterdir(), key=lambda entry: entry.name)
