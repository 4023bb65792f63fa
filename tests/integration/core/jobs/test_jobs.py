"""Jobs: claimed once, retried with growing delays, parked, and taken over from dead workers.

The jobs are of a kind that only these tests run, so the workers of the run's engine do not take them.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from graph.core import queries
from graph.core.errors import Unavailable
from graph.core.jobs import JobFailed, JobWaits
from graph.core.models import JobRules, Lane
from graph.core.queries import ClaimJobsRow
from tests.fixtures.jobs import RULES, Work
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import until


async def test_due_jobs_are_run_together_and_are_gone_afterwards(bench) -> None:
    work = Work()
    await bench.enqueue("a", "b", "c")

    claimed = await bench.jobs(work).run_due("worker")

    assert (claimed, work.batches) == (3, [["a", "b", "c"]])
    assert await bench.left() == []
    told = bench.told.states()  # jobs that are due at the same time have no order
    assert sorted(told[:3]) == [(subject, "RUNNING", 1) for subject in "abc"]
    assert sorted(told[3:]) == [(subject, "DONE", 1) for subject in "abc"]
    assert await bench.jobs(work).run_due("worker") == 0


async def test_jobs_waiting_for_a_server_are_not_parked_and_delay_no_other_kind(bench) -> None:
    """B11, B15: one batch finds the server unavailable; single jobs that have not started wait as well."""
    work = Work(failing=JobWaits("the model is away"))
    jobs = bench.jobs(work, rules=replace(RULES, batch_size=20, max_attempts=2), batches=16)
    await bench.enqueue(*(f"{number:02}" for number in range(40)))

    assert await jobs.run_due("worker") == 20
    assert [len(batch) for batch in work.batches] == [20]
    assert await jobs.run_due("worker") == 20
    assert [len(batch) for batch in work.batches] == [20, 20]
    work.batches.clear()
    bench.clock.move(2)
    assert await jobs.run_due("worker") == 20
    assert [len(batch) for batch in work.batches] == [1] * 8  # as many as run concurrently
    for _ in range(4):
        bench.clock.move(60)
        await jobs.run_due("worker")

    assert {(state, error) for state, _, error in (await bench.states()).values()} == {
        ("PENDING", "the model is away")
    }
    assert bench.parked == []
    work.failing = None
    for _ in range(2):
        bench.clock.move(60)
        await jobs.run_due("worker")
    assert await bench.left() == []


async def test_waiting_for_a_server_uses_up_no_attempts(bench) -> None:
    """B15: otherwise the first failure after an outage would park it. A new request resets both counts."""
    jobs = bench.jobs(work := Work(failing=JobWaits("the model is away")))
    await bench.enqueue("a")
    for _ in range(RULES.max_attempts + 2):
        assert await jobs.run_due("worker") == 1
        bench.clock.move(60)

    work.failing = JobFailed("no such text")
    for _ in range(RULES.max_attempts - 1):
        assert await jobs.run_due("worker") == 1
        bench.clock.move(60)
    (job,) = await bench.left()
    assert (job["state"], job["attempts"], job["waits"]) == ("PENDING", 9, 6)
    assert await jobs.run_due("worker") == 1
    assert bench.parked == [("a", "no such text")]

    await bench.enqueue("a")
    assert [(job["attempts"], job.get("waits")) for job in await bench.left()] == [(0, None)]


async def test_nothing_is_claimed_while_the_runner_is_not_ready(bench) -> None:
    """Jobs wait for the embedder without using up attempts."""
    await bench.enqueue("a")

    claimed = await bench.jobs(Work(), is_ready=lambda: False).run_due("worker")

    assert claimed == 0
    assert await bench.states() == {"a": ("PENDING", 0, None)}


async def test_a_failed_job_is_retried_with_growing_delays_then_parked(bench) -> None:
    """Each delay is twice as long, up to a limit; the fourth of four failures parks the job."""
    work = Work(failing=JobFailed("the model is away"))
    jobs = bench.jobs(work)
    await bench.enqueue("a")
    waits = []

    for _ in range(RULES.max_attempts):
        assert await jobs.run_due("worker") == 1
        (job,) = await bench.left()
        if job["state"] == "PENDING":
            waits.append((job["due_at"].to_native() - bench.clock.now()).total_seconds())
            bench.clock.move(waits[-1] - 0.001)
            assert await jobs.run_due("worker") == 0
            bench.clock.move(0.001)

    assert waits == [2, 4, 7]
    assert await bench.states() == {"a": ("FAILED", 4, "the model is away")}
    assert bench.parked == [("a", "the model is away")]
    assert bench.told.states() == [
        *(("a", state, attempt) for attempt in (1, 2, 3) for state in ("RUNNING", "PENDING")),
        ("a", "RUNNING", 4),
        ("a", "FAILED", 4),
    ]
    bench.clock.move(10**6)
    assert await jobs.run_due("worker") == 0
    assert +bench.counted == {"failed": 3, "parked": 1}


async def test_an_operator_sees_the_size_and_age_of_the_backlog(bench) -> None:
    """For the job kinds of this process; failed jobs count until somebody retries them."""
    jobs = bench.jobs(Work(failing=JobFailed("no")), rules=replace(RULES, max_attempts=1))
    await bench.enqueue("a")
    await jobs.run_due("worker")
    bench.clock.move(60)
    await bench.enqueue("b", "c")
    bench.clock.move(5)

    backlog = [(row.kind, row.state, row.jobs, row.age_seconds) for row in await jobs.backlog()]

    assert backlog == [(bench.kind, "FAILED", 1, 65.0), (bench.kind, "PENDING", 2, 5.0)]


async def test_a_job_that_waits_for_another_server_is_never_parked(bench) -> None:
    """B21: an update of an external store is retried forever, with a bounded delay."""
    jobs = bench.jobs(Work(failing=JobFailed("the store is away")), gives_up=False)
    await bench.enqueue("a")

    for _ in range(RULES.max_attempts + 3):
        assert await jobs.run_due("worker") == 1
        bench.clock.move(RULES.longest_delay_seconds)

    assert await bench.states() == {"a": ("PENDING", RULES.max_attempts + 3, "the store is away")}
    assert bench.parked == []


async def test_another_request_revives_a_parked_job(bench) -> None:
    await bench.enqueue("a")
    await bench.jobs(Work(failing=JobFailed("no")), rules=JobRules(max_attempts=1)).run_due("worker")
    assert await bench.states() == {"a": ("FAILED", 1, "no")}

    await bench.enqueue("a")
    work = Work()
    await bench.jobs(work).run_due("worker")

    assert work.done == ["a"]
    assert await bench.left() == []


async def test_a_poison_job_does_not_hold_up_its_batch(bench) -> None:
    """The retry of a failed batch runs each job alone, so that only the culprit fails again."""
    work = Work(poison="bad")
    jobs = bench.jobs(work)
    await bench.enqueue("a", "bad", "c", "d")
    await jobs.run_due("worker")

    bench.clock.move(RULES.first_delay_seconds)
    await jobs.run_due("worker")

    assert work.batches[0] == ["a", "bad", "c", "d"]
    assert sorted(work.batches[1:]) == [["a"], ["bad"], ["c"], ["d"]]
    assert await bench.states() == {"bad": ("PENDING", 2, "poison")}


async def test_previously_failed_jobs_run_concurrently(bench) -> None:
    """One after another, eight jobs that wait for a silent server would outlast their lease."""
    meeting = asyncio.Barrier(8)

    async def meets(jobs: Sequence[ClaimJobsRow]) -> None:
        if len(jobs) > 1:
            raise JobFailed("no")
        await asyncio.wait_for(meeting.wait(), scaled_timeout(30))

    jobs = bench.jobs(meets)
    await bench.enqueue(*(f"job {number}" for number in range(8)))
    await jobs.run_due("worker")
    bench.clock.move(RULES.first_delay_seconds)

    await jobs.run_due("worker")

    assert await bench.left() == []


async def test_no_further_jobs_start_while_a_server_is_unavailable(bench) -> None:
    """Each of them would wait as long as the first did."""
    work = Work(failing=JobFailed("no"))
    rules = replace(RULES, batch_size=20)
    await bench.enqueue(*(f"job {number:02}" for number in range(20)))
    await bench.jobs(work, rules=rules).run_due("worker")
    bench.clock.move(RULES.first_delay_seconds)
    work.failing = Unavailable("neo4j", "busy", retry_after_seconds=1)

    with pytest.raises(Unavailable):
        await bench.jobs(work, rules=rules).run_due("worker")

    assert len(work.batches) <= 1 + 8
    assert {(state, attempts) for state, attempts, _ in (await bench.states()).values()} == {("PENDING", 1)}


async def test_a_long_job_stays_with_its_worker(bench) -> None:
    """Otherwise another worker would take it over and run it again."""
    rules = replace(RULES, lease_seconds=0.2)
    other = Work()

    async def lease_ends() -> datetime:
        (job,) = await bench.left()
        return job["due_at"].to_native()

    async def takes_long(_: Sequence[ClaimJobsRow]) -> None:
        for _ in range(3):
            bench.clock.move(0.19)
            now = bench.clock.now()

            async def is_renewed(now: datetime = now) -> bool:
                return await lease_ends() > now + timedelta(seconds=0.19)

            await until(is_renewed)
            assert await bench.jobs(other).run_due("other") == 0

    await bench.enqueue("a")
    await bench.jobs(takes_long, rules=rules).run_due("worker")

    assert other.done == []
    assert await bench.left() == []


async def test_the_jobs_of_one_lane_do_not_wait_for_those_of_another(bench) -> None:
    """An unresponsive webhook must not delay the worker's other jobs."""
    work = Work()
    await bench.enqueue("a")

    assert await bench.jobs(work, lane=Lane.WEBHOOK).run_due("worker", Lane.GRAPH) == 0
    assert await bench.jobs(work, lane=Lane.WEBHOOK).run_due("worker", Lane.WEBHOOK) == 1

    assert work.done == ["a"]


