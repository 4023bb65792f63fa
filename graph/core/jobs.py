"""Claims due jobs, runs them in batches and settles them: done, retried later, or parked."""

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog

from graph.core import queries
from graph.core.background import in_background, side_by_side
from graph.core.current_call import running_job
from graph.core.database import Database
from graph.core.errors import NotFound, Unavailable
from graph.core.events import Announcer
from graph.core.measuring import UNMEASURED, Measurements
from graph.core.models import Job, JobBacklog, JobChange, JobKind, JobRules, JobState, Lane
from graph.core.pages import Cursor, Page, Paging
from graph.core.ports import Clock, EmbedderUnavailable, EmbeddingFailed, TierFailed, WakeUp
from graph.core.queries import ClaimJobsRow
from graph.core.scope import EVERYTHING, current_scope, require_whole_workspace
from graph.core.text.work import TEXT_WORK

_SIDE_BY_SIDE = 8  # previously failed jobs that run in parallel, each alone
_RENEWALS = 3  # renewals within one lease, so that one may fail
_LONGEST_WAIT_SECONDS = 60.0  # maximum delay of a job that waits for another server
_MOST_DOUBLINGS = 30  # the delay is capped long before; more doublings would overflow it


async def _only_parked(_jobs: Sequence[ClaimJobsRow], _reason: str) -> None:
    """Do nothing; operators see a parked job in the list of jobs."""


@dataclass(frozen=True)
class JobRunner:
    """Runner of one kind of job.

    Attributes:
        is_ready: Check before a claim; while it returns False, no job of the kind is claimed.
        lane: Resource that jobs of the kind wait for.
        most_together: Maximum number of jobs in one claim, for slow jobs; None: the rules' batch size.
        gives_up: True if a job is parked after its last attempt; waiting for another server does not count.
        on_parked: Receives the parked jobs with their errors.
        batches: Maximum number of full batches before the next kind has its turn.
        patience_seconds: Time during which a job is retried; None: the rules' number of attempts decides.
        longest_delay_seconds: Maximum delay of a retry; None: the default.
        has_one_server: True if all jobs of the kind use the same other server, so that all wait if one waits.
    """

    run: Callable[[Sequence[ClaimJobsRow]], Awaitable[None]]
    is_ready: Callable[[], bool] = lambda: True
    lane: Lane = Lane.GRAPH
    most_together: int | None = None
    gives_up: bool = True
    on_parked: Callable[[Sequence[ClaimJobsRow], str], Awaitable[None]] = _only_parked
    batches: int = 1
    patience_seconds: float | None = None
    longest_delay_seconds: float | None = None
    has_one_server: bool = True


class JobFailed(Exception):
    """Raised by a job's runner if the work fails for now; the job keeps the message."""


class JobWaits(JobFailed):
    """Raised if the work waits for another server; the job is retried at least once a minute and not parked."""


def _waiting(raised: Sequence[Exception]) -> JobWaits | None:
    return next((error for error in raised if isinstance(error, JobWaits)), None)


def _place(job: Job) -> Cursor:
    return Cursor(date=job.created_at, id=job.id)


