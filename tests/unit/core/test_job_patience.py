"""How long a job that keeps failing is tried (15.10)."""

from datetime import timedelta
from typing import Any, cast

import pytest

from graph.core.jobs.queries import ClaimJobsRow
from graph.core.jobs.service import JobRules, JobRunner, Jobs
from tests.fixtures.graphs import NOW

DAY = 86_400.0


async def _nothing(_jobs: Any) -> None:
    """Do nothing."""


RUNNER = JobRunner(_nothing, patience_seconds=DAY, longest_delay_seconds=3600)
JOBS = Jobs(*cast("tuple[Any, Any, Any, Any]", (None,) * 4), JobRules(), {})


def retry_after(attempts: int, age_seconds: float) -> float | None:
    """Return in how many seconds a job of that age is tried again."""
    job = ClaimJobsRow(
        id="j", workspace_id="w", subject_id="s", revision=1, attempts=attempts, created_at=NOW
    )
    now = NOW + timedelta(seconds=age_seconds)
    at = JOBS._retry_at(job, now, RUNNER)
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


def test_a_day_of_failures_is_some_thirty_attempts() -> None:
    attempts, age = 1, 0.0
    while (wait := retry_after(attempts, age)) is not None:
        attempts, age = attempts + 1, age + wait

    assert attempts == 34
    assert DAY - 3600 <= age <= DAY