async def test_a_crash_does_not_delay_its_batch(bench) -> None:
    """The unexpected error reaches the worker's log after the batch is settled; its text is not stored."""

    class Crashing(Work):
        async def __call__(self, jobs: Sequence[ClaimJobsRow]) -> None:
            await super().__call__(jobs)
            if any(job.subject_id == "bad" for job in jobs):
                raise KeyError("what a user wrote")

    work = Crashing()
    jobs = bench.jobs(work)
    await bench.enqueue("a", "bad", "c")
    with pytest.raises(ExceptionGroup) as first:
        await jobs.run_due("worker")
    bench.clock.move(RULES.first_delay_seconds)
    with pytest.raises(ExceptionGroup) as second:
        await jobs.run_due("worker")

    assert [len(first.value.exceptions), len(second.value.exceptions)] == [1, 1]
    assert await bench.states() == {"bad": ("PENDING", 2, "KeyError")}


async def test_a_job_requested_during_its_run_runs_again(bench) -> None:
    class Again(Work):
        async def __call__(self, jobs: Sequence[ClaimJobsRow]) -> None:
            await super().__call__(jobs)
            if len(self.batches) == 1:
                await bench.enqueue("a")

    work = Again()
    jobs = bench.jobs(work)
    await bench.enqueue("a")
    await jobs.run_due("worker")
    assert await bench.states() == {"a": ("PENDING", 0, None)}

    await jobs.run_due("worker")

    assert work.batches == [["a"], ["a"]]
    assert await bench.left() == []


