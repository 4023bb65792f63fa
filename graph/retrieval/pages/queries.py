"""The typed functions over ``cypher/retrieval/pages``. The header of each file documents it."""

from collections.abc import Sequence
from datetime import datetime

from cypher import load
from graph.core.rows import Row, Runner, fetch_many, fetch_one
from graph.memories.models import Memory


class ListMemoriesAtRow(Row):
    memory: Memory


async def list_memories_at(
    runner: Runner,
    *,
    workspace_id: str,
    kinds: Sequence[str],
    session_id: str | None,
    api_key_id: str | None,
    text: str | None,
    retained_since: datetime | None,
    retained_source_types: Sequence[str],
    now: datetime,
    offset: int,
    limit: int,
) -> list[ListMemoriesAtRow]:
    return await fetch_many(
        runner,
        load("list_memories_at"),
        ListMemoriesAtRow,
        {
            "workspace_id": workspace_id,
            "kinds": kinds,
            "session_id": session_id,
            "api_key_id": api_key_id,
            "text": text,
            "retained_since": retained_since,
            "retained_source_types": retained_source_types,
            "now": now,
            "offset": offset,
            "limit": limit,
        },
    )


class MeasureMemoriesRow(Row):
    count: int
    tokens: int


async def measure_memories(
    runner: Runner,
    *,
    workspace_id: str,
    kinds: Sequence[str],
    session_id: str | None,
    api_key_id: str | None,
    text: str | None,
    retained_since: datetime | None,
    retained_source_types: Sequence[str],
    now: datetime,
) -> MeasureMemoriesRow:
    return await fetch_one(
        runner,
        load("measure_memories"),
        MeasureMemoriesRow,
        {
            "workspace_id": workspace_id,
            "kinds": kinds,
            "session_id": session_id,
            "api_key_id": api_key_id,
            "text": text,
            "retained_since": retained_since,
            "retained_source_types": retained_source_types,
            "now": now,
        },
    )
