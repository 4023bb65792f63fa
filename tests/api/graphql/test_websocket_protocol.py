"""The graphql-transport-ws protocol: authentication, refusals, and limits of a subscription."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from websockets.exceptions import InvalidStatus

from app.main import create_app
from graph.memories.models import MemoryDraft
from graph.tenancy.models import Scope
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.websockets import connected, serving

MEMORIES = """
subscription($ws: ID) {
  memoryEvents(workspaceId: $ws) { type workspaceId memoryId at memory { id content version versions { content } } }
}
"""
SAVE = "mutation($text: String!) { saveMemory(input: {content: $text}) { memory { id } } }"
CHANGE = "mutation($id: ID!, $text: String!) { updateMemory(id: $id, input: {content: $text}) { content } }"
READ = "query($id: ID!) { memory(id: $id) { content } me { name } }"
NEEDED = "an API key is needed: send it as 'Authorization: Bearer <key>' or 'X-API-Key'"
UNKNOWN = "this API key is unknown, revoked or expired"


@pytest.fixture
async def key(services, workspace_id) -> str:
    """Create a key that may only read the test's workspace; return its secret."""
    _, secret = await services.tenancy.keys.create(workspace_id, name="reader", scopes=[Scope.READ])
    return secret


@pytest.mark.parametrize(
    "payload",
    [
        {"Authorization": "Bearer {key}"},
        {"authorization": "bearer {key}"},
        {"X-API-Key": "{key}"},
        {"x-api-key": "{key}", "nonsense": [1]},
    ],
    ids=repr,
)
async def test_the_first_message_carries_the_key(sockets, key, payload) -> None:
    sent = {
        name: value.format(key=key) if isinstance(value, str) else value for name, value in payload.items()
    }
    async with connected(sockets) as subscriber:
        await subscriber.initialise(sent)


@pytest.mark.parametrize("payload", [None, {}], ids=["without", "empty"])
async def test_the_headers_carry_the_key_as_well(sockets, key, payload) -> None:
    async with connected(sockets, additional_headers={"Authorization": f"Bearer {key}"}) as subscriber:
        await subscriber.send({"type": "connection_init", "payload": payload})
        assert await subscriber.read() == {"type": "connection_ack"}


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ({"type": "connection_init"}, NEEDED),
        ({"type": "connection_init", "payload": None}, NEEDED),
        ({"type": "connection_init", "payload": {"Authorization": 5}}, NEEDED),
        ({"type": "connection_init", "payload": {"Authorization": "Basic eDp5"}}, NEEDED),
        ({"type": "connection_init", "payload": {"Authorization": "Bearer nobody"}}, UNKNOWN),
        ({"type": "connection_init", "payload": {"X-API-Key": "*"}}, UNKNOWN),
        ({"type": "subscribe", "id": "1", "payload": {"query": MEMORIES}}, "Unauthorized"),
    ],
    ids=repr,
)
async def test_an_unauthenticated_client_is_disconnected(sockets, message, reason) -> None:
    """A client does not reconnect after 4401."""
    async with connected(sockets) as subscriber:
        await subscriber.send(message)
        assert await subscriber.closed() == (4401, reason)


async def test_a_revoked_key_ends_its_subscriptions_before_the_next_event(
    services, sockets, heard, workspace_id
) -> None:
    key, secret = await services.tenancy.keys.create(workspace_id, name="brief", scopes=[Scope.READ])
    async with connected(sockets, key=secret) as subscriber:
        id_ = await subscriber.subscribe(MEMORIES)
        await heard.by(workspace_id)
        await services.tenancy.keys.revoke(key.id)
        await services.memories.store.save(
            workspace_id, MemoryDraft(content="Said after the key was revoked")
        )

        assert (await subscriber.error(id_))["code"] == "UNAUTHENTICATED"
        assert (await subscriber.error(await subscriber.subscribe(MEMORIES)))["code"] == "UNAUTHENTICATED"


