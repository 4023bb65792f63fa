"""Jobs are claimed once, tried again later and later, parked, and taken over from workers that died.

The jobs here are of a kind that only these tests run, so the workers of the run's engine leave them alone.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from app.settings import WorkerSettings
from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.events.announcing import Announcer
from graph.core.events.models import JobsChanged
from graph.core.jobs import queries
from graph.core.jobs.loop import run_worker
from graph.core.jobs.models import JobKind, JobState
from graph.core.jobs.queries import ClaimJobsRow
from graph.core.jobs.service import JobFailed, JobRules, JobRunner, Jobs
from graph.core.measuring import Unmeasured
from tests.fixtures.graphs import run

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
RULES = JobRules(
    batch_size=8, lease_seconds=60, max_attempts=4, first_delay_seconds=2, longest_delay_seconds=7
)
WORK = "MATCH (job:Job {workspace_id: $ws}) RETURN job {.*} AS job ORDER BY job.subject_id"


class FakeClock:
    """Fulfils ``graph.core.ports.Clock``; stands still until it is moved."""

    def __init__(self) -> None:
        self.time = START

    def now(self) -> datetime:
        return self.time

    def move(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


class Silence:
    """Fulfils ``graph.core.ports.WakeUp`` without waking anybody."""

    async def ping(self) -> bool:
        return True

    async def signal(self) -> None:
        pass

    async def wait(self, timeout_seconds: float) -> None:
        pass


class Told:
    """Fulfils ``graph.core.ports.EventBus`` as far as it is written to, and keeps what it was told."""

    def __init__(self) -> None:
        self.messages: list[JobsChanged] = []

    def publish(self, channel: str, message: str) -> None:
        self.messages.append(JobsChanged.model_validate_json(message))
        assert {f"{job.workspace_id}:jobs" for job in self.messages[-1].jobs} == {channel}

    def states(self) -> list[tuple[str, JobState, int]]:
        """Return subject, state and attempts of each change, in order."""
        return [(job.subject_id, job.state, job.attempts) for told in self.messages for job in told.jobs]


class Counted(Unmeasured, Counter[str]):
    """Fulfils ``graph.core.measuring.Measurements``, and holds how jobs ended."""

    def jobs(self, kind: str, outcome: str, count: int) -> None:
        self[outcome] += count


class Bench:
    """One store of jobs of one kind, and the workers on it."""

    def __init__(self, database: Database, driver, workspace_id: str) -> None:
        self.clock = FakeClock()
        self.workspace_id = workspace_id
        self.kind = cast("JobKind", f"PROBE {workspace_id}")
        self.database = database
        self.parked: list[tuple[str, str]] = []
        self.told = Told()
        self.counted = Counted()
        self._driver = driver

    def jobs(self, work, *, rules: JobRules = RULES, is_ready=lambda: True, **options) -> Jobs:
        async def on_parked(jobs: Sequence[ClaimJobsRow], reason: str) -> None:
            self.parked += [(job.subject_id, reason) for job in jobs]

        runners = {self.kind: JobRunner(work, is_ready=is_ready, on_parked=on_parked, **options)}
        announcer = Announcer(self.told, self.clock)
        return Jobs(
            self.database, Silence(), announcer, self.clock, rules, runners, measurements=self.counted
        )

    async def enqueue(self, *subjects: str) -> None:
        await queries.enqueue_jobs(
            self.database,
            workspace_id=self.workspace_id,
            kind=self.kind,
            subject_ids=subjects,
            now=self.clock.now(),
            due_at=self.clock.now(),
        )

    async def left(self) -> list[dict]:
        result = await run(self._driver, WORK, ws=self.workspace_id)
        return [record["job"] for record in result.records]

    async def states(self) -> dict[str, tuple[str, int, str | None]]:
        return {
            job["subject_id"]: (job["state"], job["attempts"], job.get("error")) for job in await self.left()
        }


@pytest.fixture
async def bench(graph_driver) -> Bench:
    workspace_id = f"ws_jobs{id(object())}{asyncio.get_running_loop().time()}".replace(".", "")
    return Bench(Database(graph_driver, name="neo4j", timeout_seconds=30), graph_driver, workspace_id)


class Work:
    """A runner that notes what it was given."""

    def __init__(self, *, failing: Exception | None = None, poison: str | None = None) -> None:
        self.batches: list[list[str]] = []
        self.failing = failing
        self.poison = poison

    async def __call__(self, jobs: Sequence[ClaimJobsRow]) -> None:
        subjects = sorted(job.subject_id for job in jobs)
        self.batches.append(subjects)
        if self.failing or self.poison in subjects:
            raise self.failing or JobFailed("poison")

    @property
    def done(self) -> list[str]:
        return sorted(subject for batch in self.batches for subject in batch)


async def test_due_jobs_are_run_together_and_are_gone_afterwards(bench) -> None:
    work = Work()
    await bench.enqueue("a", "b", "c")

    claimed = await bench.jobs(work).run_due("worker")

    assert (claimed, work.batches) == (3, [["a", "b", "c"]])
    assert await bench.left() == []
    told = bench.told.states()  # jobs that are due at the same moment have no order
    assert sorted(told[:3]) == [(subject, "RUNNING", 1) for subject in "abc"]
    assert sorted(told[3:]) == [(subject, "DONE", 1) for subject in "abc"]
    assert await bench.jobs(work).run_due("worker") == 0


async def test_nothing_is_claimed_while_the_runner_is_not_ready(bench) -> None:
    """Jobs wait for the embedder without using up their attempts."""
    await bench.enqueue("a")

    claimed = await bench.jobs(Work(), is_ready=lambda: False).run_due("worker")

    assert claimed == 0
    assert await bench.states() == {"a": ("PENDING", 0, None)}


async def test_a_failed_job_is_tried_again_later_and_later_and_then_parked(bench) -> None:
    """Twice as late each time, up to a bound; the fourth failure of four parks it with its reason."""
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


async def test_an_operator_sees_how_much_waits_and_since_when(bench) -> None:
    """Of the kinds that are run here; those that failed stay in the count until somebody tries them again."""
    jobs = bench.jobs(Work(failing=JobFailed("no")), rules=replace(RULES, max_attempts=1))
    await bench.enqueue("a")
    await jobs.run_due("worker")
    bench.clock.move(60)
    await bench.enqueue("b", "c")
    bench.clock.move(5)

    backlog = [(row.kind, row.state, row.jobs, row.age_seconds) for row in await jobs.backlog()]

    assert backlog == [(bench.kind, "FAILED", 1, 65.0), (bench.kind, "PENDING", 2, 5.0)]


async def test_a_job_that_waits_for_another_server_is_never_parked(bench) -> None:
    """B21: what an external store was not told yet is tried for as long as it takes, at most so far apart."""
    jobs = bench.jobs(Work(failing=JobFailed("the store is away")), gives_up=False)
    await bench.enqueue("a")

    for _ in range(RULES.max_attempts + 3):
        assert await jobs.run_due("worker") == 1
        bench.clock.move(RULES.longest_delay_seconds)

    assert await bench.states() == {"a": ("PENDING", RULES.max_attempts + 3, "the store is away")}
    assert bench.parked == []


async def test_asking_again_revives_a_parked_job(bench) -> None:
    await bench.enqueue("a")
    await bench.jobs(Work(failing=JobFailed("no")), rules=JobRules(max_attempts=1)).run_due("worker")
    assert await bench.states() == {"a": ("FAILED", 1, "no")}

    await bench.enqueue("a")
    work = Work()
    await bench.jobs(work).run_due("worker")

    assert work.done == ["a"]
    assert await bench.left() == []


async def test_a_poison_job_does_not_hold_up_its_batch(bench) -> None:
    """A failed batch is tried again job by job, so only the culprit fails again."""
    work = Work(poison="bad")
    jobs = bench.jobs(work)
    await bench.enqueue("a", "bad", "c", "d")
    await jobs.run_due("worker")

    bench.clock.move(RULES.first_delay_seconds)
    await jobs.run_due("worker")

    assert work.batches[0] == ["a", "bad", "c", "d"]
    assert sorted(work.batches[1:]) == [["a"], ["bad"], ["c"], ["d"]]
    assert await bench.states() == {"bad": ("PENDING", 2, "poison")}


async def test_a_crash_does_not_hold_up_its_batch_either(bench) -> None:
    """The unexpected error reaches the worker's log once all that was claimed is settled; its text is not kept."""

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


