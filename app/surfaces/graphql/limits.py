"""Limits of one query's size, and of introspection."""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from sys import getsizeof
from typing import Any, Final

from cachetools import LRUCache
from graphql import DocumentNode, GraphQLError, parse, validate
from graphql.validation import NoSchemaIntrospectionCustomRule
from graphql.validation.rules import overlapping_fields_can_be_merged as _merging
from strawberry.extensions import SchemaExtension
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule
from strawberry.types.execution import PreExecutionError

from app.surfaces.graphql.measuring import MeasuredQuery, SpreadInItself, measured, whole_schema_cost

_MOST_BYTES: Final = 16 * 1024 * 1024
_LARGEST_BYTES: Final = 1024 * 1024  # some 2,000 tokens: longer queries are not sent again and again
_TOKEN_BYTES: Final = 512
"""Memory of a token with its nodes: 420 bytes in a document of short names only."""


@dataclass(frozen=True)
class KnownQuery:
    """A query that could be parsed.

    Attributes:
        document: Its document.
        passed: The sets of rules it was found valid by.
    """

    document: DocumentNode
    passed: set[tuple[Any, ...]] = field(default_factory=set)


class KnownQueries:
    """Caches recently parsed documents, up to a total size in bytes."""

    def __init__(self, most_bytes: int = _MOST_BYTES, largest_bytes: int = _LARGEST_BYTES) -> None:
        self._largest = largest_bytes
        self._known: LRUCache[str, tuple[KnownQuery, int]] = LRUCache(
            most_bytes, getsizeof=lambda kept: kept[1]
        )

    @property
    def size_bytes(self) -> int:
        """Return the approximate size of the cached documents."""
        return int(self._known.currsize)

    def parsed(self, text: str, **options: Any) -> KnownQuery:
        """Return a query by its text.

        Raises:
            GraphQLError: It cannot be parsed, or not with these options.
        """
        kept = self._known.get(text)
        if kept is not None:
            return kept[0]
        query = KnownQuery(parse(text, **options))
        weight = _weight(text, query.document)
        if weight <= self._largest:
            self._known[text] = (query, weight)
        return query


def _weight(text: str, document: DocumentNode) -> int:
    token = document.loc.start_token if document.loc else None
    tokens = 0
    while token is not None:
        tokens, token = tokens + 1, token.next
    return getsizeof(text) + tokens * _TOKEN_BYTES


TOO_COMPLEX: Final = "TOO_COMPLEX"

MOST_CHARACTERS: Final = 100_000
"""Limit of a query's text; large values belong into variables."""
MOST_TOKENS: Final = 10_000
MOST_DEFINITIONS: Final = 100
"""Operations and fragments of one document."""
MOST_FIELDS: Final = 1_000
"""Selected by a document, those of a fragment as often as it is spread."""
MOST_DEPTH: Final = 15
MOST_ALIASES: Final = 50
MOST_COMPARISONS: Final = 20_000
"""Steps in which validation compares fields of one name; 50 fields of one name in one place take 2,500."""
MOST_ERRORS: Final = 5
"""Found wrong with one query before validation ends: each may quote a value as large as the query."""

_merging.MAX_COMPLEXITY_BUDGET = MOST_COMPARISONS  # graphql-core's way to set it, for the whole process
_COMPARED_TOO_MUCH = "Validation aborted."
_known = KnownQueries()


@dataclass(frozen=True)
class GraphQLLimits:
    """Limits of a query beyond those of its text.

    Attributes:
        max_cost: Maximum number of objects in one response, computed from the requested sizes: a full page of 200
            entries with 100 objects each.
        introspection: Allow queries about the schema.
    """

    max_cost: int = 20_000
    introspection: bool = True


