"""The pass that has days measured once they are over."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from graph.core.errors import Unavailable

_log = structlog.get_logger("recollect.benchmarks")


async def enqueue_regularly(enqueue_due: Callable[[], Awaitable[int]], *, every_seconds: float) -> None:
    """Look for days to measure until cancelled; a graph that does not answer is tried again at the next turn.

    Every process may do it: there is one job for a workspace and day, and its lease says which worker measures it.
    """
    while True:
        try:
            enqueued = await enqueue_due()
        except Unavailable as error:
            _log.warning("benchmarks.unavailable", dependency=error.dependency)
        else:
            if enqueued:
                _log.info("benchmarks.enqueued", days=enqueued)
        await asyncio.sleep(every_seconds)
