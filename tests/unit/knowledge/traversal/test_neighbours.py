"""The limit on edges that are read for neighbours, however many nodes a request names."""

from types import SimpleNamespace

import pytest

from graph.knowledge import queries
from graph.knowledge.traversal import Traversal


@pytest.mark.parametrize(("nodes", "examined"), [(1, 5000), (10, 5000), (100, 500), (0, 5000)])
async def test_many_start_nodes_read_fewer_edges_each(monkeypatch, nodes, examined) -> None:
    """E5: a page of hubs costs no more than ten hubs."""
    asked: list[int] = []

    async def expand_nodes(_runner, **parameters):
        asked.append(parameters["examined"])
        return []

    monkeypatch.setattr(queries, "expand_nodes", expand_nodes)
    traversal = Traversal(None, SimpleNamespace(now=lambda: None))

    await traversal.neighbours("ws", [f"ent_{number}" for number in range(nodes)])

    assert asked == [examined]
