"""The doctor's findings about the service that the commands call."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from app.cli import examination
from app.cli.doctor import CheckState

READY = {"failed": None, "missing": []}
BUSY = {"failed": "save", "missing": []}


@asynccontextmanager
async def telling(answers: Sequence[dict]) -> AsyncIterator[str]:
    """Serve the given answers in order, repeating the last; yield the address."""
    left = list(answers)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        body = json.dumps(left.pop(0) if len(left) > 1 else left[0]).encode()
        writer.write(
            b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
        )
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize(
    ("answers", "state"),
    [
        ([READY], CheckState.FOUND),
        ([BUSY, READY], CheckState.FOUND),
        ([BUSY], CheckState.WRONG),
        ([{"status": "ok"}], CheckState.WRONG),
    ],
)
async def test_a_busy_service_is_called_again(monkeypatch, answers, state) -> None:
    """K5."""
    monkeypatch.setattr(examination, "_AGAIN_SECONDS", 0.0)
    async with telling(answers) as url:
        assert (await examination.check_service(url, is_needed=True)).state is state


async def test_a_service_that_starts_is_waited_for(monkeypatch) -> None:
    """Issue 35 point C: it has not failed."""
    monkeypatch.setattr(examination, "_AGAIN_SECONDS", 0.0)
    async with telling([{"failed": "starting", "missing": []}]) as url:
        finding = await examination.check_service(url, is_needed=True)

    assert (finding.state, finding.found) == (CheckState.WRONG, f"{url} is still starting")
    assert finding.remedy == "wait until it has started"


async def test_a_service_that_takes_too_long_is_not_told_to_start(monkeypatch) -> None:
    """Issue 35 point C: it already runs."""
    monkeypatch.setattr(examination, "_SECONDS", 0.05)

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()  # until the client gives up
        writer.close()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        found = await examination.check_service(url, is_needed=True)

    assert (found.state, found.remedy) == (CheckState.WRONG, "wait until it is less busy")
