"""Archives of one user (issue 15, point 6)."""

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.core.errors import NotFound
from graph.core.ids import new_workspace_id
from graph.memories.models import MemoryDraft
from tests.fixtures.archives import exported, restored
from tests.fixtures.graphs import run


async def test_an_archive_of_a_user_contains_their_records_only(
    archives, services, graph_driver, workspace_id
) -> None:
    save = services.memories.store.save
    await save(workspace_id, MemoryDraft(content="alice likes tea", user_id="alice"))
    await save(workspace_id, MemoryDraft(content="bob likes coffee", user_id="bob"))
    await save(workspace_id, MemoryDraft(content="the office has both"))
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    said = [
        MessageDraft(content="Tea or coffee?", author_id="bob"),
        MessageDraft(content="Tea", author_id="alice"),
    ]
    draft = CaptureDraft(conversation_id="chat", user_id="bob", messages=said)
    await services.conversations.capture.append(workspace_id, draft)
    file = await exported(archives, workspace_id, user_id="alice")
    target = new_workspace_id()

    await restored(archives, target, file)

    found = await run(
        graph_driver,
        "CYPHER 25 MATCH (m:Memory {workspace_id: $ws}) RETURN collect([m.content, m.user_id]) AS found",
        ws=target,
    )
    assert found.records[0]["found"] == [["alice likes tea", "alice"]]
    found = await run(
        graph_driver, "CYPHER 25 MATCH (m:Message {workspace_id: $ws}) RETURN m.content AS content", ws=target
    )
    assert found.records == []  # the conversation is Bob's
    with pytest.raises(NotFound, match="no data of a user 'carol'"):
        await archives.export(workspace_id, user_id="carol")


async def test_a_users_messages_to_others_are_restored_into_their_conversation(
    archives, services, graph_driver, workspace_id
) -> None:
    """At their positions among the others' messages; the conversation itself is not in the archive."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    said = [
        MessageDraft(content="Tea or coffee?", author_id="bob"),
        MessageDraft(content="Tea", author_id="alice"),
        MessageDraft(content="Here you are", author_id="bob"),
    ]
    capture = services.conversations.capture
    await capture.append(workspace_id, CaptureDraft(conversation_id="chat", user_id="bob", messages=said))
    file = await exported(archives, workspace_id, user_id="alice")
    await run(
        graph_driver,
        "CYPHER 25 MATCH (m:Message {workspace_id: $ws, author_id: 'alice'}) DETACH DELETE m",
        ws=workspace_id,
    )

    await restored(archives, workspace_id, file)

    found = await run(
        graph_driver,
        "CYPHER 25 MATCH (c:Conversation {workspace_id: $ws})<-[:PART_OF]-(m:Message) "
        "RETURN m.content AS content, [(m)-[:NEXT]->(n) | n.content] AS following ORDER BY m.position",
        ws=workspace_id,
    )
    assert [tuple(record.values()) for record in found.records] == [
        ("Tea or coffee?", ["Tea"]),
        ("Tea", ["Here you are"]),
        ("Here you are", []),
    ]
