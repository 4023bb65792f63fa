"""The typed functions over ``cypher/memories``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one, fetch_optional
from graph.memories.models import Memory


class CountLiveMemoriesRow(Row):
    count: int


async def count_live_memories(runner: Runner, *, workspace_id: str, now: datetime) -> CountLiveMemoriesRow:
    return await fetch_one(
        runner, load("count_live_memories"), CountLiveMemoriesRow, {"workspace_id": workspace_id, "now": now}
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
    api_key_id: str | None,
    retained_since: datetime | None,
    retained_source_types: Sequence[str],
    since: datetime | None,
    until: datetime | None,
    valid_at: datetime | None,
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
            "api_key_id": api_key_id,
            "retained_since": retained_since,
            "retained_source_types": retained_source_types,
            "since": since,
            "until": until,
            "valid_at": valid_at,
            "now": now,
            "text": text,
        },
    )


class CreateMemoriesRow(Row):
    keeps_vectors: bool
    created: int


async def create_memories(
    runner: Runner,
    *,
    workspace_id: str,
    memories: Sequence[Mapping[str, Any]],
    vector_property: str,
    signature: str | None,
    now: datetime,
) -> CreateMemoriesRow:
    return await fetch_one(
        runner,
        load("create_memories"),
        CreateMemoriesRow,
        {
            "workspace_id": workspace_id,
            "memories": memories,
            "vector_property": vector_property,
            "signature": signature,
            "now": now,
        },
    )


async def extend_windows(
    runner: Runner, *, workspace_id: str, extensions: Sequence[Mapping[str, Any]]
) -> None:
    await execute(runner, load("extend_windows"), {"workspace_id": workspace_id, "extensions": extensions})


class FindVersionRow(Row):
    content: str


async def find_version(
    runner: Runner, *, workspace_id: str, memory_id: str, version: int
) -> FindVersionRow | None:
    return await fetch_optional(
        runner,
        load("find_version"),
        FindVersionRow,
        {"workspace_id": workspace_id, "memory_id": memory_id, "version": version},
    )


class GetMemoriesRow(Row):
    memory: Memory


async def get_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], include_deleted: bool, now: datetime
) -> list[GetMemoriesRow]:
    return await fetch_many(
        runner,
        load("get_memories"),
        GetMemoriesRow,
        {"workspace_id": workspace_id, "ids": ids, "include_deleted": include_deleted, "now": now},
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
    api_key_id: str | None,
    retained_since: datetime | None,
    retained_source_types: Sequence[str],
    since: datetime | None,
    until: datetime | None,
    valid_at: datetime | None,
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
            "api_key_id": api_key_id,
            "retained_since": retained_since,
            "retained_source_types": retained_source_types,
            "since": since,
            "until": until,
            "valid_at": valid_at,
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
    api_key_id: str | None,
    retained_since: datetime | None,
    retained_source_types: Sequence[str],
    since: datetime | None,
    until: datetime | None,
    valid_at: datetime | None,
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
            "api_key_id": api_key_id,
            "retained_since": retained_since,
            "retained_source_types": retained_source_types,
            "since": since,
            "until": until,
            "valid_at": valid_at,
            "now": now,
            "text": text,
            "rank_by": rank_by,
            "after_rank": after_rank,
            "after_id": after_id,
            "limit": limit,
        },
    )


class ListTurnsAroundRow(Row):
    id: str
    position: int
    content: str
    speaker: str | None
    timestamp: datetime
    key: str | None
    tags: Sequence[str] | None
    keywords: Sequence[str] | None
    metadata: str | None


async def list_turns_around(
    runner: Runner, *, workspace_id: str, turn_scope: str, first_position: int, last_position: int
) -> list[ListTurnsAroundRow]:
    return await fetch_many(
        runner,
        load("list_turns_around"),
        ListTurnsAroundRow,
        {
            "workspace_id": workspace_id,
            "turn_scope": turn_scope,
            "first_position": first_position,
            "last_position": last_position,
        },
    )


class ListVersionsRow(Row):
    memory_id: str
    version: int
    content: str
    created_at: datetime


async def list_versions(
    runner: Runner, *, workspace_id: str, memory_ids: Sequence[str], limit: int
) -> list[ListVersionsRow]:
    return await fetch_many(
        runner,
        load("list_versions"),
        ListVersionsRow,
        {"workspace_id": workspace_id, "memory_ids": memory_ids, "limit": limit},
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
    tail: Sequence[Mapping[str, Any]]


async def open_turns(
    runner: Runner, *, workspace_id: str, scopes: Sequence[Mapping[str, Any]], window: int, now: datetime
) -> list[OpenTurnsRow]:
    return await fetch_many(
        runner,
        load("open_turns"),
        OpenTurnsRow,
        {"workspace_id": workspace_id, "scopes": scopes, "window": window, "now": now},
    )


async def reindex_turns(runner: Runner, *, workspace_id: str, turns: Sequence[Mapping[str, Any]]) -> None:
    await execute(runner, load("reindex_turns"), {"workspace_id": workspace_id, "turns": turns})


class UpdateMemoriesRow(Row):
    keeps_vectors: bool
    updated: int


async def update_memories(
    runner: Runner,
    *,
    workspace_id: str,
    updates: Sequence[Mapping[str, Any]],
    vector_property: str,
    signature: str | None,
    now: datetime,
) -> UpdateMemoriesRow | None:
    return await fetch_optional(
        runner,
        load("update_memories"),
        UpdateMemoriesRow,
        {
            "workspace_id": workspace_id,
            "updates": updates,
            "vector_property": vector_property,
            "signature": signature,
            "now": now,
        },
    )


async def link_sources(
    runner: Runner, *, workspace_id: str, sources: Sequence[Mapping[str, Any]], now: datetime
) -> None:
    await execute(
        runner, load("link_sources"), {"workspace_id": workspace_id, "sources": sources, "now": now}
    )
