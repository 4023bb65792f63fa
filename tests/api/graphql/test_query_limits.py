"""The limits of a request (K1); each error names the excess."""

from collections.abc import AsyncIterator

import httpx
import pytest
from graphql import get_introspection_query

from app.main import create_app
from app.surfaces.graphql.limits import GraphQLLimits
from tests.fixtures.app import ADMIN_KEY, GraphQLClient

FAR = """{ memories(first: 200) { edges { node {
  associations(first: 50) { other { associations(first: 50) { other { id } } } }
} } } }"""


async def refusal(client: GraphQLClient, query: str, **variables) -> dict:
    response = await client.post(query, **variables)
    assert response.json()["data"] is None
    (error,) = response.json()["errors"]
    return error


async def test_a_query_that_may_return_too_much_is_refused_with_its_cost(graphql) -> None:
    """K1: the error contains the cost and the limit."""
    error = await refusal(graphql, FAR)

    cost = 1 + 200 * (1 + 1 + 50 * (1 + 1 + 50 * (1 + 1)))
    assert error["extensions"] == {"code": "TOO_COMPLEX", "field": None, "cost": cost, "maxCost": 20_000}
    assert error["message"] == (
        f"the query may return {cost} objects, 20000 are allowed; ask for fewer with first or limit"
    )


async def test_sizes_in_variables_count_towards_the_limit(graphql) -> None:
    query = "query($n: Int!) { memories(first: $n) { edges { node { neighbours(first: $n) { node { nodeId } } } } } }"

    assert "edges" in (await graphql.ok(query, n=10))["memories"]
    error = await refusal(graphql, query, n=200)
    assert error["extensions"]["cost"] == 1 + 200 * (1 + 1 + 200 * (1 + 1))


async def test_a_costly_mutation_writes_nothing(graphql) -> None:
    """The limit is checked before execution."""
    mutation = """mutation($in: [SaveMemoryInput!]!) {
      saveMemories(inputs: $in) {
        memory { associations(first: 99) { other { associations(first: 99) { other { id } } } } }
      }
    }"""

    error = await refusal(graphql, mutation, **{"in": [{"content": "a thing"}, {"content": "another one"}]})

    assert error["extensions"]["code"] == "TOO_COMPLEX"
    assert (await graphql.ok("{ memories { edges { cursor } } }"))["memories"]["edges"] == []


async def test_a_page_beyond_the_maximum_is_refused_with_its_field(graphql) -> None:
    """Such a size is an invalid value rather than a cost."""
    error = await graphql.error("{ memories(first: 100000000) { edges { cursor } } }")

    assert error == {
        "message": "first must be between 1 and 200, got 100000000",
        "code": "INVALID_INPUT",
        "field": "first",
    }


@pytest.fixture
async def strict(services) -> AsyncIterator[GraphQLClient]:
    """Yield a client of an application with its own limits and without introspection."""
    app = create_app(services, graphql_limits=GraphQLLimits(max_cost=10, introspection=False))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as http:
        yield GraphQLClient(http, ADMIN_KEY)


async def test_an_operator_can_set_the_cost_limit(strict) -> None:
    assert await strict.ok("{ memories(first: 9) { edges { cursor } } }")
    error = await strict.error("{ memories(first: 10) { edges { cursor } } }")
    assert (error["cost"], error["maxCost"]) == (11, 10)


async def test_introspection_can_be_switched_off(strict, admin) -> None:
    """K1: if it is off, every key is refused with a clear error; other queries work."""
    for query in ("{ __schema { types { name } } }", '{ __type(name: "Memory") { name } }'):
        errors = (await strict.post(query)).json()["errors"]
        assert {error["extensions"]["code"] for error in errors} == {"INVALID_INPUT"}
        assert all(error["message"].startswith("GraphQL introspection has been disabled") for error in errors)
        assert await admin.ok(query)
    assert (await strict.ok("{ me { __typename } }"))["me"] == {"__typename": "Principal"}


async def test_the_whole_introspection_is_within_the_limits(admin) -> None:
    """GraphiQL and code generators send it."""
    assert (await admin.ok(get_introspection_query(descriptions=True)))["__schema"]


async def test_a_batch_of_queries_is_refused(http) -> None:
    """K1: with one operation a request, a limit on requests also limits operations."""
    response = await http.post(
        "/graphql",
        json=[{"query": "{ me { name } }"}] * 2,
        headers={"Authorization": f"Bearer {ADMIN_KEY}"},
    )

    assert response.status_code == 400
    assert response.json()["errors"] == [
        {"message": "Batching is not enabled", "extensions": {"code": "INVALID_INPUT", "field": None}}
    ]
