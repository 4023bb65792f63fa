"""The typed functions over ``cypher/memories/compaction``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Runner
from graph.memories.models import Memory


@query
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
) -> list[Memory]: ...


@query
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
) -> list[Memory]: ...


@query
async def list_not_lasting(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], now: datetime
) -> list[str]: ...


@query
async def link_compacted(
    runner: Runner,
    *,
    workspace_id: str,
    summary_id: str,
    originals: Sequence[Mapping[str, Any]],
    now: datetime,
) -> None: ...
