"""Authentication: every route except ``GET /health`` needs a key, with one form of error."""

import asyncio
import re
from datetime import timedelta

import pytest
from litestar import Litestar

from app.bootstrap.runtime import SystemClock, open_runtime
from app.main import create_app
from graph.core.errors import Unauthenticated
from graph.tenancy.access import Access
from graph.tenancy.models import Scope
from tests.fixtures.app import ADMIN_KEY
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.waiting import until

ME = {"query": "{ me { name workspaceId scopes } }"}
NEEDED = "an API key is needed: send it as 'Authorization: Bearer <key>' or 'X-API-Key'"
UNKNOWN = "this API key is unknown, revoked or expired"


def refusal(message: str) -> dict:
    """Return GraphQL's response to a request without a valid key."""
    return {
        "data": None,
        "errors": [{"message": message, "extensions": {"code": "UNAUTHENTICATED", "field": None}}],
    }


@pytest.fixture
async def key(services, workspace_id):
    """Create a key of the test's workspace; return it with its secret."""
    return await services.tenancy.keys.create(workspace_id, name="reader", scopes=[Scope.READ])


def routes(app: Litestar) -> list[tuple[str, str]]:
    return sorted(
        (method, route.path)
        for route in app.routes
        for method in getattr(route, "methods", ())
        if method != "OPTIONS"  # a browser's preflight has no key and gets no data
    )


async def test_every_route_except_open_ones_needs_a_credential(services, browser) -> None:
    """I9, I12: deny by default; a new open route must be listed here."""

    async def is_ready() -> bool:
        return (await browser.get("/ready")).status_code == 200

    await until(is_ready)
    open_routes = []
    for method, path in routes(create_app(services)):
        response = await browser.request(method, re.sub(r"\{\w+:\w+\}", "x", path))
        if response.status_code != 401:
            open_routes.append((method, path, response.status_code))

    assert open_routes == [
        ("GET", "/", 302),
        ("GET", "/dashboard/memory", 302),
        ("GET", "/dashboard/settings", 302),
        ("GET", "/docs", 200),
        ("GET", "/health", 200),
        ("GET", "/openapi.json", 200),
        ("GET", "/pages/{name:str}", 404),
        ("GET", "/ready", 200),
        ("GET", "/sign-in", 200),
        ("GET", "/studio", 503),
        ("GET", "/studio/assets/{name:str}", 404),
        ("GET", "/studio/{page:path}", 503),
        ("POST", "/sign-out", 303),
    ]


@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ({}, NEEDED),
        ({"Authorization": ""}, NEEDED),
        ({"Authorization": "Bearer "}, NEEDED),
        ({"Authorization": "Basic dXNlcjpwYXNz"}, NEEDED),
        ({"Authorization": ADMIN_KEY}, NEEDED),
        ({"X-API-Key": ""}, NEEDED),
        ({"Authorization": "Bearer nobody"}, UNKNOWN),
        ({"Authorization": f"Bearer {ADMIN_KEY}x"}, UNKNOWN),
        ({"Authorization": f"Bearer {ADMIN_KEY} {ADMIN_KEY}"}, UNKNOWN),
        ({"X-API-Key": ADMIN_KEY[:-1]}, UNKNOWN),
        ({"X-API-Key": "*"}, UNKNOWN),
        ({"X-API-Key": "' OR 1=1 //"}, UNKNOWN),
        ({"X-API-Key": "\xff\xfe".encode("latin-1")}, UNKNOWN),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_a_missing_or_malformed_key_is_refused(http, headers, message) -> None:
    response = await http.post("/graphql", json=ME, headers=headers)

    assert response.status_code == 401
    assert response.json() == refusal(message)
    assert response.headers["www-authenticate"] == "Bearer"


async def test_other_routes_refuse_in_the_rest_shape(http) -> None:
    response = await http.get("/v1/workspaces/ws/settings")

    assert response.status_code == 401
    assert response.json() == {"error": NEEDED, "field": None}


@pytest.mark.parametrize(
    "form",
    [
        lambda secret: {"Authorization": f"Bearer {secret}"},
        lambda secret: {"authorization": f"bearer   {secret} "},
        lambda secret: {"X-API-Key": secret},
    ],
    ids=["bearer", "bearer spelled otherwise", "x-api-key"],
)
async def test_both_headers_carry_a_key(http, key, workspace_id, form) -> None:
    response = await http.post("/graphql", json=ME, headers=form(key[1]))

    assert response.json() == {
        "data": {"me": {"name": "reader", "workspaceId": workspace_id, "scopes": ["READ"]}}
    }


async def test_a_revoked_key_is_refused_at_once(http, admin, key) -> None:
    api_key, secret = key
    before = await http.post("/graphql", json=ME, headers={"X-API-Key": secret})
    await admin.ok("mutation($id: ID!) { revokeApiKey(id: $id) }", id=api_key.id)

    after = await http.post("/graphql", json=ME, headers={"X-API-Key": secret})

    assert (before.status_code, after.status_code) == (200, 401)
    assert after.json() == refusal(UNKNOWN)


