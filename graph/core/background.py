"""Starts background tasks that nobody awaits before the process closes."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final

import structlog

_AGAIN_SECONDS: Final = 1.0  # after which a task that goes on is cancelled again
_log = structlog.get_logger("recollect.background")


def in_background(work: Coroutine[Any, Any, None], *, name: str) -> asyncio.Task[None]:
    """Run work beside everything else; what ends it unexpectedly is logged at once.

    Args:
        work: Until it ends or is cancelled.
        name: Name in log entries.
    """
    task = asyncio.create_task(work, name=name)
    task.add_done_callback(_log_crash)
    return task


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it has ended.

    A timeout in the Redis client that ends at the same moment may swallow a cancellation: the task would listen on.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=_AGAIN_SECONDS)


def _log_crash(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("background.crashed", work=task.get_name(), exc_info=error)
