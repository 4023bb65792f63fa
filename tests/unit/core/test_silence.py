"""Waiting for a server that may be silent."""

import asyncio

import pytest

from graph.core.errors import Unavailable
from graph.core.silence import Silence, is_long_work, long_work, takes_long

DEADLINE_SECONDS = 0.2


class Server:
    """Answers questions unless it is frozen."""

    def __init__(self) -> None:
        self.thawed = asyncio.Event()
        self.thawed.set()
        self.asked = 0

    async def ask(self) -> None:
        self.asked += 1
        await self.thawed.wait()


async def work(silence: Silence, seconds: float, *, is_long: bool = False, writes: bool = False) -> str:
    async with silence.bounded(is_long=is_long, writes=writes):
        await asyncio.sleep(seconds)
    return "done"


async def test_long_work_goes_on_while_the_server_answers_others() -> None:
    """C17: a limit of its own would end every import, none at all would wait for a frozen server."""
    server = Server()
    silence = Silence(server.ask, deadline_seconds=DEADLINE_SECONDS)

    assert await work(silence, 5 * DEADLINE_SECONDS, is_long=True) == "done"
    asked = server.asked
    server.thawed.clear()
    with pytest.raises(Unavailable):
        await work(silence, 3600, is_long=True)

    assert asked > 3
    await silence.close()


async def test_short_work_that_is_slow_costs_others_nothing() -> None:
    """C17: one caller's slow query is not taken for a frozen server."""
    server = Server()
    silence = Silence(server.ask, deadline_seconds=DEADLINE_SECONDS)

    slow = work(silence, 3600)
    with pytest.raises(Unavailable, match="does not answer; try again"):
        await slow

    assert [await work(silence, 0) for _ in range(3)] == ["done"] * 3


async def test_after_silence_nobody_waits_until_the_server_has_answered() -> None:
    """C17: what asks again after a failure gets its answer within the first deadline."""
    server = Server()
    server.thawed.clear()
    silence = Silence(server.ask, deadline_seconds=DEADLINE_SECONDS)
    with pytest.raises(Unavailable, match="whether the change was made is not known"):
        await work(silence, 3600, writes=True)

    for _ in range(3):
        with pytest.raises(Unavailable):
            await work(silence, 3600)
    assert not await silence.answers_within(3600)
    server.thawed.set()
    async with asyncio.timeout(30):
        while not await silence.answers_within(1):
            await asyncio.sleep(0)

    assert await work(silence, 0) == "done"


async def test_a_timeout_of_the_work_itself_is_its_own() -> None:
    silence = Silence(Server().ask, deadline_seconds=DEADLINE_SECONDS)

    with pytest.raises(TimeoutError):
        async with silence.bounded(is_long=False, writes=False):
            raise TimeoutError

    assert await work(silence, 0) == "done"


async def test_long_work_is_known_within_it_and_not_after() -> None:
    @takes_long
    async def marked() -> bool:
        return is_long_work()

    assert (await marked(), is_long_work()) == (True, False)
    with long_work():
        assert is_long_work()
    assert not is_long_work()
