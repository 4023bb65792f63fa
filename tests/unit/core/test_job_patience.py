"""The retries of a failing job (15.10)."""

from datetime import timedelta
from typing import Any, cast

import pytest

from graph.core.jobs import JobFailed, JobRunner, Jobs, JobWaits, failing_as_job
from graph.core.models import JobRules
from graph.core.ports import EmbedderUnavailable, EmbeddingFailed, TierFailed
from graph.core.queries import ClaimJobsRow
from tests.fixtures.graphs import NOW

DAY = 86_400.0


async def _nothing(_jobs: Any) -> None:
    """Do nothing."""


RUNNER = JobRunner(_nothing, patience_seconds=DAY, longest_delay_seconds=3600)
JOBS = Jobs(*cast("tuple[Any, Any, Any, Any]", (None,) * 4), JobRules(), {})


def retry_after(
    attempts: int, age_seconds: float, *, waited: int = 0, runner: JobRunner = RUNNER, waits: bool = False
) -> float | None:
    """Return after how many seconds a job of that age is retried."""
    job = ClaimJobsRow(
        id="j", workspace_id="w", subject_id="s", revision=1, attempts=attempts, waits=waited, created_at=NOW
    )
    now = NOW + timedelta(seconds=age_seconds)
    at = JOBS._retry_at(job, now, runner, waits=waits)
    return None if at is None else (at - now).total_seconds()


@pytest.mark.parametrize(
    ("attempts", "age", "expected"),
    [
        (1, 0, 2),
        (5, 60, 32),
        (12, 4000, 3600),
        (200, DAY - 3601, 3600),
        (2, DAY - 3, None),
        (1, DAY + 1, None),
    ],
)
def test_a_job_with_patience_is_tried_hourly_and_parked_after_its_time(
    attempts: int, age: float, expected: float | None
) -> None:
    assert retry_after(attempts, age) == expected


def test_a_day_of_failures_has_about_thirty_attempts() -> None:
    attempts, age = 1, 0.0
    while (wait := retry_after(attempts, age)) is not None:
        attempts, age = attempts + 1, age + wait

    assert attempts == 34
    assert DAY - 3600 <= age <= DAY


@pytest.mark.parametrize(("attempts", "expected"), [(1, 2), (5, 32), (6, 60), (500, 60)])
@pytest.mark.parametrize("runner", [JobRunner(_nothing), RUNNER], ids=["attempts", "patience"])
def test_a_job_that_waits_for_a_server_is_tried_every_minute_without_end(
    runner: JobRunner, attempts: int, expected: float
) -> None:
    """B15: an outage of any length parks no job."""
    assert retry_after(attempts, 2 * DAY, waited=attempts - 1, runner=runner, waits=True) == expected


@pytest.mark.parametrize(("failures", "expected"), [(1, 2), (4, 16), (5, None)])
def test_an_outage_uses_up_no_attempt(failures: int, expected: float | None) -> None:
    """B15: failures after an outage are retried as soon and as often as without one."""
    assert retry_after(200 + failures, DAY, waited=200, runner=JobRunner(_nothing)) == expected


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (EmbedderUnavailable("away"), JobWaits),
        (EmbeddingFailed("no such text"), JobFailed),
        (TierFailed("away"), JobFailed),
    ],
)
async def test_jobs_wait_only_for_an_unavailable_embedder(
    raised: Exception, expected: type[Exception]
) -> None:
    """B11, B15: after a few attempts the job gives up a refused text."""

    async def fail(_jobs: Any) -> None:
        raise raised

    with pytest.raises(JobFailed, match=str(raised)) as failure:
        await failing_as_job(fail)([])

    assert type(failure.value) is expected
