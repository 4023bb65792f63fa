"""The typed functions over ``cypher/knowledge/traversal``. The header of each file documents it."""

from collections.abc import Sequence
from datetime import datetime

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.knowledge.traversal.models import FoundEdge, FoundNode


class ExpandNodesRow(Row):
    from_id: str
    edge: FoundEdge | None
    node: FoundNode | None
    is_cut: bool


@query
async def expand_nodes(
    runner: Runner,
    *,
    workspace_id: str,
    ids: Sequence[str],
    conversation_id: str | None,
    kinds: Sequence[str],
    types: Sequence[str],
    direction: str,
    passed_over: Sequence[str],
    examined: int,
    fan_out: int,
    now: datetime,
    as_of: datetime | None,
) -> list[ExpandNodesRow]: ...


@query
async def find_nodes(
    runner: Runner,
    *,
    workspace_id: str,
    ids: Sequence[str],
    kinds: Sequence[str],
    now: datetime,
    as_of: datetime | None,
) -> list[FoundNode]: ...
