"""The typed functions over ``cypher/knowledge/traversal``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.knowledge.traversal.models import NodeKind


class NodeRow(Row):
    """A node; ``conversation_id`` is None but for a message, whose id is unique within its conversation."""

    id: str
    conversation_id: str | None
    kind: NodeKind
    type: str | None
    caption: str | None


class EdgeRow(Row):
    """An edge, as the node that was expanded sees it."""

    type: str
    is_outgoing: bool
    strength: float | None
    id: str | None


class ExpandNodesRow(Row):
    from_id: str
    edge: EdgeRow | None
    node: NodeRow | None
    is_cut: bool


class FindNodesRow(Row):
    asked: str
    node: NodeRow


@query
async def expand_nodes(
    runner: Runner,
    *,
    workspace_id: str,
    nodes: Sequence[Mapping[str, str | None]],
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
    nodes: Sequence[Mapping[str, str | None]],
    kinds: Sequence[str],
    now: datetime,
    as_of: datetime | None,
) -> list[FindNodesRow]: ...
