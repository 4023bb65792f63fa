"""Documents made to be expensive: a limit that the error names refuses each before validation."""

import pytest
from graphql import GraphQLError, parse
from strawberry.types.graphql import OperationType

from app.surfaces.graphql.limits import MOST_COMPARISONS, BoundedQueries, GraphQLLimits, KnownQueries
from app.surfaces.graphql.measuring import SpreadInItself, _Measure, measured, whole_schema_cost
from app.surfaces.graphql.schema import schema
from tests.fixtures.cpu import least_seconds

SCHEMA = schema._schema


def chained(levels: int, times: int, last: str = "__typename") -> str:
    """Return fragments, each of which spreads the next one a number of times."""
    spreads = [f"fragment F{i} on Query {{ {f'...F{i + 1} ' * times}}} " for i in range(levels)]
    return "{ ...F0 } " + "".join(spreads) + f"fragment F{levels} on Query {{ {last} }}"


class Asking:
    limits = GraphQLLimits()
    websocket = None
    response = None


def refusals(query: str) -> list[GraphQLError]:
    """Return the errors of a query before its execution, the same on every interface."""
    execution = schema._create_execution_context(
        query=query,
        allowed_operation_types=[OperationType.QUERY],
        variable_values={},
        context_value=Asking(),
        root_value=None,
        operation_name=None,
    )
    bounds = BoundedQueries()
    bounds.execution_context = execution
    for hook in (bounds.on_operation, bounds.on_parse, bounds.on_validate):
        next(hook())
        if execution.graphql_document is None and hook == bounds.on_parse:
            try:
                parse(execution.query, **execution.parse_options)
            except GraphQLError as error:
                return [error]
    return execution.pre_execution_errors


ATTACKS = {
    "nested fragments": (chained(60, 3), "the query has 42391158275216203514294433201 fields"),
    "nested fragments with objects": (chained(60, 3, "me { name }"), "fields, those of a fragment as often"),
    "a chain of fragments": (chained(1000, 1), "the query has 1002 operations and fragments; 100 are allowed"),
    "the same field": ("{" + "me{name}" * 2400 + "}", "the query has 4800 fields"),
    "the same field, fewer": ("{" + "me{name}" * 490 + "}", f"{MOST_COMPARISONS} comparisons of them"),
    "inline fragments": ("{" + "...{me{name}}" * 490 + "}", f"{MOST_COMPARISONS} comparisons of them"),
    "the schema": (
        "{" + "".join(f"a{i}:__schema{{types{{fields{{type{{name}}}}}}}}" for i in range(40)) + "}",
        "objects that describe the schema",
    ),
    "fields of each type": (
        "{__schema{types{" + "".join(f"a{i}:fields{{name args{{name}}}}" for i in range(49)) + "}}}",
        "objects that describe the schema",
    ),
    "fields of the largest type": (
        "{" + "".join(f'a{i}:__type(name:"Query"){{fields{{type{{fields{{name}}}}}}}}' for i in range(50)) + "}",
        "objects that describe the schema",
    ),
    "aliases": ("{" + "".join(f"a{i}:me{{name}}" for i in range(51)) + "}", "the query has 51 aliases"),
    "levels": (
        "{memories{edges{node{" + "associations{other{" * 7 + "id" + "}}" * 7 + "}}}}",
        "the query has 17 levels; 15 are allowed",
    ),
    "operations": ("".join(f"query A{i}{{me{{name}}}}" for i in range(101)), "the query has 101 operations"),
    "levels of the text": ("{" * 5000, "Syntax Error"),
    "levels of inline fragments": ("{" + "...{" * 1400 + "me{name}" + "}" * 1401, "nested too deeply"),
    "levels of lists": ("{recall(input:{query:" + "[" * 4000 + "]" * 4000 + "}){tookMs}}", "nested too deeply"),
    "tokens": ("{me{" + "name@include(if:true)" * 1700 + "}}", "contains more than 10000 tokens"),
    "comments": ("#\n" * 10_001 + "{me{name}}", "contains more than 10000 tokens"),
    "text": ("#" + "x" * 100_000 + "\n{me{name}}", "contains more than 100000 code points"),
    "a circle": (
        "{...A} fragment A on Query{...B} fragment B on Query{...A}",
        "the fragment A is spread within itself",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("query", "said"), ATTACKS.values(), ids=ATTACKS)
def test_a_costly_document_is_refused_by_a_limit(query, said) -> None:
    """C14, C15."""
    (error,) = refusals(query)

    assert said in error.message


@pytest.mark.parametrize(
    "query",
    [
        "{" + "me{name}" * 2400 + "}",
        "{" + "".join(f"a{i}:__schema{{types{{fields{{type{{name}}}}}}}}" for i in range(40)) + "}",
        chained(60, 3),
    ],
)
@pytest.mark.proof("measures processor time")
def test_refusing_a_query_costs_little_more_than_parsing_it(query) -> None:
    """C14: compared with parsing the longest allowed document, which takes some 40 ms."""
    longest = "{" + "me{name}" * 2490 + "}"

    assert least_seconds(lambda: refusals(query)) < 4 * least_seconds(lambda: parse(longest))


class _Counting(_Measure):
    """A measure that counts its visits."""

    looked_at = 0

    def _one(self, parent, selection):
        self.looked_at += 1
        return super()._one(parent, selection)


@pytest.mark.parametrize("times", [1, 3, 9])
def test_every_selection_is_visited_once(times) -> None:
    """C14: twice the levels take twice the visits, however often each fragment is spread."""
    visits = []
    for levels in (20, 40, 80):
        measure = _Counting(SCHEMA, parse(chained(levels, times)), None, {})
        measure.measured()
        visits.append(measure.looked_at)

    assert visits == [20 * times + 2, 40 * times + 2, 80 * times + 2]


def test_a_fragment_that_no_operation_spreads_may_not_spread_itself_either() -> None:
    query = parse(
        "{ me { name } } fragment A on Query { me { ...B } } fragment B on Principal { ... { ...A } }"
    )

    with pytest.raises(SpreadInItself):
        measured(SCHEMA, query, None, {})


def test_unknown_names_are_left_to_validation() -> None:
    query = """{ nothing(first: 9) { a b } me { ...Missing ... on Nowhere { a { b } } } }
    fragment F on Nobody { a { b } }"""

    asked = measured(SCHEMA, parse(query), None, {})

    assert (asked.depth, asked.fields, asked.cost) == (2, 6, 1)
    assert "Unknown fragment 'Missing'." in [error.message for error in refusals(query)]


def test_the_introspection_query_is_within_the_limits() -> None:
    assert measured(SCHEMA, parse("{ __schema { types { name } } }"), None, {}).schema_cost == 1 + len(
        SCHEMA.type_map
    )
    assert whole_schema_cost(SCHEMA) < 100_000


def test_known_queries_are_cached_up_to_a_size() -> None:
    """C15: the size covers the text and its parsed form, in bytes."""
    known = KnownQueries(most_bytes=200_000, largest_bytes=50_000)
    short = known.parsed("{ me { name } }")

    assert known.parsed("{ me { name } }") is short
    known.parsed("#" + "x" * 60_000 + "\n{ me { name } }")
    assert known.size_bytes < 10_000  # too large to be kept
    for i in range(200):
        known.parsed(f"{{ me {{ name }} }} # {i} {'x' * 5_000}")
    assert 150_000 < known.size_bytes <= 200_000
    assert known.parsed("{ me { name } }") is not short  # it was evicted first
