"""Hanging work in daemon threads: it blocks neither a cancelled caller nor the exit of the process."""

import asyncio
import subprocess
import sys
import threading

import pytest

from app.adapters.daemon_threads import in_daemon_thread
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until

HANGS = """
import asyncio, threading
from app.adapters.daemon_threads import in_daemon_thread

async def main():
    try:
        async with asyncio.timeout(0.1):
            await in_daemon_thread(threading.Event().wait)
    except TimeoutError:
        print("given up")

asyncio.run(main())
"""


async def test_results_and_errors_of_the_work_are_passed_on() -> None:
    assert await in_daemon_thread(lambda one, *, two: one + two, 1, two=2) == 3
    with pytest.raises(ValueError, match="no number"):
        await in_daemon_thread(_refuse)


def _refuse() -> None:
    raise ValueError("no number")


class Panic(BaseException):
    """The exception that a panicking Rust library raises."""


async def test_a_waiting_caller_receives_a_panic() -> None:
    """It is no ``Exception``; it used to end the thread silently."""

    def panic() -> None:
        raise Panic("index out of bounds")

    with pytest.raises(RuntimeError, match=r"^Panic: index out of bounds$") as raised:
        await asyncio.wait_for(in_daemon_thread(panic), scaled_timeout(90))

    assert isinstance(raised.value.__cause__, Panic)


async def test_a_cancellation_takes_effect_immediately() -> None:
    hanging, threads = threading.Event(), []

    def work() -> None:
        threads.append(threading.current_thread())
        hanging.wait()

    async def has_begun() -> bool:
        return bool(threads)

    waiting = asyncio.create_task(in_daemon_thread(work))
    await until(has_begun)
    waiting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(waiting, scaled_timeout(90))

    hanging.set()
    await asyncio.to_thread(threads[0].join)  # nobody receives its result


def test_a_process_ends_despite_hanging_work() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", HANGS], capture_output=True, text=True, timeout=scaled_timeout(60), check=True
    )

    assert ended.stdout == "given up\n"
