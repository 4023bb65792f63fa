"""URLs that are longer than the URL parser accepts."""

import asyncio
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from app.surfaces.http.limits import PunctualProtocol


async def _told(scope: Any, receive: Any, send: Any) -> None:
    """Answer with the path and the query string of a request."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": scope["path"].encode() + b"?" + scope["query_string"]})


@pytest.mark.parametrize("length", [10, 65_000, 65_535, 65_536, 100_000])
async def test_a_query_string_arrives_whole(length) -> None:
    """C19, issue 35: AutoMem's recall sends its query there."""
    config = uvicorn.Config(_told, lifespan="off", log_config=None)
    config.load()
    query = f"query={'x' * length}"
    server = await asyncio.get_running_loop().create_server(
        lambda: PunctualProtocol(config=config, server_state=ServerState(), app_state={}), "127.0.0.1", 0
    )
    async with server:
        reading, writing = await asyncio.open_connection(*server.sockets[0].getsockname())
        writing.write(f"GET /recall?{query} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n".encode())
        answer = await reading.read()
        writing.close()

    assert answer.startswith(b"HTTP/1.1 200 ")
    assert f"/recall?{query}".encode() in answer
