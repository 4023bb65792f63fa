"""The typed functions over ``cypher/core/jobs``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.jobs.models import Job, JobChange
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_optional


class ClaimJobsRow(Row):
    id: str
    workspace_id: str
    subject_id: str
    revision: int
    attempts: int
    created_at: datetime


async def claim_jobs(
    runner: Runner, *, kind: str, now: datetime, lease_until: datetime, worker: str, limit: int
) -> list[ClaimJobsRow]:
    return await fetch_many(
        runner,
        load("claim_jobs"),
        ClaimJobsRow,
        {"kind": kind, "now": now, "lease_until": lease_until, "worker": worker, "limit": limit},
    )


class ListDueKindsRow(Row):
    kind: str


async def list_due_kinds(runner: Runner, *, kinds: Sequence[str], now: datetime) -> list[ListDueKindsRow]:
    return await fetch_many(runner, load("list_due_kinds"), ListDueKindsRow, {"kinds": kinds, "now": now})


async def enqueue_jobs(
    runner: Runner,
    *,
    workspace_id: str,
    kind: str,
    subject_ids: Sequence[str],
    now: datetime,
    due_at: datetime,
) -> None:
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


class FailJobsRow(Row):
    change: JobChange


async def fail_jobs(runner: Runner, *, jobs: Sequence[Mapping[str, Any]], now: datetime) -> list[FailJobsRow]:
    return await fetch_many(runner, load("fail_jobs"), FailJobsRow, {"jobs": jobs, "now": now})


class FinishJobsRow(Row):
    change: JobChange


async def finish_jobs(
    runner: Runner, *, jobs: Sequence[Mapping[str, Any]], now: datetime
) -> list[FinishJobsRow]:
    return await fetch_many(runner, load("finish_jobs"), FinishJobsRow, {"jobs": jobs, "now": now})


class CountBacklogRow(Row):
    kind: str
    state: str
    jobs: int
    oldest: datetime


async def count_backlog(runner: Runner) -> list[CountBacklogRow]:
    return await fetch_many(runner, load("count_backlog"), CountBacklogRow, {})


class GetJobsRow(Row):
    job: Job


async def get_jobs(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[GetJobsRow]:
    return await fetch_many(runner, load("get_jobs"), GetJobsRow, {"workspace_id": workspace_id, "ids": ids})


class FindJobRow(Row):
    job: Job


async def find_job(runner: Runner, *, workspace_id: str, kind: str, subject_id: str) -> FindJobRow | None:
    return await fetch_optional(
        runner,
        load("find_job"),
        FindJobRow,
        {"workspace_id": workspace_id, "kind": kind, "subject_id": subject_id},
    )


class ListJobsRow(Row):
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
    job: Job


async def retry_job(runner: Runner, *, workspace_id: str, id: str, now: datetime) -> RetryJobRow | None:
    return await fetch_optional(
        runner, load("retry_job"), RetryJobRow, {"workspace_id": workspace_id, "id": id, "now": now}
    )
