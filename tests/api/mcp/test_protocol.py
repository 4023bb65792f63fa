"""The protocol of ``/mcp``: authentication, early refusals, and the server's description of itself."""

import json
import re
from typing import Any

import httpx
import pytest

from app.main import create_app
from app.surfaces.dialects import TOOLS
from app.surfaces.mcp.endpoint import MOST_BYTES
from app.surfaces.mcp.profiles import ToolProfile
from graph.tenancy.models import Scope
from tests.fixtures.app import ADMIN_KEY
from tests.fixtures.timeouts import scaled_timeout

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
NEEDED = "an API key is needed: send it as 'Authorization: Bearer <key>' or 'X-API-Key'"
UNKNOWN = "this API key is unknown, revoked or expired"


async def post(
    http: httpx.AsyncClient, body: Any, profile: str | None = None, **headers: str
) -> httpx.Response:
    given = {**JSON, "Authorization": f"Bearer {ADMIN_KEY}", **headers}
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    address = "/mcp" if profile is None else f"/mcp?profile={profile}"
    return await http.post(address, content=content, headers=given)


async def test_initialize_returns_the_servers_name_and_instructions(agent) -> None:
    """K13: initialize."""
    headers = {"Authorization": f"Bearer {agent.key}", **JSON}
    asked = {
        "jsonrpc": "2.0",
        "id": "a",
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    async with httpx.AsyncClient(timeout=scaled_timeout(60)) as http:
        answer = await http.post(f"{agent.url}/mcp", json=asked, headers=headers)

    assert answer.headers["content-type"] == "application/json"
    assert re.fullmatch(r"[0-9a-f]{32}", answer.headers["mcp-session-id"])
    told = answer.json()
    assert (told["jsonrpc"], told["id"]) == ("2.0", "a")
    assert told["result"]["protocolVersion"] == "2025-06-18"
    assert told["result"]["serverInfo"]["name"] == "recollect"
    assert told["result"]["capabilities"].keys() - {"experimental"} == {
        "tools",
        "resources",
        "prompts",
        "completions",
    }
    assert "call context" in told["result"]["instructions"]


@pytest.mark.parametrize(
    ("scopes", "listed"),
    [
        ((Scope.READ,), (Scope.READ,)),
        ((Scope.WRITE,), (Scope.WRITE,)),
        ((Scope.READ, Scope.WRITE), (Scope.READ, Scope.WRITE)),
        ((Scope.ADMIN,), tuple(Scope)),
    ],
    ids=str,
)
async def test_a_key_lists_only_the_tools_it_may_use(agent_of, workspace_id, scopes, listed) -> None:
    """K13: tools/list."""
    agent = await agent_of(workspace_id, scopes)
    async with agent.session() as session:
        told = await session.list_tools()

    assert [tool.name for tool in told.tools] == [tool.name for tool in TOOLS if tool.scope in listed]


async def test_the_default_profile_lists_few_tools_and_an_agent_may_call_all(agent) -> None:
    async with agent.session(profile=None) as session:
        told = await session.list_tools()
        answered = await session.call_tool("memory.search", {"query": "pour the tea"})

    names = [tool.name for tool in told.tools]
    assert names == ["remember", "recall", "context", "forget", "relate", "record", "ask", "get"]
    assert not answered.isError


async def test_the_deployment_sets_the_profile_and_the_address_overrides_it(services) -> None:
    transport = httpx.ASGITransport(create_app(services, mcp_profile=ToolProfile.XEROTIER))
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as http:
        default = (await post(http, LIST)).json()["result"]["tools"]
        named = (await post(http, LIST, profile="omniroute")).json()["result"]["tools"]

    assert [tool["name"] for tool in default] == ["x_save_memory", "x_recall_memory", "x_workspace_search"]
    assert [tool["name"] for tool in named] == [
        f"omniroute_memory_{what}" for what in ("search", "add", "clear")
    ]


async def test_an_unknown_profile_is_refused(http) -> None:
    told = (await post(http, LIST, profile="everything")).json()

    assert told["error"]["code"] == -32602
    assert told["error"]["message"] == (
        "there is no profile 'everything'; the profiles are: agent, full, automem, omniroute, oxagen, xerotier"
    )


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
async def test_a_tool_refuses_a_key_without_the_scope(agent_of, workspace_id, tool) -> None:
    """K13, K17: before it reads the arguments."""
    scopes = [scope for scope in (Scope.READ, Scope.WRITE) if scope is not tool.scope]
    agent = await agent_of(workspace_id, scopes)

    error = await agent.error(tool.name, no_such_argument=1)

    assert (error["code"], error["field"]) == ("FORBIDDEN", None)
    assert error["message"].startswith(f"this key lacks the scope '{tool.scope}'")


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ({}, NEEDED),
        ({"Authorization": "Basic dXNlcjpwYXNz"}, NEEDED),
        ({"X-API-Key": ""}, NEEDED),
        ({"Authorization": f"Bearer {ADMIN_KEY}x"}, UNKNOWN),
        ({"X-API-Key": "*"}, UNKNOWN),
        ({"Cookie": f"session={ADMIN_KEY}"}, NEEDED),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_an_invalid_key_gets_only_an_error(http, method, headers, message) -> None:
    """K13, K17: the status is 401 for any body, even an unreadable one."""
    response = await http.request(method, "/mcp", content=b"{", headers={**JSON, **headers})

    assert response.status_code == 401
    assert response.headers["www-authenticate"] == "Bearer"
    assert response.json() == {"error": message, "field": None}


async def test_a_key_in_the_address_is_ignored(http) -> None:
    response = await http.post(f"/mcp?api_key={ADMIN_KEY}", json=PING, headers=JSON)

    assert response.status_code == 401


async def test_both_headers_carry_a_key(http) -> None:
    bearer = await post(http, PING)
    other = await http.post("/mcp", json=PING, headers={**JSON, "X-API-Key": ADMIN_KEY})

    assert [answer.json() for answer in (bearer, other)] == [{"jsonrpc": "2.0", "id": 1, "result": {}}] * 2


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
async def test_get_and_delete_are_refused(http, method) -> None:
    """Clients that try them accept 405 as an answer (MCP, streamable HTTP)."""
    response = await http.request(method, "/mcp", headers={"X-API-Key": ADMIN_KEY, **JSON})

    assert (response.status_code, response.headers["allow"]) == (405, "POST")
    assert response.json()["field"] is None


async def test_paths_below_the_endpoint_do_not_exist(http) -> None:
    response = await http.post("/mcp/sse", json=PING, headers={"X-API-Key": ADMIN_KEY, **JSON})

    assert response.status_code == 404


@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        (b"", -32700, "body: must be valid JSON: Expecting value"),
        (b"{", -32700, "body: must be valid JSON: Expecting property name"),
        (b"\xff\xfe", -32700, "body: must be valid UTF-8"),
        (b'{"jsonrpc": "2.0", "id": NaN, "method": "ping"}', -32700, "body: must hold finite numbers only"),
        (
            b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}',
            -32700,
            "body: contains the key 'id' twice",
        ),
        (b'{"jsonrpc": "2.0", "id": "\\ud800", "method": "ping"}', -32700, "id: must be valid Unicode"),
        (b'{"a":' * 65 + b"1" + b"}" * 65, -32700, "body: must not be nested deeper than 64 levels"),
        (b"[" * 200_000, -32700, "body: must not be nested deeper than 64 levels"),
        (b"1" * 5000, -32700, "body: must hold finite numbers only"),
        (b"[]", -32600, "the body must be one JSON-RPC message"),
        (b"{}", -32600, "method is required"),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600, "id: "),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600, "id: "),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600, "jsonrpc: "),
    ],
    ids=lambda value: repr(value)[:30],
)
async def test_an_invalid_message_is_refused_first(http, body, code, message) -> None:
    response = await post(http, body)

    assert response.status_code == 400
    told = response.json()
    assert (told["jsonrpc"], told["id"], told["error"]["code"]) == ("2.0", None, code)
    assert told["error"]["message"].startswith(message)


