"""The typed functions over ``cypher/memories``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one, fetch_optional
from graph.memories.models import Memory


class ArchiveMemoryRow(Row):
    id: str


async def archive_memory(
    runner: Runner, *, workspace_id: str, id: str, now: datetime
) -> ArchiveMemoryRow | None:
    return await fetch_optional(
        runner, load("archive_memory"), ArchiveMemoryRow, {"workspace_id": workspace_id, "id": id, "now": now}
    )


class CountMemoriesRow(Row):
    count: int


async def count_memories(
    runner: Runner,
    *,
    workspace_id: str,
    types: Sequence[str],
    kinds: Sequence[str],
    facets: Sequence[str],
    categories: Sequence[str],
    source_types: Sequence[str],
    any_tags: Sequence[str],
    all_tags: Sequence[str],
    min_importance: float | None,
    min_confidence: float | None,
    conversation_id: str | None,
    session_id: str | None,
    since: datetime | None,
    until: datetime | None,
    now: datetime,
    text: str | None,
) -> CountMemoriesRow:
    return await fetch_one(
        runner,
        load("count_memories"),
        CountMemoriesRow,
        {
            "workspace_id": workspace_id,
            "types": types,
            "kinds": kinds,
            "facets": facets,
            "categories": categories,
            "source_types": source_types,
            "any_tags": any_tags,
            "all_tags": all_tags,
            "min_importance": min_importance,
            "min_confidence": min_confidence,
            "conversation_id": conversation_id,
            "session_id": session_id,
            "since": since,
            "until": until,
            "now": now,
            "text": text,
        },
    )


async def create_memories(
    runner: Runner,
    *,
    workspace_id: str,
    memories: Sequence[Mapping[str, Any]],
    vector_property: str,
    now: datetime,
) -> None:
    await execute(
        runner,
        load("create_memories"),
        {"workspace_id": workspace_id, "memories": memories, "vector_property": vector_property, "now": now},
    )


class DeleteMemoryRow(Row):
    id: str


async def delete_memory(runner: Runner, *, workspace_id: str, id: str) -> DeleteMemoryRow | None:
    return await fetch_optional(
        runner, load("delete_memory"), DeleteMemoryRow, {"workspace_id": workspace_id, "id": id}
    )


class GetMemoriesRow(Row):
    memory: Memory


async def get_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], include_deleted: bool
) -> list[GetMemoriesRow]:
    return await fetch_many(
        runner,
        load("get_memories"),
        GetMemoriesRow,
        {"workspace_id": workspace_id, "ids": ids, "include_deleted": include_deleted},
    )


async def link_turns(
    runner: Runner, *, workspace_id: str, turns: Sequence[Mapping[str, Any]], now: datetime
) -> None:
    await execute(runner, load("link_turns"), {"workspace_id": workspace_id, "turns": turns, "now": now})


class ListMemoriesRow(Row):
    memory: Memory


async def list_memories(
    runner: Runner,
    *,
    workspace_id: str,
    types: Sequence[str],
    kinds: Sequence[str],
    facets: Sequence[str],
    categories: Sequence[str],
    source_types: Sequence[str],
    any_tags: Sequence[str],
    all_tags: Sequence[str],
    min_importance: float | None,
    min_confidence: float | None,
    conversation_id: str | None,
    session_id: str | None,
    since: datetime | None,
    until: datetime | None,
    now: datetime,
    text: str | None,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[ListMemoriesRow]:
    return await fetch_many(
        runner,
        load("list_memories"),
        ListMemoriesRow,
        {
            "workspace_id": workspace_id,
            "types": types,
            "kinds": kinds,
            "facets": facets,
            "categories": categories,
            "source_types": source_types,
            "any_tags": any_tags,
            "all_tags": all_tags,
            "min_importance": min_importance,
            "min_confidence": min_confidence,
            "conversation_id": conversation_id,
            "session_id": session_id,
            "since": since,
            "until": until,
            "now": now,
            "text": text,
            "after_created": after_created,
            "after_id": after_id,
            "limit": limit,
        },
    )


class ListMemoriesRankedRow(Row):
    memory: Memory
    rank: float


async def list_memories_ranked(
    runner: Runner,
    *,
    workspace_id: str,
    types: Sequence[str],
    kinds: Sequence[str],
    facets: Sequence[str],
    categories: Sequence[str],
    source_types: Sequence[str],
    any_tags: Sequence[str],
    all_tags: Sequence[str],
    min_importance: float | None,
    min_confidence: float | None,
    conversation_id: str | None,
    session_id: str | None,
    since: datetime | None,
    until: datetime | None,
    now: datetime,
    text: str | None,
    rank_by: str,
    after_rank: float | None,
    after_id: str | None,
    limit: int,
) -> list[ListMemoriesRankedRow]:
    return await fetch_many(
        runner,
        load("list_memories_ranked"),
        ListMemoriesRankedRow,
        {
            "workspace_id": workspace_id,
            "types": types,
            "kinds": kinds,
            "facets": facets,
            "categories": categories,
            "source_types": source_types,
            "any_tags": any_tags,
            "all_tags": all_tags,
            "min_importance": min_importance,
            "min_confidence": min_confidence,
            "conversation_id": conversation_id,
            "session_id": session_id,
            "since": since,
            "until": until,
            "now": now,
            "text": text,
            "rank_by": rank_by,
            "after_rank": after_rank,
            "after_id": after_id,
            "limit": limit,
        },
    )


class LockMemoriesRow(Row):
    memory: Memory
    revision: int
    turn: Mapping[str, Any]


async def lock_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], keys: Sequence[str], now: datetime
) -> list[LockMemoriesRow]:
    return await fetch_many(
        runner,
        load("lock_memories"),
        LockMemoriesRow,
        {"workspace_id": workspace_id, "ids": ids, "keys": keys, "now": now},
    )


class OpenTurnsRow(Row):
    turn_scope: str
    tail: Mapping[str, Any] | None


async def open_turns(
    runner: Runner, *, workspace_id: str, scopes: Sequence[Mapping[str, Any]], now: datetime
) -> list[OpenTurnsRow]:
    return await fetch_many(
        runner, load("open_turns"), OpenTurnsRow, {"workspace_id": workspace_id, "scopes": scopes, "now": now}
    )


class UpdateMemoriesRow(Row):
    memory: Memory


async def update_memories(
    runner: Runner,
    *,
    workspace_id: str,
    updates: Sequence[Mapping[str, Any]],
    vector_property: str,
    now: datetime,
) -> list[UpdateMemoriesRow]:
    return await fetch_many(
        runner,
        load("update_memories"),
        UpdateMemoriesRow,
        {"workspace_id": workspace_id, "updates": updates, "vector_property": vector_property, "now": now},
    )