class Jobs:
    """The use cases of background work; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        wake_up: WakeUp,
        announcer: Announcer,
        clock: Clock,
        rules: JobRules,
        runners: Mapping[JobKind, JobRunner],
        *,
        measurements: Measurements = UNMEASURED,
    ) -> None:
        self._measurements = measurements
        self._database = database
        self._wake_up = wake_up
        self._announcer = announcer
        self._clock = clock
        self._rules = rules
        self._runners = runners
        self._next_look: asyncio.Task[set[str]] | None = None

    async def run_due(self, worker: str, lane: Lane | None = None) -> int:
        """Claim and run due jobs, kind by kind; return the number of claimed jobs.

        Each kind runs as many batches in its turn as its runner allows, while they are full. If a batch fails, its jobs
        are later retried one by one, so that one bad job does not hold up the others. This worker renews its claim
        while it works; another worker takes the job over once the lease has expired.

        Raises:
            Unavailable: A server that the work needs does not answer. Claimed jobs are due again when a retry makes
                sense, or when their lease expires if the graph itself does not answer; other kinds had their turn.
            ExceptionGroup: Unexpected errors of runners, raised after every claimed job has run and is settled.
        """
        ready = [
            kind
            for kind, runner in self._runners.items()
            if lane in (None, runner.lane) and runner.is_ready()
        ]
        due = await self._due(ready)
        claimed = 0
        crashes: list[Exception] = []
        unavailable: Unavailable | None = None
        for place, kind in enumerate(ready, start=1):
            if kind in due:
                try:
                    claimed += await self._take_turn(kind, worker, crashes)
                except Unavailable as error:
                    # The problem may concern this kind alone, so the other kinds still have their turn.
                    unavailable = unavailable or error
                due = await self._due(ready[place:])  # a job may have enqueued jobs of other kinds
        if crashes:
            raise ExceptionGroup("jobs crashed", crashes)
        if unavailable is not None:
            raise unavailable
        return claimed

    async def page(
        self, workspace_id: str, *, state: JobState | None = None, first: int = 50, after: str | None = None
    ) -> Page[Job]:
        """Return a page of unfinished jobs, newest first; empty for a task that sees only one user's or agent's memory.

        Jobs belong to the workspace: their subjects are memories and users of everybody, and the error of a batch may
        quote any of its texts.
        """
        paging = Paging.of(first, after)
        if current_scope() != EVERYTHING:
            return paging.page([], _place)
        found = await queries.list_jobs(
            self._database, workspace_id=workspace_id, state=state, **paging.by_creation
        )
        return paging.page(found, _place)

    async def backlog(self) -> list[JobBacklog]:
        """Return the number of jobs by kind and state over all workspaces, for the kinds that this process runs."""
        now = self._clock.now()
        return [
            JobBacklog(
                kind=row.kind,
                state=row.state,
                jobs=row.jobs,
                age_seconds=max(0.0, (now - row.oldest).total_seconds()),
            )
            for row in await queries.count_backlog(self._database)
            if row.kind in self._runners
        ]

    async def find_all(self, workspace_id: str, ids: Sequence[str]) -> dict[str, Job]:
        """Return the unfinished jobs by their ids."""
        jobs = await queries.get_jobs(self._database, workspace_id=workspace_id, ids=ids)
        return {job.id: job for job in jobs}

    async def retry(self, workspace_id: str, id_: str) -> Job:
        """Make a waiting or parked job due immediately.

        Raises:
            Forbidden: The task sees only one user's or agent's memory, and jobs belong to the workspace.
            NotFound: The job does not exist in the workspace.
        """
        require_whole_workspace("retrying a job")
        job = await queries.retry_job(
            self._database, workspace_id=workspace_id, id=id_, now=self._clock.now()
        )
        if job is None:
            raise NotFound(f"there is no job {id_!r} in this workspace", field="id")
        # Announced before the wake-up: a quick worker could otherwise finish the job before this event.
        self._announcer.jobs_changed([JobChange(**job.model_dump(exclude={"error"}))])
        await self._wake_up.signal()
        return job

    async def _due(self, kinds: Sequence[JobKind]) -> set[str]:
        """Return the kinds with due jobs; lanes that one signal wakes share a query."""
        if not kinds:
            return set()
        if self._next_look is None:
            self._next_look = asyncio.create_task(self._look())
            self._next_look.add_done_callback(lambda look: look.cancelled() or look.exception())
        return await asyncio.shield(self._next_look) & set(kinds)

    async def _look(self) -> set[str]:
        await asyncio.sleep(0)
        self._next_look = None  # the query begins now, so a later caller may need jobs that it does not find
        kinds = list(self._runners)
        return set(await queries.list_due_kinds(self._database, kinds=kinds, now=self._clock.now()))

    async def _take_turn(self, kind: JobKind, worker: str, crashes: list[Exception]) -> int:
        """Run a kind's batches, collect unexpected errors, and return the number of jobs."""
        runner = self._runners[kind]
        most = min(self._rules.batch_size, runner.most_together or self._rules.batch_size)
        claimed = 0
        for _ in range(runner.batches):
            jobs = await self._claim(kind, worker, most)
            try:
                async with self._holding(jobs, worker):
                    raised = await self._run(kind, jobs)
            except Unavailable as error:
                await self._release(jobs, worker, error)
                raise
            claimed += len(jobs)
            crashes += [error for error in raised if not isinstance(error, JobWaits)]
            if len(jobs) < most or _waiting(raised) is not None:
                break
        return claimed

    async def _claim(self, kind: JobKind, worker: str, most: int) -> list[ClaimJobsRow]:
        now = self._clock.now()
        lease_until = now + timedelta(seconds=self._rules.lease_seconds)
        rows = await queries.claim_jobs(
            self._database,
            kind=kind,
            now=now,
            lease_until=lease_until,
            worker=worker,
            limit=most,
        )
        self._announcer.jobs_changed(
            [
                JobChange(
                    **row.model_dump(exclude={"revision", "waits"}),
                    kind=kind,
                    state=JobState.RUNNING,
                    updated_at=now,
                    due_at=lease_until,
                )
                for row in rows
            ]
        )
        return rows

    @asynccontextmanager
    async def _holding(self, jobs: Sequence[ClaimJobsRow], worker: str) -> AsyncIterator[None]:
        """Renew the lease of claimed jobs within the block, so that no other worker claims them."""
        holding = in_background(self._hold(jobs, worker), name="hold_jobs")
        try:
            yield
        finally:
            holding.cancel()
            await asyncio.wait({holding})

    async def _hold(self, jobs: Sequence[ClaimJobsRow], worker: str) -> None:
        while jobs:
            await asyncio.sleep(self._rules.lease_seconds / _RENEWALS)
            with suppress(Unavailable):  # the lease expires unless the next renewal is in time
                await queries.extend_leases(
                    self._database,
                    jobs=[{"id": job.id, "attempts": job.attempts} for job in jobs],
                    worker=worker,
                    lease_until=self._clock.now() + timedelta(seconds=self._rules.lease_seconds),
                )

    async def _run(self, kind: JobKind, jobs: Sequence[ClaimJobsRow]) -> list[Exception]:
        """Run claimed jobs, previously failed ones separately; return unexpected errors and waits."""
        fresh = [job for job in jobs if job.attempts == 1]
        repeated = [job for job in jobs if job.attempts > 1]
        batches = [batch for batch in (fresh, *([job] for job in repeated)) if batch]
        free, is_interrupted = asyncio.Semaphore(_SIDE_BY_SIDE), asyncio.Event()
        raised: list[Exception] = []

        async def run(batch: Sequence[ClaimJobsRow]) -> None:
            async with free:
                if is_interrupted.is_set():
                    return  # the caller releases this batch with the other unsettled jobs
                if self._runners[kind].has_one_server and (waits := _waiting(raised)) is not None:
                    await self._settle_failed(kind, batch, str(waits), waits=True)
                    return  # this batch would wait for the same server
                try:
                    error = await self._run_together(kind, batch)
                except BaseException:
                    is_interrupted.set()
                    raise
            if error is not None:
                raised.append(error)

        await side_by_side(map(run, batches))
        return raised

    async def _run_together(self, kind: JobKind, jobs: Sequence[ClaimJobsRow]) -> Exception | None:
        try:
            with running_job(kind):
                await self._runners[kind].run(jobs)
        except JobWaits as error:
            await self._settle_failed(kind, jobs, str(error), waits=True)
            return error
        except JobFailed as error:
            await self._settle_failed(kind, jobs, str(error))
        except Unavailable as error:
            if error.dependency != TEXT_WORK:
                raise
            # The failure may concern these texts and repeat, so the attempts are limited.
            await self._settle_failed(kind, jobs, error.message)
        except Exception as error:  # noqa: BLE001 - whatever it is, the other jobs go on; run_due raises it
            # Operators see only the type of the error, because its message may contain users' texts.
            await self._settle_failed(kind, jobs, type(error).__name__)
            return error
        else:
            finished = await queries.finish_jobs(
                self._database,
                jobs=[{"id": job.id, "revision": job.revision} for job in jobs],
                now=self._clock.now(),
            )
            self._announcer.jobs_changed(finished)
            self._measurements.jobs(kind, "done", len(jobs))
        return None

    async def _release(self, jobs: Sequence[ClaimJobsRow], worker: str, error: Unavailable) -> None:
        """Release claimed jobs that are not settled; if the graph does not answer, their lease expires instead."""
        now = self._clock.now()
        with suppress(Unavailable):
            released = await queries.release_jobs(
                self._database,
                jobs=[{"id": job.id, "attempts": job.attempts} for job in jobs],
                worker=worker,
                now=now,
                due_at=now + timedelta(seconds=error.retry_after_seconds),
            )
            self._announcer.jobs_changed(released)

    async def _settle_failed(
        self, kind: JobKind, jobs: Sequence[ClaimJobsRow], reason: str, *, waits: bool = False
    ) -> None:
        now = self._clock.now()
        runner = self._runners[kind]
        rows: list[dict[str, Any]] = [
            {
                "id": job.id,
                "revision": job.revision,
                "error": reason,
                "retry_at": self._retry_at(job, now, runner, waits=waits),
                "waits": job.waits + waits,
            }
            for job in jobs
        ]
        failed = await queries.fail_jobs(self._database, jobs=rows, now=now)
        self._announcer.jobs_changed(failed)
        failed_ids = {change.id for change in failed if change.state is JobState.FAILED}
        parked = [job for job in jobs if job.id in failed_ids]
        self._measurements.jobs(kind, "parked", len(parked))
        self._measurements.jobs(kind, "failed", len(jobs) - len(parked))
        if parked:
            await self._runners[kind].on_parked(parked, reason)

    def _retry_at(
        self, job: ClaimJobsRow, now: datetime, runner: JobRunner, *, waits: bool
    ) -> datetime | None:
        """Return the time of the next attempt; None after the last attempt or the time limit. Each delay is doubled.

        Attempts that waited for another server do not count as failures, so an outage uses up no attempts.
        """
        longest = runner.longest_delay_seconds or self._rules.longest_delay_seconds
        failures = job.attempts - job.waits  # includes the current attempt, unless it waits
        before = job.waits if waits else failures - 1
        delay = self._rules.first_delay_seconds * 2 ** min(before, _MOST_DOUBLINGS)
        if waits:
            return now + timedelta(seconds=min(delay, longest, _LONGEST_WAIT_SECONDS))
        retry_at = now + timedelta(seconds=min(delay, longest))
        if runner.patience_seconds is not None:
            is_over = retry_at > job.created_at + timedelta(seconds=runner.patience_seconds)
        else:
            is_over = runner.gives_up and failures >= self._rules.max_attempts
        return None if is_over else retry_at


_log = structlog.get_logger("recollect.worker")
_PAUSE_AFTER_ERROR_SECONDS = 1.0
_FEW = 20  # after a round with fewer jobs the worker waits to gather more


async def run_worker(
    jobs: Jobs,
    wake_up: WakeUp,
    *,
    poll_seconds: float,
    gather_seconds: float,
    lane: Lane | None = None,
) -> None:
    """Run due jobs until cancelled; errors do not end the loop.

    Args:
        jobs: Queue to run.
        wake_up: Signal that ends a wait.
        poll_seconds: Maximum wait after a round without due jobs.
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


Run = Callable[[Sequence[ClaimJobsRow]], Awaitable[None]]


def failing_as_job(run: Run) -> Run:
    """Return a runner that raises job errors for failures of the embedder and the vector tier."""

    async def run_job(jobs: Sequence[ClaimJobsRow]) -> None:
        try:
            await run(jobs)
        except EmbedderUnavailable as error:
            raise JobWaits(str(error)) from error
        except (EmbeddingFailed, TierFailed) as error:
            raise JobFailed(str(error)) from error

    return run_job
