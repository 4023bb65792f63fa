"""Reads every query file of this package once and hands them out by name."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType

from cypher.header import FOR_PEOPLE, HeaderError, Statement, parse

_SUFFIX = ".cypher"


@cache
def catalogue() -> Mapping[str, Statement]:
    """Return every statement by name, ordered by folder and name.

    Raises:
        HeaderError: A file is malformed, or two have the same name.
    """
    return read_tree(files("cypher"))


def load(name: str) -> Statement:
    """Return the statement of that name.

    Raises:
        LookupError: There is no such file.
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

    Raises:
        HeaderError: A file is malformed, or two have the same name.
    """
    statements: dict[str, Statement] = {}
    for statement in _statements(root):
        first = statements.setdefault(statement.name, statement)
        if first is not statement:
            raise HeaderError(statement.path, 1, f"the name is taken by {first.path}")
    return MappingProxyType(statements)


def _statements(root: Traversable) -> Iterator[Statement]:
    for folder in _sorted(root):
        if folder.is_dir():
            yield from _statements_in(folder, folder.name)


def _statements_in(folder: Traversable, path: str) -> Iterator[Statement]:
    for entry in _sorted(folder):
        if entry.is_dir():
            yield from _statements_in(entry, f"{path}/{entry.name}")
        elif entry.name.endswith(_SUFFIX):
            yield parse(
                entry.read_text(encoding="utf-8"),
                folder=path,
                stem=entry.name.removesuffix(_SUFFIX),
                path=f"cypher/{path}/{entry.name}",
            )


def _sorted(folder: Traversable) -> list[Traversable]:
    return sorted(folder.iterdir(), key=lambda entry: entry.name)
