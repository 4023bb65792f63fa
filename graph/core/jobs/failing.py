"""Errors that make a job fail and be retried."""

from collections.abc import Awaitable, Callable, Sequence

from graph.core.jobs.queries import ClaimJobsRow
from graph.core.jobs.service import JobFailed, JobWaits
from graph.core.ports import EmbedderUnavailable, EmbeddingFailed, TierFailed

Run = Callable[[Sequence[ClaimJobsRow]], Awaitable[None]]


def failing_as_job(run: Run) -> Run:
    """Return a runner that fails as a job does where a server beside the graph did not do its part."""

    async def run_job(jobs: Sequence[ClaimJobsRow]) -> None:
        try:
            await run(jobs)
        except EmbedderUnavailable as error:
            raise JobWaits(str(error)) from error
        except (EmbeddingFailed, TierFailed) as error:
            raise JobFailed(str(error)) from error

    return run_job
