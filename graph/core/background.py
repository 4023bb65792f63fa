"""Starts background tasks that nobody awaits before the process closes."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

import structlog

from graph.core.errors import RecollectError

_AGAIN_SECONDS: Final = 1.0  # interval between two cancellations of a task that is still running
_log = structlog.get_logger("recollect.background")


def in_background(work: Coroutine[Any, Any, None], *, name: str) -> asyncio.Task[None]:
    """Run work as a background task; log an unexpected error immediately.

    Args:
        work: Coroutine to run.
        name: Name in log entries.
    """
    task = asyncio.create_task(work, name=name)
    task.add_done_callback(_log_crash)
    return task


async def end(task: asyncio.Task[None]) -> None:
    """Cancel a task repeatedly until it has ended.

    One cancellation is not enough: a timeout in the Redis client that expires at the same moment may swallow it.
    """
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=_AGAIN_SECONDS)


def _log_crash(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("background.crashed", work=task.get_name(), exc_info=error)


_periodic_log = structlog.get_logger("recollect.periodic")


async def every(seconds: float, work: Callable[[], Awaitable[object]], *, name: str) -> None:
    """Do the work now and after each pause until cancelled; after any failure the next turn tries again.

    Args:
        seconds: Pause between two turns.
        work: Work of one turn.
        name: Name in log entries.
    """
    while True:
        try:
            await work()
        except RecollectError as error:
            _periodic_log.warning("periodic.failed", work=name, reason=error.message)
        except Exception:  # noqa: BLE001 - one bad turn must not be the last
            _periodic_log.exception("periodic.crashed", work=name)
        await asyncio.sleep(seconds)


T = TypeVar("T")


async def side_by_side(works: Iterable[Awaitable[T]]) -> list[T]:
    """Return all results in order; raises the first error after every task has ended.

    ``asyncio.gather`` raises it immediately, and a retry would then run concurrently with the remaining tasks.
    """
    outcomes = await asyncio.gather(*works, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    return [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]


ItemT = TypeVar("ItemT")
_SECONDS: Final = 0.005
"""Maximum time of one piece of work on the event loop; a tenth of the longest permitted stall."""
ROWS_PER_STATEMENT: Final = 100
"""Maximum number of rows in one statement: the driver serialises them without a pause, 40 µs for each row."""


async def in_turns(items: Sequence[ItemT]) -> AsyncIterator[ItemT]:
    """Yield the items, and let other tasks run whenever the caller has worked for 5 ms without a pause.

    Shorter work is not interrupted.
    """
    since = time.perf_counter()
    for item in items:
        if time.perf_counter() - since > _SECONDS:
            await asyncio.sleep(0)
            since = time.perf_counter()
        yield item


def portions(rows: Sequence[ItemT], most: int = ROWS_PER_STATEMENT) -> Iterator[Sequence[ItemT]]:
    """Yield rows in order, in portions of at most one statement's size; yield nothing if there are no rows."""
    for first in range(0, len(rows), most):
        yield rows[first : first + most]
