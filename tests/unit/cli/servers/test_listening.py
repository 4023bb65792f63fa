"""The socket that the service listens on."""

import asyncio
import socket

from app.cli.servers.foreground import listening_socket


async def test_answers_are_sent_at_once_on_asyncios_own_loop_too() -> None:
    """Held back until the caller acknowledges what came before, the body of every answer is 40 ms late."""
    accepted: asyncio.Queue[bool] = asyncio.Queue()

    class Answering(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            taken = transport.get_extra_info("socket")
            accepted.put_nowait(bool(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))

    with listening_socket("127.0.0.1", 0) as listener:
        async with await asyncio.get_running_loop().create_server(Answering, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            try:
                assert await accepted.get()
            finally:
                writer.close()
