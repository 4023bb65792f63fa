"""Callers that send slowly or too much, or disconnect: refused in time, without effect on others.

Costly GraphQL documents are in tests/unit/surfaces/graphql/test_query_attacks.py.
"""

import asyncio
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from app.cli.servers.api_server import _Server
from app.cli.servers.foreground import listening_socket
from app.main import create_app
from app.surfaces.http.limits import MESSAGE_BYTES
from app.surfaces.http.strict_json import LARGE_BYTES
from app.surfaces.pages.signing_in import PATH as PATH_TO_SIGN_IN
from graph.memories.models import MemoryDraft
from graph.tenancy.models import Scope
from tests.fixtures.app import ADMIN_KEY
from tests.fixtures.chat_proxy import ServedProxy, opened_proxy
from tests.fixtures.logging import written_log
from tests.fixtures.replaced import with_service
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.upstream import Sends
from tests.fixtures.waiting import until

PATIENCE_SECONDS = 90
ROUTES = {
    "GraphQL": "/graphql",
    "REST": "/v1/workspaces/default/memories",
    "inject": "/v1/inject",
    "AutoMem": "/memory",
    "OmniRoute": "/api/memory",
    "MCP": "/mcp",
    "chat proxy": "/v1/chat/completions",
    "signing in": PATH_TO_SIGN_IN,
}


BEHIND_EVERY_SURFACE = ("graph.", "periodic.", "redis.", "text_work.", "worker.")


def told_of_callers(log: io.StringIO) -> list[dict[str, Any]]:
    """Return the log without the entries of background work."""
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    return [line for line in lines if not line["event"].startswith(BEHIND_EVERY_SURFACE)]


