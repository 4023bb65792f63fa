"""Associations through GraphQL, and the number of queries for many memories."""

from collections import Counter

import pytest

from graph.memories.models import MemoryChange, MemoryDraft

ASSOCIATE = """mutation($input: AssociateInput!) {
  associate(input: $input) { id type direction strength fromId toId otherId other { content } }
}"""
DISSOCIATE = "mutation($id: ID!) { dissociate(id: $id) }"
SEEN = """query($id: ID!, $first: Int) { memory(id: $id) {
  associations(first: $first) { id type direction strength otherId other { content } }
} }"""
DEEP = """query($first: Int) { memories(first: $first) { edges { node {
  versions { content } associations { other { content } }
} } } }"""
UNIT = (1.0,) + (0.0,) * 383


@pytest.fixture
async def ids(services, workspace_id) -> list[str]:
    """Save twenty memories with a version each, all associated in a ring."""
    drafts = [MemoryDraft(content=f"{number}", dedup=False, embedding=UNIT) for number in range(20)]
    receipts = await services.memories.store.save_all(workspace_id, drafts)
    ids = [receipt.memory.id for receipt in receipts]
    for id_, following in zip(ids, [*ids[1:], ids[0]], strict=True):
        await services.memories.store.update(
            workspace_id, id_, MemoryChange(content=f"new {id_}", embedding=UNIT)
        )
        await services.memories.associations.associate(
            workspace_id, from_id=id_, to_id=following, type_="EVOLVED_INTO"
        )
    return ids


async def test_an_association_is_created_shown_and_removed(graphql, services, workspace_id) -> None:
    """E1, E2: from either end."""
    receipts = await services.memories.store.save_all(
        workspace_id, [MemoryDraft(content="Ada likes tea"), MemoryDraft(content="Bob lives in Rome")]
    )
    one, other = (receipt.memory.id for receipt in receipts)
    input_ = {"fromId": one, "toId": other, "type": "PREFERS_OVER", "strength": 0.75}

    drawn = (await graphql.ok(ASSOCIATE, input=input_))["associate"]

    seen = {"id": drawn["id"], "type": "PREFERS_OVER", "strength": 0.75}
    out = {**seen, "direction": "OUT", "otherId": other, "other": {"content": "Bob lives in Rome"}}
    into = {**seen, "direction": "IN", "otherId": one, "other": {"content": "Ada likes tea"}}
    assert drawn == {**out, "fromId": one, "toId": other}
    assert (await graphql.ok(SEEN, id=one))["memory"]["associations"] == [out]
    assert (await graphql.ok(SEEN, id=other))["memory"]["associations"] == [into]
    again = (await graphql.ok(ASSOCIATE, input={**input_, "strength": 1.0}))["associate"]
    assert again == {**drawn, "strength": 1.0}
    assert (await graphql.ok(DISSOCIATE, id=drawn["id"]))["dissociate"] is True
    assert (await graphql.ok(DISSOCIATE, id=drawn["id"]))["dissociate"] is False
    assert (await graphql.ok(SEEN, id=one))["memory"]["associations"] == []


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"strength": 1.5}, "INVALID_INPUT", "strength"),
        ({"strength": -0.1}, "INVALID_INPUT", "strength"),
        ({"toId": "mem_missing"}, "NOT_FOUND", "toId"),
        ({"toId": "\x00"}, "NOT_FOUND", "toId"),
        ({"fromId": "mem_missing"}, "NOT_FOUND", "fromId"),
        ({"fromId": "mem_missing", "toId": "mem_missing"}, "INVALID_INPUT", "toId"),
        ({"type": "LIKES"}, "INVALID_INPUT", None),
    ],
    ids=repr,
)
async def test_a_bad_association_is_refused(graphql, services, workspace_id, change, code, field) -> None:
    """E2: the schema refuses an unknown type."""
    receipts = await services.memories.store.save_all(
        workspace_id, [MemoryDraft(content="Ada likes tea"), MemoryDraft(content="Bob lives in Rome")]
    )
    one, other = (receipt.memory.id for receipt in receipts)

    error = await graphql.error(
        ASSOCIATE, input={"fromId": one, "toId": other, "type": "RELATES_TO", **change}
    )

    assert error["code"] == code
    assert field is None or error["field"] == field
    assert (await graphql.ok(SEEN, id=one))["memory"]["associations"] == []


@pytest.mark.parametrize("first", [0, 101, -1])
async def test_a_list_within_a_memory_has_a_size_in_range(graphql, ids, first) -> None:
    """E2, A33."""
    for field in ("associations", "versions"):
        query = f"query($id: ID!, $first: Int) {{ memory(id: $id) {{ {field}(first: $first) {{ __typename }} }} }}"
        error = await graphql.error(query, id=ids[0], first=first)
        assert (error["code"], error["field"]) == ("INVALID_INPUT", "first")


async def test_many_memories_take_as_many_queries_as_one(graphql, services, ids, monkeypatch) -> None:
    """K1: compares the queries for twenty parents and for one."""
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
        assert len(data["memories"]["edges"]) == first
        counts.append({name: asked[name] for name in ("list_associations", "get_memories", "list_versions")})

    assert counts[0] == counts[1]
    assert set(counts[1].values()) == {1}
    edges = data["memories"]["edges"]
    assert all(len(edge["node"]["associations"]) == 2 for edge in edges)
    assert all(edge["node"]["versions"] for edge in edges)
