"""Mentions through GraphQL: between memories and the entities that they name."""

from collections import Counter

import pytest

from graph.knowledge.ontology.models import EntityDraft
from graph.memories.models import MemoryDraft, MemoryState
from tests.fixtures.states import reached

SAVE = """mutation($content: String!) {
  saveMemory(input: {content: $content}, waitFor: LINKED, timeoutMs: 10000) {
    memory { id state enriched mentions { how surface createdAt entity { id name type } } }
  }
}"""
ENTITY = """query($id: ID!, $first: Int) {
  entity(id: $id) { mentions(first: $first) { how memory { id content mentions { entity { name } } } } }
}"""
DEEP = """query($first: Int) { memories(first: $first) { edges { node {
  mentions { entity { mentions(first: 1) { memory { id } } } }
} } } }"""
TRAVERSE = """query($id: ID!, $with: Boolean!) {
  traverse(input: {start: [$id], depth: 1, includeMemories: $with}) { nodes { nodeId kind } edges { type fromId toId } }
}"""


@pytest.mark.usefixtures("patient_waits")
async def test_mentions_link_memories_and_entities_in_both_directions(
    graphql, services, workspace_id
) -> None:
    """E1, D39: a front end follows them from a memory to its entities and back."""
    (acme,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Company", name="Acme", aliases=("ACM",))]
    )

    first = (await graphql.ok(SAVE, content="the invoice of acme is late"))["saveMemory"]["memory"]
    second = (await graphql.ok(SAVE, content="we pay ACM in Oslo"))["saveMemory"]["memory"]

    assert (first["state"], first["enriched"]) == ("LINKED", True)
    (mention,) = first["mentions"]
    assert mention.pop("createdAt") is not None
    assert mention == {
        "how": "NAME",
        "surface": "acme",
        "entity": {"id": acme.id, "name": "Acme", "type": "Company"},
    }
    assert [(edge["how"], edge["entity"]["name"]) for edge in second["mentions"]] == [
        ("ALIAS", "Acme"),
        ("RULE", "Oslo"),
    ]
    mentions = (await graphql.ok(ENTITY, id=acme.id))["entity"]["mentions"]
    assert [(edge["how"], edge["memory"]["content"]) for edge in mentions] == [
        ("ALIAS", "we pay ACM in Oslo"),
        ("NAME", "the invoice of acme is late"),
    ]
    assert len((await graphql.ok(ENTITY, id=acme.id, first=1))["entity"]["mentions"]) == 1
    assert (await graphql.error(ENTITY, id=acme.id, first=101))["code"] == "INVALID_INPUT"


@pytest.mark.usefixtures("patient_waits")
async def test_a_traversal_shows_mentions(graphql, services, workspace_id) -> None:
    """E5: with memories, from either end; otherwise entities only."""
    (acme,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Company", name="Acme")]
    )
    memory = (await graphql.ok(SAVE, content="the invoice of acme is late"))["saveMemory"]["memory"]
    edge = {"type": "MENTIONS", "fromId": memory["id"], "toId": acme.id}

    from_entity = (await graphql.ok(TRAVERSE, id=acme.id, **{"with": True}))["traverse"]
    from_memory = (await graphql.ok(TRAVERSE, id=memory["id"], **{"with": True}))["traverse"]
    without = (await graphql.ok(TRAVERSE, id=acme.id, **{"with": False}))["traverse"]

    assert from_entity["edges"] == from_memory["edges"] == [edge]
    assert {node["nodeId"] for node in from_entity["nodes"]} == {acme.id, memory["id"]}
    assert (without["edges"], [node["nodeId"] for node in without["nodes"]]) == ([], [acme.id])


async def test_many_memories_take_as_many_queries_as_one(
    graphql, services, workspace_id, monkeypatch
) -> None:
    """K1: compares the queries for twenty parents and for one."""
    await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Company", name="Acme")]
    )
    drafts = [MemoryDraft(content=f"acme paid bill number {number}", dedup=False) for number in range(20)]
    saved = await services.memories.store.save_all(workspace_id, drafts)
    ids = [each.memory.id for each in saved]
    await reached(services, workspace_id, ids, MemoryState.LINKED)
    asked: Counter[str] = Counter()
    run = services.core.database.run

    async def counting(statement, parameters):
        asked[statement.name] += 1
        return await run(statement, parameters)

    monkeypatch.setattr(services.core.database, "run", counting)
    counts = []
    for first in (1, 20):
        asked.clear()
        data = await graphql.ok(DEEP, first=first)
        edges = data["memories"]["edges"]
        assert [len(edge["node"]["mentions"]) for edge in edges] == [1] * first
        names = ("list_memories", "list_mentioned", "get_entities", "list_mentioning", "get_memories")
        counts.append({name: asked[name] for name in names})

    assert counts[0] == counts[1]
    assert set(counts[1].values()) == {1}
