"""Malformed bodies on every route: an error in the form of the route, and nothing is stored.

The chat proxy forwards unreadable requests to the upstream (tests/api/proxy/test_refusals.py); bodies that
are refused before they are read are refused there too.
"""

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

from app.surfaces.http.limits import FORM_BODY_BYTES, LARGEST_BODY_BYTES, USUAL_BODY_BYTES
from app.surfaces.mcp.endpoint import MOST_BYTES
from graph.tenancy.models import Scope
from tests.fixtures.graphs import fingerprint

SAVE = "mutation($content: String!) { saveMemory(input: {content: $content}) { outcome } }"
CAPTURE_BYTES = 8 * 1024 * 1024
REST, GRAPHQL, MCP, OPENAI = {"error", "field"}, {"data", "errors"}, {"jsonrpc", "id", "error"}, {"error"}
AUTOMEM = frozenset(REST | {"message"})
NO_ID = "00000000-0000-4000-8000-000000000000"


@dataclass(frozen=True)
class Route:
    """A route through which a text enters.

    Attributes:
        saying: A body with the text in it.
        most: The largest body in bytes.
        form: The keys of a refusal.
        text: The field of the text; None if it is a choice or an id.
        passes_over: The status for a text that is skipped because it cannot be stored; None if it is refused.
        mends_halves: Whether the route replaces half an emoji instead of refusing it.
    """

    method: str
    path: str
    saying: Callable[[Any], Any]
    most: int = USUAL_BODY_BYTES
    form: frozenset[str] = frozenset(REST)
    text: str | None = "content"
    passes_over: int | None = None
    mends_halves: bool = False


def _call(text: Any) -> Any:
    params = {"name": "store_memory", "arguments": {"content": text}}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def _content(text: Any) -> Any:
    return {"content": text}


ROUTES = {
    "GraphQL": Route(
        "POST",
        "/graphql",
        lambda text: {"query": SAVE, "variables": {"content": text}},
        LARGEST_BODY_BYTES,
        frozenset(GRAPHQL),
    ),
    "MCP": Route("POST", "/mcp", _call, MOST_BYTES, frozenset(MCP)),
    "AutoMem": Route("POST", "/memory", _content, form=AUTOMEM),
    "AutoMem, a change": Route("PATCH", f"/memory/{NO_ID}", _content, form=AUTOMEM),
    "AutoMem, a relation": Route(
        "POST",
        "/associate",
        lambda text: {"memory1_id": text, "memory2_id": "x", "type": "RELATES_TO"},
        form=AUTOMEM,
        text=None,
    ),
    "OmniRoute": Route("POST", "/api/memory", lambda text: {"content": text, "key": "k"}),
    "OmniRoute, a change": Route("PUT", "/api/memory/x", _content),
    "OmniRoute, a preview": Route(
        "POST", "/api/memory/retrieve-preview", lambda text: {"query": text}, text="query"
    ),
    "OmniRoute, settings": Route("PUT", "/api/settings/memory", lambda text: {"strategy": text}, text=None),
    "Xerotier": Route("POST", "/chat/api/c/memory", _content),
    "Xerotier, a workspace": Route("POST", "/chat/api/workspaces/{workspace}/memories", _content),
    "Xerotier, an output": Route(
        "POST",
        "/chat/api/c/outputs",
        lambda text: {"source": "research", "text": text},
        text="text",
        passes_over=202,
    ),
    "Oxagen": Route(
        "PUT", "/v1/workspaces/{workspace}/settings", lambda text: {"memory": {"enabled": text}}, text=None
    ),
    "programs": Route("POST", "/v1/workspaces/{workspace}/memories", _content),
    "capture": Route(
        "POST",
        "/v1/conversations/c/messages",
        lambda text: {"messages": [{"content": text}]},
        CAPTURE_BYTES,
        mends_halves=True,
    ),
    "a message to complete": Route(
        "POST",
        "/v1/inject",
        lambda text: {"text": text},
        text="text",
        passes_over=200,
        mends_halves=True,
    ),
}
every_route = pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)

UNREADABLE: dict[str, bytes] = {
    "invalid UTF-8": b'"a\xff"',
    "half a pair": b'"a\\ud800"',
    "NaN": b"NaN",
    "-Infinity": b"-Infinity",
    "no float": b"1e400",
    "a key twice": b'{"a": 1, "a": 2}',
    "10,000 levels": b"[" * 10_000 + b"]" * 10_000,
    "10,000 objects": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "never closed": b'"',
    "a number of 5,000 digits": b"1" * 5_000,
}
WHOLE: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", "application/json"),
    "another type": (b"content=x&key=k", "application/x-www-form-urlencoded"),
    "several parts": (
        b'--x\r\nContent-Disposition: form-data; name="content"\r\n\r\nx\r\n--x--',
        "multipart/form-data; boundary=x",
    ),
    "XML": (b'<?xml version="1.0"?><content>x</content>', "application/xml"),
    "UTF-16": ('{"content": "x"}'.encode("utf-16"), "application/json; charset=utf-16"),
    "a byte order mark": (b'\xef\xbb\xbf{"content": "x"}', "application/json"),
}


