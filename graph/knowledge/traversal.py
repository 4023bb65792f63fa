"""Traversal of the graph: nodes by id, neighbourhoods and paths."""

import asyncio
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from heapq import heappop, heappush
from math import inf, log
from typing import NamedTuple, Self

from graph.core.database import Database
from graph.core.errors import InvalidInput, NotFound
from graph.core.ports import Clock
from graph.core.rows import Runner
from graph.core.time import in_utc
from graph.knowledge import queries
from graph.knowledge.models import (
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
from graph.knowledge.queries import ExpandNodesRow, NodeRow

_WEAKEST = 0.01  # a weaker edge costs no more than this one
_MOST_STEPS = 20_000
_DIGITS = 9  # rounding makes sums of the same costs in another order equal

Beside = Mapping[str, Sequence[tuple[str, float, FoundEdge]]]


class _Way(NamedTuple):
    """A partial path from the start: its last step and the path before that."""

    id: str
    cost: float
    hops: int
    edge: FoundEdge | None = None
    before: "_Way | None" = None

    def steps(self) -> Iterator["_Way"]:
        """Yield this path and its prefixes, the longest first."""
        way: _Way | None = self
        while way is not None:
            yield way
            way = way.before


def cost_of(edge: FoundEdge) -> float:
    """Return 1 - ln(strength): 1 for strength 1 or None, 1.7 for strength 0.5, at most 5.6."""
    strength = 1.0 if edge.strength is None else max(edge.strength, _WEAKEST)
    return 1.0 - log(strength)


def cheapest_paths(
    nodes: Mapping[str, FoundNode],
    edges: Iterable[FoundEdge],
    *,
    start: str,
    end: str,
    most_hops: int,
    limit: int,
) -> list[Path]:
    """Return at most ``limit`` paths without repeated nodes, the cheapest first; among equal costs the shorter first.

    This is A* over partial paths. Its heuristic is the exact remaining cost if paths could repeat nodes. It extends at
    most 20,000 partial paths. Large graphs take a tenth of a second, so run it in a thread.
    """
    beside = _beside(edges)
    to_end = _least_costs(beside, end, most_hops)
    if start not in to_end[most_hops]:
        return []
    numbers = iter(range(1, _MOST_STEPS + 1))
    waiting = [(0.0, 0, 0, _Way(start, 0.0, 0))]
    found: list[Path] = []
    while waiting and len(found) < limit:
        way = heappop(waiting)[-1]
        if way.id == end:
            found.append(_path(nodes, way))
            continue
        remaining = to_end[most_hops - way.hops - 1]
        longer = (each for each in _longer(way, beside[way.id]) if each.id in remaining)
        for each, number in zip(longer, numbers, strict=False):
            least = round(each.cost + remaining[each.id], _DIGITS)
            heappush(waiting, (least, each.hops, number, each))
    return found


def _longer(way: _Way, beside: Iterable[tuple[str, float, FoundEdge]]) -> Iterator[_Way]:
    """Yield the paths that are one hop longer and repeat no node."""
    passed = {step.id for step in way.steps()}
    for id_, cost, edge in beside:
        if id_ not in passed:
            yield _Way(id_, way.cost + cost, way.hops + 1, edge, way)


def _beside(edges: Iterable[FoundEdge]) -> Beside:
    """Return the neighbours of each node with cost and edge."""
    beside: dict[str, list[tuple[str, float, FoundEdge]]] = defaultdict(list)
    for edge in edges:
        cost = cost_of(edge)
        beside[edge.from_id].append((edge.to_id, cost, edge))
        beside[edge.to_id].append((edge.from_id, cost, edge))
    return beside


def _least_costs(beside: Beside, end: str, most_hops: int) -> list[Mapping[str, float]]:
    """Return, for each number of hops up to the maximum, the minimum cost of reaching the end within them.

    A node that cannot reach the end within these hops is missing from the map.
    """
    costs = {end: 0.0}
    by_hops: list[Mapping[str, float]] = [costs]
    cheaper: Mapping[str, float] = costs
    for _ in range(most_hops):
        improved: dict[str, float] = {}
        for id_, from_here in cheaper.items():
            for other, cost, _edge in beside.get(id_, ()):
                total = from_here + cost
                if total < min(costs.get(other, inf), improved.get(other, inf)):
                    improved[other] = total
        costs, cheaper = costs | improved, improved
        by_hops.append(costs)
    return by_hops


def _path(nodes: Mapping[str, FoundNode], way: _Way) -> Path:
    steps = [*way.steps()][::-1]
    return Path(
        nodes=[nodes[step.id] for step in steps],
        edges=[step.edge for step in steps if step.edge is not None],
        cost=round(way.cost, 6),
    )


class GlobalId(NamedTuple):
    """Parts of a global id; ``conversation_id`` is set only for a message, whose id is unique in its conversation."""

    kind: NodeKind
    workspace_id: str
    id: str
    conversation_id: str | None = None

    def __str__(self) -> str:
        parts = [self.kind, self.workspace_id, self.id]
        text = json.dumps(parts if self.conversation_id is None else [*parts, self.conversation_id])
        return urlsafe_b64encode(text.encode()).decode().rstrip("=")

    @classmethod
    def parsed(cls, id_: str) -> Self | None:
        """Return the parts of an id, or None if it is not a global id."""
        try:
            parts = json.loads(urlsafe_b64decode(id_ + "=" * (-len(id_) % 4)))
            kind, workspace_id, own_id, *conversation = parts
            if not all(isinstance(part, str) for part in parts):
                return None
            named = cls(NodeKind(kind), workspace_id, own_id, *conversation)
        except (ValueError, TypeError, RecursionError):
            return None
        return named if (named.kind is NodeKind.MESSAGE) == (named.conversation_id is not None) else None


class TraversalStep(NamedTuple):
    """An edge of a requested node, and the node at its other end."""

    from_id: str
    edge: FoundEdge
    node: FoundNode


def node_parameters(workspace_id: str, ids: Iterable[str]) -> list[dict[str, str | None]]:
    """Return the nodes of own or global ids as query parameters; omit global ids of other workspaces."""
    rows: list[dict[str, str | None]] = []
    for id_ in dict.fromkeys(ids):
        named = GlobalId.parsed(id_)
        if named is None:
            rows.append({"asked": id_, "id": id_, "kind": None, "conversation_id": None})
        elif named.workspace_id == workspace_id:
            own = {"id": named.id, "kind": named.kind, "conversation_id": named.conversation_id}
            rows.append({"asked": id_, **own})
    return rows


def found_node(workspace_id: str, row: NodeRow) -> FoundNode:
    """Return a node with an id that is unique in its workspace."""
    conversation_id = row.conversation_id
    id_ = (
        row.id if conversation_id is None else str(GlobalId(row.kind, workspace_id, row.id, conversation_id))
    )
    return FoundNode(id=id_, kind=row.kind, type=row.type, caption=row.caption)


def steps(workspace_id: str, rows: Sequence[ExpandNodesRow]) -> list[TraversalStep]:
    """Return the edges that may be followed."""
    found = []
    for row in rows:
        if row.edge and row.node:
            node = found_node(workspace_id, row.node)
            from_id, to_id = (row.from_id, node.id) if row.edge.is_outgoing else (node.id, row.from_id)
            edge = FoundEdge(
                type=row.edge.type, from_id=from_id, to_id=to_id, strength=row.edge.strength, id=row.edge.id
            )
            found.append(TraversalStep(row.from_id, edge, node))
    return found


# Edges examined and edges followed in one hop, over all nodes of the frontier. More are examined than followed, because
# many may lead to nodes that are deleted, expired or another user's.
_EXAMINED_PER_HOP = 50_000
_FOLLOWED_PER_HOP = 10_000
_MOST_EXAMINED_PER_NODE = 5000
_MOST_FOLLOWED_PER_NODE = 500
# From nodes other than memories these lead to memories, or to connections, which no traversal includes.
_EDGES_OF_MEMORIES = ("FROM", "MENTIONS", "USED")


def examined_of_each(nodes: int) -> int:
    """Return the number of edges to examine for each of ``nodes`` nodes: 5,000 for one, 500 each for 100."""
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
        """Go one hop from the frontier and add at most ``room`` new nodes, those of stronger edges first."""
        if not self.frontier:
            return
        leaving = len(self.frontier)
        followed = min(_MOST_FOLLOWED_PER_NODE, _FOLLOWED_PER_HOP // leaving)
        rows = await queries.expand_nodes(
            runner,
            workspace_id=rules.workspace_id,
            nodes=node_parameters(rules.workspace_id, [node.id for node in self.frontier]),
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

    Every hop stays in the starting workspace. It never reaches or passes deleted or expired nodes. At a requested
    time it also skips nodes that did not exist then, and memories that were not true then.
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
            nodes=node_parameters(workspace_id, ids),
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
        """Return the nodes within ``depth`` hops of the starts, nearest first, strongest edges first.

        For a hub it reads 5,000 edges and follows 500, so the result may be truncated, as ``truncated`` shows. Starts
        that did not exist at ``as_of`` are omitted.

        Raises:
            InvalidInput: A field breaks a rule, or several conversations have a message with the id of a start.
            NotFound: A start is not a node of the workspace.
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
            InvalidInput: ``max_depth`` is not 1 to 5, ``limit`` is not 1 to 20, ``as_of`` lies outside the years 1 to
                9999, or several conversations have a message with an end's id.
            NotFound: An end is not a node of the workspace.
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
        for number in range(max_depth + max_depth % 2):  # from both ends: one may be a hub with unread edges
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
            nodes=node_parameters(workspace_id, ids),
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
