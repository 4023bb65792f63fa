"""Limits of size and time: bodies, slow and disconnected callers, and streamed responses."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any, Final

from litestar.background_tasks import BackgroundTask
from litestar.exceptions import HTTPException
from litestar.response import Stream
from litestar.types import Receive
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

USUAL_BODY_BYTES: Final = 1024 * 1024
"""Default limit of a route: enough for 2000 characters, 64 KiB of metadata and a vector."""
LARGEST_BODY_BYTES: Final = 32 * 1024 * 1024
"""Limit of ``/graphql``, for a thousand memories with vectors, and of chats, for pictures."""
FORM_BODY_BYTES: Final = 16 * 1024
"""Limit of the sign-in form: Litestar keeps the last thousand forms of all callers."""
MESSAGE_BYTES: Final = 256 * 1024
"""Limit of a websocket message, which contains one subscription."""


HEADER_SECONDS: Final = 10.0
"""Timeout of a request's headers, from its first byte or the connection: headers fit into a few packets."""
BODY_SECONDS: Final = 60.0
"""Timeout of a request's body: enough for 32 MB at 5 Mbit/s."""
SLOW_BODY: Final = "slow_body"
"""Route option for slow bodies: the timeout applies to each pause instead of the whole body."""
_PARSED_BYTES: Final = 65_535
"""Length of an address that httptools can parse; a long query of AutoMem's dialect exceeds it."""
GONE_STATUS: Final = 499
"""nginx's status for a caller that disconnected: nobody receives it, but ``/metrics`` counts it."""


class BodyTooSlow(HTTPException):
    """Raised when a body exceeds its timeout."""

    status_code = 408

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"body: must arrive within {seconds:g} seconds", status_code=408, headers={"Connection": "close"}
        )


class CallerGone(HTTPException):
    """Raised when a caller disconnects before its body is complete."""

    status_code = GONE_STATUS

    def __init__(self) -> None:
        super().__init__("the caller disconnected before its body was complete", status_code=GONE_STATUS)


def within(receive: Receive, seconds: float, *, comes_on: Callable[[], bool] = lambda: False) -> Receive:
    """Return a ``receive`` with a deadline for the whole body, counted from its first call.

    If ``comes_on`` is true once the route is known, the deadline restarts with each piece. Until the body is complete,
    ``receive`` may raise :class:`BodyTooSlow` or :class:`CallerGone`.
    """
    deadline: float | None = None
    is_whole = False

    async def receive_within() -> Any:
        nonlocal deadline, is_whole
        if is_whole:
            return await receive()
        if deadline is None or comes_on():
            deadline = time.monotonic() + seconds
        try:
            async with asyncio.timeout(deadline - time.monotonic()):
                message = await receive()
        except TimeoutError:
            raise BodyTooSlow(seconds) from None
        if message["type"] == "http.disconnect":
            raise CallerGone
        is_whole = not message.get("more_body", False)
        return message

    return receive_within


class PunctualProtocol(HttpToolsProtocol):
    """uvicorn's protocol with a timeout for headers, which uvicorn lacks; closes late connections.

    It also accepts longer addresses.
    """

    header_seconds = HEADER_SECONDS
    _headers_due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout for the first request."""
        super().connection_made(transport)
        self._wait_for_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout."""
        self._stop_waiting()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Start the timeout for the remaining headers; that of the first request already runs."""
        super().on_message_begin()
        if self._headers_due is None:
            self._wait_for_headers()

    def on_headers_complete(self) -> None:
        """Stop the timeout, and set a query string that is too long for the parser of addresses."""
        self._stop_waiting()
        path, _, query = self.url.partition(b"?")
        is_long = len(self.url) > _PARSED_BYTES
        if is_long:
            self.url = path
        super().on_headers_complete()
        if is_long:
            self.scope["query_string"] = query  # the request begins in a task of its own, after this

    def _wait_for_headers(self) -> None:
        self._headers_due = self.loop.call_later(self.header_seconds, self._close_late)

    def _stop_waiting(self) -> None:
        if self._headers_due is not None:
            self._headers_due.cancel()
            self._headers_due = None

    def _close_late(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()


def punctual_protocol(header_seconds: float) -> type[PunctualProtocol]:
    """Return the protocol with another timeout for headers."""
    return type("PunctualProtocol", (PunctualProtocol,), {"header_seconds": header_seconds})


def streamed(
    body: AsyncGenerator[bytes],
    *,
    status_code: int = 200,
    headers: Mapping[str, str] | None = None,
    used: AsyncExitStack | None = None,
) -> Stream:
    """Return a response that closes its own generator; see :func:`closing`."""
    return Stream(body, status_code=status_code, headers=dict(headers or {}), background=closing(body, used))


def closing(body: AsyncGenerator[Any], used: AsyncExitStack | None = None) -> BackgroundTask:
    """Return the task that closes a response's generator after the response or a disconnect.

    If a slow caller disconnects, Litestar leaves the waiting generator open. The garbage collector would then close it
    late, during another request and with that request's scope.

    Args:
        body: Generator of the response.
        used: Resources of the generator; they are closed even if the generator never began.
    """

    async def close() -> None:
        async with used or AsyncExitStack():
            await body.aclose()

    return BackgroundTask(close)
