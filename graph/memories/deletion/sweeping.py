"""The pass that takes expired memories out of the vector index's reach, now and then."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from graph.core.errors import Unavailable

_log = structlog.get_logger("recollect.memories")


async def sweep_regularly(sweep: Callable[[], Awaitable[int]], *, every_seconds: float) -> None:
    """Sweep until cancelled; a graph that does not answer is tried again at the next turn.

    Every process may do it: a memory is swept once, and every query leaves expired ones out by their time anyway.
    """
    while True:
        try:
            swept = await sweep()
        except Unavailable as error:
            _log.warning("memories.sweep_unavailable", dependency=error.dependency)
        else:
            if swept:
                _log.info("memories.swept", count=swept)
        await asyncio.sleep(every_seconds)