async def test_a_job_asked_for_again_while_it_runs_is_run_once_more(bench) -> None:
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


async def test_a_job_asked_for_again_during_its_last_attempt_is_not_parked(bench) -> None:
    """What changed meanwhile may be what made it fail."""

    async def fails_meanwhile(_: Sequence[ClaimJobsRow]) -> None:
        await bench.enqueue("a")
        raise JobFailed("no")

    await bench.enqueue("a")
    await bench.jobs(fails_meanwhile, rules=JobRules(max_attempts=1)).run_due("worker")

    assert await bench.states() == {"a": ("PENDING", 0, "no")}
    assert bench.parked == []


async def test_the_jobs_of_a_dead_worker_are_taken_over_after_their_lease(bench) -> None:
    class Killed(BaseException):
        """Ends a worker like a kill: nothing is settled."""

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


async def test_jobs_come_back_when_the_graph_was_away(bench) -> None:
    """An outage is no failure of the job: it is neither noted nor delayed beyond the lease."""
    work = Work(failing=Unavailable("neo4j", "away"))
    await bench.enqueue("a")
    with pytest.raises(Unavailable):
        await bench.jobs(work).run_due("worker")
    assert await bench.states() == {"a": ("RUNNING", 1, None)}

    work.failing = None
    bench.clock.move(RULES.lease_seconds)
    await bench.jobs(work).run_due("worker")

    assert await bench.left() == []


async def test_two_workers_share_jobs_without_running_one_twice(bench) -> None:
    """500 jobs, two workers that claim at the same time on the real server."""
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


class Watched(Silence):
    """Notes how long the worker would wait, lets a test write meanwhile, and ends the worker after some waits."""

    def __init__(self, *meanwhile) -> None:
        self.meanwhile = list(meanwhile)
        self.waits: list[float] = []

    async def wait(self, timeout_seconds: float) -> None:
        if not self.meanwhile:
            raise asyncio.CancelledError
        self.waits.append(timeout_seconds)
        await self.meanwhile.pop(0)()


async def test_no_text_waits_for_others_and_none_longer_than_two_seconds(bench) -> None:
    """B13: twenty at once, or what there is after 2 s without a signal; more than a batch go one after the other."""
    settings = WorkerSettings()
    rules = JobRules(batch_size=settings.batch_size)
    many = [f"text {number:03}" for number in range(settings.batch_size + 20)]
    work = Work()
    wake_up = Watched(
        lambda: bench.enqueue("alone"), lambda: bench.enqueue(*many[:20]), lambda: bench.enqueue(*many)
    )
    jobs = bench.jobs(work, rules=rules)

    with pytest.raises(asyncio.CancelledError):
        await run_worker(jobs, wake_up, poll_seconds=settings.poll_seconds, gather_seconds=0)

    assert wake_up.waits == [2.0, 2.0, 2.0]
    sizes = [len(batch) for batch in work.batches]
    assert sizes == [1, 20, settings.batch_size, 20]
    assert settings.batch_size >= 20
