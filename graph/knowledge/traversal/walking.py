"""Walks the graph hop by hop: one statement for each hop, which looks at so many of the edges it may follow."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graph.core.rows import Runner
from graph.knowledge.traversal import queries
from graph.knowledge.traversal.models import Direction, FoundEdge, FoundNode, NodeKind, Reached
from graph.knowledge.traversal.naming import asked_for, steps

# Edges looked at, and those followed of them, in one hop over all nodes of the frontier. Many may lead to what is
# deleted, expired or another user's, so that more are looked at than followed.
_EXAMINED_PER_HOP = 50_000
_FOLLOWED_PER_HOP = 10_000
_MOST_EXAMINED_PER_NODE = 5000
_MOST_FOLLOWED_PER_NODE = 500
# From what is no memory these lead to memories, or to connections, which no walk meets.
_EDGES_OF_MEMORIES = ("FROM", "MENTIONS", "USED")


def examined_of_each(nodes: int) -> int:
    """Return how many edges of each of so many nodes are looked at: 5,000 of one, 500 each of 100 at once."""
    return min(_MOST_EXAMINED_PER_NODE, _EXAMINED_PER_HOP // max(1, nodes))


@dataclass(frozen=True)
class Rules:
    """Rules of a walk; the same for each of its hops."""

    workspace_id: str
    now: datetime
    kinds: Sequence[NodeKind]
    types: Sequence[str] = ()
    direction: Direction = Direction.BOTH
    as_of: datetime | None = None

    @property
    def passed_over(self) -> Sequence[str]:
        """Types of edges that lead from other nodes to memories only, which this walk excludes.

        A hub can have any number of mentions; skipping the edges by their type hides nothing else.
        """
        return () if NodeKind.MEMORY in self.kinds else _EDGES_OF_MEMORIES


@dataclass
class Walk:
    """Nodes reached so far, in order."""

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
        leaving = len(self.frontier)
        followed = min(_MOST_FOLLOWED_PER_NODE, _FOLLOWED_PER_HOP // leaving)
        rows = await queries.expand_nodes(
            runner,
            workspace_id=rules.workspace_id,
            nodes=asked_for(rules.workspace_id, [node.id for node in self.frontier]),
            kinds=rules.kinds,
            types=rules.types,
            direction=rules.direction,
            passed_over=rules.passed_over,
            examined=examined_of_each(leaving),
            fan_out=min(followed, room + len(self.reached)),
            now=rules.now,
            as_of=rules.as_of,
        )
        self.truncated |= any(row.is_cut for row in rows)
        depth = self.reached[self.frontier[0].id].depth + 1
        self.frontier = []
        for _, edge, node in sorted(steps(rules.workspace_id, rows), key=lambda step: -_strength(step.edge)):
            if node.id not in self.reached:
                if len(self.frontier) == room:
                    self.truncated = True
                    continue
                self.reached[node.id] = Reached(node=node, depth=depth)
                self.frontier.append(node)
            self.edges[edge.from_id, edge.type, edge.to_id] = edge


def _strength(edge: FoundEdge) -> float:
    return 1.0 if edge.strength is None else edge.strength
