"""Moves of a conversation to another workspace: with all its data, or not at all (I15)."""

import pytest

from graph.conversations import moving
from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.core.models import AuditAction, JobKind
from graph.core.scope import ReadScope, seeing
from graph.knowledge.ontology.models import EntityDraft
from graph.memories.models import MemoryChange, MemoryDraft, MemoryFilter, MemoryState
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.graphs import NOW, fingerprint, one_of_each, run
from tests.fixtures.jobs import jobs_done
from tests.fixtures.locks import overtaken_by
from tests.fixtures.memories import MovingClock
from tests.fixtures.waiting import until

_OF_A_CONVERSATION = """CYPHER 25
MATCH (node {workspace_id: $ws})
WHERE node:Conversation OR node:Message OR node:Episode OR node:ConversationSummary OR node:Memory
   OR node:MemoryVersion OR node:Passage OR (node:Distillation AND node.conversation_id IS NOT NULL)
UNWIND [label IN labels(node) WHERE label <> 'Searchable' AND NOT label STARTS WITH 'In'] AS label
RETURN label, count(*) AS nodes"""
_ACROSS = """CYPHER 25
MATCH (one {workspace_id: $ws})--(other {workspace_id: $target})
RETURN count(*) AS edges"""
_INSIDE = """CYPHER 25
MATCH (one:Memory {workspace_id: $ws})-[edge]->(other {workspace_id: $ws})
WHERE NOT other:Entity AND NOT other:AgentSequence
RETURN type(edge) AS type, count(*) AS edges"""
_LEAVES = """CYPHER 25
MATCH (conversation:Conversation {workspace_id: $ws, id: 'c'})
OPTIONAL MATCH (conversation)<-[:PART_OF]-(message:Message)
SET conversation.workspace_id = $target, message.workspace_id = $target"""
_MEMORY_LEAVES = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws, id: $id})
SET memory.workspace_id = $target"""
_TEXTS = """CYPHER 25
MATCH (message:Message {workspace_id: $ws, conversation_id: 'c'}) RETURN message.content AS text"""
_OWNERS = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws}) RETURN DISTINCT memory.api_key_id AS owner"""
SEEDED = {
    "Conversation": 1,
    "Message": 3,
    "Episode": 1,
    "ConversationSummary": 1,
    "Distillation": 1,
    "Memory": 5,
    "MemoryVersion": 2,
    "Passage": 1,
}


@pytest.fixture
def move(services):
    return services.conversations.moving.move


async def counted(driver, workspace_id: str) -> dict[str, int]:
    found = await run(driver, _OF_A_CONVERSATION, ws=workspace_id)
    return {record["label"]: record["nodes"] for record in found.records}


async def edges_inside(driver, workspace_id: str) -> dict[str, int]:
    found = await run(driver, _INSIDE, ws=workspace_id)
    return {record["type"]: record["edges"] for record in found.records}


async def test_a_move_takes_all_nodes_of_the_conversation_and_no_others(
    move, services, graph_driver, other_workspace_id, monkeypatch
) -> None:
    """I15: every kind of node and every edge between them; no edge crosses workspaces."""
    # The linking of moved nodes creates edges, too.
    monkeypatch.setattr(services.conversations.moving, "_clock", MovingClock(NOW))
    seeded = await one_of_each(graph_driver)
    target = other_workspace_id
    edges = await edges_inside(graph_driver, seeded.workspace_id)

    moved = await move(seeded.workspace_id, seeded.conversation_id, target)

    assert (moved.id, moved.workspace_id) == (seeded.conversation_id, target)
    assert (await counted(graph_driver, seeded.workspace_id)).keys() == set()
    assert await counted(graph_driver, target) == SEEDED
    assert await edges_inside(graph_driver, target) == edges
    (across,) = (await run(graph_driver, _ACROSS, ws=seeded.workspace_id, target=target)).records
    assert across["edges"] == 0
    owners = (await run(graph_driver, _OWNERS, ws=target)).records
    assert [record["owner"] for record in owners] == [f"key_{target.removeprefix('ws_')}"]
    waiting = await services.core.jobs.page(target, first=50)
    assert JobKind.EMBED in {job.kind for job in waiting.items}
    left = await services.core.jobs.page(seeded.workspace_id, first=50)
    assert seeded.memory_ids[0] not in {job.subject_id for job in left.items if job.kind is JobKind.EMBED}