@dataclass(frozen=True)
class Sender:
    """A client with the credentials of every route."""

    http: httpx.AsyncClient
    dashboard: httpx.AsyncClient
    key: str
    workspace_id: str

    async def __call__(self, route: Route, content: Any, **headers: str) -> httpx.Response:
        is_dashboards = route.path.startswith("/chat/")
        given = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            **headers,
        }
        if not is_dashboards:
            given["Authorization"] = f"Bearer {self.key}"
        client = self.dashboard if is_dashboards else self.http
        path = route.path.format(workspace=self.workspace_id)
        return await client.request(route.method, path, content=content, headers=given)


@pytest.fixture
async def send(http, dashboard, services, workspace_id) -> Sender:
    """Return a function that sends a body to a route with every right."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    _, key = await services.tenancy.keys.create(workspace_id, name="bad bodies", scopes=list(Scope))
    return Sender(http, dashboard, key, workspace_id)


@pytest.fixture
async def unchanged(send, graph_driver, workspace_id) -> AsyncIterator[None]:
    """Fail if the test leaves anything in the workspace."""
    before = await fingerprint(graph_driver, workspace_id)
    yield
    assert await fingerprint(graph_driver, workspace_id) == before


def refusal(route: Route, answer: httpx.Response) -> tuple[str | None, str]:
    """Return field and message of a refusal in the route's form, or in HTTP's if it comes earlier."""
    assert answer.headers["content-type"].startswith("application/json")
    told = answer.json()
    if told.keys() == REST and (route.form == REST or answer.status_code in (413, 415)):
        return told["field"], told["error"]
    assert told.keys() == route.form
    if route.form == AUTOMEM:
        assert told["message"] == told["error"]
        return told["field"], told["error"]
    if route.form == GRAPHQL:
        (error,) = told["errors"]
        return error["extensions"]["field"], error["message"]
    assert told["error"]["code"] == -32700
    return told["error"]["message"].partition(":")[0], told["error"]["message"]


def path_of(text: str, value: Any) -> str | None:
    """Return the path of a text in a body."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in parts:
        step = f"[{name}]" if isinstance(value, list) else f".{name}"
        if part == text:
            return step.removeprefix(".")
        if (inner := path_of(text, part)) is not None:
            return f"{step}{inner if inner.startswith('[') else f'.{inner}'}".removeprefix(".")
    return None


@every_route
async def test_an_invalid_number_is_refused(send, unchanged, route) -> None:
    unreadable = {
        name: value
        for name, value in UNREADABLE.items()
        if not (name == "half a pair" and route.mends_halves)
    }
    for name, value in unreadable.items():
        said = route.saying("HERE")
        content = json.dumps(said).encode().replace(b'"HERE"', value)

        answer = await send(route, content)

        assert answer.status_code == 400, name
        field, message = refusal(route, answer)
        expected = path_of("HERE", said) if name == "half a pair" else "body"
        assert (field, message.partition(": ")[0]) == (expected, expected), name


@every_route
async def test_a_body_that_is_not_json_is_refused(send, unchanged, route) -> None:
    for name, (content, media_type) in WHOLE.items():
        answer = await send(route, content, **{"Content-Type": media_type})

        assert answer.status_code in (400, 415), name
        field, _ = refusal(route, answer)
        assert field == "body" or (route.path, answer.status_code) == ("/graphql", 400), name


@every_route
async def test_a_compressed_body_is_refused_without_being_unpacked(send, unchanged, route) -> None:
    """A few bytes may unpack to gigabytes."""
    for encoding in ("gzip", "deflate", "br", "zstd", "GZIP", "gzip, gzip", "identity, gzip"):
        answer = await send(route, b"\x1f\x8b" + bytes(1000), **{"Content-Encoding": encoding})

        assert answer.status_code == 415, encoding
        assert refusal(route, answer) == ("body", "body: must come as it is, without Content-Encoding")


