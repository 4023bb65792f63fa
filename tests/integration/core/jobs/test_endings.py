"""Jobs that end while they are requested again, and jobs that are deleted while their batch ends."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta

import pytest

from graph.core.errors import NotFound
from graph.core.models import JobChange, JobKind
from graph.core.queries import ClaimJobsRow, claim_jobs, fail_jobs, finish_jobs
from tests.fixtures.graphs import run
from tests.fixtures.jobs import Bench, Silence, Work
from tests.fixtures.locks import overtaken_by

END = "CYPHER 25 MATCH (job:Job {workspace_id: $ws}) SET job.locked_by = null DETACH DELETE job"
GOES = """CYPHER 25
MATCH (job:Job {workspace_id: $ws, subject_id: 'a memory that is deleted'})
SET job.locked_by = null
DETACH DELETE job"""
LEFT = "CYPHER 25 MATCH (job:Job {workspace_id: $ws}) RETURN job.subject_id AS subject_id, job.revision AS revision"

Ending = Callable[[Bench, Sequence[ClaimJobsRow]], Awaitable[list[JobChange]]]


async def test_a_job_that_ends_during_a_request_for_it_is_created_again(graph_driver, bench) -> None:
    """The request waits for the lock of a node that is then deleted; its write must not get lost."""
    await bench.enqueue("a text")

    await overtaken_by(graph_driver, END, bench.enqueue("a text"), ws=bench.workspace_id)

    jobs = [record.data() for record in (await run(graph_driver, LEFT, ws=bench.workspace_id)).records]
    assert jobs == [{"subject_id": "a text", "revision": 1}]


def _finished(bench: Bench, jobs: Sequence[ClaimJobsRow]) -> Awaitable[list[JobChange]]:
    rows = [{"id": job.id, "revision": job.revision} for job in jobs]
    return finish_jobs(bench.database, jobs=rows, now=bench.clock.now())


def _failed(bench: Bench, jobs: Sequence[ClaimJobsRow]) -> Awaitable[list[JobChange]]:
    rows = [
        {"id": job.id, "revision": job.revision, "error": "no", "retry_at": bench.clock.now(), "waits": 0}
        for job in jobs
    ]
    return fail_jobs(bench.database, jobs=rows, now=bench.clock.now())


@pytest.mark.parametrize(("end", "state"), [(_finished, "DONE"), (_failed, "PENDING")])
async def test_a_job_deleted_while_it_ends_does_not_affect_others(
    graph_driver, bench, end: Ending, state
) -> None:
    """C16, K1: otherwise the batch announces nothing, and its other jobs wait until their lease expires."""
    await bench.enqueue("a memory that is deleted", "another")
    now = bench.clock.now()
    jobs = await claim_jobs(
        bench.database,
        kind=bench.kind,
        now=now,
        lease_until=now + timedelta(seconds=60),
        worker="worker",
        limit=2,
    )

    ended = await overtaken_by(graph_driver, GOES, end(bench, jobs), ws=bench.workspace_id)

    assert [(change.subject_id, change.state) for change in ended] == [("another", state)]


async def test_retrying_a_job_that_is_being_deleted_finds_nothing(graph_driver, bench) -> None:
    """It must not be an unexpected error."""
    await bench.enqueue("a text")
    (job,) = await bench.left()

    with pytest.raises(NotFound):
        await overtaken_by(
            graph_driver,
            END,
            bench.jobs(Work()).retry(bench.workspace_id, job["id"]),
            ws=bench.workspace_id,
        )


async def test_a_retried_job_is_announced_before_a_worker_wakes(bench, monkeypatch) -> None:
    """K1: otherwise a fast worker announces that the job is done before it is announced as pending."""
    told = []

    class Noting(Silence):
        async def signal(self) -> None:
            told.extend(bench.told.states())

    bench.kind = JobKind.LINK  # a kind that callers know
    bench.clock.time += timedelta(days=36_500)  # no worker claims a job that is due then
    await bench.enqueue("a")
    (job,) = await bench.left()
    jobs = bench.jobs(Work())
    monkeypatch.setattr(jobs, "_wake_up", Noting())

    await jobs.retry(bench.workspace_id, job["id"])

    assert told == [("a", "PENDING", 0)]
