"""Traversal over GraphQL."""

from collections import Counter
from itertools import pairwise

import pytest

ENTITIES = "mutation($inputs: [EntityInput!]!) { upsertEntities(inputs: $inputs) { id } }"
RELATIONS = "mutation($inputs: [RelationInput!]!) { upsertRelations(inputs: $inputs) { id } }"
TRAVERSE = """
query($input: TraverseInput!) {
  traverse(input: $input) {
    nodes { id kind type caption depth node { __typename ... on Entity { name } } }
    edges { id type fromId toId strength }
    truncated
  }
}
"""
PATHS = """
query($from: ID!, $to: ID!) {
  paths(from: $from, to: $to, maxDepth: 2, limit: 3) { length cost nodes { caption } edges { type } }
}
"""
NODE = "query($id: ID!) { node(id: $id) { __typename id ... on Memory { content } ... on Entity { name } } }"
NEIGHBOURS = """
query($first: Int!) {
  entities(first: $first) { edges { node { neighbours(first: 5) { edge { type } node { caption } } } } }
}
"""


async def linked(graphql, count: int) -> list[str]:
    """Write services that each depend on the next, and return their ids."""
    inputs = [{"type": "Service", "name": f"s{number}"} for number in range(count)]
    ids = [row["id"] for row in (await graphql.ok(ENTITIES, inputs=inputs))["upsertEntities"]]
    relations = [{"from": a, "to": b, "type": "DEPENDS_ON", "strength": 0.5} for a, b in pairwise(ids)]
    await graphql.ok(RELATIONS, inputs=relations)
    return ids


async def test_a_subgraph_can_be_drawn(graphql) -> None:
    """E5, K1: nodes with captions, edges by the ids of their ends."""
    a, b = await linked(graphql, 2)

    subgraph = (await graphql.ok(TRAVERSE, input={"start": [a]}))["traverse"]

    (edge,) = subgraph["edges"]
    assert edge.pop("id").startswith("rel_")
    assert edge == {"type": "DEPENDS_ON", "fromId": a, "toId": b, "strength": 0.5}
    common = {"kind": "ENTITY", "type": "Service"}
    assert subgraph["nodes"] == [
        {"id": a, **common, "caption": "s0", "depth": 0, "node": {"__typename": "Entity", "name": "s0"}},
        {"id": b, **common, "caption": "s1", "depth": 1, "node": {"__typename": "Entity", "name": "s1"}},
    ]
    assert subgraph["truncated"] is False


async def test_paths_name_their_nodes_and_edges(graphql) -> None:
    """E5."""
    a, _, c = await linked(graphql, 3)

    (path,) = (await graphql.ok(PATHS, **{"from": a, "to": c}))["paths"]

    assert path == {
        "length": 2,
        "cost": pytest.approx(3.386294),
        "nodes": [{"caption": "s0"}, {"caption": "s1"}, {"caption": "s2"}],
        "edges": [{"type": "DEPENDS_ON"}, {"type": "DEPENDS_ON"}],
    }


async def test_any_node_is_found_by_its_id_in_its_own_workspace_only(
    graphql, services, other_workspace_id
) -> None:
    """K1, N12."""
    entity, _ = await linked(graphql, 2)
    saved = await graphql.ok('mutation { saveMemory(input: {content: "Ada likes tea."}) { memory { id } } }')
    memory = saved["saveMemory"]["memory"]["id"]

    found = [(await graphql.ok(NODE, id=id_))["node"] for id_ in (entity, memory, "ent_unknown")]

    assert found == [
        {"__typename": "Entity", "id": entity, "name": "s0"},
        {"__typename": "Memory", "id": memory, "content": "Ada likes tea."},
        None,
    ]
    assert await services.knowledge.traversal.find(other_workspace_id, [entity, memory]) == {}


async def test_neighbours_of_many_are_read_together(graphql, services, monkeypatch) -> None:
    """K1: as many queries for 20 parents as for one."""
    await linked(graphql, 20)
    sent: Counter[str] = Counter()
    run = services.core.database.run

    async def counting(statement, parameters):
        sent[statement.name] += 1
        return await run(statement, parameters)

    monkeypatch.setattr(services.core.database, "run", counting)

    async def queries_for(first: int) -> Counter[str]:
        sent.clear()
        await graphql.ok(NEIGHBOURS, first=first)
        return Counter({name: sent[name] for name in ("list_entities", "expand_nodes")})

    one, twenty = await queries_for(1), await queries_for(20)
    assert one == twenty == {"list_entities": 1, "expand_nodes": 1}


async def test_bad_input_names_the_field(graphql) -> None:
    """K18."""
    a, _ = await linked(graphql, 2)

    deep = await graphql.error(TRAVERSE, input={"start": [a], "depth": 6})
    unknown = await graphql.error(TRAVERSE, input={"start": ["ent_x"]})

    assert deep == {
        "message": "depth must be between 1 and 5, got 6",
        "code": "INVALID_INPUT",
        "field": "depth",
    }
    assert (unknown["code"], unknown["field"]) == ("NOT_FOUND", "start")
