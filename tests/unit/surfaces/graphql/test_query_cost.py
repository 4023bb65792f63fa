"""The cost of a query: the number of objects that its response may contain, by the requested sizes."""

from typing import Any

import pytest
from graphql import parse, validate

from app.surfaces.graphql.measuring import measured
from app.surfaces.graphql.schema import schema


def cost(query: str, operation: str | None = None, **variables: Any) -> int:
    document = parse(query)
    assert validate(schema._schema, document) == []
    return measured(schema._schema, document, operation, variables).cost


@pytest.mark.parametrize(
    ("query", "objects"),
    [
        ("{ me { name scopes } }", 1),
        ("{ me { name } again: me { name } }", 2),
        ("{ memories { pageInfo { endCursor } } }", 1 + 1),
        ("{ memories(first: 3) { edges { cursor } } }", 1 + 3),
        ("{ memories(first: 3) { edges { node { id tags } } pageInfo { endCursor } } }", 1 + 3 * 2 + 1),
        ("{ memories { edges { node { id } } } }", 1 + 50 * 2),
        ("{ memories(first: null) { edges { node { id } } } }", 1 + 50 * 2),
        ('{ conversation(id: "x") { messages(last: 70) { edges { cursor } } } }', 1 + 1 + 70),
        ('{ conversation(id: "x") { messages(last: null) { edges { cursor } } } }', 1 + 1 + 50),
        (
            "{ memories(first: 4) { edges { node { associations(first: 6) { other { id } } } } } }",
            1 + 4 * (1 + 1 + 6 * (1 + 1)),
        ),
        ('{ recall(input: {query: "x"}) { hits { memory { id } } } }', 1 + 5 * 2),
        ('{ recall(input: {query: "x", limit: 7}) { hits { memory { id } } } }', 1 + 7 * 2),
        ('{ paths(from: "a", to: "b", limit: 2) { nodes { nodeId } } }', 2 * (1 + 10)),
        ("{ metrics { name } }", 10),
        ("{ engine { workspaces { memories } } }", 1 + 10),
        ('mutation { saveMemories(inputs: [{content: "x"}, {content: "y"}]) { memory { id } } }', 2 * 2),
    ],
)
def test_a_query_costs_the_objects_it_may_return(query, objects) -> None:
    """K1: sizes multiply along nested fields; texts and numbers are free."""
    assert cost(query) == objects


def test_sizes_in_variables_count_as_those_in_the_text() -> None:
    query = """query($n: Int = 9, $in: RecallInput!) {
      memories(first: $n) { edges { cursor } }
      recall(input: $in) { hits { memory { id } } }
    }"""

    assert cost(query, n=3, **{"in": {"query": "x", "limit": 2}}) == 1 + 3 + 1 + 2 * 2
    assert cost(query, **{"in": {"query": "x"}}) == 1 + 9 + 1 + 5 * 2


def test_inputs_in_a_variable_count() -> None:
    mutation = "mutation($in: [SaveMemoryInput!]!) { saveMemories(inputs: $in) { memory { id } } }"

    assert cost(mutation, **{"in": [{"content": "x"}] * 30}) == 30 * 2


def test_only_the_operation_that_is_run_counts() -> None:
    query = "query A { me { name } } query B { memories(first: 9) { edges { cursor } } }"

    assert (cost(query, "A"), cost(query, "B")) == (1, 10)


def test_fragments_cost_their_content_at_every_spread() -> None:
    query = """
    { memories(first: 2) { ...Page } entities(first: 3) { edges { node { ... on Node { ...Near } } } } }
    fragment Page on MemoryConnection { edges { node { ...Near } } }
    fragment Near on Node { neighbours(first: 4) { node { nodeId } } }
    """
    near = 4 * (1 + 1)

    assert cost(query) == 1 + 2 * (1 + 1 + near) + 1 + 3 * (1 + 1 + near)


def test_a_fragment_is_measured_once_however_often_it_is_spread() -> None:
    """Each of 60 fragments spreads the next one twice: walking every spread would take 2^60 steps."""
    doubled = " ".join(f"fragment F{i} on Query {{ ...F{i + 1} ...F{i + 1} }}" for i in range(60))
    query = f"{{ ...F0 }} {doubled} fragment F60 on Query {{ me {{ name }} }}"

    assert cost(query) == 2**60


@pytest.mark.parametrize(
    "introspection", ["{ __schema { types { name fields { name } } } }", "{ __typename }"]
)
def test_introspection_costs_nothing(introspection) -> None:
    assert cost(introspection) == 0


@pytest.mark.parametrize("size", [-5, 0])
def test_an_invalid_size_does_not_lower_the_cost(size) -> None:
    assert cost(f"{{ me {{ name }} memories(first: {size}) {{ edges {{ cursor }} }} }}") == 2
