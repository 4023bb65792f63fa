"""The proof, from a query's text, that it stays in its workspace.

Every node pattern of a scoped query, hops of a path included, must name its workspace: in its property map
(``{workspace_id: $workspace_id}``), in the ``WHERE`` or ``SEARCH`` of the same clause, or through a variable
that an earlier clause has bound. The checker reports everything that it cannot follow as a leak.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from cypher.header import Statement
from tests.contract.tokens import Span, Tokens

# Labels of the deployment. A Workspace is its own tenant, so its id replaces the property.
_UNBOUND_LABELS = frozenset({"SchemaVersion", "VectorIndexMeta", "VectorTierMeta"})
_KEYS = {"Workspace": "id"}
_KEY = "workspace_id"
_VALUE = "$workspace_id"

# fmt: off
_CLAUSES = frozenset({
    "CALL", "CREATE", "DELETE", "DETACH", "FINISH", "FOREACH", "LIMIT", "MATCH", "MERGE", "NODETACH",
    "OFFSET", "ON", "OPTIONAL", "ORDER", "REMOVE", "RETURN", "SEARCH", "SET", "SKIP", "UNION", "UNWIND",
    "USING", "WHERE", "WITH", "YIELD",
})
# fmt: on
_NOT_FOLLOWED = frozenset({"FILTER", "INSERT", "LET", "LOAD", "NEXT", "USE"})
_WITHOUT_NODES = ["DB", ".", "CREATE", "."]
_OVER_ALL_WORKSPACES = ["DB", ".", "INDEX", "."]
_OF_A_MATCH = frozenset({"SEARCH", "USING", "WHERE"})
_SUBQUERY_FUNCTIONS = frozenset({"COLLECT", "COUNT", "EXISTS"})


@dataclass(frozen=True, slots=True)
class Leak:
    """A place where a query could leave its workspace."""

    line: int
    message: str


def leaks_of(statement: Statement) -> list[Leak]:
    """Return every leak of a read or write statement; unscoped ones are not checked."""
    if statement.mode == "schema" or statement.unscoped is not None:
        return []
    return leaks_in(statement.text)


def leaks_in(text: str) -> list[Leak]:
    """Return every leak of a query's text, in reading order."""
    tokens = Tokens.of(text)
    checker = _Checker(tokens)
    start = 2 if [tokens.upper(index) for index in range(min(2, len(tokens)))] == ["CYPHER", "25"] else 0
    checker.query(Span(start, len(tokens)), frozenset())
    return sorted(set(checker.leaks), key=lambda leak: (leak.line, leak.message))


@dataclass(frozen=True, slots=True)
class _Clause:
    keyword: str
    body: Span


@dataclass(frozen=True, slots=True)
class _Node:
    """A node pattern: ``(variable:Label {map} WHERE …)``."""

    at: int
    variable: str | None
    label: str | None
    is_scoped: bool

    @property
    def key(self) -> str:
        return _KEYS.get(self.label or "", _KEY)


@dataclass(slots=True)
class _Pattern:
    """The parts of one clause's pattern."""

    nodes: list[_Node] = field(default_factory=list)
    variables: set[str] = field(default_factory=set)


_Scope = frozenset[str]
_Guards = set[tuple[str, str]]


