"""All that one worker process does: jobs, and the passes that are made now and then."""

import asyncio
from typing import Final

from graph.core.deadlines import long_work
from graph.core.jobs.loop import run_worker
from graph.core.jobs.models import JobRules, Lane
from graph.core.periodic import every
from graph.operations.services import Services

_SWEEP_SECONDS: Final = 60.0
"""Interval between two removals of expired memories from the vector index; queries skip them before that."""
_BENCHMARK_SECONDS: Final = 600.0
"""Interval between two searches for finished days of telemetry; their figures are not urgent."""
_HOUR_SECONDS = 3600.0


async def run_everything(services: Services, rules: JobRules) -> None:
    """Run jobs, delete expired data and measure days, until cancelled."""
    with long_work():
        await _run_side_by_side(services, rules)


async def _run_side_by_side(services: Services, rules: JobRules) -> None:
    async with asyncio.TaskGroup() as tasks:
        for lane in Lane:
            tasks.create_task(
                run_worker(
                    services.core.jobs,
                    services.core.wake_up,
                    poll_seconds=rules.poll_seconds,
                    gather_seconds=rules.gather_seconds,
                    lane=lane,
                )
            )
        tasks.create_task(
            every(_SWEEP_SECONDS, services.memories.deletion.sweep_expired, name="sweep_expired")
        )
        tasks.create_task(
            every(_BENCHMARK_SECONDS, services.telemetry.benchmarks.enqueue_due, name="measure_days")
        )
        tasks.create_task(
            every(_HOUR_SECONDS, services.operations.webhooks.delete_parked, name="delete_parked_deliveries")
        )
        tasks.create_task(
            every(_HOUR_SECONDS, services.operations.changes.delete_old, name="delete_old_changes")
        )
