"""Streamed responses."""

import asyncio
from contextvars import ContextVar
from typing import Any

from litestar import Litestar, get

from app.surfaces.http.limits import streamed

ASKED_BY: ContextVar[str] = ContextVar("asked_by")


async def test_a_disconnect_closes_the_stream_in_its_own_request() -> None:
    """Otherwise the next garbage collection closes it, during any other request."""
    closed_by: list[str] = []
    has_begun = asyncio.Event()

    async def pieces():
        try:
            while True:
                yield b"piece"
        finally:
            closed_by.append(ASKED_BY.get())

    @get("/", sync_to_thread=False)
    def answered() -> Any:
        return streamed(pieces())

    async def receive() -> dict[str, Any]:
        await has_begun.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.body":
            has_begun.set()
            await asyncio.Event().wait()

    ASKED_BY.set("alice")
    asked: Any = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": []}
    await Litestar([answered])(asked, receive, send)

    assert closed_by == ["alice"]