async def test_moved_memories_are_found_and_linked_in_the_new_workspace(
    move, services, capturing_workspace_id, other_workspace_id
) -> None:
    """I15: by recall and by the new workspace's entities; the old workspace finds nothing."""
    ledger = EntityDraft(type="Service", name="Zanzibar Ledger")
    await services.knowledge.ontology.upsert_entities(capturing_workspace_id, [ledger])
    (entity,) = await services.knowledge.ontology.upsert_entities(other_workspace_id, [ledger])
    draft = CaptureDraft(
        conversation_id="c", title="Ledger", messages=[MessageDraft(content="A word", id="m1")]
    )
    await services.conversations.capture.append(capturing_workspace_id, draft)
    saved = await services.memories.store.save(
        capturing_workspace_id,
        MemoryDraft(
            content="The Zanzibar Ledger closes on Fridays",
            source_conversation_id="c",
            source_message_id="m1",
        ),
    )
    kept = await services.memories.store.save(
        capturing_workspace_id, MemoryDraft(content="Crates are stacked in threes")
    )
    id_ = saved.memory.id

    async def is_linked(workspace_id: str) -> bool:
        memory = await services.memories.store.find(workspace_id, id_)
        return memory is not None and memory.state is MemoryState.LINKED

    await until(lambda: is_linked(capturing_workspace_id))
    moved = await move(capturing_workspace_id, "c", other_workspace_id)
    await until(lambda: is_linked(other_workspace_id))

    mentioned = await services.knowledge.linking.mentions_of_memories(other_workspace_id, [id_], first=10)
    request = RecallQuery(query="When does the Zanzibar Ledger close?")
    there = await services.retrieval.recall.recall(other_workspace_id, request)
    here = await services.retrieval.recall.recall(capturing_workspace_id, request)
    pages = await services.conversations.capture.messages_of(other_workspace_id, ["c"])
    assert (moved.title, [message.content for message in pages["c"].items]) == ("Ledger", ["A word"])
    assert entity.id in [mention.entity_id for mention in mentioned[id_]]
    assert id_ in [hit.memory.id for hit in there.hits]
    assert id_ not in [hit.memory.id for hit in here.hits]
    left = await services.memories.store.page(capturing_workspace_id, MemoryFilter())
    assert [memory.id for memory in left.items] == [kept.memory.id]


async def test_a_failed_move_changes_nothing(move, graph_driver, services, capturing_workspace_id) -> None:
    """I15: if the id is taken there, both conversations stay as they are."""
    seeded = await one_of_each(graph_driver)
    draft = CaptureDraft(conversation_id=seeded.conversation_id, messages=[MessageDraft(content="Mine")])
    await services.conversations.capture.append(capturing_workspace_id, draft)
    before = await fingerprint(graph_driver, seeded.workspace_id)

    with pytest.raises(Conflict, match="nothing was moved"):
        await move(seeded.workspace_id, seeded.conversation_id, capturing_workspace_id)

    assert await fingerprint(graph_driver, seeded.workspace_id) == before
    found = await services.conversations.capture.messages_of(capturing_workspace_id, [seeded.conversation_id])
    assert [message.content for message in found[seeded.conversation_id].items] == ["Mine"]


async def test_a_move_too_large_for_one_transaction_is_refused(
    move, graph_driver, other_workspace_id, monkeypatch
) -> None:
    """I15: it could exhaust the server's memory and stop all other work."""
    seeded = await one_of_each(graph_driver)
    before = await fingerprint(graph_driver, seeded.workspace_id)
    monkeypatch.setattr(moving, "MOST_MOVED", 10)

    with pytest.raises(InvalidInput, match=r"has 11 nodes: .* at most 10 can be moved") as refused:
        await move(seeded.workspace_id, seeded.conversation_id, other_workspace_id)

    assert refused.value.field == "id"
    assert await fingerprint(graph_driver, seeded.workspace_id) == before
    monkeypatch.setattr(moving, "MOST_MOVED", 11)
    assert (await move(seeded.workspace_id, seeded.conversation_id, other_workspace_id)).id


async def test_a_moved_memory_loses_a_key_taken_in_the_new_workspace(
    move, services, workspace_id, other_workspace_id
) -> None:
    """I15: both memories exist, the moved one without its key; another agent's equal key does not matter."""
    said = MemoryDraft(
        content="Tea at nine", key="tea", source_conversation_id="c", source_message_id="m1", dedup=False
    )
    came = (await services.memories.store.save(workspace_id, said)).memory
    coachs = (
        await services.memories.store.save(
            workspace_id, said.model_copy(update={"agent_id": "coach", "source_conversation_id": "d"})
        )
    ).memory
    own = (
        await services.memories.store.save(other_workspace_id, MemoryDraft(content="Tea at ten", key="tea"))
    ).memory

    await move(workspace_id, "c", other_workspace_id)
    await move(workspace_id, "d", other_workspace_id)

    found = (await services.memories.store.page(other_workspace_id, MemoryFilter())).items
    assert {memory.id: memory.key for memory in found} == {came.id: None, coachs.id: "tea", own.id: "tea"}


