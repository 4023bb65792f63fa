"""Subgraphs, paths and neighbours on the real server."""

from datetime import UTC, datetime, timedelta

import pytest

from graph.core.errors import InvalidInput, NotFound
from graph.knowledge.models import Direction, TraversalQuery
from graph.knowledge.ontology.models import EntityDraft, RelationDraft
from graph.memories.models import AssociationType, MemoryDraft
from tests.fixtures.graphs import run
from tests.fixtures.telemetry import action

JANUARY, FEBRUARY = datetime(2026, 1, 5, tzinfo=UTC), datetime(2026, 2, 5, tzinfo=UTC)
CAME = """CYPHER 25
MATCH (node:Searchable {id: $id})
SET node.created_at = $moment
WITH node
MATCH (node)-[edge]-()
SET edge.created_at = $moment
"""

MENTIONED = """CYPHER 25
MATCH (entity:Entity {workspace_id: $ws, id: $id})
UNWIND range(1, $count) AS number
CREATE (memory:Memory {workspace_id: $ws, id: randomUUID(), content: 'hub', active: true, created_at: $moment})
SET memory += $properties
CREATE (memory)-[:MENTIONS {how: 'name', surface: 'hub', created_at: $moment}]->(entity)
"""


async def chain(services, workspace_id, names, *, strengths=()) -> dict[str, str]:
    """Create services that each depend on the next one, and return their ids by name."""
    drafts = [EntityDraft(type="Service", name=name) for name in names]
    written = await services.knowledge.ontology.upsert_entities(workspace_id, drafts)
    strengths = [*strengths, *([1.0] * len(names))]
    await services.knowledge.ontology.upsert_relations(
        workspace_id,
        [
            RelationDraft(from_name=a.id, to_name=b.id, type="DEPENDS_ON", strength=strength)
            for a, b, strength in zip(written, written[1:], strengths, strict=False)
        ],
    )
    return {entity.name: entity.id for entity in written}


def captions(subgraph) -> dict[str, int]:
    return {reached.node.caption: reached.depth for reached in subgraph.nodes}


async def test_a_subgraph_contains_the_nodes_within_the_depth(services, workspace_id) -> None:
    """E5: the default depth is two hops; every edge connects two nodes of the subgraph."""
    ids = await chain(services, workspace_id, ["a", "b", "c", "d"])

    found = await services.knowledge.traversal.traverse(workspace_id, TraversalQuery(start=[ids["a"]]))

    assert captions(found) == {"a": 0, "b": 1, "c": 2}
    assert [(edge.type, edge.from_id, edge.to_id) for edge in found.edges] == [
        ("DEPENDS_ON", ids["a"], ids["b"]),
        ("DEPENDS_ON", ids["b"], ids["c"]),
    ]
    assert not found.truncated


async def hub_of(graph_driver, workspace_id: str, hub: str, *, mentions: int, **properties) -> None:
    """Create memories that mention an entity, directly in the graph."""
    await run(
        graph_driver,
        MENTIONED,
        ws=workspace_id,
        id=hub,
        count=mentions,
        moment=JANUARY,
        properties=properties,
    )


async def test_mentions_of_a_hub_hide_none_of_its_relations(services, workspace_id, graph_driver) -> None:
    """E5: excluded kinds do not count towards the limit of edges."""
    hub, *others = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Service", name=name) for name in ("hub", "a", "b", "c")]
    )
    await hub_of(graph_driver, workspace_id, hub.id, mentions=5100)
    drafts = [RelationDraft(from_name=hub.id, to_name=each.id, type="DEPENDS_ON") for each in others]
    await services.knowledge.ontology.upsert_relations(workspace_id, drafts)
    traversal = services.knowledge.traversal

    found = await traversal.traverse(
        workspace_id, TraversalQuery(start=[hub.id], include_memories=False, depth=1)
    )
    whole = await traversal.traverse(workspace_id, TraversalQuery(start=[hub.id], depth=1, limit=1000))

    assert captions(found) == {"hub": 0, "a": 1, "b": 1, "c": 1}
    assert not found.truncated
    assert whole.truncated


async def test_deleted_memories_do_not_hide_active_ones(services, workspace_id, graph_driver) -> None:
    """E5, E9: 600 deleted memories and one active memory mention the entity."""
    (hub,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Service", name="hub")]
    )
    await hub_of(graph_driver, workspace_id, hub.id, mentions=1, active=True)
    await hub_of(graph_driver, workspace_id, hub.id, mentions=600, active=False)

    found = await services.knowledge.traversal.traverse(workspace_id, TraversalQuery(start=[hub.id], depth=1))
    mentions = await services.knowledge.linking.mentions_of_entities(workspace_id, [hub.id], first=10)

    assert (len(found.nodes), found.truncated) == (2, False)
    assert len(mentions[hub.id]) == 1


