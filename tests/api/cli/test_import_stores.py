"""``recollect import`` of other stores, tables, notes and chats by the running service."""

import json
from pathlib import Path
from typing import Any

import pytest
from neo4j import AsyncGraphDatabase

from graph.conversations.capture.models import Conversation
from graph.knowledge.ontology.names import relation_id
from graph.memories.models import AssociationType, Memory, MemoryFilter
from tests.fixtures.exports import ADA, AUTOMEM, EPISODE, ID, ITEM, LIVED, LIVES, MEM0, OMNIROUTE, OSLO

ALL = MemoryFilter()


async def memories(services, workspace_id: str) -> list[Memory]:
    page = await services.memories.store.page(workspace_id, ALL, first=200)
    return list(page.items)


def written(folder: Path, value: Any, name: str = "export.json") -> str:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return str(path)


def kept(memory: Memory) -> dict[str, Any]:
    """Return the fields of a memory that no background job changes."""
    return memory.model_dump(exclude={"state", "enriched", "failure"})


SAMPLES = {
    "mem0": {"results": [MEM0]},
    "automem": {"memories": [AUTOMEM]},
    "omniroute": {"data": [OMNIROUTE]},
    "langgraph": [ITEM],
    "csv": "content,importance\nlikes tea,0.7\n",
    "zep": {"nodes": [ADA, OSLO], "edges": [LIVES, LIVED], "episodes": [EPISODE]},
}


@pytest.mark.parametrize("format_", SAMPLES)
async def test_importing_again_changes_nothing(cli, services, workspace_id: str, format_: str) -> None:
    """15.9: into the key's workspace if the command names none."""
    path = written(cli.folder, SAMPLES[format_])

    await cli.ok("import", path, "-f", format_, "--no-wait")
    before = await memories(services, workspace_id)
    shown = await cli.ok("import", path, "-f", format_, "--no-wait")

    assert before
    assert f"({len(before)} of them unchanged)" in shown
    after = await memories(services, workspace_id)
    assert [kept(memory) for memory in after] == [kept(memory) for memory in before]


@pytest.mark.parametrize(
    ("format_", "created"),
    [("omniroute", "2026-03-07T12:00:00+00:00"), ("mem0", "2026-03-01T02:15:24.762839+00:00"),
     ("langgraph", "2026-01-12T09:30:00+00:00")],
)  # fmt: skip
async def test_imported_memories_keep_the_creation_time_of_their_store(
    cli, services, workspace_id, format_, created
) -> None:
    """Issue 35: OmniRoute sorts and retains memories by it."""
    await cli.ok("import", written(cli.folder, SAMPLES[format_]), "-f", format_, "--no-wait")

    (memory,) = await memories(services, workspace_id)
    assert memory.created_at.isoformat() == memory.timestamp.isoformat() == created


async def test_mem0_memories_belong_to_their_users(cli, services, workspace_id: str) -> None:
    bobs = {**MEM0, "id": "b", "user_id": "bob", "agent_id": None, "memory": "Bob dislikes Python"}
    nobodys = {"id": "c", "memory": "The office has a cat"}

    await cli.ok("import", written(cli.folder, [MEM0, bobs, nobodys]), "-f", "mem0", "--user", "eve")

    found = {memory.id: memory for memory in await memories(services, workspace_id)}
    assert {id_: memory.user_id for id_, memory in found.items()} == {ID: "alice", "b": "bob", "c": "eve"}
    assert (found[ID].agent_id, found[ID].session_id) == ("helper", "run-1")


async def test_a_zep_graph_becomes_entities_relations_facts_and_turns(
    cli, services, workspace_id: str
) -> None:
    shown = await cli.ok("import", written(cli.folder, SAMPLES["zep"]), "-f", "zep", "--no-wait")

    found = {memory.key: memory for memory in await memories(services, workspace_id)}
    associations = await services.memories.associations.of_memories(
        workspace_id, [found["graphiti/e1"].id], first=10
    )
    assert "saved 3 memories, 2 entities, 1 relations, 2 associations, skipped 0" in shown
    assert found["graphiti/e2"].t_invalid is not None
    assert found["graphiti/p1"].source_conversation_id == "graphiti/g"
    from_episodes = [
        each for each in associations[found["graphiti/e1"].id] if each.type is AssociationType.DERIVED_FROM
    ]
    assert [each.to_id for each in from_episodes] == [found["graphiti/p1"].id]


