"""The typed functions over ``cypher/memories/deletion``. The header of each file documents it."""

from collections.abc import Sequence
from datetime import datetime

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one


class ArchiveMemoriesRow(Row):
    id: str
    turn_scope: str | None
    position: int | None


async def archive_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], now: datetime
) -> list[ArchiveMemoriesRow]:
    return await fetch_many(
        runner,
        load("archive_memories"),
        ArchiveMemoriesRow,
        {"workspace_id": workspace_id, "ids": ids, "now": now},
    )


class DeleteMemoriesRow(Row):
    id: str
    turn_scope: str | None
    position: int | None


async def delete_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], now: datetime
) -> list[DeleteMemoriesRow]:
    return await fetch_many(
        runner,
        load("delete_memories"),
        DeleteMemoriesRow,
        {"workspace_id": workspace_id, "ids": ids, "now": now},
    )


class FindTombstonesRow(Row):
    id: str


async def find_tombstones(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[FindTombstonesRow]:
    return await fetch_many(
        runner, load("find_tombstones"), FindTombstonesRow, {"workspace_id": workspace_id, "ids": ids}
    )


class ListMemoriesToClearRow(Row):
    id: str


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
) -> list[ListMemoriesToClearRow]:
    return await fetch_many(
        runner,
        load("list_memories_to_clear"),
        ListMemoriesToClearRow,
        {
            "workspace_id": workspace_id,
            "api_key_id": api_key_id,
            "types": types,
            "kinds": kinds,
            "facets": facets,
            "created_before": created_before,
            "include_deleted": include_deleted,
            "limit": limit,
        },
    )


class SweepExpiredRow(Row):
    swept: int


async def sweep_expired(runner: Runner, *, now: datetime, limit: int, mirrors: bool) -> SweepExpiredRow:
    return await fetch_one(
        runner, load("sweep_expired"), SweepExpiredRow, {"now": now, "limit": limit, "mirrors": mirrors}
    )


async def note_marks(runner: Runner, *, workspace_id: str, marks: Sequence[str], now: datetime) -> None:
    await execute(runner, load("note_marks"), {"workspace_id": workspace_id, "marks": marks, "now": now})


async def lift_marks(runner: Runner, *, workspace_id: str, marks: Sequence[str]) -> None:
    await execute(runner, load("lift_marks"), {"workspace_id": workspace_id, "marks": marks})
