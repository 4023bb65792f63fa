"""The typed functions over ``cypher/retrieval/pages``. The header of each file documents it."""

from collections.abc import Sequence
from datetime import datetime

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.memories.models import Memory


class ListMemoriesAtRow(Row):
    memory: Memory


@query
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
) -> list[ListMemoriesAtRow]: ...


class MeasureMemoriesRow(Row):
    count: int
    tokens: int


@query
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
) -> MeasureMemoriesRow: ...
