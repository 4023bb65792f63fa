"""The typed functions over ``cypher/knowledge/traversal``. The header of each file documents it."""

from collections.abc import Sequence
from datetime import datetime

from cypher import load
from graph.core.rows import Row, Runner, fetch_many
from graph.knowledge.traversal.models import FoundEdge, FoundNode


class ExpandNodesRow(Row):
    from_id: str
    edge: FoundEdge
    node: FoundNode
    looked_at: int


async def expand_nodes(
    runner: Runner,
    *,
    workspace_id: str,
    ids: Sequence[str],
    kinds: Sequence[str],
    types: Sequence[str],
    direction: str,
    examined: int,
    fan_out: int,
    now: datetime,
) -> list[ExpandNodesRow]:
    return await fetch_many(
        runner,
        load("expand_nodes"),
        ExpandNodesRow,
        {
            "workspace_id": workspace_id,
            "ids": ids,
            "kinds": kinds,
            "types": types,
            "direction": direction,
            "examined": examined,
            "fan_out": fan_out,
            "now": now,
        },
    )


class FindNodesRow(Row):
    node: FoundNode


async def find_nodes(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], kinds: Sequence[str], now: datetime
) -> list[FindNodesRow]:
    return await fetch_many(
        runner,
        load("find_nodes"),
        FindNodesRow,
        {"workspace_id": workspace_id, "ids": ids, "kinds": kinds, "now": now},
    )