@pytest.mark.parametrize(
    ("request_", "code", "message"),
    [
        ({"method": "memories/steal"}, -32601, "there is no method 'memories/steal'"),
        ({"method": "tools/call", "params": {}}, -32602, "params.name: Field required"),
        ({"method": "tools/call", "params": {"name": 1}}, -32602, "params.name: "),
        ({"method": "tools/call", "params": {"name": "x", "arguments": []}}, -32602, "params.arguments: "),
        ({"method": "resources/read", "params": {"uri": "no uri"}}, -32602, "params.uri: "),
        ({"method": "completion/complete", "params": {}}, -32602, "params.ref"),
        ({"method": "logging/setLevel", "params": {"level": "debug"}}, -32601, "Method not found"),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_a_request_that_cannot_be_answered_gets_an_error_of_its_own(
    http, request_, code, message
) -> None:
    response = await post(http, {"jsonrpc": "2.0", "id": 7, **request_})

    told = response.json()
    assert (response.status_code, told["id"], told["error"]["code"]) == (200, 7, code)
    assert told["error"]["message"].startswith(message)


async def test_unknown_notifications_are_accepted(http) -> None:
    known = await post(http, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    unknown = await post(http, {"jsonrpc": "2.0", "method": "notifications/of_another_time"})

    assert [(answer.status_code, answer.content) for answer in (known, unknown)] == [(202, b"")] * 2


@pytest.mark.parametrize("declared", [True, False], ids=["declared", "not declared"])
async def test_a_body_that_is_too_large_is_not_read_to_its_end(http, declared) -> None:
    async def chunks():
        for _ in range(5):
            yield b" " * 1024 * 1024

    headers = {**JSON, "X-API-Key": ADMIN_KEY}
    body: Any = b" " * (MOST_BYTES + 1) if declared else chunks()
    response = await http.post("/mcp", content=body, headers=headers)

    assert response.status_code == 413
    assert response.json() == {"error": f"body: must have at most {MOST_BYTES} bytes", "field": "body"}


async def test_a_compressed_body_is_refused(http) -> None:
    response = await post(http, b"\x1f\x8b", **{"Content-Encoding": "gzip"})

    assert response.status_code == 415


@pytest.mark.parametrize(
    "media_type", ["text/plain", "application/jsonp", "", "multipart/form-data; boundary=x"]
)
async def test_a_body_must_have_the_json_media_type(http, media_type) -> None:
    """A page of another site may send other media types without a preflight."""
    response = await post(http, PING, **{"Content-Type": media_type})

    assert response.status_code == 415
    assert response.json()["field"] == "body"


@pytest.mark.parametrize("media_type", ["application/json; charset=utf-8", "application/json ; profile=x"])
async def test_json_media_types_may_have_parameters(http, media_type) -> None:
    assert (await post(http, PING, **{"Content-Type": media_type})).status_code == 200


@pytest.mark.parametrize(
    "accept",
    [
        "*/*",
        "application/*",
        "",
        "text/html, */*;q=0.1",
        "APPLICATION/JSON;q=0.5",
        "application/*, text/event-stream",
    ],
)
async def test_accept_may_be_a_range(http, accept) -> None:
    """Issue 35 point 22."""
    response = await post(http, LIST, Accept=accept)

    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.json()["result"]["tools"]


async def test_a_client_may_omit_accept(services) -> None:
    """Issue 35 point 22."""
    transport = httpx.ASGITransport(create_app(services), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as client:
        del client.headers["accept"]
        headers = {"Authorization": f"Bearer {ADMIN_KEY}"}
        response = await client.post("/mcp", json=PING, headers=headers)

    assert "accept" not in response.request.headers
    assert response.json() == {"jsonrpc": "2.0", "id": 1, "result": {}}


async def test_a_client_that_does_not_accept_json_is_refused(http) -> None:
    response = await post(http, PING, Accept="text/html")

    assert response.status_code == 406


async def test_a_page_of_another_site_may_not_call(http) -> None:
    """MCP: servers validate Origin; the service's own pages may call."""
    strange = await post(http, PING, Origin="https://evil.example")
    own = await post(http, PING, Origin="http://recollect.test")

    assert (strange.status_code, own.status_code) == (403, 200)


@pytest.fixture
async def loopback(services):
    """Yield a client of the application on a loopback address, with one allowed origin."""
    app = create_app(
        services, allowed_origins=["https://chat.example"], hosts=["127.0.0.1", "localhost", "memory.example"]
    )
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        yield client


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("127.0.0.1:8000", None, 200),
        ("localhost", "http://localhost", 200),
        ("memory.example", "https://memory.example", 200),
        ("127.0.0.1:8000", "https://chat.example", 200),
        ("evil.example", None, 421),
        ("evil.example:8000", "http://evil.example:8000", 421),
        ("127.0.0.1:8000", "https://evil.example", 403),
        ("127.0.0.1:8000", "http://[", 403),
    ],
)
async def test_a_loopback_address_accepts_only_loopback_host_names(loopback, host, origin, status) -> None:
    """DNS rebinding: the name belongs to evil.example, the address to this service."""
    headers = {"Host": host} | ({"Origin": origin} if origin else {})

    assert (await post(loopback, PING, **headers)).status_code == status


async def test_any_replica_answers_any_request_of_a_session(services, http) -> None:
    """The server keeps no state between requests."""
    transport = httpx.ASGITransport(create_app(services), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://another.test") as replica:
        names = [
            [tool["name"] for tool in (await post(each, LIST, profile="full")).json()["result"]["tools"]]
            for each in (http, replica, http)
        ]

    assert names == [[tool.name for tool in TOOLS]] * 3


async def test_an_unknown_tool_is_refused_by_name(agent) -> None:
    error = await agent.error("memory.steal")

    assert error == {"code": "INVALID_INPUT", "field": "name", "message": "there is no tool 'memory.steal'"}


async def test_unexpected_errors_are_masked(agent, services, monkeypatch) -> None:
    """Design §8: they contain a reference into the log instead of the original message."""

    async def fail(*_: object, **__: object) -> None:
        raise RuntimeError("bolt://neo4j:hunter2@10.0.0.7")

    monkeypatch.setattr(services.memories.store, "save", fail)
    monkeypatch.setattr(services.knowledge.traversal, "find", fail)

    error = await agent.error("store_memory", content="The tea is green")
    async with agent.session() as session:
        with pytest.raises(Exception, match="the log has it under") as raised:
            await session.read_resource("recollect://memory/mem_1")

    assert (error["code"], error["field"]) == ("INTERNAL", None)
    assert error["message"].startswith("an unexpected error occurred; the log has it under ")
    assert "hunter2" not in str(error) + str(raised.value)
