"""A lost connection to Redis, which is detected on the event loop of the service (N4)."""

import asyncio

import pytest
import uvloop

from app.adapters.redis_signals import LOSS


async def test_a_write_to_a_closed_connection_counts_as_lost() -> None:
    assert isinstance(asyncio.get_running_loop(), uvloop.Loop)
    async with await asyncio.start_server(lambda _reader, _writer: None, "127.0.0.1", 0) as server:
        _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.transport.abort()
        await asyncio.sleep(0)

        with pytest.raises(LOSS):
            writer.write(b"PING")
