"""The progress of a restore: its response closes the archive even if nobody reads it."""

import io
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing

import pytest

from app.surfaces.rest.archives import progress_stream
from graph.core.errors import Conflict
from graph.operations.models import RestoreProgress

BEGUN = RestoreProgress(workspace_id="ws_a", total_nodes=2, total_edges=0)


async def restoring(closed: list[str], *, fails: bool = False) -> AsyncGenerator[RestoreProgress]:
    try:
        yield BEGUN
        if fails:
            raise Conflict("the workspace changed", field=None)
        yield BEGUN.model_copy(update={"is_done": True})
    finally:
        closed.append("restore")


@pytest.mark.parametrize(("read", "fails"), [(0, False), (1, False), (2, False), (2, True)])
async def test_the_archive_is_closed_wherever_its_reader_stops(read, fails) -> None:
    """Issue 35: a generator that never started runs no cleanup."""
    closed: list[str] = []
    used = AsyncExitStack()
    file = used.enter_context(io.BytesIO())
    running = await used.enter_async_context(aclosing(restoring(closed, fails=fails)))
    answer = progress_stream(await anext(running), running, used)

    lines = answer.iterator
    shown = [await anext(lines) for _ in range(read)]
    await answer.background()

    assert len(shown) == read
    assert file.closed
    assert closed == ["restore"]
