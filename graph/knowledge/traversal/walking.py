"""Walks the graph hop by hop: one statement for each hop, at a bounded cost whatever hangs on a node."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graph.core.rows import Runner
from graph.knowledge.traversal import queries
from graph.knowledge.traversal.models import Direction, FoundEdge, FoundNode, NodeKind, Reached

# Edges looked at in one hop, over all nodes of the frontier.
_EXAMINED_PER_HOP = 10_000
MOST_EXAMINED_PER_NODE = 500


@dataclass(frozen=True)
class Rules:
    """What a walk may follow; the same for each of its hops."""

    workspace_id: str
    now: datetime
    kinds: Sequence[NodeKind]
    types: Sequence[str] = ()
    direction: Direction = Direction.BOTH
    as_of: datetime | None = None


@dataclass
class Walk:
    """What was reached so far, in the order in which it was reached."""

    reached: dict[str, Reached]
    edges: dict[tuple[str, str, str], FoundEdge] = field(default_factory=dict)
    frontier: list[FoundNode] = field(default_factory=list)
    truncated: bool = False

    @classmethod
    def from_nodes(cls, starts: Sequence[FoundNode]) -> "Walk":
        """Return a walk that has not left its starts."""
        return cls({node.id: Reached(node=node, depth=0) for node in starts}, frontier=list(starts))

    async def hop(self, runner: Runner, rules: Rules, *, room: int) -> None:
        """Go one hop from the frontier and take in at most ``room`` new nodes, those of stronger edges first."""
        if not self.frontier:
            return
        examined = min(MOST_EXAMINED_PER_NODE, _EXAMINED_PER_HOP // len(self.frontier))
        fan_out = min(examined, room + len(self.reached))
        rows = await queries.expand_nodes(
            runner,
            workspace_id=rules.workspace_id,
            ids=[node.id for node in self.frontier],
            conversation_id=None,
            kinds=rules.kinds,
            types=rules.types,
            direction=rules.direction,
            examined=examined,
            fan_out=fan_out,
            now=rules.now,
            as_of=rules.as_of,
        )
        self.truncated |= any(row.looked_at == examined or row.looked_at > fan_out for row in rows)
        depth = self.reached[self.frontier[0].id].depth + 1
        self.frontier = []
        for row in sorted(rows, key=lambda row: -_strength(row.edge)):
            if row.node.id not in self.reached:
                if len(self.frontier) == room:
                    self.truncated = True
                    continue
                self.reached[row.node.id] = Reached(node=row.node, depth=depth)
                self.frontier.append(row.node)
            self.edges[row.edge.from_id, row.edge.type, row.edge.to_id] = row.edge


def _strength(edge: FoundEdge) -> float:
    return 1.0 if edge.strength is None else edge.strength
