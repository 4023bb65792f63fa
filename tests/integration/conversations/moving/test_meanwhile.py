"""Work that waits for the lock of a node while the node moves to another workspace (I15)."""

from datetime import UTC, datetime
from typing import Any

import pytest

from graph.conversations.queries import delete_conversation
from graph.core.errors import NotFound
from graph.knowledge.queries import link_memories, relate_memories
from graph.memories.models import MemoryDraft
from graph.memories.policy import SourceType
from graph.memories.queries import archive_memories, upsert_association
from graph.telemetry.queries import link_uses
from tests.fixtures.graphs import OneOfEach, fingerprint, one_of_each, run
from tests.fixtures.locks import overtaken_by

_CONVERSATION_LEAVES = """CYPHER 25
MATCH (conversation:Conversation {workspace_id: $ws, id: $id})
SET conversation.workspace_id = $target"""
_MEMORY_LEAVES = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws, id: $id})
SET memory.workspace_id = $target"""
_NOW = datetime(2026, 3, 1, tzinfo=UTC)
_CONVERSATIONS = """CYPHER 25
MATCH (conversation:Conversation {workspace_id: $ws})
RETURN conversation.id AS id, conversation.updated_at AS updated_at"""

_SOURCES = """CYPHER 25
MATCH (:Memory {workspace_id: $ws, id: $id})-[:FROM]->(conversation)
RETURN conversation.workspace_id AS workspace_id"""
_NO_USES = """CYPHER 25
MATCH (:AgentSequence {workspace_id: $ws})-[used:USED]->()
DELETE used"""


@pytest.fixture
async def seeded(graph_driver) -> OneOfEach:
    return await one_of_each(graph_driver)


@pytest.fixture
def beside_its_leaving(graph_driver, seeded, other_workspace_id):
    """Return a function that runs work while the conversation that it waits for moves away."""

    async def beside_its_leaving(work) -> Any:
        return await overtaken_by(
            graph_driver,
            _CONVERSATION_LEAVES,
            work,
            ws=seeded.workspace_id,
            id=seeded.conversation_id,
            target=other_workspace_id,
        )

    return beside_its_leaving


@pytest.fixture
def beside_a_memorys_leaving(graph_driver, seeded, other_workspace_id):
    """Return such a function for the second turn; it also returns the other workspace's fingerprint."""

    async def beside_a_memorys_leaving(work) -> tuple[Any, list[str]]:
        done = await overtaken_by(
            graph_driver,
            _MEMORY_LEAVES,
            work,
            ws=seeded.workspace_id,
            id=seeded.memory_ids[1],
            target=other_workspace_id,
        )
        return done, await fingerprint(graph_driver, other_workspace_id)

    return beside_a_memorys_leaving


async def test_a_moved_memory_is_not_linked_in_its_old_workspace(
    services, seeded, beside_a_memorys_leaving
) -> None:
    entity_id = seeded.entity_ids[1]
    row = {
        "id": seeded.memory_ids[1],
        "version": 2,
        "entity_ids": [entity_id],
        "mentions": [{"entity_id": entity_id, "how": "RULE", "surface": "late"}],
    }
    work = link_memories(
        services.core.database, workspace_id=seeded.workspace_id, memories=[row], automatic=["RULE"], now=_NOW
    )

    linked, there = await beside_a_memorys_leaving(work)

    assert linked == []
    assert not any("late" in node for node in there)


@pytest.mark.parametrize("ends", [("from_id", "to_id"), ("to_id", "from_id")])
async def test_a_moved_memory_is_not_associated_in_its_old_workspace(
    services, seeded, beside_a_memorys_leaving, ends
) -> None:
    named = dict(zip(ends, (seeded.memory_ids[1], seeded.memory_ids[3]), strict=True))
    work = upsert_association(
        services.core.database,
        workspace_id=seeded.workspace_id,
        **named,
        type="RELATES_TO",
        id="rel_late",
        strength=None,
        now=_NOW,
    )

    association, there = await beside_a_memorys_leaving(work)

    assert association is None
    assert not any("rel_late" in node for node in there)


