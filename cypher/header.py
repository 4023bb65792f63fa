"""Parses a query file: its header, and the checks that its text matches the header.

The grammar (``[…]`` is optional, and the header ends at the line ``CYPHER 25``)::
    // name: find_version                the file's stem
    // mode: read                        read | write | schema
    // returns: optional                 one | optional | many | none; optional in a schema file
    // param: id string[?] [— why]       each $parameter of the text; ? admits null
    // column: content string[?] [— why] each returned column, in order
    // why: a sentence, which may continue in further
    //   indented lines
    // unscoped: reason                  the query needs no $workspace_id
    // index: vectors_a                  the vector index in the text; the function replaces it with the active one
    // allow: NodeByLabelScan — reason   an allowed plan operator
    CYPHER 25

Types are ``string integer float boolean datetime map``, and ``list<…>`` of any type. A schema file may hold
several statements with a line of just ``;`` between them, each with its own ``CYPHER 25``.

Queries in ``cypher/browser`` are for people in Neo4j Browser: they only read, no Python function runs them, and their
columns may be a ``node`` or a ``path``, which Neo4j Browser draws.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Literal, NoReturn, cast, get_args

from cypher.masking import mask, parameters_of

Mode = Literal["read", "write", "schema"]
Cardinality = Literal["one", "optional", "many", "none"]

_VERSION = "CYPHER 25"
_SEPARATOR = " — "
_SINGLE_KEYS = ("name", "mode", "returns", "why", "unscoped", "index")
_KEYS = (*_SINGLE_KEYS, "param", "column", "allow")
_ENTRY = re.compile(r"// (?P<key>[a-z]+): (?P<value>\S.*)")
_CONTINUATION = re.compile(r"// {2,}(?P<value>\S.*)")
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_SEARCHED_INDEX = re.compile(r"\bVECTOR\s+INDEX\s+(?P<name>\w+)\s+FOR\b", re.IGNORECASE)
_BY_USER = re.compile(r"\n +AND \w+\.user_id (?:=|IN) [\w.$]+(?=\n +LIMIT )")
"""Pattern of a search's condition on the user, on a separate line before its limit."""
VECTOR_INDEXES = ("vectors_a", "vectors_b")
"""The two vector indexes; query texts name the first, and ``Statement.on_index`` replaces it."""
_TYPE = re.compile(r"(list<)*(string|integer|float|boolean|datetime|map|node|path)(>*)")
_DRAWN = re.compile(r"\b(node|path)\b")
FOR_PEOPLE = "browser"
"""Folder of the queries that people run."""


class HeaderError(ValueError):
    """Raised if a query file violates the grammar of headers or its own declaration; names file and line."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line


@dataclass(frozen=True, slots=True)
class Param:
    """A declared parameter; ``optional`` means that it may be null, not that it may be missing."""

    name: str
    type: str
    optional: bool = False
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A declared column; ``optional`` means that its value may be null."""

    name: str
    type: str
    optional: bool = False
    why: str | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Statement:
    """One query file. Equal only to itself, because the catalogue has one object per file.

    Attributes:
        name: Stem of the file, and name of its Python function.
        folder: Folder of the feature, e.g. ``memories/deletion``.
        text: Whole file with header and included fragments, so that line numbers in server errors match.
        parts: Statements to run separately: several only for schema files, otherwise ``(text,)``.
        path: Path of the file, e.g. ``cypher/memories/find_version.cypher``.
        unscoped: Reason why the query has no workspace; None for a query with a workspace.
        index: Vector index in the text, if any; see ``on_index``.
        allow: Allowed plan operators with reasons.
    """

    name: str
    folder: str
    mode: Mode
    returns: Cardinality
    params: tuple[Param, ...]
    columns: tuple[Column, ...]
    text: str
    parts: tuple[str, ...]
    path: str
    why: str | None = None
    unscoped: str | None = None
    index: str | None = None
    allow: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def is_by_user(self) -> bool:
        """Whether the parameter ``scope`` restricts the statement to data of some users."""
        return any(param.name == "scope" for param in self.params)

    @property
    def searches_by_user(self) -> bool:
        """Whether its search of the vector index filters by user inside the index."""
        return _BY_USER.search(self.text) is not None

    def on_index(self, name: str, *, by_user: bool = True) -> "Statement":
        """Return this statement for the vector index ``name``, which cannot be a parameter in Cypher.

        Equal arguments return the same text, so that the server can reuse its plan.

        Args:
            name: One of ``VECTOR_INDEXES``.
            by_user: False removes the condition on the user, to search all users' data.

        Raises:
            ValueError: The statement declares no index, or ``name`` is not one of ``VECTOR_INDEXES``.
        """
        if self.index is None:
            raise ValueError(f"{self.path} declares no '// index: …'")
        if name not in VECTOR_INDEXES:
            raise ValueError(f"{name!r} is not one of {', '.join(VECTOR_INDEXES)}")
        keeps_users = by_user or not self.searches_by_user
        return self if name == self.index and keeps_users else _on_index(self, name, keeps_users)