async def test_a_key_is_revoked_once(admin, key) -> None:
    api_key, _ = key
    revoke = "mutation($id: ID!) { revokeApiKey(id: $id) }"
    await admin.ok(revoke, id=api_key.id)

    error = await admin.error(revoke, id=api_key.id)

    assert (error["code"], error["field"]) == ("NOT_FOUND", "id")


@pytest.mark.parametrize("hard", [False, True])
async def test_keys_of_a_deleted_workspace_are_refused_at_once(http, admin, key, workspace_id, hard) -> None:
    _, secret = key
    before = await http.post("/graphql", json=ME, headers={"X-API-Key": secret})
    await admin.ok(
        "mutation($id: ID!, $hard: Boolean) { deleteWorkspace(id: $id, hard: $hard) }",
        id=workspace_id,
        hard=hard,
    )

    after = await http.post("/graphql", json=ME, headers={"X-API-Key": secret})

    assert (before.status_code, after.status_code) == (200, 401)


class MovedClock:
    """The system's clock, which a test can move."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def now(self):
        return SystemClock().now() + self.ahead


async def test_an_expired_key_is_refused(settings, workspace_id) -> None:
    """Also while the key is cached from an earlier request."""
    clock = MovedClock()
    async with open_runtime(settings, embedder=HashingEmbedder(), clock=clock) as runtime:
        access: Access = runtime.services.tenancy.access
        expires_at = clock.now() + timedelta(hours=1)
        _, secret = await runtime.services.tenancy.keys.create(
            workspace_id, name="brief", scopes=[Scope.READ], expires_at=expires_at
        )
        assert (await access.authenticate(secret)).name == "brief"

        clock.ahead = timedelta(hours=2)

        with pytest.raises(Exception, match=UNKNOWN):
            await access.authenticate(secret)


async def test_a_browser_without_a_key_gets_graphiql(http) -> None:
    """The page has status 401 and no data; its requests need the key that the user types."""
    response = await http.get("/graphql", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})

    assert response.status_code == 401
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "GraphiQL" in response.text
    assert '<label for="key">API key</label>' in response.text
    assert "https://" not in response.text


@pytest.mark.parametrize(
    ("method", "url", "headers"),
    [
        ("GET", "/graphql?query={me{name}}", {"Accept": "text/html"}),
        ("GET", "/graphql", {"Accept": "application/json"}),
        ("GET", "/graphql", {"Accept": "*/*"}),
        ("GET", "/graphql", {"Accept": "text/html", "X-API-Key": "nobody"}),
        ("POST", "/graphql", {"Accept": "text/html"}),
    ],
)
async def test_other_clients_do_not_get_graphiql(http, method, url, headers) -> None:
    response = await http.request(method, url, headers=headers)

    assert response.status_code == 401
    assert response.json()["errors"][0]["extensions"] == {"code": "UNAUTHENTICATED", "field": None}


async def test_graphiql_also_opens_with_a_key(http) -> None:
    response = await http.get("/graphql", headers={"Accept": "text/html", "X-API-Key": ADMIN_KEY})

    assert response.status_code == 200
    assert "GraphiQL" in response.text


async def test_health_reports_whether_the_servers_answer(http) -> None:
    """M1: formats/test_automem.py compares the whole response."""
    response = await http.get("/health")

    assert response.status_code == 200
    assert response.json()["status"] == "healthy"


async def test_a_cached_key_serves_for_an_hour_without_the_graph(settings, workspace_id) -> None:
    """N1: unless it has expired, was revoked here, or turns out to be revoked elsewhere."""
    clock = MovedClock()
    async with open_runtime(settings, embedder=HashingEmbedder(), clock=clock) as runtime:
        access: Access = runtime.services.tenancy.access
        expires_at = clock.now() + timedelta(hours=1)
        key, secret = await runtime.services.tenancy.keys.create(
            workspace_id, name="chats", scopes=[Scope.READ], expires_at=expires_at
        )
        assert (await access.recognise(secret, patience_seconds=30)).key_id == key.id

        async def silent(digest: str) -> None:
            await asyncio.Event().wait()

        look_up = access._look_up
        access._look_up = silent
        access._known.clear()
        assert (await access.recognise(secret, patience_seconds=0.01)).key_id == key.id
        clock.ahead = timedelta(hours=2)
        with pytest.raises(Unauthenticated, match=UNKNOWN):
            await access.recognise(secret, patience_seconds=0.01)
        clock.ahead = timedelta()

        access._look_up = look_up
        await runtime.services.tenancy.keys.revoke(key.id)
        with pytest.raises(Unauthenticated, match=UNKNOWN):
            await access.recognise(secret, patience_seconds=30)


async def test_a_key_revoked_by_another_process_leaves_the_cache(settings, services, workspace_id) -> None:
    """As soon as the graph reports it."""
    async with open_runtime(settings, embedder=HashingEmbedder()) as runtime:
        access: Access = runtime.services.tenancy.access
        key, secret = await runtime.services.tenancy.keys.create(
            workspace_id, name="chats", scopes=[Scope.READ]
        )
        await access.recognise(secret, patience_seconds=30)
        await services.tenancy.keys.revoke(key.id)
        access._known.clear()

        for _ in range(2):
            with pytest.raises(Unauthenticated, match=UNKNOWN):
                await access.recognise(secret, patience_seconds=30)
        assert access._remembered.currsize == 0
