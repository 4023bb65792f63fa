"""The search for paths, compared with brute force, and its cost in a large graph."""

import heapq
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.knowledge import traversal as service
from graph.knowledge.models import FoundEdge, FoundNode, NodeKind
from graph.knowledge.traversal import cheapest_paths, cost_of

IDS = "abcdefg"


def nodes(ids) -> dict[str, FoundNode]:
    return {id_: FoundNode(id=id_, kind=NodeKind.ENTITY, type="Service", caption=id_) for id_ in ids}


def edge(from_id: str, to_id: str, strength: float | None = None, type_: str = "DEPENDS_ON") -> FoundEdge:
    return FoundEdge(type=type_, from_id=from_id, to_id=to_id, strength=strength, id=None)


def all_ways(edges, start: str, end: str, most_hops: int) -> list[tuple[float, int]]:
    """Return the cost and hops of each path without a repeated node, in the expected order."""

    def from_here(way: list[str], cost: float) -> list[tuple[float, int]]:
        if way[-1] == end:
            return [(round(cost, 6), len(way) - 1)]
        if len(way) > most_hops:
            return []
        ways = []
        for each in edges:
            for here, there in {(each.from_id, each.to_id), (each.to_id, each.from_id)}:
                if here == way[-1] and there not in way:
                    ways += from_here([*way, there], cost + cost_of(each))
        return ways

    return sorted(from_here([start], 0.0))


@given(
    edges=st.lists(
        st.builds(
            edge,
            st.sampled_from(IDS),
            st.sampled_from(IDS),
            st.sampled_from([None, 0.0, 0.1, 0.5, 1.0]),
            st.sampled_from(["DEPENDS_ON", "OWNS"]),
        ),
        max_size=14,
    ),
    most_hops=st.integers(1, 5),
    limit=st.integers(1, 20),
)
def test_the_cheapest_paths_are_found(edges, most_hops, limit) -> None:
    """E5: among equal costs the shorter first; each connects the ends without repeating a node."""
    found = cheapest_paths(nodes(IDS), edges, start="a", end="b", most_hops=most_hops, limit=limit)

    assert [(path.cost, len(path.edges)) for path in found] == all_ways(edges, "a", "b", most_hops)[:limit]
    for path in found:
        ids = [node.id for node in path.nodes]
        assert (ids[0], ids[-1]) == ("a", "b")
        assert len(set(ids)) == len(ids)
        assert [{each.from_id, each.to_id} for each in path.edges] == [set(pair) for pair in pairwise(ids)]


@pytest.mark.parametrize(("end", "count"), [("n1999", 20), ("alone", 0)])
def test_a_large_graph_takes_a_limited_number_of_steps(monkeypatch, end, count) -> None:
    """E5: 2,000 nodes and 20,000 edges; if no path reaches the end, the search begins none."""
    drawn = random.Random(1)
    ids = [f"n{number}" for number in range(2000)]
    edges = [edge(*drawn.sample(ids, 2), drawn.random()) for _ in range(20_000)]
    pushed = 0

    def counted(*step) -> None:
        nonlocal pushed
        pushed += 1
        heapq.heappush(*step)

    monkeypatch.setattr(service, "heappush", counted)
    found = cheapest_paths(nodes([*ids, "alone"]), edges, start="n0", end=end, most_hops=5, limit=20)

    assert len(found) == count
    assert pushed <= (20_000 if count else 0)
