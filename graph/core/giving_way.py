"""Giving way to everybody else in the middle of long work on the event loop."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Final, TypeVar

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