async def test_a_job_requested_during_its_last_attempt_is_not_parked(bench) -> None:
    """The new change may have fixed the cause of the failure."""

    async def fails_meanwhile(_: Sequence[ClaimJobsRow]) -> None:
        await bench.enqueue("a")
        raise JobFailed("no")

    await bench.enqueue("a")
    await bench.jobs(fails_meanwhile, rules=JobRules(max_attempts=1)).run_due("worker")

    assert await bench.states() == {"a": ("PENDING", 0, "no")}
    assert bench.parked == []


async def test_the_jobs_of_a_dead_worker_are_taken_over_after_their_lease(bench) -> None:
    class Killed(BaseException):
        """Ends a worker like a kill: it settles nothing."""

    async def dies(_: Sequence[ClaimJobsRow]) -> None:
        raise Killed

    await bench.enqueue("a", "b")
    with pytest.raises(Killed):
        await bench.jobs(dies).run_due("first")
    survivor = Work()
    other = bench.jobs(survivor)

    bench.clock.move(RULES.lease_seconds - 1)
    assert await other.run_due("second") == 0
    bench.clock.move(1)
    assert await other.run_due("second") == 2

    assert survivor.done == ["a", "b"]
    assert await bench.left() == []


async def test_jobs_are_due_soon_after_an_outage(bench) -> None:
    """An outage is not recorded or counted as a failure, and the jobs need not wait for their lease."""
    work = Work(failing=Unavailable("neo4j", "busy", retry_after_seconds=3))
    await bench.enqueue("a", "b")
    for _ in range(RULES.max_attempts + 1):
        with pytest.raises(Unavailable):
            await bench.jobs(work).run_due("worker")
        assert await bench.states() == {"a": ("PENDING", 0, None), "b": ("PENDING", 0, None)}
        bench.clock.move(2)
        assert await bench.jobs(work).run_due("worker") == 0
        bench.clock.move(1)

    work.failing = None
    await bench.jobs(work).run_due("worker")

    assert await bench.left() == []


