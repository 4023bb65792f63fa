"""The typed functions over ``cypher/memories/changes``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Runner
from graph.memories.changes.timeline import Member


@query
async def enqueue_timelines(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], now: datetime
) -> None: ...


@query
async def lock_slot(
    runner: Runner, *, workspace_id: str, slot_query: str, now: datetime, limit: int
) -> list[Member]: ...


@query
async def settle_memories(
    runner: Runner, *, workspace_id: str, rows: Sequence[Mapping[str, Any]], now: datetime
) -> None: ...
