"""Long work on the event loop lets others have their turn."""

import asyncio
import time

from graph.core.giving_way import in_turns

_LONGER_THAN_A_TURN = 0.006


def _work() -> None:
    end = time.perf_counter() + _LONGER_THAN_A_TURN
    while time.perf_counter() < end:
        pass


async def test_others_have_a_turn_between_two_long_pieces() -> None:
    """C16, N1."""
    order: list[str] = []

    async def other() -> None:
        while True:
            order.append("other")
            await asyncio.sleep(0)

    beside = asyncio.create_task(other())
    async for item in in_turns(["one", "two", "three"]):
        _work()
        order.append(item)
    beside.cancel()

    assert order == ["one", "other", "two", "other", "three"]


async def test_every_item_comes_once_and_in_order() -> None:
    assert [item async for item in in_turns(range(1000))] == list(range(1000))
