"""The typed functions over ``cypher/operations/status``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner


class CountByWorkspaceRow(Row):
    workspace_id: str
    memories: int
    embedded: int
    needs_reindex: int
    failed: int
    pending_jobs: int
    failed_jobs: int
    recalls: int
    answered_recalls: int


@query
async def count_by_workspace(
    runner: Runner, *, workspace_ids: Sequence[str], building_property: str | None
) -> list[CountByWorkspaceRow]: ...


class CountStoredRow(Row):
    memories: int
    waiting: Sequence[Mapping[str, Any]]


@query
async def count_stored(runner: Runner, *, kinds: Sequence[str]) -> CountStoredRow: ...


@query
async def delete_probe_remains(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], before: datetime
) -> None: ...


@query
async def ping(runner: Runner) -> bool: ...
