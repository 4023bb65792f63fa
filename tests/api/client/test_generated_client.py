"""The generated client against the running service: typed calls of an agent builder."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from app.client.generated import (
    ActionInput,
    AppendMessagesInput,
    AssociateInput,
    AssociationType,
    ContextInput,
    CreateApiKeyInput,
    CreateWorkspaceInput,
    DocumentInput,
    EntityInput,
    MemoryEventType,
    MemoryState,
    MemoryType,
    MessageInput,
    MessageRole,
    Outcome,
    RecallInput,
    RecollectClient,
    RelationInput,
    SaveMemoryInput,
    SaveOutcome,
    Scope,
    TraverseInput,
    UpdateMemoryInput,
    UpdateWorkspaceInput,
)
from app.client.transport import ApiError
from graph.tenancy import models as access
from tests.fixtures.app import ADMIN_KEY
from tests.fixtures.timeouts import scaled_timeout


@pytest.fixture
async def client(api_url, services, workspace_id) -> AsyncIterator[RecollectClient]:
    """Yield a client that may read and write the test's workspace."""
    _, secret = await services.tenancy.keys.create(
        workspace_id, name="client", scopes=[access.Scope.READ, access.Scope.WRITE]
    )
    async with RecollectClient(api_url, secret) as opened:
        yield opened


@pytest.mark.usefixtures("patient_waits")
async def test_a_memory_is_saved_recalled_changed_deleted_and_restored(client, workspace_id) -> None:
    receipt = await client.save_memory(
        SaveMemoryInput(content="We indent with tabs", type=MemoryType.DECISION, metadata={"why": "width"}),
        wait_for=MemoryState.EMBEDDED,
        timeout_ms=10_000,
    )
    memory = receipt.memory
    assert (receipt.outcome, memory.type_, memory.metadata) == (
        SaveOutcome.CREATED,
        MemoryType.DECISION,
        {"why": "width"},
    )
    assert memory.workspace_id == workspace_id
    assert memory.created_at.tzinfo is not None

    found = await client.recall(RecallInput(query="indent with tabs", limit=3))
    assert [hit.memory.id for hit in found.hits] == [memory.id]
    read = await client.memory(memory.id)
    assert read is not None
    assert read.content == found.hits[0].memory.content == memory.content

    changed = await client.update_memory(memory.id, UpdateMemoryInput(importance=0.9))
    assert (changed.importance, changed.content) == (0.9, "We indent with tabs")

    assert await client.delete_memory(memory.id) is True
    assert await client.memory(memory.id) is None
    assert (await client.restore_memory(memory.id)).id == memory.id


async def test_many_memories_are_saved_listed_and_associated(client) -> None:
    receipts = await client.save_memories([SaveMemoryInput(content=f"Fact number {n}") for n in range(5)])
    ids = {receipt.memory.id for receipt in receipts}

    first = await client.memories(first=3)
    rest = await client.memories(first=3, after=first.page_info.end_cursor)
    assert {edge.node.id for edge in [*first.edges, *rest.edges]} == ids
    assert (first.total_count, first.page_info.has_next_page, rest.page_info.has_next_page) == (
        5,
        True,
        False,
    )

    one, other, *_ = sorted(ids)
    edge = await client.associate(AssociateInput(from_id=one, to_id=other, type=AssociationType.DERIVED_FROM))
    seen = await client.memory_associations(one)
    assert seen is not None
    assert [(each.id, each.other_id) for each in seen.associations] == [(edge.id, other)]
    assert await client.dissociate(edge.id) is True


async def test_a_conversation_is_captured_read_and_summarised(client, services, workspace_id) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    said = [
        MessageInput(role=MessageRole.USER, content="I am moving in May", position=0),
        MessageInput(role=MessageRole.ASSISTANT, content="Noted.", position=1),
    ]
    asked = AppendMessagesInput(conversation_id="chat-1", platform="ChatGPT", messages=said)

    captured = await client.append_messages(asked)
    again = await client.append_messages(asked)

    assert captured.capture is not None
    assert again.capture is not None
    assert (captured.capture.added, again.capture.added, again.capture.known) == (2, 0, 2)
    read = await client.messages("chat-1")
    assert read is not None
    assert [edge.node.content for edge in read.messages.edges] == ["I am moving in May", "Noted."]
    handoff = await client.handoff_summary("chat-1")
    assert handoff.message_count == 2
    job = await client.extract_memories("chat-1")
    assert job.subject_id
    assert await client.consolidate_conversation("chat-1") is None
    assert (await client.episodes("chat-1")).edges == []
    listed = await client.conversations()
    assert [edge.node.id for edge in listed.edges] == ["chat-1"]
    assert await client.set_working_set("chat-1", "plan", {"next": "book"}) is True
    assert await client.working_set("chat-1", "plan") == {"next": "book"}
    assert await client.clear_working_set("chat-1") == 1