async def test_a_job_requested_during_an_outage_runs_again(bench) -> None:
    """The request reset its attempts; releasing it does not count another."""

    async def away(_: Sequence[ClaimJobsRow]) -> None:
        await bench.enqueue("a")
        raise Unavailable("neo4j", "busy", retry_after_seconds=1)

    await bench.enqueue("a")
    with pytest.raises(Unavailable):
        await bench.jobs(away).run_due("worker")

    assert await bench.states() == {"a": ("PENDING", 0, None)}


async def test_jobs_taken_over_by_another_worker_are_not_released(bench) -> None:
    """A worker whose lease expired has nothing to release."""

    async def away(_: Sequence[ClaimJobsRow]) -> None:
        bench.clock.move(RULES.lease_seconds)
        rows = await queries.claim_jobs(
            bench.database,
            kind=bench.kind,
            now=bench.clock.now(),
            lease_until=bench.clock.now(),
            worker="second",
            limit=1,
        )
        assert len(rows) == 1
        raise Unavailable("neo4j", "busy")

    await bench.enqueue("a")
    with pytest.raises(Unavailable):
        await bench.jobs(away).run_due("first")

    assert await bench.states() == {"a": ("RUNNING", 2, None)}


async def test_two_workers_share_jobs_without_running_one_twice(bench) -> None:
    """Two workers claim 500 jobs concurrently on a real server."""
    subjects = [f"job {number:03}" for number in range(500)]
    await bench.enqueue(*subjects)
    work = [Work(), Work()]

    async def worker(number: int) -> None:
        jobs = bench.jobs(work[number])
        while await bench.left():
            await jobs.run_due(f"worker {number}")

    await asyncio.gather(worker(0), worker(1))

    assert sorted(work[0].done + work[1].done) == subjects
    assert await bench.left() == []
