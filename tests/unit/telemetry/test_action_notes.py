"""Noted actions, which wait until they are recorded."""

import asyncio
from collections.abc import Sequence

import pytest

from graph.core.measuring import UNMEASURED
from graph.telemetry.action_notes import ActionNotes
from graph.telemetry.models import Outcome
from graph.telemetry.noted import NotedAction
from tests.fixtures.memories import MovingClock


class SlowTelemetry:
    """A telemetry service that records when released."""

    def __init__(self) -> None:
        self.let = asyncio.Event()
        self.asked: list[str | None] = []
        self.recorded: list[str | None] = []

    async def try_record_noted(self, _workspace_id: str, noted: Sequence[NotedAction]) -> int:
        self.asked += [each.draft.id for each in noted]
        await self.let.wait()
        self.recorded += [each.draft.id for each in noted]
        return len(noted)


@pytest.fixture
def telemetry() -> SlowTelemetry:
    return SlowTelemetry()


@pytest.fixture
def notes(telemetry) -> ActionNotes:
    notes = ActionNotes(telemetry, UNMEASURED, MovingClock(), most_waiting=10)
    notes.note(
        "ws",
        session_id="s",
        action_type="saveMemory",
        node_type="Memory",
        outcome=Outcome.SUCCESS,
        error_code=None,
        seconds=0.1,
    )
    return notes


async def test_a_flush_waits_for_actions_that_another_flush_took(notes, telemetry) -> None:
    """G16: a reader that flushes first sees every action."""
    flushes = [asyncio.create_task(notes.flush()) for _ in range(2)]
    await asyncio.sleep(0)
    telemetry.let.set()

    await flushes[1]

    assert len(telemetry.recorded) == 1
    await flushes[0]


async def test_an_action_cancelled_during_recording_is_recorded_at_the_end(notes, telemetry) -> None:
    """G16: under the same id, so that it is recorded once."""
    cancelled = asyncio.create_task(notes.flush())
    await asyncio.sleep(0)
    cancelled.cancel()
    await asyncio.gather(cancelled, return_exceptions=True)
    telemetry.let.set()

    await notes.close()

    assert len(telemetry.asked) == 2
    assert telemetry.recorded == telemetry.asked[:1]