async def test_entities_that_somebody_deleted_stay_deleted(cli, services, workspace_id: str) -> None:
    """Issue 35.4: an entity with its relations, a single relation, and everything of a connection."""
    ontology = services.knowledge.ontology
    bob = {"uuid": "n3", "name": "Bob", "labels": ["Entity", "Person"]}
    lives = {**LIVES, "episodes": []}
    knows = {**lives, "uuid": "e3", "target_node_uuid": "n3", "name": "KNOWS", "fact": "Ada knows Bob"}
    path = written(cli.folder, {"nodes": [ADA, OSLO, bob], "edges": [lives, knows], "episodes": []})
    again = ("import", path, "-f", "zep", "--no-wait", "--json")
    await cli.ok(*again)
    named = await ontology.find_named(workspace_id, ["graphiti/n1", "graphiti/n2", "graphiti/n3"])
    ada, oslo, bobs = (named[f"graphiti/{name}"].id for name in ("n1", "n2", "n3"))

    await ontology.delete(workspace_id, oslo)
    await ontology.relations.delete(workspace_id, relation_id(ada, "KNOWS", bobs))
    told = json.loads(await cli.ok(*again))
    left = await ontology.find_named(workspace_id, list(named))
    relations = await ontology.relations.of_entities(workspace_id, [ada], first=10)

    deleted = "deleted in the workspace; --restore-deleted brings it back"
    assert (told["deleted"], told["others"]["entities"]) == (2, 2)
    assert {remark["reason"]: remark["count"] for remark in told["remarks"]} == {
        deleted: 2,
        "an entity of the relation is not in the workspace": 1,
    }
    assert (set(left), relations[ada]) == ({"graphiti/n1", "graphiti/n3"}, [])

    restored = json.loads(await cli.ok(*again, "--restore-deleted"))
    relations = await ontology.relations.of_entities(workspace_id, [ada], first=10)
    assert (restored["deleted"], {each.type for each in relations[ada]}) == (0, {"LIVES_IN", "KNOWS"})

    await services.knowledge.connections.delete(workspace_id, "graphiti")
    told = json.loads(await cli.ok(*again))
    assert (told["deleted"], {each["reason"] for each in told["remarks"]}) == (5, {deleted})
    assert await ontology.find_named(workspace_id, list(named)) == {}
    await cli.ok(*again, "--restore-deleted")
    assert await ontology.find_named(workspace_id, list(named)) != {}
    assert json.loads(await cli.ok(*again))["deleted"] == 0


async def test_associations_that_somebody_removed_stay_removed(cli, services, workspace_id: str) -> None:
    """Issue 35.4: from AutoMem and from notes; the other edges are imported and counted."""
    related = {
        **AUTOMEM,
        "relations": [
            {"type": "LEADS_TO", "direction": "out", "strength": 0.8, "memory": {"id": "mem-2"}},
            {"type": "PART_OF", "direction": "in", "strength": 0.4, "memory": {"id": "mem-2"}},
        ],
    }
    path = written(cli.folder, [related, {"id": "mem-2", "content": "Chose spaces"}])
    vault = cli.folder / "vault"
    vault.mkdir()
    (vault / "Tea.md").write_text("We drink rooibos, see [[Kettle]].")
    (vault / "Kettle.md").write_text("It whistles.")
    imports = (
        ("import", path, "-f", "automem", "--no-wait", "--json"),
        ("import", str(vault), "-f", "obsidian", "--no-wait", "--json"),
    )
    for each in imports:
        await cli.ok(*each)
    found = {memory.content: memory.id for memory in await memories(services, workspace_id)}
    edges = services.memories.associations

    async def types_of(content: str) -> set[str]:
        id_ = found[content]
        return {each.type for each in (await edges.of_memories(workspace_id, [id_], first=10))[id_]}

    tea = "Tea\n\nWe drink rooibos, see Kettle."
    for content, type_ in (("Chose tabs", "LEADS_TO"), (tea, "RELATES_TO")):
        drawn = (await edges.of_memories(workspace_id, [found[content]], first=10))[found[content]]
        (removed,) = (each.id for each in drawn if each.type == type_)
        await edges.dissociate(workspace_id, removed)

    again = [json.loads(await cli.ok(*each)) for each in imports]
    left = [await types_of(content) for content in ("Chose tabs", tea)]
    restored = [json.loads(await cli.ok(*each, "--restore-deleted")) for each in imports]

    deleted = "deleted in the workspace; --restore-deleted brings it back"
    assert [(each["deleted"], each["others"]) for each in again] == [(1, {"associations": 1}), (1, {})]
    assert [[remark["reason"] for remark in each["remarks"]] for each in again] == [[deleted], [deleted]]
    assert left == [{"PART_OF"}, set()]
    assert [each["deleted"] for each in restored] == [0, 0]
    assert [await types_of(content) for content in ("Chose tabs", tea)] == [
        {"LEADS_TO", "PART_OF"},
        {"RELATES_TO"},
    ]
    assert [json.loads(await cli.ok(*each))["deleted"] for each in imports] == [0, 0]