@cache
def _on_index(statement: Statement, name: str, keeps_users: bool) -> Statement:
    def renamed(text: str) -> str:
        text = text if keeps_users else _BY_USER.sub("", text)
        return _SEARCHED_INDEX.sub(lambda found: found[0].replace(found["name"], name), text)

    return replace(
        statement,
        text=renamed(statement.text),
        parts=tuple(renamed(part) for part in statement.parts),
        index=name,
    )


@dataclass(frozen=True, slots=True)
class _Entry:
    key: str
    value: str
    line: int


def parse(text: str, *, folder: str, stem: str, path: str) -> Statement:
    """Return the statement of one file.

    Raises:
        HeaderError: The header is malformed, or the text does not match it.
    """
    return _Parser(text, folder=folder, stem=stem, path=path).statement()


class _Parser:
    """Reads one file; lives as long as one ``parse``."""

    def __init__(self, text: str, *, folder: str, stem: str, path: str) -> None:
        self._text = text
        self._folder = folder
        self._stem = stem
        self._path = path
        self._version_line = 0
        self._entries = self._merge_continuations()

    def statement(self) -> Statement:
        mode = self._mode()
        statement = Statement(
            name=self._name(),
            folder=self._folder,
            mode=mode,
            returns=self._returns(mode),
            params=tuple(Param(*self._declaration(entry)) for entry in self._distinct("param")),
            columns=tuple(Column(*self._declaration(entry)) for entry in self._distinct("column")),
            text=self._text,
            parts=self._parts(mode),
            path=self._path,
            why=self._single("why"),
            unscoped=self._single("unscoped"),
            index=self._index(),
            allow=self._allowances(),
        )
        self._check_columns(statement)
        self._check_parameters(statement)
        self._check_scope(statement)
        return statement

    def _fail(self, line: int, message: str) -> NoReturn:
        raise HeaderError(self._path, line, message)

    def _merge_continuations(self) -> list[_Entry]:
        entries: list[_Entry] = []
        for entry in self._lines():
            if entry.key:
                entries.append(entry)
            elif entries:
                last = entries[-1]
                entries[-1] = _Entry(last.key, f"{last.value} {entry.value}", last.line)
            else:
                self._fail(entry.line, "an indented line continues nothing")
        return entries

    def _lines(self) -> Iterator[_Entry]:
        """Yield the header's lines (a continuation has no key) and note where the header ends."""
        number = 0
        for number, raw in enumerate(self._text.splitlines(), start=1):
            line = raw.rstrip()
            if line == _VERSION:
                self._version_line = number
                return
            if match := _ENTRY.fullmatch(line):
                if match["key"] not in _KEYS:
                    self._fail(number, f"unknown key {match['key']!r}; known are {', '.join(_KEYS)}")
                yield _Entry(match["key"], match["value"], number)
            elif match := _CONTINUATION.fullmatch(line):
                yield _Entry("", match["value"], number)
            else:
                self._fail(number, f"expected '// key: value' or '{_VERSION}', found {line!r}")
        self._fail(max(number, 1), f"the header does not end with the line '{_VERSION}'")

    def _all(self, key: str) -> list[_Entry]:
        return [entry for entry in self._entries if entry.key == key]

    def _find(self, key: str) -> _Entry | None:
        found = self._all(key)
        if len(found) > 1:
            self._fail(found[1].line, f"'{key}' is declared twice")
        return found[0] if found else None

    def _single(self, key: str) -> str | None:
        entry = self._find(key)
        return entry.value if entry else None

    def _required(self, key: str) -> _Entry:
        entry = self._find(key)
        if entry is None:
            self._fail(self._version_line, f"'// {key}: …' is missing")
        return entry

    def _choice(self, key: str, choices: tuple[str, ...]) -> str:
        entry = self._required(key)
        if entry.value not in choices:
            self._fail(entry.line, f"'{key}' is one of {', '.join(choices)}, not {entry.value!r}")
        return entry.value

    def _mode(self) -> Mode:
        mode = cast("Mode", self._choice("mode", get_args(Mode)))
        if self._folder == "schema" and mode != "schema":
            self._fail(self._required("mode").line, "cypher/schema holds mode schema only")
        if self._folder == FOR_PEOPLE and mode != "read":
            self._fail(self._required("mode").line, f"cypher/{FOR_PEOPLE} holds mode read only")
        return mode

    def _returns(self, mode: Mode) -> Cardinality:
        if mode == "schema" and self._find("returns") is None:
            return "none"
        return cast("Cardinality", self._choice("returns", get_args(Cardinality)))

    def _index(self) -> str | None:
        declared = self._find("index")
        searched = {match["name"] for match in _SEARCHED_INDEX.finditer(mask(self._text))}
        if declared is None and searched:
            self._fail(
                self._version_line, f"the text searches {', '.join(sorted(searched))}: declare '// index: …'"
            )
        if declared is not None and searched != {declared.value}:
            self._fail(
                declared.line, f"index {declared.value!r} is declared, the text searches {searched or None}"
            )
        if declared is not None and declared.value != VECTOR_INDEXES[0]:
            self._fail(declared.line, f"a text names the index {VECTOR_INDEXES[0]}, not {declared.value!r}")
        return declared.value if declared else None

    def _name(self) -> str:
        entry = self._required("name")
        if entry.value != self._stem:
            self._fail(entry.line, f"name {entry.value!r} is not the file's stem {self._stem!r}")
        if not _NAME.fullmatch(entry.value):
            self._fail(entry.line, f"name {entry.value!r} is not snake_case")
        return entry.value

    def _distinct(self, key: str) -> list[_Entry]:
        entries = self._all(key)
        seen: set[str] = set()
        for entry in entries:
            name = entry.value.split(maxsplit=1)[0]
            if name in seen:
                self._fail(entry.line, f"{key} {name!r} is declared twice")
            seen.add(name)
        return entries

    def _declaration(self, entry: _Entry) -> tuple[str, str, bool, str | None]:
        declared, separator, why = entry.value.partition(_SEPARATOR)
        words = declared.split()
        if len(words) != 2:  # noqa: PLR2004 - a name and a type
            self._fail(
                entry.line, f"expected '{entry.key}: name type[{_SEPARATOR}why]', found {entry.value!r}"
            )
        name, type_ = words[0], words[1].removesuffix("?")
        if not _NAME.fullmatch(name):
            self._fail(entry.line, f"{entry.key} {name!r} is not snake_case")
        known = _TYPE.fullmatch(type_)
        if known is None or type_.count("<") != type_.count(">"):
            self._fail(entry.line, f"unknown type {type_!r} of {entry.key} {name!r}")
        if _DRAWN.search(type_) and (self._folder != FOR_PEOPLE or entry.key != "column"):
            self._fail(entry.line, f"only columns in cypher/{FOR_PEOPLE} are a {type_}, not {name!r}")
        return name, type_, words[1].endswith("?"), why.strip() if separator else None

    def _allowances(self) -> Mapping[str, str]:
        allowed: dict[str, str] = {}
        for entry in self._distinct("allow"):
            operator, separator, reason = entry.value.partition(_SEPARATOR)
            if not separator or not re.fullmatch(r"[A-Z][A-Za-z]+", operator):
                self._fail(entry.line, f"expected 'allow: Operator{_SEPARATOR}reason', found {entry.value!r}")
            allowed[operator] = reason.strip()
        return MappingProxyType(allowed)

    def _parts(self, mode: Mode) -> tuple[str, ...]:
        """Split at lines that hold just ``;``."""
        code_lines = mask(self._text).splitlines()
        cuts = [index for index, line in enumerate(code_lines) if line.strip() == ";"]
        if cuts and mode != "schema":
            self._fail(cuts[0] + 1, "only schema files hold several statements")
        lines = self._text.splitlines(keepends=True)
        starts = [0, *(cut + 1 for cut in cuts)]
        parts: list[str] = []
        for start, end in zip(starts, [*cuts, len(lines)], strict=True):
            code = [line.strip() for line in code_lines[start:end] if line.strip()]
            if code[:1] != [_VERSION]:
                self._fail(start + 1, f"a statement does not begin with '{_VERSION}'")
            if len(code) == 1:
                self._fail(start + 1, "a statement is empty")
            parts.append("".join(lines[start:end]))
        return tuple(parts)

    def _check_columns(self, statement: Statement) -> None:
        if bool(statement.columns) == (statement.returns == "none"):
            self._fail(self._version_line, "columns are declared exactly where 'returns' is not none")

    def _check_parameters(self, statement: Statement) -> None:
        used = parameters_of(self._text)
        declared = {param.name for param in statement.params}
        for name, line in used.items():
            if name not in declared:
                self._fail(line, f"${name} is used but not declared")
        for entry in self._all("param"):
            name = entry.value.split(maxsplit=1)[0]
            if name not in used:
                self._fail(entry.line, f"param {name!r} is declared but not used")

    def _check_scope(self, statement: Statement) -> None:
        if statement.mode == "schema":
            return
        scoped = any(param.name == "workspace_id" for param in statement.params)
        if not scoped and self._find("unscoped") is None:
            self._fail(self._version_line, "neither $workspace_id nor '// unscoped: reason'")
