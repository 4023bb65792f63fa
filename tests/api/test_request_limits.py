"""The limit of a key's requests per minute, on every surface."""

import pytest

from graph.tenancy.models import Scope
from tests.fixtures.app import GraphQLClient


@pytest.fixture
async def key(services, workspace_id):
    """Create a key of the test's workspace; return it with its secret."""
    return await services.tenancy.keys.create(workspace_id, name="rotated", scopes=[Scope.READ])


@pytest.fixture
def counting(services):
    """Return a function that creates a client whose key has its own limit."""

    async def counting(http, workspace_id: str, limit: int | None) -> GraphQLClient:
        _, secret = await services.tenancy.keys.create(
            workspace_id, name="limited", scopes=[Scope.READ], requests_per_minute=limit
        )
        return GraphQLClient(http, secret)

    return counting


async def test_a_key_at_its_limit_does_not_limit_others(
    http, counting, graphql, workspace_id, one_window
) -> None:
    client = await counting(http, workspace_id, 3)

    answers = [await client.post("{ me { keyId } }") for _ in range(4)]

    refused = answers[-1]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    (error,) = refused.json()["errors"]
    assert error["extensions"] == {"code": "RATE_LIMITED", "field": None}
    assert error["message"] == "this key may make 3 requests a minute"
    allowed = answers[0].headers
    assert (allowed["ratelimit-limit"], allowed["ratelimit-policy"]) == ("3", "3; w=60")
    assert allowed["ratelimit-remaining"] == "2"
    assert 1 <= int(allowed["ratelimit-reset"]) <= 60
    assert (await graphql.post("{ me { keyId } }")).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "body", "form"),
    [
        ("POST", "/v1/inject", {"text": "x"}, {"error", "field"}),
        ("POST", "/v1/chat/completions", {"messages": []}, {"error"}),
        ("GET", "/nothing-there", None, {"error", "field"}),
    ],
)
async def test_each_surface_refuses_in_its_own_form(
    http, counting, workspace_id, one_window, method, path, body, form
) -> None:
    client = await counting(http, workspace_id, 1)
    headers = {"X-API-Key": client.key}

    answers = [await http.request(method, path, json=body, headers=headers) for _ in range(2)]

    if path == "/nothing-there":  # there is no route, so no key is needed
        assert answers[-1].status_code == 404
    else:
        assert answers[-1].status_code == 429
        assert "retry-after" in answers[-1].headers
    assert answers[-1].json().keys() == form


async def test_a_session_counts_for_its_key(services, sign_in, workspace_id, one_window) -> None:
    dashboard = await sign_in(workspace_id)
    (api_key,) = await services.tenancy.keys.list_live(workspace_id)
    await services.tenancy.keys.limit(api_key.id, 1)

    answers = [await dashboard.get("/chat/api/c/memories") for _ in range(2)]

    assert answers[-1].status_code == 429
    assert answers[-1].json().keys() == {"error", "field"}


async def test_a_limit_can_be_lifted(services, http, counting, workspace_id) -> None:
    client = await counting(http, workspace_id, 0)

    answers = [await client.post("{ me { keyId } }") for _ in range(4)]

    assert {answer.status_code for answer in answers} == {200}
    assert "ratelimit-limit" not in answers[0].headers


@pytest.mark.parametrize("limit", [-1, 1_000_001])
async def test_the_request_limit_has_bounds(admin, key, limit) -> None:
    mutation = "mutation($id: ID!, $limit: Int) { limitApiKey(id: $id, requestsPerMinute: $limit) { id } }"

    error = await admin.error(mutation, id=key[0].id, limit=limit)

    assert (error["code"], error["field"]) == ("INVALID_INPUT", "requestsPerMinute")


async def test_a_keys_own_limit_can_be_read_and_removed(admin, key, workspace_id) -> None:
    mutation = "mutation($id: ID!, $limit: Int) { limitApiKey(id: $id, requestsPerMinute: $limit) { id } }"
    listed = "query($ws: ID) { apiKeys(workspaceId: $ws) { requestsPerMinute } }"
    shown = []
    for limit in (5, None):
        await admin.ok(mutation, id=key[0].id, limit=limit)
        shown += [each["requestsPerMinute"] for each in (await admin.ok(listed, ws=workspace_id))["apiKeys"]]

    assert shown == [5, None]
