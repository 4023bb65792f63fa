"""Use cases of connections between nodes."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from graph.core.database import Database
from graph.core.errors import InvalidInput, NotFound
from graph.core.ports import Clock
from graph.core.rows import Runner
from graph.core.time import in_utc
from graph.knowledge.traversal import queries
from graph.knowledge.traversal.models import (
    Direction,
    FoundEdge,
    FoundNode,
    Neighbour,
    NodeKind,
    Path,
    Reached,
    Subgraph,
    TraversalQuery,
)
from graph.knowledge.traversal.naming import asked_for, found_node, steps
from graph.knowledge.traversal.paths import cheapest_paths

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


MAX_DEPTH = 5
_MAX_STARTS = 50
_MAX_NODES = 1000
_MAX_PATHS = 20
_MAX_NEIGHBOURS = 100
_MAX_TYPES = 50
_REACHED_FROM_EACH_END = 2000
_EDGE_TYPE = re.compile(r"[A-Z][A-Z0-9_]{0,63}")
_EVERY_KIND = tuple(NodeKind)


class Traversal:
    """The use cases of traversal; lives as long as the process.

    Every hop stays in the starting workspace. Deleted and expired nodes are neither reached nor passed, and neither are
    nodes that did not exist at the requested moment, or memories that were not true then. Nodes deleted or expired
    since never appear.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def find(
        self, workspace_id: str, ids: Sequence[str], *, field: str = "id", as_of: datetime | None = None
    ) -> dict[str, FoundNode]:
        """Return the workspace's nodes of any kind, by the requested ids.

        A message is found by its global id, or by its own id if no other node has it.

        Raises:
            InvalidInput: Several conversations have a message with an id; ``field`` names the argument with the id.
        """
        rows = await queries.find_nodes(
            self._database,
            workspace_id=workspace_id,
            nodes=asked_for(workspace_id, ids),
            kinds=_EVERY_KIND,
            now=self._clock.now(),
            as_of=as_of,
        )
        result: dict[str, FoundNode] = {}
        for row in sorted(rows, key=lambda row: row.node.kind is NodeKind.MESSAGE):
            node = found_node(workspace_id, row.node)
            known = result.setdefault(row.asked, node)
            if known.kind is NodeKind.MESSAGE and known.id != node.id:
                raise InvalidInput(
                    field, f"several conversations have a message {row.asked!r}: name one by its global id"
                )
        return result

    async def traverse(self, workspace_id: str, query: TraversalQuery) -> Subgraph:
        """Return what lies within ``depth`` hops of the starts, nearest first, strongest edges first.

        For a hub it reads 5,000 edges and follows 500, so the result may be truncated, as ``truncated`` shows. Starts
        that did not exist at ``as_of`` are omitted.

        Raises:
            InvalidInput: A field breaks a rule, or several conversations have a message of a start's id.
            NotFound: A start is no node of the workspace.
        """
        _check(query)
        as_of = in_utc("asOf", query.as_of)
        starts = await self._starts(workspace_id, query.start, field="start", as_of=as_of)
        walk = Walk.from_nodes(starts)
        kinds = [kind for kind in NodeKind if query.include_memories or kind is not NodeKind.MEMORY]
        rules = self._rules(workspace_id, query.types, query.direction, kinds, as_of)
        for _ in range(query.depth):
            room = query.limit + len(starts) - len(walk.reached)
            if room == 0:
                walk.truncated |= bool(walk.frontier)
                break
            await walk.hop(self._database, rules, room=room)
        return Subgraph(
            nodes=list(walk.reached.values()), edges=list(walk.edges.values()), truncated=walk.truncated
        )

    async def paths(
        self,
        workspace_id: str,
        *,
        from_id: str,
        to_id: str,
        max_depth: int = 4,
        limit: int = 5,
        as_of: datetime | None = None,
    ) -> list[Path]:
        """Return paths between two nodes, ignoring edge direction; cheapest first.

        The search starts at both ends and covers half of the hops (rounded up) and up to 2,000 nodes from each. There
        is no path if an end did not exist at ``as_of``.

        Raises:
            InvalidInput: ``max_depth`` is not 1 to 5, ``limit`` not 1 to 20, ``as_of`` no moment of UTC, or several
                conversations have a message with an end's id.
            NotFound: An end is no node of the workspace.
        """
        _within("maxDepth", max_depth, MAX_DEPTH)
        _within("limit", limit, _MAX_PATHS)
        moment = in_utc("asOf", as_of)
        starts = await self._starts(workspace_id, [from_id], field="from", as_of=moment)
        ends = await self._starts(workspace_id, [to_id], field="to", as_of=moment)
        if not (starts and ends):
            return []
        rules = self._rules(workspace_id, (), Direction.BOTH, _EVERY_KIND, moment)
        walks = (Walk.from_nodes(starts), Walk.from_nodes(ends))
        for number in range(max_depth + max_depth % 2):  # either end may be a hub, of which not all is seen
            walk = walks[number % 2]
            await walk.hop(self._database, rules, room=_REACHED_FROM_EACH_END - len(walk.reached) + 1)
        return await asyncio.to_thread(
            cheapest_paths,
            {id_: reached.node for walk in walks for id_, reached in walk.reached.items()},
            {**walks[0].edges, **walks[1].edges}.values(),
            start=starts[0].id,
            end=ends[0].id,
            most_hops=max_depth,
            limit=limit,
        )

    async def neighbours(
        self, workspace_id: str, ids: Sequence[str], *, first: int = 10
    ) -> dict[str, list[Neighbour]]:
        """Return the direct neighbours of each node, strongest edges first.

        For a single hub it reads 5,000 edges; for 100 nodes at once, 500 each.

        Raises:
            InvalidInput: ``first`` is not 1 to 100.
        """
        _within("first", first, _MAX_NEIGHBOURS)
        rows = await queries.expand_nodes(
            self._database,
            workspace_id=workspace_id,
            nodes=asked_for(workspace_id, ids),
            kinds=_EVERY_KIND,
            types=(),
            direction=Direction.BOTH,
            passed_over=(),
            examined=examined_of_each(len(ids)),
            fan_out=first,
            now=self._clock.now(),
            as_of=None,
        )
        result: dict[str, list[Neighbour]] = defaultdict(list)
        for from_id, edge, node in steps(workspace_id, rows):
            result[from_id].append(Neighbour(edge=edge, node=node))
        return dict(result)

    async def _starts(
        self, workspace_id: str, ids: Sequence[str], *, field: str, as_of: datetime | None
    ) -> list[FoundNode]:
        found = await self.find(workspace_id, ids, field=field)
        for id_ in ids:
            if id_ not in found:
                raise NotFound(f"there is no node {id_!r} in this workspace", field=field)
        there = found if as_of is None else await self.find(workspace_id, ids, field=field, as_of=as_of)
        return list({node.id: node for node in there.values()}.values())

    def _rules(
        self,
        workspace_id: str,
        types: Sequence[str],
        direction: Direction,
        kinds: Sequence[NodeKind],
        as_of: datetime | None,
    ) -> Rules:
        return Rules(workspace_id, self._clock.now(), kinds, types, direction, as_of)


def _check(query: TraversalQuery) -> None:
    if not 1 <= len(query.start) <= _MAX_STARTS:
        raise InvalidInput("start", f"start must name 1 to {_MAX_STARTS} nodes, got {len(query.start)}")
    if len(query.types) > _MAX_TYPES:
        raise InvalidInput("types", f"types must have at most {_MAX_TYPES} entries, got {len(query.types)}")
    for type_ in query.types:
        if not _EDGE_TYPE.fullmatch(type_):
            raise InvalidInput("types", f"types must be in UPPER_SNAKE_CASE, got {type_[:80]!r}")
    _within("depth", query.depth, MAX_DEPTH)
    _within("limit", query.limit, _MAX_NODES)


def _within(field: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise InvalidInput(field, f"{field} must be between 1 and {most}, got {value}")
