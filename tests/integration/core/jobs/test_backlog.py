"""The backlog of all workspaces that operators see (M9), without the jobs of finished tests."""

from datetime import UTC, datetime, timedelta

import pytest

from graph.memories.models import MemoryDraft
from tests.fixtures.graphs import run
from tests.fixtures.memories import MovingClock

LEAVE = """CYPHER 25
CREATE (:Job {workspace_id: $ws, id: 'job_' + $ws, kind: 'EMBED', subject_id: 'mem_none', state: 'FAILED', revision: 1,
              attempts: 5, created_at: $created_at, updated_at: $created_at})
CREATE (:Job {workspace_id: $ws})"""
CLEAR = "CYPHER 25 MATCH (job:Job {workspace_id: $ws}) DETACH DELETE job"


@pytest.fixture
async def left(graph_driver, workspace_id):
    """Create a parked job of yesterday, and a node as a reader sees a job at the moment it ends."""
    yesterday = datetime.now(UTC) - timedelta(days=1)
    await run(graph_driver, LEAVE, ws=workspace_id, created_at=yesterday)
    yield
    await run(graph_driver, CLEAR, ws=workspace_id)


async def test_a_job_that_ends_during_a_count_is_not_counted(left, services) -> None:
    """Such a job has lost its properties already; it must not cause an error."""
    (parked,) = [
        each for each in await services.core.jobs.backlog() if (each.kind, each.state) == ("EMBED", "FAILED")
    ]

    assert parked.jobs >= 1
    assert parked.age_seconds >= timedelta(days=1).total_seconds()


async def test_jobs_of_a_finished_test_do_not_delay_other_tests(
    services, memories_under, fresh_workspaces, left_jobs
) -> None:
    """Jobs run first come, first served: behind a thousand linking jobs, tests waited for minutes."""
    tomorrow = MovingClock(datetime.now(UTC) + timedelta(days=1))  # no worker takes jobs that are due then
    async with fresh_workspaces.one() as id_:
        await memories_under(clock=tomorrow).save(id_, MemoryDraft(content="quokka", dedup=False))
        left = (await services.core.jobs.page(id_)).items

    await left_jobs.drop(services)

    assert sorted(job.kind for job in left) == ["EMBED", "LINK"]
    assert (await services.core.jobs.page(id_)).items == []
