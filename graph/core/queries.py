"""The typed functions over ``cypher/core``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.models import AuditEntry, AutomaticChange, Job, JobChange
from graph.core.query import query
from graph.core.rows import Row, Runner


@query
async def create_audit_entry(
    runner: Runner,
    *,
    id: str,
    action: str,
    actor_key_id: str | None,
    about: str,
    subject_id: str | None,
    count: int,
    at: datetime,
) -> None: ...


@query
async def list_audit_entries(
    runner: Runner,
    *,
    actions: Sequence[str],
    after_at: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[AuditEntry]: ...


@query
async def create_automatic_changes(
    runner: Runner, *, workspace_id: str, changes: Sequence[Mapping[str, Any]], now: datetime
) -> None: ...


@query
async def has_merged_save(runner: Runner, *, workspace_id: str, subject_id: str, version: int) -> bool: ...


@query
async def list_automatic_changes(
    runner: Runner,
    *,
    workspace_id: str,
    kinds: Sequence[str],
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[AutomaticChange]: ...


@query
async def lock_automatic_change(runner: Runner, *, workspace_id: str, id: str) -> AutomaticChange | None: ...


@query
async def settle_automatic_changes(
    runner: Runner,
    *,
    workspace_id: str,
    ids: Sequence[str],
    kind: str,
    subject_ids: Sequence[str],
    now: datetime,
) -> None: ...


@query
async def delete_old_automatic_changes(runner: Runner, *, before: datetime, limit: int) -> int: ...


class ClaimJobsRow(Row):
    id: str
    workspace_id: str
    subject_id: str
    revision: int
    attempts: int
    waits: int
    created_at: datetime


@query
async def claim_jobs(
    runner: Runner, *, kind: str, now: datetime, lease_until: datetime, worker: str, limit: int
) -> list[ClaimJobsRow]: ...


@query
async def list_due_kinds(runner: Runner, *, kinds: Sequence[str], now: datetime) -> list[str]: ...


@query
async def enqueue_jobs(
    runner: Runner,
    *,
    workspace_id: str,
    kind: str,
    subject_ids: Sequence[str],
    now: datetime,
    due_at: datetime,
) -> None: ...


@query
async def fail_jobs(
    runner: Runner, *, jobs: Sequence[Mapping[str, Any]], now: datetime
) -> list[JobChange]: ...


@query
async def release_jobs(
    runner: Runner, *, jobs: Sequence[Mapping[str, Any]], worker: str, now: datetime, due_at: datetime
) -> list[JobChange]: ...


@query
async def extend_leases(
    runner: Runner, *, jobs: Sequence[Mapping[str, Any]], worker: str, lease_until: datetime
) -> None: ...


@query
async def finish_jobs(
    runner: Runner, *, jobs: Sequence[Mapping[str, Any]], now: datetime
) -> list[JobChange]: ...


class CountBacklogRow(Row):
    kind: str
    state: str
    jobs: int
    oldest: datetime


@query
async def count_backlog(runner: Runner) -> list[CountBacklogRow]: ...


@query
async def get_jobs(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[Job]: ...


@query
async def find_job(runner: Runner, *, workspace_id: str, kind: str, subject_id: str) -> Job | None: ...


@query
async def list_jobs(
    runner: Runner,
    *,
    workspace_id: str,
    state: str | None,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[Job]: ...


@query
async def retry_job(runner: Runner, *, workspace_id: str, id: str, now: datetime) -> Job | None: ...


class ListSettingsRow(Row):
    key: str
    value: str


@query
async def list_settings(runner: Runner, *, workspace_id: str) -> list[ListSettingsRow]: ...


@query
async def store_settings(
    runner: Runner, *, workspace_id: str, rows: Sequence[Mapping[str, Any]], now: datetime
) -> None: ...
