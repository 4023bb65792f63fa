"""Begins work that goes on beside requests, and whose end nobody awaits before the process closes."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import structlog

_log = structlog.get_logger("recollect.background")


def in_background(work: Coroutine[Any, Any, None], *, name: str) -> asyncio.Task[None]:
    """Run work beside everything else; what ends it unexpectedly is logged at once.

    Args:
        work: Until it ends or is cancelled.
        name: What it is logged under.
    """
    task = asyncio.create_task(work, name=name)
    task.add_done_callback(_log_crash)
    return task


def _log_crash(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("background.crashed", work=task.get_name(), exc_info=error)
