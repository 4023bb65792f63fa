"""The typed functions over ``cypher/memories/compaction``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many
from graph.memories.models import Memory


class ListOldestToCompactRow(Row):
    memory: Memory


async def list_oldest_to_compact(
    runner: Runner,
    *,
    workspace_id: str,
    api_key_id: str | None,
    session_id: str | None,
    created_before: datetime,
    now: datetime,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[ListOldestToCompactRow]:
    return await fetch_many(
        runner,
        load("list_oldest_to_compact"),
        ListOldestToCompactRow,
        {
            "workspace_id": workspace_id,
            "api_key_id": api_key_id,
            "session_id": session_id,
            "created_before": created_before,
            "now": now,
            "after_created": after_created,
            "after_id": after_id,
            "limit": limit,
        },
    )


class ListNewestToCompactRow(Row):
    memory: Memory


async def list_newest_to_compact(
    runner: Runner,
    *,
    workspace_id: str,
    api_key_id: str | None,
    session_id: str | None,
    now: datetime,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[ListNewestToCompactRow]:
    return await fetch_many(
        runner,
        load("list_newest_to_compact"),
        ListNewestToCompactRow,
        {
            "workspace_id": workspace_id,
            "api_key_id": api_key_id,
            "session_id": session_id,
            "now": now,
            "after_created": after_created,
            "after_id": after_id,
            "limit": limit,
        },
    )


async def link_compacted(
    runner: Runner,
    *,
    workspace_id: str,
    summary_id: str,
    originals: Sequence[Mapping[str, Any]],
    now: datetime,
) -> None:
    await execute(
        runner,
        load("link_compacted"),
        {"workspace_id": workspace_id, "summary_id": summary_id, "originals": originals, "now": now},
    )
