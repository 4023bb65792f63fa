"""Sends progress notifications to a client that requested them, so that it does not time out."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, Final

from mcp.shared.context import RequestContext

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