@every_route
@pytest.mark.parametrize("is_announced", [True, False], ids=["announced", "in pieces"])
async def test_a_body_that_is_too_large_is_refused(send, unchanged, route, is_announced) -> None:
    """Before it is read, if its length is announced; otherwise at the limit."""
    read = 0

    async def in_pieces() -> AsyncIterator[bytes]:
        nonlocal read
        for _ in range(2 * route.most // 65_536):
            read += 65_536
            yield b" " * 65_536

    answer = await send(route, b" " * (route.most + 1) if is_announced else in_pieces())

    assert answer.status_code == 413
    assert read <= route.most + 2 * 65_536
    field, message = refusal(route, answer)
    assert field == "body"
    assert message.startswith("body: ")


@pytest.mark.parametrize(
    "route",
    [each for each in ROUTES.values() if each.passes_over is None and each is not ROUTES["capture"]],
)
async def test_a_text_with_nul_is_not_stored_and_its_field_is_named(send, unchanged, route) -> None:
    answer = await send(route, _with_nul(route))

    told = answer.json()
    if route.form == GRAPHQL:
        assert told["errors"][0]["extensions"] == {"code": "INVALID_INPUT", "field": route.text}
    elif route.form == MCP:
        assert told["result"]["isError"] is True
        assert told["result"]["structuredContent"]["error"]["field"] == route.text
    else:
        assert answer.status_code in (400, 404)
        assert told.keys() == route.form
        assert answer.status_code == 404 or route.text is None or route.text in told["field"]


@pytest.mark.parametrize("route", [each for each in ROUTES.values() if each.passes_over is not None])
async def test_a_text_with_nul_is_skipped(send, graph_driver, workspace_id, route) -> None:
    """The output of tools and the text of other pages may contain anything; the workspace counts its recalls."""
    before = await _besides_workspace(graph_driver, workspace_id)

    answer = await send(route, _with_nul(route))

    assert answer.status_code == route.passes_over
    assert await _besides_workspace(graph_driver, workspace_id) == before


def _with_nul(route: Route) -> bytes:
    return json.dumps(route.saying("a\x00b " * 60)).encode()


async def _besides_workspace(driver: AsyncDriver, workspace_id: str) -> list[str]:
    return [node for node in await fingerprint(driver, workspace_id) if "'labels': ['Workspace']" not in node]


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses"])
async def test_the_chat_proxy_refuses_in_openais_form(send, path) -> None:
    route = Route("POST", path, _content, LARGEST_BODY_BYTES)

    packed = await send(route, b"\x1f\x8b", **{"Content-Encoding": "gzip"})

    assert packed.status_code == 415
    assert packed.json().keys() == OPENAI
    assert (packed.json()["error"]["type"], packed.json()["error"]["param"]) == (
        "invalid_request_error",
        "body",
    )


FORMS: dict[str, tuple[bytes, dict[str, str], int]] = {
    "nothing": (b"", {}, 401),
    "invalid UTF-8": (b"key=rk_\xff\xfe", {}, 401),
    "half a pair": (b"key=%ED%A0%80", {}, 401),
    "NUL": (b"key=rk_%00&next=%00", {}, 401),
    "a key twice": (b"key=rk_a&key=rk_b", {}, 401),
    "a thousand fields": (b"&".join(b"f%d=x" % number for number in range(1000)), {}, 401),
    "JSON": (b'{"key": "rk_x"}', {"Content-Type": "application/json"}, 401),
    "no parts": (b"--y", {"Content-Type": "multipart/form-data; boundary=x"}, 400),
    "parts without a boundary": (b"--x", {"Content-Type": "multipart/form-data"}, 400),
    "compressed": (b"\x1f\x8b", {"Content-Encoding": "gzip"}, 415),
    "too large": (b"key=" + b"x" * FORM_BODY_BYTES, {}, 413),
}


@pytest.fixture
async def stranger(http) -> AsyncIterator[httpx.AsyncClient]:
    """Yield a client with its own address, whose failures do not count for others."""
    transport = httpx.ASGITransport(
        http._transport.app, raise_app_exceptions=False, client=("203.0.113.9", 1)
    )
    async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as client:
        yield client


@pytest.mark.parametrize(("content", "headers", "status"), FORMS.values(), ids=FORMS)
async def test_an_invalid_form_opens_no_session(stranger, content, headers, status) -> None:
    """I10: the page again, or an error if no browser sends such a form."""
    given = {"Content-Type": "application/x-www-form-urlencoded", **headers}

    answer = await stranger.post("/sign-in", content=content, headers=given)

    assert answer.status_code == status
    assert "set-cookie" not in answer.headers
    if status == 401:
        assert answer.headers["content-type"].startswith("text/html")
    else:
        assert answer.json().keys() == REST


async def test_a_chunked_form_obeys_the_size_limit(stranger) -> None:
    async def in_pieces() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b"x" * 1024

    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = await stranger.post("/sign-in", content=in_pieces(), headers=headers)

    assert answer.status_code == 413
