"""The typed functions over ``cypher/memories``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.memories.models import Memory


@query
async def count_live_memories(runner: Runner, *, workspace_id: str, now: datetime) -> int: ...


@query
async def count_memories(
    runner: Runner,
    *,
    workspace_id: str,
    filter: Mapping[str, Any],
    now: datetime,
) -> int: ...


class CreateMemoriesRow(Row):
    keeps_vectors: bool
    created: int


@query
async def create_memories(
    runner: Runner,
    *,
    workspace_id: str,
    memories: Sequence[Mapping[str, Any]],
    vector_property: str,
    signature: str | None,
    now: datetime,
) -> CreateMemoriesRow: ...


@query
async def extend_windows(
    runner: Runner, *, workspace_id: str, extensions: Sequence[Mapping[str, Any]]
) -> None: ...


@query
async def find_version(runner: Runner, *, workspace_id: str, memory_id: str, version: int) -> str | None: ...


@query
async def get_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], include_deleted: bool, now: datetime
) -> list[Memory]: ...


class ChainTurnsRow(Row):
    id: str
    position: int


@query
async def chain_turns(
    runner: Runner, *, workspace_id: str, turn_scope: str, conversation_id: str, since: int, until: int
) -> list[ChainTurnsRow]: ...


@query
async def link_turns(
    runner: Runner, *, workspace_id: str, turns: Sequence[Mapping[str, Any]], now: datetime
) -> None: ...


@query
async def list_memories(
    runner: Runner,
    *,
    workspace_id: str,
    filter: Mapping[str, Any],
    now: datetime,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[Memory]: ...


class ListMemoriesRankedRow(Row):
    memory: Memory
    rank: float


@query
async def list_memories_ranked(
    runner: Runner,
    *,
    workspace_id: str,
    filter: Mapping[str, Any],
    now: datetime,
    rank_by: str,
    after_rank: float | None,
    after_id: str | None,
    limit: int,
) -> list[ListMemoriesRankedRow]: ...


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


@query
async def list_turns_around(
    runner: Runner, *, workspace_id: str, turn_scope: str, first_position: int, last_position: int
) -> list[ListTurnsAroundRow]: ...


class ListVersionsRow(Row):
    memory_id: str
    version: int
    content: str
    created_at: datetime


@query
async def list_versions(
    runner: Runner, *, workspace_id: str, memory_ids: Sequence[str], limit: int
) -> list[ListVersionsRow]: ...


class LockMemoriesRow(Row):
    memory: Memory
    revision: int
    turn: Mapping[str, Any]


@query
async def lock_memories(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], keys: Sequence[Mapping[str, str]]
) -> list[LockMemoriesRow]: ...


@query
async def lock_turns_around(
    runner: Runner, *, workspace_id: str, turn_scope: str, first_position: int, last_position: int
) -> list[str]: ...


class OpenTurnsRow(Row):
    turn_scope: str
    last: Mapping[str, Any] | None
    tail: Sequence[Mapping[str, Any]]
    conversation_id: str
    user_id: str
    has_left: bool


@query
async def open_turns(
    runner: Runner, *, workspace_id: str, scopes: Sequence[Mapping[str, Any]], window: int, now: datetime
) -> list[OpenTurnsRow]: ...


@query
async def reindex_turns(runner: Runner, *, workspace_id: str, turns: Sequence[Mapping[str, Any]]) -> None: ...


class UpdateMemoriesRow(Row):
    keeps_vectors: bool
    updated: int


@query
async def update_memories(
    runner: Runner,
    *,
    workspace_id: str,
    updates: Sequence[Mapping[str, Any]],
    vector_property: str,
    signature: str | None,
    now: datetime,
) -> UpdateMemoriesRow | None: ...


@query
async def link_sources(
    runner: Runner, *, workspace_id: str, sources: Sequence[Mapping[str, Any]], now: datetime
) -> list[str]: ...
