"""Finds the cheapest paths between two nodes in the subgraph reached from both."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from math import inf, log
from typing import NamedTuple

from graph.knowledge.traversal.models import FoundEdge, FoundNode, Path

_WEAKEST = 0.01  # a weaker edge costs no more than this one
_MOST_STEPS = 20_000
_DIGITS = 9  # sums of the same costs in another order are equal

Beside = Mapping[str, Sequence[tuple[str, float, FoundEdge]]]


class _Way(NamedTuple):
    """A way from the start so far: its last step and the way before that."""

    id: str
    cost: float
    hops: int
    edge: FoundEdge | None = None
    before: "_Way | None" = None

    def steps(self) -> Iterator["_Way"]:
        """Yield the ways that this one grew out of, itself first."""
        way: _Way | None = self
        while way is not None:
            yield way
            way = way.before


def cost_of(edge: FoundEdge) -> float:
    """Return 1 - ln(strength): 1 for an edge of full strength or of none, 1.7 for one of half, at most 5.6."""
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
    """Return at most ``limit`` ways without a node twice, the cheapest first; of equal ones the shorter.

    A* over partial ways, where what remains to the end is known exactly but for nodes met twice. After 20,000 partial
    ways none is made longer. For large graphs this takes a tenth of a second, so it belongs into a thread.
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
    """Yield the ways that are one hop longer and meet no node twice."""
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
