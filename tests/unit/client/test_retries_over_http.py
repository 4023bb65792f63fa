"""M10 over real sockets: a server that fails in every way, and a client with a simulated sleep."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import pytest

from app.client.generated import RecollectClient
from app.client.transport import ApiError
from tests.fixtures.listeners import unanswered_address
from tests.fixtures.timeouts import scaled_timeout

ME = {"data": {"me": {"keyId": "key_1", "name": "test", "workspaceId": "ws_1", "scopes": ["READ"]}}}
RESET, SILENCE, HALF = object(), object(), object()
"""Ways to fail: close the connection, keep it silent, or stop in the middle."""


@dataclass
class Flaky:
    """A server that gives the listed answers in order: a status, or one of the failures above."""

    answers: list[object]
    bodies: list[bytes] = field(default_factory=list)
    port: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        (length,) = [line[15:] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        self.bodies.append(await reader.readexactly(int(length)))
        answer = self.answers.pop(0)
        if answer is SILENCE:
            await reader.read()
        elif answer is HALF:
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
        elif answer is not RESET:
            body = json.dumps(ME if answer == 200 else {"error": f"status {answer}"}).encode()
            head = f"HTTP/1.1 {answer} x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            writer.write(head.encode() + b"Connection: close\r\n\r\n" + body)
            await writer.drain()
        writer.close()


@pytest.fixture
async def flaky() -> AsyncIterator[Callable]:
    """Yield a function that starts a server with the given answers."""
    servers = []

    async def start(*answers: object) -> Flaky:
        played = Flaky(list(answers))
        server = await asyncio.start_server(played.serve, "127.0.0.1", 0)
        servers.append(server)
        played.port = server.sockets[0].getsockname()[1]
        return played

    yield start
    for server in servers:
        server.close()


def seconds_for(failure: object) -> float:
    """Return the timeout of a request; only silence uses it up."""
    return scaled_timeout(3 if failure is SILENCE else 60)


class Sleeps(list[float]):
    """A recorder of the sleeps asked for, which returns at once."""

    async def __call__(self, seconds: float) -> None:
        self.append(seconds)


@pytest.mark.parametrize(
    "failure", [RESET, SILENCE, HALF, 500, 502, 503, 504], ids="reset silence half 500 502 503 504".split()
)
async def test_temporary_failures_are_retried_three_times(flaky, failure) -> None:
    """M10: 500 ms, 1 s, 2 s."""
    server, slept = await flaky(failure, failure, failure, 200), Sleeps()

    async with RecollectClient(
        f"http://127.0.0.1:{server.port}", "rk", sleep=slept, timeout_seconds=seconds_for(failure)
    ) as client:
        me = await client.me()

    assert me.workspace_id == "ws_1"
    assert slept == [0.5, 1.0, 2.0]
    assert server.bodies == [server.bodies[0]] * 4


async def test_the_fourth_failure_is_raised(flaky) -> None:
    """M10."""
    server, slept = await flaky(503, RESET, 500, 503, 200), Sleeps()

    async with RecollectClient(f"http://127.0.0.1:{server.port}", "rk", sleep=slept) as client:
        with pytest.raises(ApiError) as raised:
            await client.me()

    assert (raised.value.code, raised.value.message) == ("UNAVAILABLE", "status 503")
    assert (len(server.bodies), slept) == (4, [0.5, 1.0, 2.0])


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 415, 422, 429])
async def test_a_refusal_is_never_tried_again(flaky, status) -> None:
    """M10: any 4xx."""
    server, slept = await flaky(status, 200), Sleeps()

    async with RecollectClient(f"http://127.0.0.1:{server.port}", "rk", sleep=slept) as client:
        with pytest.raises(ApiError, match=f"status {status}"):
            await client.me()

    assert (len(server.bodies), slept) == (1, [])


@pytest.mark.parametrize("failure", [RESET, SILENCE, HALF], ids="reset silence half".split())
async def test_rotations_and_questions_are_sent_once(flaky, failure) -> None:
    """A second rotation would end the old secret's grace; a second question would run beside the first."""
    server, slept = await flaky(failure, failure), Sleeps()

    seconds = seconds_for(failure)
    async with RecollectClient(
        f"http://127.0.0.1:{server.port}",
        "rk",
        sleep=slept,
        timeout_seconds=seconds,
        long_timeout_seconds=seconds,
    ) as client:
        for asked in (client.rotate_api_key("key_1"), client.ask("Tabs?")):
            with pytest.raises(ApiError, match="may have been done"):
                await asked

    assert (len(server.bodies), slept) == (2, [])


async def test_a_refused_connection_is_retried_as_often() -> None:
    """M10."""
    slept = Sleeps()

    with unanswered_address() as url:
        async with RecollectClient(url, "rk", sleep=slept) as client:
            with pytest.raises(ApiError) as raised:
                await client.me()

    assert (raised.value.code, slept) == ("UNAVAILABLE", [0.5, 1.0, 2.0])
