"""GraphQL with a session's cookie alone, by request and by websocket, but not from another site."""

import pytest

from graph.tenancy.models import Scope
from tests.fixtures.websockets import connected

SAVE = {"query": 'mutation { saveMemory(input: {content: "The gate is green"}) { outcome } }'}
READ = "{ memories { totalCount } }"


async def test_a_session_has_the_rights_of_its_key(dashboard, workspace_id) -> None:
    saved = await dashboard.post("/graphql", json=SAVE, headers={"Sec-Fetch-Site": "same-origin"})
    asked = await dashboard.get("/graphql", params={"query": "{ me { workspaceId scopes } }"})
    refused = await dashboard.post("/graphql", json={"query": "mutation { revokeApiKey(id: 1) }"})

    assert saved.json() == {"data": {"saveMemory": {"outcome": "CREATED"}}}
    assert asked.json()["data"]["me"] == {"workspaceId": workspace_id, "scopes": ["READ", "WRITE"]}
    assert refused.json()["errors"][0]["extensions"]["code"] == "FORBIDDEN"


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://elsewhere.test"},
        {"Origin": "null"},
    ],
    ids=repr,
)
async def test_pages_of_other_sites_may_neither_write_nor_query(dashboard, headers) -> None:
    answers = [
        await dashboard.post("/graphql", json=SAVE, headers=headers),
        await dashboard.get("/graphql", params={"query": READ}, headers=headers),
        await dashboard.get("/graphql", params={"extensions": "{}"}, headers=headers),
    ]

    for answer in answers:
        assert answer.status_code == 403
        assert answer.json()["errors"][0]["extensions"] == {"code": "FORBIDDEN", "field": None}
    assert (await dashboard.post("/graphql", json={"query": READ})).json()["data"]["memories"][
        "totalCount"
    ] == 0


async def test_a_request_with_a_key_may_come_from_any_site(dashboard, graphql) -> None:
    headers = {"X-API-Key": graphql.key, "Sec-Fetch-Site": "cross-site"}

    answer = await dashboard.post("/graphql", json=SAVE, headers=headers)

    assert answer.json() == {"data": {"saveMemory": {"outcome": "CREATED"}}}


async def test_graphiql_needs_no_key_from_a_signed_in_person(dashboard) -> None:
    """Also if a page of another site links to it."""
    page = await dashboard.get("/graphql", headers={"Accept": "text/html", "Sec-Fetch-Site": "cross-site"})

    assert page.status_code == 200
    assert "GraphiQL" in page.text
    assert "API key" not in page.text


async def test_an_ended_session_is_refused(dashboard) -> None:
    cookie = {"Cookie": f"session={dashboard.cookies['session']}"}
    await dashboard.post("/sign-out")

    answer = await dashboard.post("/graphql", json=SAVE, headers=cookie)

    assert answer.status_code == 401
    assert answer.json()["errors"][0]["message"] == "this session is over: sign in again"


async def test_a_websocket_accepts_the_cookie(sockets, dashboard) -> None:
    cookie = {"Cookie": f"session={dashboard.cookies['session']}"}
    own = sockets.replace("ws://", "http://").removesuffix("/graphql")
    async with connected(sockets, additional_headers=cookie, origin=own) as client:
        await client.initialise()
        assert await client.next(await client.subscribe(READ)) == {"memories": {"totalCount": 0}}
        await dashboard.post("/sign-out")

        error = await client.error(await client.subscribe(READ))

    assert (error["code"], error["message"]) == ("UNAUTHENTICATED", "this session is over: sign in again")


async def test_a_websocket_from_another_site_cannot_use_the_cookie(sockets, dashboard) -> None:
    """Also if the browser only says that the page is of the same site."""
    cookie = {"Cookie": f"session={dashboard.cookies['session']}", "Sec-Fetch-Site": "same-site"}
    async with connected(sockets, additional_headers=cookie) as client:
        await client.send({"type": "connection_init"})

        assert (await client.closed())[0] == 4403


async def test_a_key_in_the_first_message_overrides_the_cookie(
    services, sockets, dashboard, other_workspace_id
) -> None:
    _, secret = await services.tenancy.keys.create(other_workspace_id, name="other", scopes=[Scope.READ])
    cookie = {"Cookie": f"session={dashboard.cookies['session']}"}
    async with connected(sockets, additional_headers=cookie) as client:
        await client.initialise({"Authorization": f"Bearer {secret}"})

        assert await client.next(await client.subscribe("{ me { name } }")) == {"me": {"name": "other"}}