@pytest.mark.parametrize(("related", "other"), [(1, 3), (3, 1)])
async def test_a_moved_memory_is_not_related_in_its_old_workspace(
    services, seeded, beside_a_memorys_leaving, related, other
) -> None:
    relation = {"id": "rel_late", "other_id": seeded.memory_ids[other], "strength": 0.5}
    work = relate_memories(
        services.core.database,
        workspace_id=seeded.workspace_id,
        memories=[{"id": seeded.memory_ids[related], "relations": [relation]}],
        how="entities",
        now=_NOW,
    )

    _, there = await beside_a_memorys_leaving(work)

    assert not any("rel_late" in node for node in there)


async def test_a_moved_memory_gets_no_uses_from_its_old_workspace(
    services, graph_driver, seeded, beside_a_memorys_leaving
) -> None:
    await run(graph_driver, _NO_USES, ws=seeded.workspace_id)
    use = {"sequence_id": seeded.sequence_id, "memory_id": seeded.memory_ids[1], "rank": 1, "at": _NOW}
    work = link_uses(services.core.database, workspace_id=seeded.workspace_id, uses=[use])

    linked, there = await beside_a_memorys_leaving(work)

    assert linked == []
    assert not any("USED" in node for node in there)


async def test_a_moved_memory_cannot_be_deleted_from_its_old_workspace(
    services, seeded, beside_a_memorys_leaving
) -> None:
    ids = [seeded.memory_ids[1]]
    work = archive_memories(services.core.database, workspace_id=seeded.workspace_id, ids=ids, now=_NOW)

    archived, _ = await beside_a_memorys_leaving(work)

    assert archived == []


async def test_a_moved_memory_cannot_be_hard_deleted_from_its_old_workspace(
    services, seeded, other_workspace_id, beside_a_memorys_leaving
) -> None:
    (id_,) = ids = [seeded.memory_ids[1]]

    await beside_a_memorys_leaving(services.memories.deletion.forget(seeded.workspace_id, ids, is_act=False))

    assert await services.memories.store.find(other_workspace_id, id_) is not None


async def test_a_turn_saved_during_a_move_starts_another_conversation(
    services, graph_driver, seeded, other_workspace_id, beside_its_leaving
) -> None:
    draft = MemoryDraft(content="A turn", source_conversation_id=seeded.conversation_id)
    (left,) = (await run(graph_driver, _CONVERSATIONS, ws=seeded.workspace_id)).records

    saved = await beside_its_leaving(services.memories.store.save(seeded.workspace_id, draft))

    assert saved.memory.source_conversation_id == seeded.conversation_id
    here = (await run(graph_driver, _CONVERSATIONS, ws=seeded.workspace_id)).records
    there = (await run(graph_driver, _CONVERSATIONS, ws=other_workspace_id)).records
    assert [each["id"] for each in here] == [seeded.conversation_id]
    assert [each.data() for each in there] == [left.data()]


async def test_a_memorys_source_conversation_is_in_its_workspace(
    services, graph_driver, seeded, beside_its_leaving
) -> None:
    draft = MemoryDraft(
        content="Ada takes her tea without sugar",
        source_conversation_id=seeded.conversation_id,
        source_message_id="msg_late",
        source_type=SourceType.EXTRACTED,
    )

    saved = await beside_its_leaving(services.memories.store.save(seeded.workspace_id, draft))

    found = (await run(graph_driver, _SOURCES, ws=seeded.workspace_id, id=saved.memory.id)).records
    assert [each["workspace_id"] for each in found] == [seeded.workspace_id] * 2


async def test_a_moved_conversation_cannot_be_deleted_from_its_old_workspace(
    services, graph_driver, seeded, other_workspace_id, beside_its_leaving
) -> None:
    deleting = delete_conversation(
        services.core.database, workspace_id=seeded.workspace_id, id=seeded.conversation_id
    )

    assert await beside_its_leaving(deleting) is None

    there = (await run(graph_driver, _CONVERSATIONS, ws=other_workspace_id)).records
    assert [each["id"] for each in there] == [seeded.conversation_id]


async def test_a_conversation_does_not_move_twice(
    services, graph_driver, seeded, workspace_id, other_workspace_id, beside_its_leaving
) -> None:
    """The first move wins, and the second finds no conversation."""
    moving = services.conversations.moving.move(seeded.workspace_id, seeded.conversation_id, workspace_id)

    with pytest.raises(NotFound):
        await beside_its_leaving(moving)

    there = (await run(graph_driver, _CONVERSATIONS, ws=other_workspace_id)).records
    assert [each["id"] for each in there] == [seeded.conversation_id]
    assert (await run(graph_driver, _CONVERSATIONS, ws=workspace_id)).records == []