async def test_a_truncated_traversal_without_visible_nodes_says_so(
    services, workspace_id, graph_driver
) -> None:
    """E5: all edges up to the limit lead to deleted nodes, and there may be more edges."""
    (hub,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Service", name="hub")]
    )
    await hub_of(graph_driver, workspace_id, hub.id, mentions=5100, active=False)

    found = await services.knowledge.traversal.traverse(workspace_id, TraversalQuery(start=[hub.id], depth=1))

    assert (captions(found), found.truncated) == ({"hub": 0}, True)


@pytest.mark.parametrize(
    ("direction", "expected"),
    [
        (Direction.OUT, {"b": 0, "c": 1}),
        (Direction.IN, {"b": 0, "a": 1}),
        (Direction.BOTH, {"b": 0, "a": 1, "c": 1}),
    ],
)
async def test_edges_are_followed_in_the_requested_direction(
    services, workspace_id, direction, expected
) -> None:
    """E5."""
    ids = await chain(services, workspace_id, ["a", "b", "c"])
    query = TraversalQuery(start=[ids["b"]], direction=direction, depth=1)

    assert captions(await services.knowledge.traversal.traverse(workspace_id, query)) == expected


async def test_only_edges_of_the_requested_types_are_followed(services, workspace_id) -> None:
    """E5."""
    ids = await chain(services, workspace_id, ["a", "b"])
    (other,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Service", name="x")]
    )
    await services.knowledge.ontology.upsert_relations(
        workspace_id, [RelationDraft(from_name=ids["a"], to_name=other.id, type="OWNS")]
    )

    query = TraversalQuery(start=[ids["a"]], types=["OWNS"])

    assert captions(await services.knowledge.traversal.traverse(workspace_id, query)) == {"a": 0, "x": 1}


async def test_the_strongest_edges_come_first_and_truncation_is_reported(services, workspace_id) -> None:
    """E5: the limit counts the nodes without the start."""
    hub, *leaves = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Service", name=f"n{number}") for number in range(6)]
    )
    await services.knowledge.ontology.upsert_relations(
        workspace_id,
        [
            RelationDraft(from_name=hub.id, to_name=leaf.id, type="DEPENDS_ON", strength=number / 10)
            for number, leaf in enumerate(leaves, start=1)
        ],
    )

    found = await services.knowledge.traversal.traverse(workspace_id, TraversalQuery(start=[hub.id], limit=2))

    assert captions(found) == {"n0": 0, "n5": 1, "n4": 1}
    assert {(edge.to_id, edge.strength) for edge in found.edges} == {
        (leaves[4].id, 0.5),
        (leaves[3].id, 0.4),
    }
    assert found.truncated


async def test_memories_are_reached_through_associations_unless_excluded(services, workspace_id) -> None:
    """E1, E5: associations are traversed like relations."""
    saved = await services.memories.store.save_all(
        workspace_id,
        [MemoryDraft(content=text) for text in ("we use the old store", "we moved to a new store")],
    )
    old, new = (receipt.memory.id for receipt in saved)
    await services.memories.associations.associate(
        workspace_id, from_id=old, to_id=new, type_=AssociationType.INVALIDATED_BY, strength=0.9
    )

    found = await services.knowledge.traversal.traverse(workspace_id, TraversalQuery(start=[old]))
    without = await services.knowledge.traversal.traverse(
        workspace_id, TraversalQuery(start=[old], include_memories=False)
    )

    assert captions(found) == {"we use the old store": 0, "we moved to a new store": 1}
    assert [(edge.type, edge.strength) for edge in found.edges] == [("INVALIDATED_BY", 0.9)]
    assert captions(without) == {"we use the old store": 0}


async def test_deleted_nodes_are_neither_reached_nor_passed(services, workspace_id) -> None:
    """E5, E9."""
    ids = await chain(services, workspace_id, ["a", "b", "c"])
    await services.knowledge.ontology.delete(workspace_id, ids["b"])

    assert captions(
        await services.knowledge.traversal.traverse(workspace_id, TraversalQuery(start=[ids["a"]]))
    ) == {"a": 0}
    assert await services.knowledge.traversal.paths(workspace_id, from_id=ids["a"], to_id=ids["c"]) == []
    with pytest.raises(NotFound, match="there is no node"):
        await services.knowledge.traversal.traverse(workspace_id, TraversalQuery(start=[ids["b"]]))