class BoundedQueries(SchemaExtension):
    """Refuses a query that asks for too much before it is validated, and validates it only once.

    It checks the text's size before parsing, and everything else in one pass over the parsed document.
    """

    _query: KnownQuery | None = None

    def on_operation(self) -> Iterator[None]:
        """Limit the query before parsing, and forbid introspection if it is switched off."""
        execution = self.execution_context
        execution.parse_options["max_tokens"] = MOST_TOKENS
        execution.parse_options["max_source_length"] = MOST_CHARACTERS  # type: ignore[typeddict-unknown-key]
        if not execution.context.limits.introspection:
            execution.validation_rules = (*execution.validation_rules, NoSchemaIntrospectionCustomRule)
        yield

    def on_parse(self) -> Iterator[None]:
        """Take the document from the cache; the schema refuses a text that cannot be parsed."""
        execution = self.execution_context
        # One character too many is enough to be refused.
        execution.query = (execution.query or "")[: MOST_CHARACTERS + 1]
        with suppress(GraphQLError):
            self._query = _known.parsed(execution.query, **execution.parse_options)
            execution.graphql_document = self._query.document
        yield

    def on_validate(self) -> Iterator[None]:
        """Refuse a document above the limits, then an invalid one."""
        if self._query is not None:
            self.execution_context.pre_execution_errors = self._refusals(self._query)
        yield

    def _refusals(self, query: KnownQuery) -> list[GraphQLError]:
        execution = self.execution_context
        schema = execution.schema._schema  # noqa: SLF001 - Strawberry has no other way to the schema that validates
        if len(query.document.definitions) > MOST_DEFINITIONS:
            return [_too_much("operations and fragments", len(query.document.definitions), MOST_DEFINITIONS)]
        try:
            asked = measured(schema, query.document, execution.operation_name, execution.variables or {})
        except SpreadInItself as error:
            message = f"the fragment {error.node.name.value} is spread within itself"
            return [GraphQLError(message, [error.node])]
        refusal = _refusal(asked, whole_schema_cost(schema), execution.context.limits.max_cost)
        if refusal is not None:
            return [refusal]
        rules = execution.validation_rules
        if rules in query.passed:
            return []
        errors = validate(
            schema, query.document, (*rules, MaybeNullValidationRule, OneOfInputValidationRule), MOST_ERRORS
        )
        if not errors:
            query.passed.add(rules)
        return [_compared_too_much(error) for error in errors]


def _refusal(asked: MeasuredQuery, whole_schema: int, max_cost: int) -> GraphQLError | None:
    if asked.depth > MOST_DEPTH:
        return _too_much("levels", asked.depth, MOST_DEPTH)
    if asked.aliases > MOST_ALIASES:
        return _too_much("aliases", asked.aliases, MOST_ALIASES)
    if asked.fields > MOST_FIELDS:
        return _too_much("fields, those of a fragment as often as it is spread", asked.fields, MOST_FIELDS)
    if asked.schema_cost > whole_schema:
        return _too_much("objects that describe the schema", asked.schema_cost, whole_schema)
    if asked.cost > max_cost:
        message = (
            f"the query may return {asked.cost} objects, {max_cost} are allowed; "
            "ask for fewer with first or limit"
        )
        return _refused(message, cost=asked.cost, maxCost=max_cost)
    return None


def _too_much(what: str, asked: int, most: int) -> GraphQLError:
    return _refused(f"the query has {asked} {what}; {most} are allowed")


def _compared_too_much(error: GraphQLError) -> GraphQLError:
    if error.message != _COMPARED_TOO_MUCH:
        return error
    message = (
        f"the query selects the same fields too often: {MOST_COMPARISONS} comparisons of them are allowed"
    )
    return _refused(message)


def _refused(message: str, **details: Any) -> GraphQLError:
    return GraphQLError(message, extensions={"code": TOO_COMPLEX, "field": None, **details})


NOT_FOUND: Final = "PERSISTED_QUERY_NOT_FOUND"
_NOT_FOUND_MESSAGE: Final = "PersistedQueryNotFound"
"""Error message on which clients send the query as well."""
_VERSION: Final = 1
_MOST_PERSISTED_BYTES: Final = 8 * 1024 * 1024

_texts: LRUCache[str, str] = LRUCache(_MOST_PERSISTED_BYTES, getsizeof=getsizeof)


class PersistedQueries(SchemaExtension):
    """Finds a request's query by its SHA-256, and caches queries that a client sent with their hash.

    Each process caches executed queries, the most recently used 8 MiB. If it does not know a hash, it requests the
    text.
    """

    def on_operation(self) -> Iterator[None]:
        """Take the text from the cache, or cache it.

        Raises:
            GraphQLError: The query is not cached, or the hash does not match the text.
        """
        execution = self.execution_context
        named = (execution.operation_extensions or {}).get("persistedQuery")
        if named is None:
            yield
            return
        hash_ = _hash_in(named)
        if execution.query is None:
            execution.query = _kept(hash_)
        elif hashlib.sha256(execution.query.encode()).hexdigest() != hash_:
            raise _invalid("persistedQuery.sha256Hash is not the SHA-256 of the query, in hexadecimal digits")
        text = execution.query
        yield
        is_executed = execution.result is not None and not isinstance(execution.result, PreExecutionError)
        if is_executed and len(text) <= MOST_CHARACTERS:
            _texts[hash_] = text


def _hash_in(named: Any) -> str:
    if not isinstance(named, dict) or named.get("version") != _VERSION:
        raise _invalid("persistedQuery must be an object with version 1 and sha256Hash")
    hash_ = named.get("sha256Hash")
    if not isinstance(hash_, str):
        raise _invalid("persistedQuery.sha256Hash must be a string of hexadecimal digits")
    return hash_.lower()


def _kept(hash_: str) -> str:
    text = _texts.get(hash_)
    if text is None:
        raise GraphQLError(_NOT_FOUND_MESSAGE, extensions={"code": NOT_FOUND, "field": None})
    return text


def _invalid(message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": "INVALID_INPUT", "field": "extensions"})
