"""The typed functions over ``cypher/memories/bulk``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner


class SelectedMemoryRow(Row):
    id: str
    metadata: str | None
    is_turn: bool
    tags: list[str]
    user_id: str | None
    agent_id: str | None
    key: str | None
    expires_at: datetime | None


@query
async def list_selected_memories(
    runner: Runner,
    *,
    workspace_id: str,
    filter: Mapping[str, Any],
    after_id: str,
    now: datetime,
    limit: int,
) -> list[SelectedMemoryRow]: ...


@query
async def list_memories_selected_by_id(
    runner: Runner,
    *,
    workspace_id: str,
    filter: Mapping[str, Any],
    ids: Sequence[str],
    now: datetime,
) -> list[SelectedMemoryRow]: ...


@query
async def list_taken_keys(
    runner: Runner, *, workspace_id: str, user_id: str, agent_id: str, keys: Sequence[str]
) -> list[str]: ...