async def test_no_hop_leaves_the_workspace(
    services, workspace_id, other_workspace_id, stored_memories
) -> None:
    """E15, N12: not even over an edge that should not exist."""
    ours = await chain(services, workspace_id, ["a", "b"])
    theirs = await chain(services, other_workspace_id, ["x", "y"])
    await run(
        stored_memories.driver,
        "MATCH (a:Entity {id: $a}), (x:Entity {id: $x}) CREATE (a)-[:DEPENDS_ON]->(x)",
        a=ours["a"],
        x=theirs["x"],
    )

    found = await services.knowledge.traversal.traverse(workspace_id, TraversalQuery(start=[ours["a"]]))

    assert captions(found) == {"a": 0, "b": 1}
    with pytest.raises(NotFound):
        await services.knowledge.traversal.traverse(other_workspace_id, TraversalQuery(start=[ours["a"]]))
    with pytest.raises(NotFound):
        await services.knowledge.traversal.paths(workspace_id, from_id=ours["a"], to_id=theirs["x"])


async def test_an_action_is_captioned_by_its_verb(services, workspace_id) -> None:
    """Issue 17: as in Neo4j Browser."""
    ids = await chain(services, workspace_id, ["a", "b"])
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    await services.telemetry.recorder.record(workspace_id, [action("run-1", target_id=ids["a"])])

    found = await services.knowledge.traversal.traverse(
        workspace_id, TraversalQuery(start=[ids["a"]], depth=1)
    )

    assert captions(found) == {"a": 0, "b": 1, "deploy": 1}


async def test_short_paths_of_strong_edges_come_first(services, workspace_id) -> None:
    """E5: a hop costs 1 - ln(strength), so one weak hop may cost more than two strong ones."""
    ids = await chain(services, workspace_id, ["a", "b", "c", "d"], strengths=[1.0, 1.0, 0.5])
    await services.knowledge.ontology.upsert_relations(
        workspace_id,
        [RelationDraft(from_name=ids["d"], to_name=ids["a"], type="BLOCKS", strength=0.05)],
    )

    found = await services.knowledge.traversal.paths(workspace_id, from_id=ids["a"], to_id=ids["d"])

    assert [[node.caption for node in path.nodes] for path in found] == [["a", "b", "c", "d"], ["a", "d"]]
    assert [path.cost for path in found] == [pytest.approx(3.693147), pytest.approx(3.995732)]
    short = await services.knowledge.traversal.paths(
        workspace_id, from_id=ids["a"], to_id=ids["d"], max_depth=2
    )
    assert [[node.caption for node in path.nodes] for path in short] == [["a", "d"]]


@pytest.mark.parametrize("hops", [1, 2, 3, 4, 5])
async def test_a_path_as_long_as_allowed_is_found(services, workspace_id, hops) -> None:
    """E5: depths 1 to 5, although the search walks only half of a path from each end."""
    ids = await chain(services, workspace_id, [f"n{number}" for number in range(hops + 1)])
    ends = {"from_id": ids["n0"], "to_id": ids[f"n{hops}"]}

    (path,) = await services.knowledge.traversal.paths(workspace_id, **ends, max_depth=hops)

    assert [node.caption for node in path.nodes] == list(ids)
    if hops > 1:
        assert await services.knowledge.traversal.paths(workspace_id, **ends, max_depth=hops - 1) == []


@pytest.mark.parametrize("hub_is_start", [True, False])
async def test_a_hub_at_either_end_hides_no_neighbour(
    services, workspace_id, graph_driver, hub_is_start
) -> None:
    """E5: the search reads a limited number of a hub's edges, but also starts from the other end."""
    ids = await chain(services, workspace_id, ["hub", "other"], strengths=[0.1])
    await hub_of(graph_driver, workspace_id, ids["hub"], mentions=2100)
    ends = (ids["hub"], ids["other"]) if hub_is_start else (ids["other"], ids["hub"])

    (path,) = await services.knowledge.traversal.paths(
        workspace_id, from_id=ends[0], to_id=ends[1], max_depth=1
    )

    assert [node.caption for node in path.nodes] == list(ids)[:: 1 if hub_is_start else -1]


