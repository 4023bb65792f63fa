"""The typed functions over ``cypher/jobs``."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_optional
from graph.jobs.models import Job


class ClaimJobsRow(Row):
    """One row of ``claim_jobs``."""

    id: str
    workspace_id: str
    subject_id: str
    revision: int
    attempts: int


async def claim_jobs(
    runner: Runner, *, kind: str, now: datetime, lease_until: datetime, worker: str, limit: int
) -> list[ClaimJobsRow]:
    """Naming the worker takes the lock; due_at is read again under it, so one job is never claimed twice"""
    return await fetch_many(
        runner,
        load("claim_jobs"),
        ClaimJobsRow,
        {"kind": kind, "now": now, "lease_until": lease_until, "worker": worker, "limit": limit},
    )


class CountJobsRow(Row):
    """One row of ``count_jobs``."""

    kind: str
    state: str
    count: int


async def count_jobs(runner: Runner, *, workspace_id: str) -> list[CountJobsRow]:
    """Return the rows"""
    return await fetch_many(runner, load("count_jobs"), CountJobsRow, {"workspace_id": workspace_id})


async def enqueue_jobs(
    runner: Runner,
    *,
    workspace_id: str,
    kind: str,
    subject_ids: Sequence[str],
    now: datetime,
    due_at: datetime,
) -> None:
    """One job for a kind and subject; asking again while it runs raises its revision, so it is run once more afterwards"""
    await execute(
        runner,
        load("enqueue_jobs"),
        {
            "workspace_id": workspace_id,
            "kind": kind,
            "subject_ids": subject_ids,
            "now": now,
            "due_at": due_at,
        },
    )


async def fail_jobs(runner: Runner, *, jobs: Sequence[Mapping[str, Any]], now: datetime) -> None:
    """A parked job has no due_at, so no worker finds it until retry_job gives it one"""
    await execute(runner, load("fail_jobs"), {"jobs": jobs, "now": now})


async def finish_jobs(runner: Runner, *, jobs: Sequence[Mapping[str, Any]], now: datetime) -> None:
    """A job asked for again while it ran has a higher revision and is run once more"""
    await execute(runner, load("finish_jobs"), {"jobs": jobs, "now": now})


class ListJobsRow(Row):
    """One row of ``list_jobs``."""

    job: Job


async def list_jobs(
    runner: Runner,
    *,
    workspace_id: str,
    state: str | None,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[ListJobsRow]:
    """Return the rows"""
    return await fetch_many(
        runner,
        load("list_jobs"),
        ListJobsRow,
        {
            "workspace_id": workspace_id,
            "state": state,
            "after_created": after_created,
            "after_id": after_id,
            "limit": limit,
        },
    )


class RetryJobRow(Row):
    """One row of ``retry_job``."""

    job: Job


async def retry_job(runner: Runner, *, workspace_id: str, id: str, now: datetime) -> RetryJobRow | None:
    """Return the row, or None"""
    return await fetch_optional(
        runner, load("retry_job"), RetryJobRow, {"workspace_id": workspace_id, "id": id, "now": now}
    )
