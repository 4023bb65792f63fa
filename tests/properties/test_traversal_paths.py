"""Path search, compared with all simple paths of small graphs."""

from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.knowledge.models import FoundEdge, FoundNode, NodeKind
from graph.knowledge.traversal import cheapest_paths, cost_of

IDS = "abcde"
NODES = {id_: FoundNode(id=id_, kind=NodeKind.ENTITY, type=None, caption=id_) for id_ in IDS}
EDGES = st.dictionaries(
    st.sampled_from([(a, b) for a in IDS for b in IDS if a < b]),
    st.floats(0.02, 1.0) | st.none(),
)


@given(EDGES, st.integers(1, 5), st.integers(1, 10))
def test_the_cheapest_simple_paths_are_found(strengths, most_hops, limit) -> None:
    """E5: no other path is cheaper, no path repeats a node, and none exceeds the requested length."""
    edges = {
        pair: FoundEdge(type="T", from_id=pair[0], to_id=pair[1], strength=strength, id=None)
        for pair, strength in strengths.items()
    }
    found = cheapest_paths(NODES, edges.values(), start="a", end="e", most_hops=most_hops, limit=limit)

    every = []
    for size in range(min(most_hops, 4)):
        for middle in permutations("bcd", size):
            steps = [tuple(sorted(step)) for step in pairwise(["a", *middle, "e"])]
            if all(step in edges for step in steps):
                every.append(sum(cost_of(edges[step]) for step in steps))
    assert [path.cost for path in found] == pytest.approx(sorted(every)[:limit], abs=1e-5)
    for path in found:
        ids = [node.id for node in path.nodes]
        assert len(set(ids)) == len(ids) == len(path.edges) + 1
        joined = [{edge.from_id, edge.to_id} for edge in path.edges]
        assert joined == [set(step) for step in pairwise(ids)]
