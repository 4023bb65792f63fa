"""The typed functions over ``cypher/operations/status``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one


class CountByWorkspaceRow(Row):
    workspace_id: str
    memories: int
    embedded: int
    failed: int
    pending_jobs: int
    failed_jobs: int
    recalls: int
    answered_recalls: int


async def count_by_workspace(runner: Runner, *, workspace_ids: Sequence[str]) -> list[CountByWorkspaceRow]:
    return await fetch_many(
        runner, load("count_by_workspace"), CountByWorkspaceRow, {"workspace_ids": workspace_ids}
    )


class CountStoredRow(Row):
    memories: int
    waiting: Sequence[Mapping[str, Any]]


async def count_stored(runner: Runner, *, kinds: Sequence[str]) -> CountStoredRow:
    return await fetch_one(runner, load("count_stored"), CountStoredRow, {"kinds": kinds})


async def delete_probe_remains(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], before: datetime
) -> None:
    await execute(
        runner, load("delete_probe_remains"), {"workspace_id": workspace_id, "ids": ids, "before": before}
    )


class PingRow(Row):
    ok: bool


async def ping(runner: Runner) -> PingRow:
    return await fetch_one(runner, load("ping"), PingRow, {})
