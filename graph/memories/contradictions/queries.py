"""The typed functions over ``cypher/memories/contradictions``. The header of each file documents it."""

from datetime import datetime

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.memories.models import Memory


class ListOlderNeighboursRow(Row):
    memory: Memory
    other: Memory


@query
async def list_older_neighbours(
    runner: Runner,
    *,
    workspace_id: str,
    latest_limit: int,
    vector_property: str,
    vector_limit: int,
    least_cosine: float,
    now: datetime,
    vector_index: str,
) -> list[ListOlderNeighboursRow]: ...