@pytest.mark.parametrize(
    "message",
    [
        "",
        "{",
        "[]",
        "1",
        "null",
        '"ping"',
        '{"type": "ping", "payload": NaN}',
        "[" * 50_000,
        "{}",
        '{"type": 1}',
        '{"type": "start", "id": "1"}',
        '{"type": "next", "id": "1", "payload": {}}',
        '{"type": "subscribe", "id": "1"}',
        '{"type": "subscribe", "id": "1", "payload": null}',
        '{"type": "subscribe", "id": "1", "payload": []}',
        '{"type": "subscribe", "id": "1", "payload": {"query": 1}}',
        '{"type": "subscribe", "id": "1", "payload": {"query": "x", "variables": []}}',
        '{"type": "subscribe", "id": "", "payload": {"query": "x"}}',
        '{"type": "subscribe", "id": ["1"], "payload": {"query": "x"}}',
        '{"type": "complete"}',
        '{"type": "connection_init", "payload": []}',
        b'{"type": "ping"}',
    ],
    ids=lambda message: repr(message)[:40],
)
async def test_an_invalid_message_of_the_protocol_closes_the_connection(sockets, key, message) -> None:
    async with connected(sockets, key=key) as subscriber:
        await subscriber.send(message)
        code, reason = await subscriber.closed()

    assert code == 4400
    assert reason


async def test_the_websocket_protocol_is_followed(sockets, key) -> None:
    """A second init or a used id closes the connection; pings are answered, unknown ids ignored."""
    async with connected(sockets, key=key) as subscriber:
        await subscriber.send({"type": "ping", "payload": {"any": "thing"}})
        assert await subscriber.read() == {"type": "pong"}
        await subscriber.send({"type": "pong"})
        await subscriber.send({"type": "complete", "id": "never begun"})
        await subscriber.send({"type": "connection_init"})
        assert (await subscriber.closed())[0] == 4429
    async with connected(sockets, key=key) as subscriber:
        for _ in range(2):
            await subscriber.send({"type": "subscribe", "id": "1", "payload": {"query": MEMORIES}})
        assert await subscriber.closed() == (4409, "Subscriber for 1 already exists")


@pytest.mark.parametrize("protocols", [None, ["graphql-ws"], ["soap"]], ids=repr)
async def test_another_websocket_protocol_is_refused(sockets, protocols) -> None:
    async with connected(sockets, subprotocols=protocols) as subscriber:
        assert await subscriber.closed() == (4406, "Subprotocol not acceptable")


async def test_a_page_of_another_origin_may_not_connect(sockets) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with connected(sockets, origin="https://elsewhere.example"):
            pass

    assert refused.value.response.status_code == 403


async def test_a_websocket_at_another_path_is_refused(sockets) -> None:
    with pytest.raises(InvalidStatus) as refused:
        async with connected(sockets.replace("/graphql", "/health")):
            pass

    assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    ("query", "code", "said"),
    [
        ("subscription {", "INVALID_INPUT", "Syntax Error"),
        ("", "INVALID_INPUT", "query"),
        ("fragment F on Query { me { name } }", "INVALID_INPUT", "operation"),
        ("subscription { nothing }", "INVALID_INPUT", "Cannot query field 'nothing'"),
        ("subscription { memoryEvents { at } jobEvents { id } }", "INVALID_INPUT", "must select only one"),
        ("subscription { memoryEvents(workspaceId: 1.5) { at } }", "INVALID_INPUT", "ID cannot represent"),
        (
            "subscription { memoryEvents { memory { "
            + "associations { other { " * 8
            + "id"
            + " } }" * 8
            + " } } }",
            "TOO_COMPLEX",
            "the query has 18 levels; 15 are allowed",
        ),
        (
            "subscription { memoryEvents { " + " ".join(f"a{i}: at" for i in range(60)) + " } }",
            "TOO_COMPLEX",
            "the query has 60 aliases; 50 are allowed",
        ),
        ("subscription { memoryEvents { " + "at " * 10_001 + "} }", "TOO_COMPLEX", "more than 10000 tokens"),
    ],
    ids=lambda value: repr(value)[:48],
)
async def test_a_refused_subscription_keeps_the_connection_open(
    services, sockets, heard, key, workspace_id, query, code, said
) -> None:
    """Limits of depth, aliases and tokens apply to subscriptions; others on the connection go on."""
    async with connected(sockets, key=key) as subscriber:
        error = await subscriber.error(await subscriber.subscribe(query))
        assert await subscriber.is_silent()

    assert (error["code"], error["field"]) == (code, None)
    assert said in error["message"]


