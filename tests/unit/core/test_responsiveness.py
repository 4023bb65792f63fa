"""Waiting for a server that may be silent, on an event loop with simulated time."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps

import looptime
import pytest

from graph.core.deadlines import is_long_work, long_work, takes_long
from graph.core.errors import Unavailable
from graph.core.responsiveness import ResponsivenessMonitor
from tests.fixtures.timeouts import scaled_timeout

DEADLINE_SECONDS = 1.0


def in_simulated_time(test: Callable[[], Coroutine[None, None, None]]) -> Callable[[], None]:
    """Return the test in an event loop of its own, which does not wait for timers."""

    @wraps(test)
    def run() -> None:
        with asyncio.Runner(loop_factory=_simulated_loop) as runner:
            runner.run(test())

    return run


def _simulated_loop() -> asyncio.AbstractEventLoop:
    loop: asyncio.AbstractEventLoop = looptime.patch_event_loop(asyncio.SelectorEventLoop())
    return loop


class Server:
    """A server that answers unless it is frozen."""

    def __init__(self) -> None:
        self.thawed = asyncio.Event()
        self.thawed.set()
        self.asked = 0

    async def ask(self) -> None:
        self.asked += 1
        await self.thawed.wait()


async def work(
    monitor: ResponsivenessMonitor, seconds: float, *, limit: float = 3600, writes: bool = False
) -> str:
    async with monitor.bounded(seconds=limit, writes=writes):
        await asyncio.sleep(seconds)
    return "done"


@in_simulated_time
async def test_work_continues_while_the_server_answers_others() -> None:
    """C17: a busy server is not silent, but without a limit a frozen one would be awaited forever."""
    server = Server()
    monitor = ResponsivenessMonitor(server.ask, deadline_seconds=DEADLINE_SECONDS)

    assert await work(monitor, 2 * DEADLINE_SECONDS) == "done"
    asked = server.asked
    server.thawed.clear()
    with pytest.raises(Unavailable):
        await work(monitor, 3600)

    assert asked > 3
    await monitor.close()


@in_simulated_time
async def test_a_recent_answer_to_another_caller_saves_the_probe() -> None:
    """C17: if every connection is in use, a probe would not get through."""
    server = Server()
    server.thawed.clear()
    monitor = ResponsivenessMonitor(server.ask, deadline_seconds=DEADLINE_SECONDS)

    async def answer_others() -> None:
        while True:
            monitor.note_answer()
            await asyncio.sleep(DEADLINE_SECONDS / 20)

    others = asyncio.create_task(answer_others())
    assert await work(monitor, 2 * DEADLINE_SECONDS) == "done"
    others.cancel()

    with pytest.raises(Unavailable):
        await work(monitor, 3600)
    await monitor.close()


@in_simulated_time
async def test_work_past_its_limit_does_not_affect_others() -> None:
    """C17: one caller's slow query does not count as a frozen server."""
    server = Server()
    monitor = ResponsivenessMonitor(server.ask, deadline_seconds=DEADLINE_SECONDS)

    slow = work(monitor, 3600, limit=2 * DEADLINE_SECONDS)
    with pytest.raises(Unavailable, match="does not answer; try again"):
        await slow

    assert [await work(monitor, 0) for _ in range(3)] == ["done"] * 3


@in_simulated_time
async def test_after_silence_nobody_waits_until_the_server_has_answered() -> None:
    """C17: a retry after a failure gets its answer within the first deadline."""
    server = Server()
    server.thawed.clear()
    monitor = ResponsivenessMonitor(server.ask, deadline_seconds=DEADLINE_SECONDS)
    with pytest.raises(Unavailable, match="whether the change was made is not known"):
        await work(monitor, 3600, writes=True)

    for _ in range(3):
        with pytest.raises(Unavailable):
            await work(monitor, 3600)
    assert not await monitor.answers_within(3600)
    server.thawed.set()
    async with asyncio.timeout(scaled_timeout(30)):
        while not await monitor.answers_within(1):
            await asyncio.sleep(DEADLINE_SECONDS / 20)

    assert await work(monitor, 0) == "done"


@in_simulated_time
async def test_a_timeout_of_the_work_itself_is_its_own() -> None:
    monitor = ResponsivenessMonitor(Server().ask, deadline_seconds=DEADLINE_SECONDS)

    with pytest.raises(TimeoutError):
        async with monitor.bounded(seconds=3600, writes=False):
            raise TimeoutError

    assert await work(monitor, 0) == "done"


@in_simulated_time
async def test_long_work_is_known_within_it_and_not_after() -> None:
    @takes_long
    async def marked() -> bool:
        return is_long_work()

    assert (await marked(), is_long_work()) == (True, False)
    with long_work():
        assert is_long_work()
    assert not is_long_work()