class _Checker:
    """A checker of one query, which follows its clauses and the variables that they bind."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens
        self.leaks: list[Leak] = []

    # ----- clauses -----

    def query(self, span: Span, imported: _Scope) -> _Scope:
        """Check a query or subquery, in which imported variables stay visible; return its columns."""
        scope = imported
        returned: _Scope = frozenset()
        clauses = list(self._clauses(span))
        for index, clause in enumerate(clauses):
            rest = clauses[index + 1 :]
            if clause.keyword == "UNION":
                scope = imported
            elif clause.keyword in ("MATCH", "MERGE", "CREATE"):
                scope |= self._pattern_clause(clause.body, rest, scope)
            elif clause.keyword in ("WITH", "RETURN"):
                self._expression(clause.body, scope)
                names = self._projected(clause.body, scope)
                scope = imported | names
                returned = names if clause.keyword == "RETURN" else returned
            elif clause.keyword == "CALL":
                scope |= self._call(clause.body, rest, scope)
            elif clause.keyword == "FOREACH":
                self._foreach(clause.body, scope)
            else:
                self._expression(clause.body, scope)
                scope |= self._bound_by(clause)
        return returned

    def _clauses(self, span: Span) -> Iterator[_Clause]:
        starts = [index for index in self._tokens.top_level(span) if self._starts_clause(index, span)]
        if starts[:1] != [span.start]:
            self._leak(span.start, f"cannot follow what begins with {self._tokens[span.start]!r}")
        for start, end in zip(starts, [*starts[1:], span.end], strict=True):
            if self._tokens.upper(start) in _NOT_FOLLOWED:
                self._leak(start, f"cannot follow {self._tokens[start]}")
            yield _Clause(self._tokens.upper(start), Span(start + 1, end))

    def _starts_clause(self, index: int, span: Span) -> bool:
        word = self._tokens.upper(index)
        before = self._tokens.upper(index - 1) if index > span.start else ""
        if before in (".", "AS") or (word == "WITH" and before in ("STARTS", "ENDS")):
            return False
        if word in _NOT_FOLLOWED:  # also plausible names of variables, which are not in capitals
            return self._tokens[index] == word or (word == "INSERT" and self._tokens[index + 1] == "(")
        return word in _CLAUSES and not (before == "ON" and word in ("CREATE", "MATCH"))

    def _bound_by(self, clause: _Clause) -> _Scope:
        if clause.keyword == "SET":
            self._assignments(clause.body)
        if clause.keyword in ("UNWIND", "YIELD", "SEARCH"):
            return frozenset(self._alias(item)[1] for item in self._tokens.split(clause.body, ","))
        return frozenset()

    def _pattern_clause(self, body: Span, rest: list[_Clause], scope: _Scope) -> _Scope:
        guards: _Guards = set()
        for clause in rest:
            if clause.keyword not in _OF_A_MATCH:
                break
            guards |= self._guards_of(clause)
        pattern = _Pattern()
        self._path(body, scope, pattern)
        self._judge(pattern, guards, scope)
        return frozenset(pattern.variables)

    def _guards_of(self, clause: _Clause) -> _Guards:
        if clause.keyword == "WHERE":
            return self._guards(clause.body)
        if clause.keyword != "SEARCH":
            return set()
        for index in self._tokens.top_level(clause.body):
            if self._tokens[index] == "(":
                return self._guards(self._tokens.condition(self._tokens.inside(index), "LIMIT"))
        return set()

    def _call(self, body: Span, rest: list[_Clause], scope: _Scope) -> _Scope:
        first = body.start
        if self._tokens[first] == "{":
            return self.query(self._tokens.inside(first), frozenset())
        if self._tokens[first] == "(":
            listed = self._tokens.inside(first)
            names = {self._tokens[index] for index in listed if self._tokens.is_name(index)}
            everything = self._tokens.words(listed) == ["*"]
            subquery = self._tokens.inside(self._tokens.closing(first) + 1)
            return self.query(subquery, scope if everything else frozenset(names))
        self._expression(body, scope)
        procedure = self._tokens.words(body)[:4]
        if procedure == _OVER_ALL_WORKSPACES:
            self._index_results(body, rest)
        elif procedure != _WITHOUT_NODES:
            self._leak(first, "calls a procedure whose results cannot be followed")
        return frozenset()

    def _index_results(self, body: Span, rest: list[_Clause]) -> None:
        """Require that the condition after an index call selects one workspace: the call yields all."""
        yielded = rest[0] if rest and rest[0].keyword == "YIELD" else None
        aliases = dict(self._alias(item) for item in self._tokens.split(yielded.body, ",")) if yielded else {}
        variable = aliases.get("node") or aliases.get("relationship")
        following = rest[1:]
        if variable and following and following[0].keyword == "WITH":
            renamed = dict(self._alias(item) for item in self._tokens.split(following[0].body, ","))
            variable = renamed.get(variable)
            following = following[1:]
        guarded = following and following[0].keyword == "WHERE" and self._guards(following[0].body)
        if not variable or not guarded or (variable, _KEY) not in guarded:
            self._leak(body.start, f"what the index yields is not cut to {_KEY} = {_VALUE} at once")

    def _foreach(self, body: Span, scope: _Scope) -> None:
        group = self._tokens.inside(body.start)
        bar = self._tokens.find("|", group)
        self._expression(Span(group.start, bar), scope)
        self.query(Span(bar + 1, group.end), scope | {self._tokens[group.start]})

    def _assignments(self, body: Span) -> None:
        words = self._tokens.words(body)
        for offset in range(len(words) - 3):
            if words[offset : offset + 3] == [".", _KEY.upper(), "="] and words[offset + 3] != _VALUE.upper():
                self._leak(body.start + offset, f"sets {_KEY} to something other than {_VALUE}")

    # ----- projections -----

    def _projected(self, body: Span, scope: _Scope) -> _Scope:
        names: set[str] = set()
        for item in self._tokens.split(body, ","):
            words = self._tokens.words(item)
            names |= scope if words in (["*"], ["DISTINCT", "*"]) else {self._alias(item)[1]}
        return frozenset(names)

    def _alias(self, item: Span) -> tuple[str, str]:
        """Return the last word before ``AS``, and the item's new name."""
        last = item.end - 1
        has_alias = len(item) > 2 and self._tokens.upper(last - 1) == "AS"
        return self._tokens[last - 2 if has_alias else last], self._tokens[last]

    # ----- conditions -----

    def _guards(self, span: Span) -> _Guards:
        """Return (variable, property) of each required condition ``variable.property = $workspace_id``."""
        words = [self._tokens.upper(index) for index in self._tokens.top_level(span)]
        if not {"OR", "XOR", "CASE"}.isdisjoint(words):
            return set()
        found: _Guards = set()
        for part in self._tokens.split(span, "AND"):
            match [self._tokens[index] for index in part]:
                case [variable, ".", key, "=", value] | [value, "=", variable, ".", key] if value == _VALUE:
                    found.add((variable, key))
                case ["(", *_, ")"] if self._tokens.closing(part.start) == part.end - 1:
                    found |= self._guards(self._tokens.inside(part.start))
        return found

    # ----- patterns -----

    def _judge(self, pattern: _Pattern, guards: _Guards, scope: _Scope) -> None:
        scoped = {node.variable for node in pattern.nodes if node.is_scoped}
        for node in pattern.nodes:
            known = node.variable in scope or (node.variable in scoped and node.variable is not None)
            guarded = (node.variable, node.key) in guards
            if not (node.is_scoped or known or guarded or node.label in _UNBOUND_LABELS):
                shown = f"({node.variable or ''}{':' + node.label if node.label else ''})"
                self._leak(node.at, f"{shown} does not name its workspace: {node.key} = {_VALUE}")

    def _path(self, span: Span, scope: _Scope, pattern: _Pattern) -> None:
        """Collect the nodes of paths, including parenthesised and quantified ones."""
        for index in self._tokens.top_level(span):
            sign = self._tokens[index]
            if sign == "(":
                self._parenthesis(index, scope, pattern)
            elif sign == "[":
                self._relationship(index, scope, pattern)
            elif sign in "{+*" and self._tokens[index - 1] in "->":
                self._leak(index, "nodes on a quantified relationship do not name their workspace")
            elif sign == "=":
                pattern.variables.add(self._tokens[index - 1])

    def _parenthesis(self, index: int, scope: _Scope, pattern: _Pattern) -> None:
        inner = self._tokens.inside(index)
        words = self._tokens.words(inner)
        if words[:1] != ["("] and words[1:3] != ["=", "("]:
            pattern.nodes.append(self._node(index, scope))
            if variable := pattern.nodes[-1].variable:
                pattern.variables.add(variable)
            return
        nested = _Pattern()
        where = self._tokens.find("WHERE", inner)
        self._path(Span(inner.start, where), scope, nested)
        self._expression(Span(where, inner.end), scope | nested.variables)
        guards = self._guards(self._tokens.condition(inner))
        pattern.variables |= nested.variables
        for node in nested.nodes:
            is_scoped = node.is_scoped or (node.variable, node.key) in guards
            pattern.nodes.append(_Node(node.at, node.variable, node.label, is_scoped))

    def _relationship(self, index: int, scope: _Scope, pattern: _Pattern) -> None:
        inner = self._tokens.inside(index)
        if any(self._tokens[at] == "*" for at in self._tokens.top_level(inner)):
            self._leak(index, "nodes on a variable-length relationship do not name their workspace")
        if len(inner) and self._tokens.is_name(inner.start):
            pattern.variables.add(self._tokens[inner.start])
        self._expression(inner, scope)

    def _node(self, index: int, scope: _Scope) -> _Node:
        inner = self._tokens.inside(index)
        words = self._tokens.words(inner)
        named = bool(words) and self._tokens.is_name(inner.start) and words[0] not in ("IS", "WHERE")
        variable = self._tokens[inner.start] if named else None
        labelled = words[int(named) : int(named) + 1] in ([":"], ["IS"])
        after = inner.start + int(named) + 2
        ends_after_label = after >= inner.end or self._tokens.upper(after) in ("{", "WHERE")
        label = self._tokens[after - 1] if labelled and ends_after_label and after <= inner.end else None
        key = _KEYS.get(label or "", _KEY)
        guards = self._guards(self._tokens.condition(inner))
        is_scoped = self._map_has(inner, key) or (variable is not None and (variable, key) in guards)
        self._expression(inner, scope | ({variable} if variable else set()))
        return _Node(index, variable, label, is_scoped)

    def _map_has(self, inner: Span, key: str) -> bool:
        start = self._tokens.find("{", inner)
        if start == inner.end:
            return False
        entries = self._tokens.split(self._tokens.inside(start), ",")
        return any([self._tokens[index] for index in entry] == [key, ":", _VALUE] for entry in entries)

    # ----- expressions -----

    def _expression(self, span: Span, scope: _Scope) -> None:
        """Find the patterns and subqueries in an expression."""
        index = span.start
        while index < span.end:
            sign = self._tokens[index]
            end = self._tokens.path_end(index) if sign == "(" else None
            if end is not None:
                self._alone(Span(index, end), Span(end, end), scope)
                index = end
            elif sign in ("(", "[", "{"):
                self._bracket(index, scope)
                index = self._tokens.closing(index) + 1
            else:
                index += 1

    def _bracket(self, index: int, scope: _Scope) -> None:
        inner = self._tokens.inside(index)
        sign = self._tokens[index]
        if sign == "{" and self._tokens.upper(index - 1) in _SUBQUERY_FUNCTIONS:
            self._subquery(inner, scope)
        elif sign == "[" and (path := self._comprehended_path(inner)):
            bar = self._tokens.find("|", inner)
            bound = self._alone(path, self._tokens.condition(Span(inner.start, bar)), scope)
            self._expression(Span(path.end, inner.end), scope | bound)
        else:
            self._expression(inner, scope | self._iterated(inner))

    def _subquery(self, inner: Span, scope: _Scope) -> None:
        if self._tokens.upper(inner.start) in _CLAUSES:
            self.query(inner, scope)
            return
        where = self._tokens.find("WHERE", inner)
        condition = self._tokens.condition(inner)
        bound = self._alone(Span(inner.start, where), condition, scope)
        self._expression(condition, scope | bound)

    def _comprehended_path(self, inner: Span) -> Span | None:
        """Return the path of a pattern comprehension ``[path WHERE … | …]``, with its name if it has one."""
        start = inner.start + (2 if self._tokens.words(inner)[1:2] == ["="] else 0)
        if start >= inner.end or self._tokens[start] != "(":
            return None
        end = self._tokens.path_end(start)
        return Span(inner.start, end) if end is not None else None

    def _alone(self, path: Span, where: Span, scope: _Scope) -> _Scope:
        pattern = _Pattern()
        self._path(path, scope, pattern)
        self._judge(pattern, self._guards(where), scope)
        return frozenset(pattern.variables)

    def _iterated(self, inner: Span) -> set[str]:
        """Return the variables that ``[x IN …]``, ``any(x IN …)`` and ``reduce(a = …, x IN …)`` bind."""
        return {
            self._tokens[index - 1]
            for index in self._tokens.top_level(inner)
            if self._tokens.upper(index) == "IN" and index > inner.start
        }

    def _leak(self, index: int, message: str) -> None:
        self.leaks.append(Leak(self._tokens.line(index), message))
