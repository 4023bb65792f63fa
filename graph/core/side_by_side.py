"""Waits for several things at once without leaving any behind."""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import TypeVar

T = TypeVar("T")


async def side_by_side(works: Iterable[Awaitable[T]]) -> list[T]:
    """Return what each returns, in order; the first that was raised is raised once all have ended.

    ``asyncio.gather`` raises it at once, and whoever then tries again does so beside those that still go on.
    """
    outcomes = await asyncio.gather(*works, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
    return [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
