"""Traversal over GraphQL."""

from collections import Counter
from itertools import pairwise

import pytest

from graph.knowledge.models import NodeKind
from graph.knowledge.traversal import GlobalId
from graph.memories.models import MemoryDraft

ENTITIES = "mutation($inputs: [EntityInput!]!) { upsertEntities(inputs: $inputs) { id } }"
RELATIONS = "mutation($inputs: [RelationInput!]!) { upsertRelations(inputs: $inputs) { id } }"
TRAVERSE = """
query($input: TraverseInput!) {
  traverse(input: $input) {
    nodes { nodeId kind type caption depth node { __typename ... on Entity { name } } }
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
APPEND = "mutation($input: AppendMessagesInput!) { appendMessages(input: $input) { id } }"
OF_A_MESSAGE = "id globalId messageId content neighbours(first: 2) { node { nodeId } }"
MESSAGES = f"""{{
  conversations(first: 5) {{ edges {{ node {{ id messages(first: 5) {{ edges {{ node {{ {OF_A_MESSAGE} }} }} }} }} }} }}
}}"""
MESSAGE = f"query($id: ID!) {{ node(id: $id) {{ ... on Message {{ {OF_A_MESSAGE} }} }} }}"
REMEMBER = """mutation($id: ID!) { rememberMessage(input: {messageId: $id}) {
  memory { content sourceConversationId sourceMessageId }
} }"""
NEIGHBOURS = """
query($first: Int!) {
  entities(first: $first) { edges { node { neighbours(first: 5) { edge { type } node { caption } } } } }
}
"""


async def linked(graphql, count: int) -> list[str]:
    """Save services that each depend on the next; return their ids."""
    inputs = [{"type": "Service", "name": f"s{number}"} for number in range(count)]
    ids = [row["id"] for row in (await graphql.ok(ENTITIES, inputs=inputs))["upsertEntities"]]
    relations = [{"from": a, "to": b, "type": "DEPENDS_ON", "strength": 0.5} for a, b in pairwise(ids)]
    await graphql.ok(RELATIONS, inputs=relations)
    return ids


async def test_a_subgraph_can_be_drawn(graphql) -> None:
    """E5, K1: nodes have captions, and edges have the ids of their ends."""
    a, b = await linked(graphql, 2)

    subgraph = (await graphql.ok(TRAVERSE, input={"start": [a]}))["traverse"]

    (edge,) = subgraph["edges"]
    assert edge.pop("id").startswith("rel_")
    assert edge == {"type": "DEPENDS_ON", "fromId": a, "toId": b, "strength": 0.5}
    common = {"kind": "ENTITY", "type": "Service"}
    assert subgraph["nodes"] == [
        {"nodeId": a, **common, "caption": "s0", "depth": 0, "node": {"__typename": "Entity", "name": "s0"}},
        {"nodeId": b, **common, "caption": "s1", "depth": 1, "node": {"__typename": "Entity", "name": "s1"}},
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


async def test_a_node_is_readable_by_id_in_its_own_workspace_only(
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
    """K1: 20 parents take as many queries as one."""
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


async def test_a_global_id_names_a_node_of_any_workspace_that_the_key_may_read(
    graphql, admin, services, workspace_id, other_workspace_id
) -> None:
    """Issue 16: `node` needs no workspace; a foreign workspace looks like a missing one."""
    saved = await services.memories.store.save(workspace_id, MemoryDraft(content="We indent with tabs"))
    elsewhere = await services.memories.store.save(other_workspace_id, MemoryDraft(content="Tabs"))
    named = (await graphql.ok("query($id: ID!) { node(id: $id) { globalId } }", id=saved.memory.id))["node"]
    foreign = str(GlobalId(NodeKind.MEMORY, other_workspace_id, elsewhere.memory.id))
    missing = str(GlobalId(NodeKind.MEMORY, "ws_missing", elsewhere.memory.id))

    own = (await graphql.ok(NODE, id=named["globalId"]))["node"]
    others = (await admin.ok(NODE, id=foreign))["node"]
    refusals = [await graphql.error(NODE, id=id_) for id_ in (foreign, missing)]

    assert (own["id"], own["content"]) == (saved.memory.id, "We indent with tabs")
    assert (others["id"], others["content"]) == (elsewhere.memory.id, "Tabs")
    assert [refusal["code"] for refusal in refusals] == ["NOT_FOUND", "NOT_FOUND"]
    assert refusals[0]["message"].replace(other_workspace_id, "ws_missing") == refusals[1]["message"]


async def test_messages_with_one_id_in_several_conversations_are_distinguished(
    graphql, services, workspace_id
) -> None:
    """Issue 16: each is a node with its own global id and neighbours, and can be remembered by that id."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    for conversation in ("one", "other"):
        messages = [{"content": f"The plan of {conversation} is to leave in May"}]
        await graphql.ok(APPEND, input={"conversationId": conversation, "messages": messages})

    listed = (await graphql.ok(MESSAGES))["conversations"]["edges"]
    found = {row["node"]["id"]: row["node"]["messages"]["edges"][0]["node"] for row in listed}
    read = {name: (await graphql.ok(MESSAGE, id=each["id"]))["node"] for name, each in found.items()}
    remembered = (await graphql.ok(REMEMBER, id=found["other"]["id"]))["rememberMessage"]["memory"]

    drawn = (await graphql.ok(TRAVERSE, input={"start": [found["one"]["id"]], "types": ["PART_OF"]}))[
        "traverse"
    ]
    refused = await graphql.error(TRAVERSE, input={"start": ["#0"]})

    assert {node["nodeId"] for node in drawn["nodes"]} == {found["one"]["id"], "one"}
    assert [(edge["fromId"], edge["toId"]) for edge in drawn["edges"]] == [(found["one"]["id"], "one")]
    assert (refused["code"], refused["field"]) == ("INVALID_INPUT", "start")
    assert [each["messageId"] for each in found.values()] == ["#0", "#0"]
    assert read == found
    for name, message in found.items():
        assert message["globalId"] == message["id"]
        assert {row["node"]["nodeId"] for row in message["neighbours"]} == {name}
    assert (remembered["content"], remembered["sourceConversationId"], remembered["sourceMessageId"]) == (
        "The plan of other is to leave in May", "other", "#0"
    )  # fmt: skip
