"""Authentication and scopes of AutoMem's interface (I9, I12)."""

import secrets

import pytest
from pydantic import SecretStr

from app.bootstrap.runtime import open_runtime
from graph.tenancy.models import Scope
from tests.fixtures.embedders import HashingEmbedder

REQUESTS = [
    ("POST", "/memory", {"content": "x"}),
    ("PATCH", "/memory/x", {"content": "x"}),
    ("DELETE", "/memory/x", None),
    ("GET", "/memory/by-tag?tags=x", None),
    ("GET", "/recall", None),
    ("POST", "/associate", {"memory1_id": "x", "memory2_id": "y", "type": "RELATES_TO"}),
]


@pytest.mark.parametrize(
    ("form", "path"),
    [
        (lambda key: {"Authorization": f"Bearer {key}"}, "/recall"),
        (lambda key: {"X-API-Key": key}, "/recall"),
        (lambda key: {}, "/recall?api_key={key}"),
    ],
    ids=["bearer", "header", "query"],
)
async def test_the_token_is_accepted_in_three_places(http, rest, form, path) -> None:
    """I9."""
    answer = await http.get(path.format(key=rest.key), headers=form(rest.key))

    assert answer.status_code == 200


@pytest.mark.parametrize(("method", "path", "body"), REQUESTS, ids=[f"{m} {p}" for m, p, _ in REQUESTS])
@pytest.mark.parametrize("query", ["", "api_key=", "api_key=nobody"])
async def test_every_route_requires_the_token(http, method, path, body, query) -> None:
    """I9: however the token is missing."""
    address = f"{path}{'&' if '?' in path else '?'}{query}"

    answer = await http.request(method, address, json=body)

    assert answer.status_code == 401
    assert answer.json().keys() == {"error", "field", "message"}


async def test_the_query_parameter_works_on_automems_routes_only(http, rest, workspace_id) -> None:
    """Only AutoMem sends a key in URLs: they end up in logs."""
    path = f"/v1/workspaces/{workspace_id}/memories"

    assert (await http.get(path, params={"api_key": rest.key})).status_code == 401


@pytest.mark.parametrize(("method", "path", "body"), REQUESTS, ids=[f"{m} {p}" for m, p, _ in REQUESTS])
async def test_a_key_may_do_what_its_scope_allows(rest_client, workspace_id, method, path, body) -> None:
    """I12: a read key cannot write, and a write key cannot read."""
    lacking = Scope.WRITE if method == "GET" else Scope.READ

    answer = await (await rest_client(workspace_id, lacking)).send(method, path, json=body)

    assert answer.status_code == 403
    assert answer.json()["field"] is None


async def test_the_setting_creates_a_key_of_the_default_workspace(settings) -> None:
    """I9, M6: it is created once, and a revoked key stays revoked."""
    token = secrets.token_hex(16)
    chosen = settings.model_copy(update={"automem_api_token": SecretStr(token)})
    async with open_runtime(chosen, embedder=HashingEmbedder()) as first:
        access = first.services.tenancy.access
        principal = await access.authenticate(token)
        default = await first.services.tenancy.workspaces.ensure_default()
    async with open_runtime(chosen, embedder=HashingEmbedder()) as second:
        again = await second.services.tenancy.access.authenticate(token)
        await second.services.tenancy.keys.revoke(principal.key_id)
    async with open_runtime(chosen, embedder=HashingEmbedder()) as third:
        keys = await third.services.tenancy.keys.list_live(default.id)

    assert (principal.workspace_id, principal.scopes) == (default.id, {Scope.READ, Scope.WRITE})
    assert again == principal
    assert principal.key_id not in [key.id for key in keys]
