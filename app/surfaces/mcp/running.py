"""The requests that are being answered in this process, so that the client of one can end it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from typing import Any, Final, NamedTuple

from anyio import CancelScope
from mcp import types
from mcp.shared.context import RequestContext


class RequestKey(NamedTuple):
    """Identifies a request among those of all clients.

    Attributes:
        key_id: Key of the caller.
        session_id: That of the client, which ``initialize`` gave it: several clients may have one key.
        id: Client's id of the request.
    """

    key_id: str
    session_id: str
    id: types.RequestId


class Running:
    """Cancellable calls; lives as long as the process."""

    def __init__(self) -> None:
        self._scopes: dict[RequestKey, CancelScope] = {}

    @contextmanager
    def cancellable(self, key: RequestKey | None) -> Iterator[CancelScope]:
        """Make the enclosed call cancellable, unless no session identifies its owner."""
        with CancelScope() as scope:
            if key is not None:
                self._scopes[key] = scope
            try:
                yield scope
            finally:
                if key is not None and self._scopes.get(key) is scope:
                    del self._scopes[key]

    def cancel(self, key: RequestKey) -> None:
        """End a request, if it is being answered here."""
        scope = self._scopes.get(key)
        if scope is not None:
            scope.cancel()


_EVERY_SECONDS: Final = 1


@asynccontextmanager
async def report_progress(context: RequestContext[Any, Any, Any], *, tool: str) -> AsyncIterator[None]:
    """Tell at the start, and then every second, for how many seconds a call has been going on.

    The duration is unknown, so there is no total. Without a token it sends nothing.
    """
    token = context.meta.progressToken if context.meta else None
    if token is None:
        yield
        return

    async def report(seconds: int) -> None:
        await context.session.send_progress_notification(
            token,
            seconds,
            message=f"{tool} has been going on for {seconds} s",
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
