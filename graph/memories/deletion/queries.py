"""The typed functions over ``cypher/memories/deletion``. The header of each file documents it."""

from collections.abc import Sequence
from datetime import datetime

from graph.core.query import query
from graph.core.rows import Row, Runner


class RemovedMemoryRow(Row):
    id: str
    turn_scope: str | None
    position: int | None


class SweepExpiredRow(Row):
    workspace_id: str
    turn_scope: str | None
    position: int | None
    id: str


@query
async def archive_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], now: datetime
) -> list[RemovedMemoryRow]: ...


@query
async def delete_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], now: datetime
) -> list[RemovedMemoryRow]: ...


@query
async def find_tombstones(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[str]: ...


@query
async def list_memories_to_clear(
    runner: Runner,
    *,
    workspace_id: str,
    api_key_id: str | None,
    types: Sequence[str],
    kinds: Sequence[str],
    facets: Sequence[str],
    created_before: datetime | None,
    include_deleted: bool,
    limit: int,
) -> list[str]: ...


@query
async def lock_for_deletion(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> None: ...


@query
async def sweep_expired(
    runner: Runner, *, now: datetime, limit: int, mirrors: bool
) -> list[SweepExpiredRow]: ...


@query
async def note_marks(runner: Runner, *, workspace_id: str, marks: Sequence[str], now: datetime) -> None: ...


@query
async def lift_marks(runner: Runner, *, workspace_id: str, marks: Sequence[str]) -> None: ...


@query
async def lift_marks_of_user(runner: Runner, *, workspace_id: str, suffix: str) -> None: ...
