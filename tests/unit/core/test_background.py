"""Periodic work: it continues after errors and logs them."""

import asyncio

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from graph.core import background
from graph.core.background import every, in_background
from graph.core.errors import Unavailable
from tests.fixtures.timeouts import scaled_timeout


def told_of(work: str, logs: list[EventDict]) -> list[EventDict]:
    """Return the log entries of a work; other work may log meanwhile."""
    return [log for log in logs if log.get("work") == work]


class Turns:
    """Work that raises the given errors, one a turn, and then succeeds."""

    def __init__(self, *raised: Exception) -> None:
        self._raised = list(raised)
        self.went_on = asyncio.Event()

    async def __call__(self) -> None:
        if self._raised:
            raise self._raised.pop(0)
        self.went_on.set()


async def test_periodic_work_continues_after_an_unexpected_error() -> None:
    """Formerly an error outside the project's own ended it silently, and the workers beside it."""
    work = Turns(ValueError("what a user wrote"), Unavailable("neo4j", "busy"))
    with capture_logs() as logs:
        task = asyncio.create_task(every(0.001, work, name="turns"))
        async with asyncio.timeout(scaled_timeout(90)):
            await work.went_on.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    crashed, failed = told_of("turns", logs)
    assert (crashed["event"], crashed["work"], crashed["log_level"]) == ("periodic.crashed", "turns", "error")
    assert crashed["exc_info"] is True
    assert (failed["event"], failed["work"], failed["log_level"]) == ("periodic.failed", "turns", "warning")


async def test_failed_background_work_is_logged_immediately() -> None:
    async def crashes() -> None:
        raise ValueError("no")

    with capture_logs() as logs:
        task = in_background(crashes(), name="crashes")
        await asyncio.wait({task})
        await asyncio.sleep(0)

    (told,) = told_of("crashes", logs)
    assert (told["event"], told["work"], told["log_level"]) == ("background.crashed", "crashes", "error")
    assert told["exc_info"] is task.exception()


async def test_cancelled_and_finished_background_work_is_not_logged() -> None:
    async def ends() -> None:
        return

    with capture_logs() as logs:
        done, cancelled = (
            in_background(ends(), name="ends"),
            in_background(asyncio.Event().wait(), name="sleeps"),
        )
        await done
        cancelled.cancel()
        await asyncio.wait({cancelled})
        await asyncio.sleep(0)

    assert told_of("ends", logs) == told_of("sleeps", logs) == []


async def test_a_task_that_swallows_a_cancellation_is_ended_all_the_same(monkeypatch) -> None:
    """Formerly the listener of wake-up signals ran on, and a closing service waited for it."""
    monkeypatch.setattr(background, "_AGAIN_SECONDS", 0)
    cancellations: list[int] = []

    async def listen() -> None:
        while len(cancellations) < 3:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancellations.append(1)
        raise asyncio.CancelledError

    task = asyncio.create_task(listen())
    await asyncio.sleep(0)
    await background.end(task)

    assert task.cancelled()
    assert len(cancellations) == 3
