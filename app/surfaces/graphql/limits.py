"""Limits of one query's size, and of introspection."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from graphql import GraphQLError, validate
from graphql.validation import NoSchemaIntrospectionCustomRule
from graphql.validation.rules import overlapping_fields_can_be_merged as _merging
from strawberry.extensions import SchemaExtension
from strawberry.schema.validation_rules.maybe_null import MaybeNullValidationRule
from strawberry.schema.validation_rules.one_of import OneOfInputValidationRule

from app.surfaces.graphql.known_queries import KnownQueries, KnownQuery
from app.surfaces.graphql.measuring import MeasuredQuery, SpreadInItself, measured, whole_schema_cost

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