@dataclass(frozen=True)
class Served:
    """The address of a running service."""

    host: str
    port: int

    @asynccontextmanager
    async def connection(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            yield reader, writer
        finally:
            writer.close()

    def headers(self, path: str, length: int, *more: str) -> bytes:
        lines = [
            f"POST {path} HTTP/1.1",
            f"Host: {self.host}",
            f"Authorization: Bearer {ADMIN_KEY}",
            f"Content-Type: {'application/x-www-form-urlencoded' if path == PATH_TO_SIGN_IN else 'application/json'}",
            f"Content-Length: {length}",
            *more,
        ]
        return "\r\n".join([*lines, "", ""]).encode()


@asynccontextmanager
async def serving(app, header_seconds: float) -> AsyncIterator[Served]:
    """Serve an application as the command line does."""
    with listening_socket("127.0.0.1", 0) as listener:
        started = asyncio.Event()
        server = _Server(app, started.set, header_seconds)
        running = asyncio.create_task(server.serve(sockets=[listener]))
        await started.wait()
        try:
            yield Served(*listener.getsockname())
        finally:
            server.should_exit = True
            await running


@pytest.fixture(scope="module")
async def impatient(services, default_proxy) -> AsyncIterator[Served]:
    """Serve an application that waits two seconds for headers and for bodies."""
    app = create_app(services, default_proxy[0], body_seconds=2)
    async with serving(app, header_seconds=2) as served:
        yield served


async def ended(reader: asyncio.StreamReader) -> bytes:
    """Return everything that arrives until the service closes the connection."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        return await reader.read()


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: "])
async def test_endless_headers_close_the_connection(impatient, sent) -> None:
    """C15."""
    async with impatient.connection() as (reader, writer):
        writer.write(sent)

        assert await ended(reader) == b""


async def test_slow_headers_close_the_connection(impatient) -> None:
    """C15: no byte extends the deadline."""
    async with impatient.connection() as (reader, writer):

        async def trickle() -> None:
            writer.write(b"GET /health HTTP/1.1\r\n")
            while not writer.is_closing():
                writer.write(b"X-Slow: 1\r\n")
                await asyncio.sleep(0.05)

        trickling = asyncio.create_task(trickle())
        with suppress(ConnectionError):  # its next write may meet a closed connection
            assert await ended(reader) == b""
        trickling.cancel()


async def test_the_second_request_of_a_connection_has_a_deadline_too(impatient) -> None:
    """C15."""
    async with impatient.connection() as (reader, writer):
        writer.write(b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(b"GET /health HTTP/1.1\r\nX-Slow: ")
        rest = await ended(reader)

    assert head.startswith(b"HTTP/1.1 200")
    assert b"HTTP/1.1" not in rest


@pytest.mark.parametrize("path", ROUTES.values(), ids=ROUTES)
async def test_an_endless_body_is_refused(impatient, path) -> None:
    """C15: with 408 in the form of the route; the connection closes."""
    async with impatient.connection() as (reader, writer):
        writer.write(impatient.headers(path, 1000) + b'{"a": ')
        answer = await ended(reader)

    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408"), answer
    assert b"body: must arrive within 2 seconds" in body
    assert json.loads(body)


async def test_a_slow_body_is_refused(impatient) -> None:
    """C15: the deadline is for the whole body."""
    async with impatient.connection() as (reader, writer):
        writer.write(impatient.headers("/graphql", 100_000))

        async def trickle() -> None:
            while True:
                writer.write(b" ")
                await asyncio.sleep(0.05)

        trickling = asyncio.create_task(trickle())
        answer = await reader.readuntil(b"\r\n")
        trickling.cancel()

    assert answer.startswith(b"HTTP/1.1 408")


async def test_slow_answers_are_not_cut_off(impatient) -> None:
    """The deadline is for requests only: a websocket stays open beyond it."""
    async with connect(
        f"ws://{impatient.host}:{impatient.port}/graphql", subprotocols=["graphql-transport-ws"]
    ) as socket:
        await socket.send(json.dumps({"type": "connection_init", "payload": {"X-API-Key": ADMIN_KEY}}))
        assert json.loads(await socket.recv())["type"] == "connection_ack"
        await asyncio.sleep(3)
        await socket.send(json.dumps({"type": "ping"}))
        assert json.loads(await socket.recv())["type"] == "pong"


async def test_websocket_messages_have_a_size_limit(impatient) -> None:
    """C15."""
    async with connect(
        f"ws://{impatient.host}:{impatient.port}/graphql", subprotocols=["graphql-transport-ws"]
    ) as socket:
        await socket.send(json.dumps({"type": "connection_init", "payload": {"X-API-Key": ADMIN_KEY}}))
        await socket.recv()
        await socket.send(json.dumps({"type": "ping", "payload": {"x": "x" * MESSAGE_BYTES}}))
        with pytest.raises(ConnectionClosed) as closed:
            await socket.recv()

    assert closed.value.rcvd.code == 1009


@pytest.mark.parametrize("path", ROUTES.values(), ids=ROUTES)
async def test_disconnecting_while_sending_the_body_is_not_an_error(impatient, path) -> None:
    """C20: nothing above level info is logged."""
    with written_log("warning") as log:
        async with impatient.connection() as (_, writer):
            writer.write(impatient.headers(path, 1000) + b'{"a": ')
            await writer.drain()
            await asyncio.sleep(0.1)
            writer.transport.abort()
        await _others_are_served(impatient)

    assert told_of_callers(log) == []


async def test_disconnecting_before_the_answer_is_not_an_error(impatient) -> None:
    """C20."""
    body = json.dumps({"query": "{ memories { totalCount } }"}).encode()
    with written_log("warning") as log:
        for path in ("/graphql", "/mcp", "/v1/inject"):
            for _ in range(3):
                async with impatient.connection() as (_, writer):
                    writer.write(impatient.headers(path, len(body)) + body)
                    await writer.drain()
                    writer.transport.abort()
        await _others_are_served(impatient)

    assert told_of_callers(log) == []


async def test_a_disconnecting_subscriber_is_not_an_error(impatient, services, heard, workspace_id) -> None:
    """C20."""
    _, key = await services.tenancy.keys.create(workspace_id, name="listener", scopes=[Scope.READ])
    with written_log("warning") as log:
        for query in ("subscription { memoryEvents { at } }", "subscription { nothing }"):
            socket = await connect(
                f"ws://{impatient.host}:{impatient.port}/graphql", subprotocols=["graphql-transport-ws"]
            )
            await socket.send(json.dumps({"type": "connection_init", "payload": {"X-API-Key": key}}))
            await socket.recv()
            await socket.send(json.dumps({"type": "subscribe", "id": "1", "payload": {"query": query}}))
            if "memoryEvents" in query:
                await heard.by(workspace_id)
            socket.transport.abort()
            for text in ("one", "two", "three"):
                await services.memories.store.save(workspace_id, MemoryDraft(content=f"{text} for nobody"))
        await _others_are_served(impatient)

    assert told_of_callers(log) == []


@pytest.mark.parametrize("stream", [True, False])
async def test_disconnecting_during_a_chat_is_not_an_error(chat_proxy: ServedProxy, upstream, stream) -> None:
    """C20: in the middle of a stream, and before the upstream answers."""
    gate = asyncio.Event()
    kind = "text/event-stream" if stream else "application/json"
    upstream.answers = [
        Sends((b"data: {}\n\n", b"data: [DONE]\n\n"), headers=(("content-type", kind),), gate=gate)
    ]
    body = json.dumps(
        {"model": "m", "stream": stream, "messages": [{"role": "user", "content": "Hi"}]}
    ).encode()
    address = urlsplit(chat_proxy.url)
    with written_log("warning") as log:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        writer.write(
            b"POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            + f"Authorization: Bearer {chat_proxy.key}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
            + body
        )

        async def is_asked() -> bool:
            return bool(upstream.requests)

        await until(is_asked)
        if stream:
            await reader.readuntil(b"data: {}")
        writer.transport.abort()
        await asyncio.sleep(0.2)
        gate.set()
        await chat_proxy.proxy.drain()
        await asyncio.sleep(0.2)

    assert told_of_callers(log) == []


async def _others_are_served(served: Served) -> None:
    """Return once the service has answered another caller twice."""
    async with httpx.AsyncClient(
        base_url=f"http://{served.host}:{served.port}", timeout=scaled_timeout(60)
    ) as http:
        for _ in range(2):
            assert (await http.get("/health")).status_code == 200
            await asyncio.sleep(0.1)


LARGE_BODIES = {
    "GraphQL": ("/graphql", {"query": "{ me { name } }", "variables": {"x": "y" * LARGE_BYTES}}),
    "REST": (
        "/v1/workspaces/default/memories",
        {"content": "a large body", "metadata": {str(i): "x" * 1000 for i in range(600)}},
    ),
    "MCP": (
        "/mcp",
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": {"x": "y" * LARGE_BYTES}}},
    ),
    "chat proxy": (
        "/v1/chat/completions",
        {"model": "m", "messages": [{"role": "user", "content": "y" * LARGE_BYTES}]},
    ),
}


class CountingWork:
    """Workers that record the work they run."""

    def __init__(self, work) -> None:
        self._work = work
        self.done: list[str] = []

    async def run(self, work, *arguments, chars):
        self.done.append(work.func.__name__)
        return await self._work.run(work, *arguments, chars=chars)


@pytest.mark.parametrize(("path", "body"), LARGE_BODIES.values(), ids=LARGE_BODIES)
async def test_large_json_is_read_in_another_process(services, settings, upstream, path, body) -> None:
    """C15: once, on every route that accepts it, and as strictly as small JSON."""
    elsewhere = CountingWork(services.core.body_work)
    counted = with_service(services, "core.body_work", elsewhere)
    text = json.dumps(body)
    async with (
        opened_proxy(counted, settings, upstream) as (_, url),
        httpx.AsyncClient(base_url=url, timeout=scaled_timeout(60)) as http,
    ):
        headers = {
            "Authorization": f"Bearer {ADMIN_KEY}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        taken = await http.post(path, content=text, headers=headers)
        twice = await http.post(path, content=text[:-1] + ', "a": 1, "a": 2}', headers=headers)

    assert elsewhere.done == ["_packed"] * 2
    assert "must be valid JSON" not in taken.text
    assert taken.status_code in {200, 201, 400}  # metadata has its own size limit
    if path != "/v1/chat/completions":  # a body that cannot be read is forwarded unchanged
        assert "contains the key 'a' twice in one object" in twice.text