async def test_a_conversation_that_somebody_deleted_stays_deleted(cli, services, workspace_id: str) -> None:
    """Issue 35.4: also a chat for extraction, although its messages are no memories."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    again = ("import", written(cli.folder, [CHAT]), "-f", "claude", "--extract", "--no-wait", "--json")
    await cli.ok(*again)
    await services.conversations.capture.delete(workspace_id, "claude-1")

    told = json.loads(await cli.ok(*again))

    assert (told["deleted"], told["others"]) == (1, {})
    assert [each["reason"] for each in told["remarks"]] == [
        "deleted in the workspace; --restore-deleted brings it back"
    ]
    assert await services.conversations.capture.find(workspace_id, "claude-1") is None
    restored = json.loads(await cli.ok(*again, "--restore-deleted"))
    assert (restored["deleted"], restored["others"]) == (0, {"messages": 2, "conversations": 1})
    assert json.loads(await cli.ok(*again))["deleted"] == 0


async def test_a_graph_is_read_from_graphitis_neo4j(cli, services, workspace_id: str, neo4j_address) -> None:
    """15.9: over Bolt; here both stores are in one database, separated by the labels of the nodes."""
    address, uuid = neo4j_address, workspace_id
    login = ("--neo4j-user", address.user, "--neo4j-password", address.password)
    async with AsyncGraphDatabase.driver(address.uri, auth=(address.user, address.password)) as driver:
        await driver.execute_query(
            "CREATE (:Episodic {uuid: $uuid + 'p', content: 'ada: hello', group_id: 'g'})", uuid=uuid
        )
        await cli.ok("import", address.uri, "-f", "graphiti", "--no-wait", *login)
        await driver.execute_query("MATCH (n:Episodic) WHERE n.uuid STARTS WITH $uuid DELETE n", uuid=uuid)

    assert f"graphiti/{uuid}p" in {memory.key for memory in await memories(services, workspace_id)}


async def test_notes_link_to_each_other(cli, services, workspace_id: str) -> None:
    folder = cli.folder / "Vault"
    folder.mkdir()
    (folder / "A.md").write_text("---\ntags: [x]\n---\nSee [[B]].")
    (folder / "B.md").write_text("Text of B.")

    shown = await cli.ok("import", str(folder), "-f", "obsidian", "--no-wait")
    again = await cli.ok("import", str(folder), "-f", "obsidian", "--no-wait")

    found = {memory.key: memory for memory in await memories(services, workspace_id)}
    a, b = found["markdown/Vault/A"], found["markdown/Vault/B"]
    associations = await services.memories.associations.of_memories(workspace_id, [a.id], first=10)
    assert "saved 2 memories, 1 associations, skipped 0" in shown
    assert "saved 2 memories (2 of them unchanged), 1 associations, skipped 0" in again
    assert (a.content, a.tags) == ("A\n\nSee B.", ("x",))
    assert [each.to_id for each in associations[a.id]] == [b.id]


CHAT = {
    "uuid": "claude-1",
    "name": "Moving",
    "chat_messages": [
        {
            "uuid": "m-1",
            "sender": "human",
            "text": "I prefer tabs over spaces.",
            "created_at": "2025-03-01T09:00:01Z",
        },
        {"uuid": "m-2", "sender": "assistant", "text": "Nice.", "created_at": "2025-03-01T09:00:02Z"},
    ],
}


async def test_chats_keep_their_titles_and_platform(cli, services, workspace_id: str) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)

    await cli.ok("import", written(cli.folder, [CHAT]), "-f", "claude", "--no-wait")

    found: Conversation = await services.conversations.capture.find(workspace_id, "claude-1")
    assert (found.title, found.platform) == ("Moving", "Claude")
    assert len(await memories(services, workspace_id)) == 2


async def test_chats_to_extract_do_not_become_turns(cli, services, workspace_id: str) -> None:
    """15.9: "Nice." becomes no memory."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    path = written(cli.folder, [CHAT])

    shown = await cli.ok("import", path, "-f", "claude", "--extract", "--no-wait")
    again = await cli.ok("import", path, "-f", "claude", "--extract", "--no-wait")

    found: Conversation = await services.conversations.capture.find(workspace_id, "claude-1")
    assert "saved 0 memories, 2 messages, 1 conversations, skipped 0" in shown
    assert again == shown
    assert (found.title, found.platform) == ("Moving", "Claude")
    assert "Nice." not in {memory.content for memory in await memories(services, workspace_id)}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-f", "mem0"), "a mem0 export is the JSON of get_all"),
        (("-f", "csv", "--extract"), "--extract is for chatgpt and claude only"),
        (("-f", "graphiti"), "no graph found"),
    ],
)
async def test_another_tools_file_is_refused_before_anything_is_written(
    cli, services, workspace_id: str, arguments, message: str
) -> None:
    path = written(cli.folder, [CHAT])

    assert message in await cli.error("import", path, *arguments)
    assert await memories(services, workspace_id) == []


async def test_a_missing_source_is_an_error(cli) -> None:
    assert "no such file" in await cli.error("import", str(cli.folder / "none.json"), "-f", "mem0")
    assert "a folder; mem0 is read from a file" in await cli.error("import", str(cli.folder), "-f", "mem0")
