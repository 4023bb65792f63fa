"""Limits of queries, the cache of parsed queries, and persisted queries."""

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
_LARGEST_BYTES: Final = 1024 * 1024  # about 2,000 tokens; clients do not repeat longer queries
_TOKEN_BYTES: Final = 512
"""Memory of a token with its nodes; measured 420 bytes in a document with short names."""


@dataclass(frozen=True)
class KnownQuery:
    """A parsed query.

    Attributes:
        document: Parsed document.
        passed: Sets of validation rules that the document satisfies.
    """

    document: DocumentNode
    passed: set[tuple[Any, ...]] = field(default_factory=set)


class KnownQueries:
    """Caches recently parsed documents, up to a total size in bytes."""

    def __init__(self, most_bytes: int = _MOST_BYTES, largest_bytes: int = _LARGEST_BYTES) -> None:
        self._largest = largest_bytes
        self._known: LRUCache[str, tuple[KnownQuery, int]] = LRUCache(
            most_bytes, getsizeof=lambda cached: cached[1]
        )

    @property
    def size_bytes(self) -> int:
        """Return the approximate size of the cached documents."""
        return int(self._known.currsize)

    def parsed(self, text: str, **options: Any) -> KnownQuery:
        """Return a parsed query by its text, from the cache if possible.

        Raises:
            GraphQLError: The text cannot be parsed with these options.
        """
        cached = self._known.get(text)
        if cached is not None:
            return cached[0]
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
"""Maximum length of a query's text; large values belong in variables."""
MOST_TOKENS: Final = 10_000
MOST_DEFINITIONS: Final = 100
"""Maximum number of operations and fragments of one document."""
MOST_FIELDS: Final = 1_000
"""Maximum number of selected fields of a document; a fragment's fields count at every spread."""
MOST_DEPTH: Final = 15
MOST_ALIASES: Final = 50
MOST_COMPARISONS: Final = 20_000
"""Maximum number of comparisons of fields with one name in validation; 50 such fields in one place take 2,500."""
MOST_ERRORS: Final = 5
"""Maximum number of validation errors of one query, as each may quote a value as large as the query."""

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
    """Refuses a query beyond the limits before validation, and validates a known query only once.

    Checks the text's size before parsing, and everything else in one pass over the parsed document.
    """

    _query: KnownQuery | None = None

    def on_operation(self) -> Iterator[None]:
        """Set the parser's limits, and forbid introspection if it is off."""
        execution = self.execution_context
        execution.parse_options["max_tokens"] = MOST_TOKENS
        execution.parse_options["max_source_length"] = MOST_CHARACTERS  # type: ignore[typeddict-unknown-key]
        if not execution.context.limits.introspection:
            execution.validation_rules = (*execution.validation_rules, NoSchemaIntrospectionCustomRule)
        yield

    def on_parse(self) -> Iterator[None]:
        """Take the document from the cache; the schema refuses a text that cannot be parsed."""
        execution = self.execution_context
        # One character beyond the limit suffices for the refusal.
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
            measure = measured(schema, query.document, execution.operation_name, execution.variables or {})
        except SpreadInItself as error:
            message = f"the fragment {error.node.name.value} is spread within itself"
            return [GraphQLError(message, [error.node])]
        refusal = _refusal(measure, whole_schema_cost(schema), execution.context.limits.max_cost)
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


def _refusal(measure: MeasuredQuery, whole_schema: int, max_cost: int) -> GraphQLError | None:
    if measure.depth > MOST_DEPTH:
        return _too_much("levels", measure.depth, MOST_DEPTH)
    if measure.aliases > MOST_ALIASES:
        return _too_much("aliases", measure.aliases, MOST_ALIASES)
    if measure.fields > MOST_FIELDS:
        return _too_much("fields, those of a fragment as often as it is spread", measure.fields, MOST_FIELDS)
    if measure.schema_cost > whole_schema:
        return _too_much("objects that describe the schema", measure.schema_cost, whole_schema)
    if measure.cost > max_cost:
        message = (
            f"the query may return {measure.cost} objects, {max_cost} are allowed; "
            "ask for fewer with first or limit"
        )
        return _refused(message, cost=measure.cost, maxCost=max_cost)
    return None


def _too_much(what: str, actual: int, most: int) -> GraphQLError:
    return _refused(f"the query has {actual} {what}; {most} are allowed")


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
"""Error message that makes a client send the query's text with its hash."""
_VERSION: Final = 1
_MOST_PERSISTED_BYTES: Final = 8 * 1024 * 1024

_texts: LRUCache[str, str] = LRUCache(_MOST_PERSISTED_BYTES, getsizeof=getsizeof)


class PersistedQueries(SchemaExtension):
    """Finds a request's query by its SHA-256, and caches queries that a client sent with their hash.

    Each process caches the most recently used 8 MiB of executed queries. For an unknown hash, its error asks the client
    for the text.
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
            execution.query = _cached_text(hash_)
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


def _cached_text(hash_: str) -> str:
    text = _texts.get(hash_)
    if text is None:
        raise GraphQLError(_NOT_FOUND_MESSAGE, extensions={"code": NOT_FOUND, "field": None})
    return text


def _invalid(message: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": "INVALID_INPUT", "field": "extensions"})
