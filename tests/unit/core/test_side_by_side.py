"""Waiting for several tasks: all of them have ended when the wait ends."""

import asyncio

import pytest

from graph.core.background import side_by_side


async def doubled(number: int) -> int:
    for _ in range(3 - number):  # the last one ends first
        await asyncio.sleep(0)
    return 2 * number


async def test_results_come_in_the_order_of_the_tasks() -> None:
    assert await side_by_side(map(doubled, range(3))) == [0, 2, 4]
    assert await side_by_side([]) == []


async def test_an_error_in_one_task_ends_the_others() -> None:
    ended = []

    async def ends_late() -> None:
        for _ in range(10):
            await asyncio.sleep(0)
        ended.append("late")

    async def raises(error: Exception) -> None:
        raise error

    with pytest.raises(KeyError):
        await side_by_side([raises(KeyError()), ends_late(), raises(ValueError())])

    assert ended == ["late"]
