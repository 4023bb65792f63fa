"""All that one worker process does: jobs, and the passes that are made now and then."""

import asyncio

from app.settings import Settings
from graph.core.deadlines import long_work
from graph.core.jobs.loop import run_worker
from graph.core.jobs.models import Lane
from graph.core.periodic import every
from graph.operations.services import Services

_HOUR_SECONDS = 3600.0


async def run_everything(services: Services, settings: Settings) -> None:
    """Work off jobs, sweep up what has expired and have days measured, until cancelled."""
    with long_work():
        await _run_side_by_side(services, settings)


async def _run_side_by_side(services: Services, settings: Settings) -> None:
    worker = settings.worker
    async with asyncio.TaskGroup() as tasks:
        for lane in Lane:
            tasks.create_task(
                run_worker(
                    services.core.jobs,
                    services.core.wake_up,
                    poll_seconds=worker.poll_seconds,
                    gather_seconds=worker.gather_seconds,
                    lane=lane,
                )
            )
        tasks.create_task(
            every(
                settings.memory.sweep_seconds, services.memories.deletion.sweep_expired, name="sweep_expired"
            )
        )
        tasks.create_task(
            every(worker.benchmark_seconds, services.telemetry.benchmarks.enqueue_due, name="measure_days")
        )
        tasks.create_task(
            every(_HOUR_SECONDS, services.operations.webhooks.delete_parked, name="delete_parked_deliveries")
        )
