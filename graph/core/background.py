"""Starts background tasks that nobody awaits before the process closes."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from typing import Any, Final, TypeVar

import structlog

from graph.core.errors import RecollectError

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


_periodic_log = structlog.get_logger("recollect.periodic")


async def every(seconds: float, work: Callable[[], Awaitable[object]], *, name: str) -> None:
    """Do the work now and after each pause until cancelled; where it fails, however it does, the next turn tries again.

    Args:
        seconds: The pause between two turns.
        work: One turn.
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
"""Rows of a batch that are sent together: the driver turns them into bytes in one go, where each time takes 40 µs."""


async def in_turns(items: Sequence[ItemT]) -> AsyncIterator[ItemT]:
    """Yield the items, letting everybody else have a turn whenever the caller has worked on them for 5 ms.

    Short work is not interrupted at all, so that a loop over a few items stays as it was.
    """
    since = time.perf_counter()
    for item in items:
        if time.perf_counter() - since > _SECONDS:
            await asyncio.sleep(0)
            since = time.perf_counter()
        yield item


def portions(rows: Sequence[ItemT], most: int = ROWS_PER_STATEMENT) -> Iterator[Sequence[ItemT]]:
    """Yield rows in order, in portions of one statement's maximum size; nothing if there are none."""
    for first in range(0, len(rows), most):
        yield rows[first : first + most]
