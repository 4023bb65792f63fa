"""The typed functions over ``cypher/retrieval/pages``. The header of each file documents it."""

from collections.abc import Sequence
from datetime import datetime

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.memories.models import Memory


@query
async def list_memories_at(
    runner: Runner,
    *,
    workspace_id: str,
    kinds: Sequence[str],
    session_id: str | None,
    api_key_id: str | None,
    text: str | None,
    now: datetime,
    offset: int,
    limit: int,
) -> list[Memory]: ...


class MeasureMemoriesRow(Row):
    count: int
    tokens: int
    recalls: int
    answered_recalls: int


@query
async def measure_memories(
    runner: Runner,
    *,
    workspace_id: str,
    kinds: Sequence[str],
    session_id: str | None,
    api_key_id: str | None,
    text: str | None,
    now: datetime,
) -> MeasureMemoriesRow: ...