async def test_a_move_ends_the_working_set_of_the_conversations_owner(
    move, services, capturing_workspace_id, other_workspace_id
) -> None:
    """I15, H1."""
    draft = CaptureDraft(conversation_id="c", user_id="alice", messages=[MessageDraft(content="Hello")])
    await services.conversations.capture.append(capturing_workspace_id, draft)
    with seeing(ReadScope(user_id="alice")):
        await services.core.working_set.write(capturing_workspace_id, "c", "plan", 1)

    await move(capturing_workspace_id, "c", other_workspace_id)

    with seeing(ReadScope(user_id="alice")):
        assert await services.core.working_set.read(capturing_workspace_id, "c", "plan") is None


async def test_both_workspaces_audit_a_move(
    move, services, workspace_id, other_workspace_id, audit_of
) -> None:
    """I15: the audit logs name the conversation; a move within the same workspace is not logged."""
    draft = MemoryDraft(content="Said", source_conversation_id="c", source_message_id="m1")
    await services.memories.store.save(workspace_id, draft)

    await move(workspace_id, "c", other_workspace_id)
    again = await move(other_workspace_id, "c", other_workspace_id)

    assert again.workspace_id == other_workspace_id
    for place in (workspace_id, other_workspace_id):
        acts = [
            entry.subject_id
            for entry in await audit_of(place)
            if entry.action is AuditAction.CONVERSATION_MOVED
        ]
        assert acts == ["c"]


async def test_an_invisible_conversation_is_not_moved(
    move, graph_driver, workspace_id, other_workspace_id
) -> None:
    """I1, I15: another workspace's conversation, and another user's."""
    seeded = await one_of_each(graph_driver)
    before = await fingerprint(graph_driver, seeded.workspace_id)

    with pytest.raises(NotFound):
        await move(workspace_id, seeded.conversation_id, other_workspace_id)
    with seeing(ReadScope(user_id="a stranger")), pytest.raises(NotFound):
        await move(seeded.workspace_id, seeded.conversation_id, other_workspace_id)

    assert await fingerprint(graph_driver, seeded.workspace_id) == before


async def test_messages_captured_during_a_move_are_not_lost(
    services, graph_driver, capturing_workspace_id, other_workspace_id
) -> None:
    """I15: a capture that waits for a moving conversation creates a new one in the old workspace."""
    append = services.conversations.capture.append
    await append(capturing_workspace_id, _said("first"))

    appended = await overtaken_by(
        graph_driver,
        _LEAVES,
        append(capturing_workspace_id, _said("second")),
        ws=capturing_workspace_id,
        target=other_workspace_id,
    )

    assert appended.capture.added == 1
    for workspace_id, text in ((capturing_workspace_id, "second"), (other_workspace_id, "first")):
        found = await run(graph_driver, _TEXTS, ws=workspace_id)
        assert [record["text"] for record in found.records] == [text]


async def test_a_memory_that_moves_cannot_be_changed_from_its_old_workspace(
    services, graph_driver, workspace_id, other_workspace_id
) -> None:
    """I15: a change that waits for the lock of a moving memory finds it gone."""
    store = services.memories.store
    saved = await store.save(workspace_id, MemoryDraft(content="Releases are cut on Thursdays"))
    await jobs_done(services, workspace_id)  # no job may wait for the lock as well

    with pytest.raises(NotFound):
        await overtaken_by(
            graph_driver,
            _MEMORY_LEAVES,
            store.update(workspace_id, saved.memory.id, MemoryChange(content="Releases are cut on Fridays")),
            ws=workspace_id,
            id=saved.memory.id,
            target=other_workspace_id,
        )
    moved = await store.find_all(other_workspace_id, [saved.memory.id])
    assert moved[saved.memory.id].content == "Releases are cut on Thursdays"


async def test_messages_that_move_are_not_consolidated_in_their_old_workspace(
    services, graph_driver, capturing_workspace_id, other_workspace_id
) -> None:
    """F1, I15: a consolidation that waits for the lock of a moving conversation finds nothing to do."""
    await services.tenancy.workspaces.update(capturing_workspace_id, settings={"extractionMode": "off"})
    for text in ("first", "second", "third"):
        await services.conversations.capture.append(capturing_workspace_id, _said(text))

    rolled_up = await overtaken_by(
        graph_driver,
        _LEAVES,
        services.conversations.episodes.consolidate(
            capturing_workspace_id, "c", retain_last=0, max_age_days=0
        ),
        ws=capturing_workspace_id,
        target=other_workspace_id,
    )

    assert rolled_up.episode is None
    found = await run(graph_driver, _TEXTS, ws=other_workspace_id)
    assert sorted(record["text"] for record in found.records) == ["first", "second", "third"]


def _said(text: str) -> CaptureDraft:
    return CaptureDraft(conversation_id="c", messages=[MessageDraft(content=text, id=text)])
