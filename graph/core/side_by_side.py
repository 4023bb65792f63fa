"""Waits for several things at once without leaving any behind."""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import TypeVar

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