async def test_queries_and_mutations_are_answered_as_by_request(sockets, graphql) -> None:
    """Each sees its own writes and notices, and ends after its only result."""
    async with connected(sockets, key=graphql.key) as client:
        saved = await client.subscribe(SAVE, text="The buoy is red")
        id_ = (await client.next(saved))["saveMemory"]["memory"]["id"]
        changed = await client.subscribe(CHANGE, id=id_, text="The buoy is green")
        assert await client.next(changed) == {"updateMemory": {"content": "The buoy is green"}}
        read = await client.subscribe(READ, id=id_)
        assert await client.next(read) == {"memory": {"content": "The buoy is green"}, "me": {"name": "test"}}
        last = await client.read()
        ends = [{"id": id_, "type": "complete"} for id_ in (saved, changed, read)]
        assert [*client.received, last] == ends


async def test_a_websocket_refuses_the_same_operations_as_a_request(sockets, graphql) -> None:
    async with connected(sockets, key=graphql.key) as client:
        error = await client.error(await client.subscribe(SAVE, text=""))

    assert error == await graphql.error(SAVE, text="")


async def test_each_operation_counts_as_a_request_of_its_key(services, sockets, workspace_id) -> None:
    _, secret = await services.tenancy.keys.create(
        workspace_id, name="limited", scopes=[Scope.READ], requests_per_minute=2
    )
    async with connected(sockets, key=secret) as client:
        for _ in range(6):  # the minute may change once
            await client.subscribe("{ me { name } }")
        while (told := await client.read())["type"] != "error":
            assert told.get("payload", {"data": {"me": {"name": "limited"}}}) == {
                "data": {"me": {"name": "limited"}}
            }

    assert told["payload"] == [
        {
            "message": "this key may make 2 requests a minute",
            "extensions": {"code": "RATE_LIMITED", "field": None},
        }
    ]


async def test_a_disconnected_client_ends_its_subscriptions(services, sockets, key, monkeypatch) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def stuck(*_: object, **__: object) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    monkeypatch.setattr(services.retrieval.recall, "recall", stuck)
    async with connected(sockets, key=key) as client:
        await client.subscribe('{ recall(input: {query: "tea"}) { totalTokens } }')
        await begun.wait()

    await ended.wait()


async def test_a_revoked_key_also_ends_operations_without_a_workspace(
    services, sockets, workspace_id
) -> None:
    key, secret = await services.tenancy.keys.create(workspace_id, name="brief", scopes=[Scope.READ])
    async with connected(sockets, key=secret) as client:
        assert await client.next(await client.subscribe("{ me { name } }")) == {"me": {"name": "brief"}}
        await services.tenancy.keys.revoke(key.id)

        assert (await client.error(await client.subscribe("{ me { name } }")))["code"] == "UNAUTHENTICATED"


async def test_a_connection_has_a_limited_number_of_subscriptions(sockets, key) -> None:
    async with connected(sockets, key=key) as subscriber:
        ids = [await subscriber.subscribe(MEMORIES) for _ in range(21)]
        message = await subscriber.read()

    assert (message["id"], message["type"]) == (ids[-1], "error")
    assert message["payload"][0]["message"] == "Subscription limit reached"


async def test_a_server_that_stops_does_not_wait_for_subscribers(services, heard, key, workspace_id) -> None:
    """Close code 1012 announces a restart, so clients come back."""
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(serving(create_app(services), graceful_seconds=200))
        async with connected(url, key=key) as subscriber:
            await subscriber.subscribe(MEMORIES)
            await heard.by(workspace_id)
            async with asyncio.timeout(scaled_timeout(90)):
                await stack.aclose()

            assert (await subscriber.closed())[0] == 1012
