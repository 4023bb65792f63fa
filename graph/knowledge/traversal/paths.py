"""Finds the cheapest ways between two nodes in what was walked from both."""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from math import log

from graph.knowledge.traversal.models import FoundEdge, FoundNode, Path

_WEAKEST = 0.01  # a weaker edge costs no more than this one
_MOST_STEPS = 20_000


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

    Uniform-cost search over partial ways (Dijkstra without closing nodes), given up after 20,000 of them.
    """
    beside: dict[str, list[tuple[str, FoundEdge]]] = defaultdict(list)
    for edge in edges:
        beside[edge.from_id].append((edge.to_id, edge))
        beside[edge.to_id].append((edge.from_id, edge))
    order = count()
    waiting: list[tuple[float, int, int, list[str], list[FoundEdge]]] = [(0.0, 0, next(order), [start], [])]
    found: list[Path] = []
    for _ in range(_MOST_STEPS):
        if not waiting or len(found) == limit:
            break
        cost, hops, _number, way, taken = heapq.heappop(waiting)
        if way[-1] == end:
            found.append(_path(nodes, way, taken, cost))
            continue
        if hops == most_hops:
            continue
        for id_, edge in beside[way[-1]]:
            if id_ not in way:
                step = (cost + cost_of(edge), hops + 1, next(order), [*way, id_], [*taken, edge])
                heapq.heappush(waiting, step)
    return found


def _path(
    nodes: Mapping[str, FoundNode], way: Sequence[str], taken: Sequence[FoundEdge], cost: float
) -> Path:
    return Path(nodes=[nodes[id_] for id_ in way], edges=taken, cost=round(cost, 6))