@pytest.mark.usefixtures("patient_waits")
async def test_the_graph_is_written_traversed_and_asked(client, services, workspace_id) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    checkout, ledger = await client.upsert_entities(
        [EntityInput(type="Service", name="checkout"), EntityInput(type="Database", name="ledger")]
    )
    (relation,) = await client.upsert_relations(
        [RelationInput(**{"from": checkout.id, "to": ledger.id, "type": "DEPENDS_ON"})]
    )

    around = await client.traverse(TraverseInput(start=[checkout.id]))
    ways = await client.paths(checkout.id, ledger.id)
    answer = await client.ask("What does checkout depend on?")
    context = await client.context(ContextInput(query="Deploy", target_entity_ids=[checkout.id]))
    saved = await client.save_memory(
        SaveMemoryInput(content="The ledger is backed up at night"),
        wait_for=MemoryState.LINKED,
        timeout_ms=10_000,
    )
    mentioning = await client.memory_mentions(saved.memory.id, first=1)

    assert (relation.from_id, relation.to_id) == (checkout.id, ledger.id)
    assert {node.node_id for node in around.nodes} == {checkout.id, ledger.id}
    assert [way.length for way in ways] == [1]
    assert answer.run_id
    assert checkout.id in {entity.id for entity in context.entities}
    assert mentioning is not None
    assert [(each.entity_id, each.surface) for each in mentioning.mentions] == [(ledger.id, "ledger")]
    assert (await client.ontology()).is_strict is False


async def test_documents_actions_and_jobs_have_methods(client, services, workspace_id) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    document = await client.add_document(
        DocumentInput(uri="notes.md", content="# Rules\n\nIndent with tabs.")
    )
    action = ActionInput(
        session_id="run-7",
        action_type="deploy",
        node_type="Service",
        outcome=Outcome.ERROR,
        occurred_at=datetime(2026, 5, 1, tzinfo=UTC),
    )

    assert document.chunk_count == 1
    chunks = await client.chunks(document.id)
    assert chunks is not None
    assert [edge.node.headings for edge in chunks.chunks.edges] == [["Rules"]]
    assert await client.record_actions([action]) == 1
    (recorded,) = (await client.actions()).edges
    assert (recorded.node.outcome, recorded.node.occurred_at) == (Outcome.ERROR, action.occurred_at)
    assert (await client.patterns()).edges == []
    assert isinstance((await client.jobs()).edges, list)
    assert (await client.health()).status == "ok"


async def test_an_administrator_makes_workspaces_and_keys(api_url) -> None:
    async with RecollectClient(api_url, ADMIN_KEY) as admin:
        workspace = await admin.create_workspace(CreateWorkspaceInput(name=f"made by the client {uuid4()}"))
        changed = await admin.update_workspace(UpdateWorkspaceInput(memory_enabled=True), id=workspace.id)
        made = await admin.create_api_key(
            CreateApiKeyInput(name="agent", scopes=[Scope.READ], workspace_id=workspace.id)
        )
        async with RecollectClient(api_url, made.secret) as agent:
            assert (await agent.me()).workspace_id == workspace.id
            with pytest.raises(ApiError) as refused:
                await agent.save_memory(SaveMemoryInput(content="Tabs"))
        revoked = await admin.revoke_api_key(made.key.id)

    assert (workspace.memory_enabled, changed.memory_enabled, revoked) == (False, True, True)
    assert refused.value.code == "FORBIDDEN"


async def test_a_refusal_is_typed_and_names_its_field(client) -> None:
    with pytest.raises(ApiError) as refused:
        await client.save_memory(SaveMemoryInput(content="Tabs", importance=2))

    assert (refused.value.code, refused.value.field) == ("INVALID_INPUT", "importance")


async def test_events_come_as_they_happen(client, heard, workspace_id) -> None:
    """M10: the client subscribes over graphql-transport-ws."""
    events = client.memory_events()
    waiting = asyncio.ensure_future(anext(events))
    await heard.by(workspace_id)
    await client.save_memory(SaveMemoryInput(content="We indent with tabs", key="indent"))
    async with asyncio.timeout(scaled_timeout(90)):
        event = await waiting
        await events.aclose()

    assert event.type_ is MemoryEventType.SAVED
    assert event.memory is not None
    assert event.memory.content == "We indent with tabs"


async def test_a_subscription_without_a_valid_key_is_refused(api_url) -> None:
    async with RecollectClient(api_url, "rk_wrong") as stranger:
        with pytest.raises(ApiError) as refused:
            async with asyncio.timeout(scaled_timeout(90)):
                await anext(stranger.memory_events())

    assert refused.value.code == "UNAUTHENTICATED"
