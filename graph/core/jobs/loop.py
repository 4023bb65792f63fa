"""Loop of a worker: run due jobs, then wait for a wake-up."""

import asyncio
import os
import socket

import structlog

from graph.core.errors import Unavailable
from graph.core.jobs.models import Lane
from graph.core.jobs.service import Jobs
from graph.core.ports import WakeUp

_log = structlog.get_logger("recollect.worker")
_PAUSE_AFTER_ERROR_SECONDS = 1.0
_FEW = 20  # fewer jobs than these are worth a wait for more


async def run_worker(
    jobs: Jobs,
    wake_up: WakeUp,
    *,
    poll_seconds: float,
    gather_seconds: float,
    lane: Lane | None = None,
) -> None:
    """Work off jobs until cancelled; nothing but cancellation ends it.

    Args:
        jobs: Queue to run.
        wake_up: Ends a wait.
        poll_seconds: Wait after a round without due jobs.
        gather_seconds: How long jobs gather after a round of few: work on each of many single saves would slow down
            the next.
        lane: Whose jobs; None: all there are. One beside that of the graph also waits so long after a round of none,
            for most of what wakes it is others'.
    """
    is_beside = lane not in (None, Lane.GRAPH)
    worker = f"{socket.gethostname()}:{os.getpid()}"
    while True:
        try:
            claimed = await jobs.run_due(worker, lane)
        except Unavailable as error:
            _log.warning("worker.unavailable", dependency=error.dependency)
            await asyncio.sleep(error.retry_after_seconds)
        except Exception:  # noqa: BLE001 - whatever a job does, the worker goes on with the others
            _log.exception("worker.job_crashed")
            await asyncio.sleep(_PAUSE_AFTER_ERROR_SECONDS)
        else:
            if 0 < claimed < _FEW or (is_beside and not claimed):
                await asyncio.sleep(gather_seconds)
            if not claimed:
                await wake_up.wait(poll_seconds)
