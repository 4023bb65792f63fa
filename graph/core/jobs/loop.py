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
        gather_seconds: Time to gather jobs after a small round: separate work on each of many single saves would slow
            down later saves.
        lane: Lane to run; None: all. A lane other than the graph's also waits this long after an empty round, because
            most wake-ups concern other lanes.
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