async def test_a_path_from_a_node_to_itself_has_no_edge(services, workspace_id) -> None:
    """E5."""
    ids = await chain(services, workspace_id, ["a", "b"])

    (path,) = await services.knowledge.traversal.paths(workspace_id, from_id=ids["a"], to_id=ids["a"])

    assert ([node.caption for node in path.nodes], path.edges, path.cost) == (["a"], [], 0.0)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"start": []}, "start"),
        ({"start": ["x"] * 51}, "start"),
        ({"start": ["x"], "depth": 0}, "depth"),
        ({"start": ["x"], "depth": 6}, "depth"),
        ({"start": ["x"], "limit": 0}, "limit"),
        ({"start": ["x"], "limit": 1001}, "limit"),
        ({"start": ["x"], "types": ["not upper"]}, "types"),
        ({"start": ["x"], "types": ["A"] * 51}, "types"),
    ],
)
async def test_a_traversal_that_breaks_a_rule_is_refused(services, workspace_id, query, field) -> None:
    """E5, K18: the error names the field."""
    with pytest.raises(InvalidInput) as refused:
        await services.knowledge.traversal.traverse(workspace_id, TraversalQuery(**query))
    assert refused.value.field == field


async def came(driver, **days: datetime) -> None:
    """Set the creation time of nodes, by id, and of their edges to earlier nodes."""
    for id_, moment in days.items():
        await run(driver, CAME, id=id_, moment=moment)


async def test_a_graph_can_be_read_as_of_a_moment(services, workspace_id, graph_driver) -> None:
    """Issue 17, page 6: later nodes are neither reached nor passed, and later start nodes are ignored."""
    ids = await chain(services, workspace_id, ["a", "b", "c"])
    await came(graph_driver, **{ids["a"]: JANUARY, ids["b"]: FEBRUARY, ids["c"]: JANUARY})
    traversal = services.knowledge.traversal

    async def read(as_of: datetime | None, *starts: str) -> dict[str, int]:
        query = TraversalQuery(start=[ids[name] for name in starts], as_of=as_of)
        return captions(await traversal.traverse(workspace_id, query))

    ends = {"from_id": ids["a"], "to_id": ids["c"]}
    assert await read(None, "a") == {"a": 0, "b": 1, "c": 2}
    assert await read(FEBRUARY, "a") == {"a": 0, "b": 1, "c": 2}
    assert await read(FEBRUARY.replace(tzinfo=None), "a") == {"a": 0, "b": 1, "c": 2}
    assert await read(JANUARY, "a") == {"a": 0}
    assert await read(JANUARY, "a", "b", "c") == {"a": 0, "c": 0}
    assert await read(JANUARY - timedelta(days=1), "a") == {}
    assert len(await traversal.paths(workspace_id, **ends, as_of=FEBRUARY)) == 1
    assert await traversal.paths(workspace_id, **ends, as_of=JANUARY) == []
    assert await traversal.paths(workspace_id, **ends, as_of=JANUARY - timedelta(days=1)) == []


async def test_memories_are_read_as_of_a_moment_within_their_validity(
    services, workspace_id, graph_driver
) -> None:
    drafts = [
        MemoryDraft(content="the store is Postgres", t_valid=JANUARY, t_invalid=FEBRUARY),
        MemoryDraft(content="the store is Neo4j", t_valid=FEBRUARY),
    ]
    saved = await services.memories.store.save_all(workspace_id, drafts)
    old, new = (receipt.memory.id for receipt in saved)
    await services.memories.associations.associate(
        workspace_id, from_id=old, to_id=new, type_=AssociationType.INVALIDATED_BY
    )
    await came(graph_driver, **{old: JANUARY - timedelta(days=9), new: JANUARY})

    async def read(as_of: datetime) -> set[str]:
        query = TraversalQuery(start=[old, new], as_of=as_of)
        return set(captions(await services.knowledge.traversal.traverse(workspace_id, query)))

    assert await read(JANUARY - timedelta(days=1)) == set()
    assert await read(JANUARY) == {"the store is Postgres"}
    assert await read(FEBRUARY) == {"the store is Neo4j"}


async def test_an_edge_does_not_exist_before_its_creation(services, workspace_id, graph_driver) -> None:
    ids = await chain(services, workspace_id, ["a", "b"])
    await came(graph_driver, **{ids["a"]: JANUARY, ids["b"]: JANUARY})
    query = TraversalQuery(start=[ids["a"]], as_of=JANUARY)
    assert captions(await services.knowledge.traversal.traverse(workspace_id, query)) == {"a": 0, "b": 1}

    await run(
        graph_driver,
        "MATCH (a {id: $id})-[edge:DEPENDS_ON]->() SET edge.created_at = $at",
        id=ids["a"],
        at=FEBRUARY,
    )

    assert captions(await services.knowledge.traversal.traverse(workspace_id, query)) == {"a": 0}
