"""Cancellation and progress of the requests that this process is answering."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from typing import Any, Final, NamedTuple

from anyio import CancelScope
from mcp import types
from mcp.shared.context import RequestContext


class RequestKey(NamedTuple):
    """The identity of a request among those of all clients.

    Attributes:
        key_id: API key of the caller.
        session_id: Session id from ``initialize``, which distinguishes clients with the same key.
        id: Request id, chosen by the client.
    """

    key_id: str
    session_id: str
    id: types.RequestId


class Running:
    """The cancellable requests of this process; lives as long as the process."""

    def __init__(self) -> None:
        self._scopes: dict[RequestKey, CancelScope] = {}

    @contextmanager
    def cancellable(self, key: RequestKey | None) -> Iterator[CancelScope]:
        """Make the enclosed request cancellable; without a key, nobody can cancel it."""
        with CancelScope() as scope:
            if key is not None:
                self._scopes[key] = scope
            try:
                yield scope
            finally:
                if key is not None and self._scopes.get(key) is scope:
                    del self._scopes[key]

    def cancel(self, key: RequestKey) -> None:
        """Cancel a request if this process is answering it."""
        scope = self._scopes.get(key)
        if scope is not None:
            scope.cancel()


_EVERY_SECONDS: Final = 1


@asynccontextmanager
async def report_progress(context: RequestContext[Any, Any, Any], *, tool: str) -> AsyncIterator[None]:
    """Send the elapsed seconds of a call as progress, at its start and every second.

    Sends no total, because the duration is unknown. Sends nothing if the client gave no progress token.
    """
    token = context.meta.progressToken if context.meta else None
    if token is None:
        yield
        return

    async def report(seconds: int) -> None:
        await context.session.send_progress_notification(
            token,
            seconds,
            message=f"{tool} has been running for {seconds} s",
            related_request_id=str(context.request_id),
        )

    async def go_on() -> None:
        for seconds in count(_EVERY_SECONDS, _EVERY_SECONDS):
            await asyncio.sleep(_EVERY_SECONDS)
            await report(seconds)

    await report(0)
    going_on = asyncio.create_task(go_on())
    try:
        yield
    finally:
        going_on.cancel()
        await asyncio.gather(going_on, return_exceptions=True)
