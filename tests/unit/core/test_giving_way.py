"""Long work on the event loop, which yields to other tasks."""

import asyncio
from types import SimpleNamespace

from hypothesis import given
from hypothesis import strategies as st

from graph.core import background
from graph.core.background import in_turns, portions

_LONGER_THAN_A_TURN = 0.006


async def test_other_tasks_run_between_long_pieces(monkeypatch) -> None:
    """C16, N1."""
    order: list[str] = []
    now = 0.0
    monkeypatch.setattr(background, "time", SimpleNamespace(perf_counter=lambda: now))

    async def other() -> None:
        while True:
            order.append("other")
            await asyncio.sleep(0)

    beside = asyncio.create_task(other())
    async for item in in_turns(["one", "two", "three"]):
        now += _LONGER_THAN_A_TURN
        order.append(item)
    beside.cancel()

    assert order == ["one", "other", "two", "other", "three"]


async def test_every_item_comes_once_and_in_order() -> None:
    assert [item async for item in in_turns(range(1000))] == list(range(1000))


@given(st.lists(st.integers()), st.integers(min_value=1, max_value=9))
def test_portions_are_the_rows_in_order_and_none_is_empty_or_too_large(rows, most) -> None:
    """C16."""
    made = list(portions(rows, most))

    assert [row for portion in made for row in portion] == rows
    assert all(1 <= len(portion) <= most for portion in made)
    assert len(made) == -(-len(rows) // most)
