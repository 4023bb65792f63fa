"""Erasure of a user and of all their data (issue 15, point 7)."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.core.errors import InvalidInput, Unauthenticated
from graph.core.models import AuditAction
from graph.core.scope import ReadScope, seeing
from graph.memories.models import MemoryChange, MemoryDraft
from graph.operations import erasure as erasing
from graph.operations import queries
from graph.operations.erasure import Erasure
from graph.operations.models import WebhookEvent
from graph.retrieval.recall.models import RecallQuery
from graph.telemetry import promoting
from graph.telemetry.models import ActionDraft, MemoryUse, Outcome
from graph.tenancy.models import Scope
from tests.fixtures.graphs import one_of_each, run
from tests.fixtures.locks import overtaken_by
from tests.fixtures.telemetry import claimed
from tests.fixtures.timeouts import scaled_timeout
from tests.fixtures.waiting import background

_NAMING = (Path(__file__).parent / "naming.cypher").read_text(encoding="utf-8")
_LEFT_ALONE = """CYPHER 25
CREATE (:Passage {workspace_id: $ws, memory_id: 'mem_' + $ws, ordinal: 1, slot: 'a', active: true,
                  search_kind: 'passage', user_id: $user})"""
_COUNTED = """CYPHER 25
MATCH (tally:AgentTally {workspace_id: $ws})
MATCH (failure:AgentFailure {workspace_id: $ws})
MATCH (memory:Memory {workspace_id: $ws})
RETURN tally.sequences AS attempts, failure.sequences AS failures, memory.runs AS runs"""
_GIVEN = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws, id: $id})
SET memory.user_id = $user"""
_WORD = "Xanthippe"


@pytest.fixture
def erasure(services) -> Erasure:
    return services.operations.erasure


@pytest.fixture
def alice(workspace_id) -> str:
    """Return a user id that no other test uses."""
    return f"alice-{workspace_id}"


async def until_erased(services, workspace_id: str) -> None:
    async with asyncio.timeout(scaled_timeout(60)):
        with background.awaited():
            while any(
                job.kind == "ERASE" for job in (await services.core.jobs.page(workspace_id, first=100)).items
            ):
                await asyncio.sleep(0.1)


async def naming(driver, word: str) -> list[dict[str, Any]]:
    """Return all nodes that contain a word."""
    return [record.data() for record in (await run(driver, _NAMING, word=word)).records]


async def fill(services, workspace_id: str, alice: str) -> str:
    """Save a user's data: memories, a changed and a forgotten one, a conversation, a key, a working set."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    store = services.memories.store
    for number in range(5):
        await store.save(
            workspace_id,
            MemoryDraft(
                content=f"{_WORD} keeps {number} bees in {alice}", user_id=alice, session_id=f"run-{alice}"
            ),
        )
    changed = await store.save(
        workspace_id,
        MemoryDraft(content=f"{_WORD} lives in {alice} street", user_id=alice, id=f"home-{alice}"),
    )
    await store.update(
        workspace_id, changed.memory.id, MemoryChange(content=f"{_WORD} moved away, says {alice}")
    )
    gone = await store.save(workspace_id, MemoryDraft(content=f"{_WORD} likes {alice} olives", user_id=alice))
    await services.memories.deletion.delete(workspace_id, gone.memory.id, hard=True)
    await services.conversations.capture.append(
        workspace_id,
        CaptureDraft(
            conversation_id=f"chat-{alice}",
            user_id=alice,
            messages=[
                MessageDraft(content=f"I am {_WORD} of {alice}."),
                MessageDraft(content=f"Hello {alice}"),
            ],
        ),
    )
    _, secret = await services.tenancy.keys.create(
        workspace_id, name=f"{alice}'s phone", scopes=[Scope.READ, Scope.WRITE], user_id=alice
    )
    with seeing(ReadScope(user_id=alice)):
        await services.core.working_set.write(workspace_id, "chat", "plan", {"of": alice})
    return secret


async def test_nothing_that_names_the_user_or_quotes_them_remains(
    erasure, services, workspace_id, alice, graph_driver
) -> None:
    await services.memories.store.save(workspace_id, MemoryDraft(content="bob keeps goats", user_id="bob"))
    secret = await fill(services, workspace_id, alice)
    assert await naming(graph_driver, alice)

    counts = await erasure.begin(workspace_id, alice)
    await until_erased(services, workspace_id)

    assert (counts.memories, counts.conversations, counts.messages, counts.api_keys) == (6, 1, 2, 1)
    assert counts.versions >= 1
    assert (await erasure.count(workspace_id, alice)).total == 0
    assert await naming(graph_driver, alice) == []

    async def ours(word: str) -> list[dict[str, Any]]:
        return [
            record for record in await naming(graph_driver, word) if record["workspace_id"] == workspace_id
        ]

    assert await ours(_WORD) == []
    assert len(await ours("bob keeps goats")) == 1
    with pytest.raises(Unauthenticated):
        await services.tenancy.access.authenticate(secret)
    with seeing(ReadScope(user_id=alice)):
        assert await services.core.working_set.read(workspace_id, "chat", "plan") is None


async def test_pending_webhook_deliveries_are_erased(
    erasure, services, workspace_id, alice, graph_driver
) -> None:
    webhooks = services.operations.webhooks
    await webhooks.create(workspace_id, url="http://127.0.0.1:9/", events=[WebhookEvent.MEMORY_SAVED])
    for user in (alice, "bob"):
        draft = MemoryDraft(content="Keeps bees", id=f"bees-of-{user}-{workspace_id}", user_id=user)
        await services.memories.store.save(workspace_id, draft)
    await webhooks.outbox.flush()
    waiting = "CYPHER 25 MATCH (d:EventWebhookDelivery {workspace_id: $ws}) RETURN d.user_ids AS users"
    before = (await run(graph_driver, waiting, ws=workspace_id)).records

    await erasure.begin(workspace_id, alice)
    await until_erased(services, workspace_id)

    assert sorted(r["users"] for r in before) == sorted([[alice], ["bob"]])
    assert [r["users"] for r in (await run(graph_driver, waiting, ws=workspace_id)).records] == [["bob"]]
    assert await naming(graph_driver, alice) == []


async def test_the_audit_records_an_erasure_without_the_user(erasure, services, workspace_id, alice) -> None:
    await fill(services, workspace_id, alice)

    counts = await erasure.begin(workspace_id, alice)
    await until_erased(services, workspace_id)

    entries = (await services.core.audit.page(actions=[AuditAction.USER_ERASED], first=50)).items
    (entry,) = [each for each in entries if each.workspace_id == workspace_id]
    assert (entry.subject_id, entry.count) == (None, counts.total)


async def test_a_memory_given_to_another_user_during_an_erasure_stays(
    erasure, services, graph_driver, alice
) -> None:
    """Issue 15, point 7: it changes its owner while the erasure waits for it."""
    seeded = await one_of_each(graph_driver)
    given = {"ws": seeded.workspace_id, "id": seeded.memory_ids[3]}
    await run(graph_driver, _GIVEN, **given, user=alice)

    await overtaken_by(
        graph_driver, _GIVEN, erasure.run_jobs([claimed(seeded.workspace_id, alice)]), **given, user="bob"
    )

    assert await services.memories.store.find(seeded.workspace_id, given["id"]) is not None


async def test_a_page_given_to_another_user_does_not_end_the_erasure(
    erasure, services, graph_driver, workspace_id, alice, monkeypatch
) -> None:
    """Issue 15, point 7: the pages after it are erased in the same run."""
    monkeypatch.setattr(erasing, "_TOGETHER", 1)
    drafts = [MemoryDraft(content=content, user_id=alice) for content in ("Ferns grow here", "Moss")]
    receipts = await services.memories.store.save_all(workspace_id, drafts)
    (page,) = await queries.list_memories_of_user(
        services.core.database, workspace_id=workspace_id, user_id=alice, limit=1
    )

    await overtaken_by(
        graph_driver,
        _GIVEN,
        erasure.run_jobs([claimed(workspace_id, alice)]),
        ws=workspace_id,
        id=page,
        user="bob",
    )

    found = [await services.memories.store.find(workspace_id, receipt.memory.id) for receipt in receipts]
    assert [memory.id for memory in found if memory is not None] == [page]


async def test_a_dry_run_changes_nothing(erasure, services, workspace_id, alice, graph_driver) -> None:
    await fill(services, workspace_id, alice)

    counts = await erasure.count(workspace_id, alice)

    assert counts.total > 0
    assert await erasure.count(workspace_id, alice) == counts
    assert await naming(graph_driver, alice)


async def test_a_user_who_writes_during_an_erasure_is_erased(erasure, services, workspace_id, alice) -> None:
    await fill(services, workspace_id, alice)

    async def go_on() -> None:
        for number in range(20):
            await services.memories.store.save(
                workspace_id, MemoryDraft(content=f"{alice} adds note {number} about ships", user_id=alice)
            )

    writing = asyncio.create_task(go_on())
    await erasure.begin(workspace_id, alice)
    await writing
    await erasure.begin(workspace_id, alice)
    await until_erased(services, workspace_id)

    assert (await erasure.count(workspace_id, alice)).total == 0


async def test_vectors_that_were_left_without_their_memory_are_erased(
    erasure, services, workspace_id, alice, graph_driver
) -> None:
    for user in (alice, "bob"):
        await run(graph_driver, _LEFT_ALONE, ws=workspace_id, user=user)

    await erasure.begin(workspace_id, alice)
    await until_erased(services, workspace_id)

    assert await naming(graph_driver, alice) == []
    assert len(await naming(graph_driver, f"mem_{workspace_id}")) == 1


async def test_patterns_are_recounted_without_the_erased_runs(
    erasure, services, workspace_id, alice, graph_driver
) -> None:
    sessions = [f"run-{alice}", *(f"run-of-{number}" for number in range(3))]
    await fill(services, workspace_id, alice)
    for session in sessions:
        await services.telemetry.recorder.record(
            workspace_id,
            [
                ActionDraft(
                    session_id=session,
                    user_id=alice if alice in session else None,
                    action_type="deploy",
                    node_type="Service",
                    outcome=Outcome.ERROR,
                    error_code="E1",
                )
            ],
        )
    counted = "CYPHER 25 MATCH (f:AgentFailure {workspace_id: $ws}) RETURN f.sequences AS sequences"
    async with asyncio.timeout(scaled_timeout(30)):
        with background.awaited():
            while [r["sequences"] for r in (await run(graph_driver, counted, ws=workspace_id)).records] != [
                4
            ]:
                await asyncio.sleep(0.2)

    await erasure.begin(workspace_id, alice)
    await until_erased(services, workspace_id)

    assert [r["sequences"] for r in (await run(graph_driver, counted, ws=workspace_id)).records] == [3]


async def test_long_runs_are_erased_in_parts_and_uncounted_once(
    erasure, services, workspace_id, alice, graph_driver, monkeypatch
) -> None:
    """Like messages: 100,000 actions in one transaction would exceed a small server's heap."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    memory = (await services.memories.store.save(workspace_id, MemoryDraft(content="Tea is ready"))).memory
    runs = [(alice, "one"), (alice, "two"), ("bob", "three")]
    now = services.core.clock.now()
    uses = [
        MemoryUse(user_id=user, session_id=session, memory_id=memory.id, rank=1, at=now)
        for user, session in runs
    ]
    for user, session in runs:
        failed = ActionDraft(
            session_id=session, user_id=user, action_type="deploy", node_type="Service", outcome=Outcome.ERROR
        )
        await services.telemetry.recorder.record(workspace_id, [failed] * 5)
    await services.telemetry.outcomes.link(workspace_id, uses)
    await services.telemetry.promoter.promote(workspace_id)
    parts: list[int] = []
    delete_actions = promoting.queries.delete_actions

    async def counted(*args: Any, **kwargs: Any) -> promoting.queries.DeleteActionsRow:
        row = await delete_actions(*args, **kwargs)
        parts.append(row.deleted)
        return row

    monkeypatch.setattr(promoting, "_DELETED_TOGETHER", 2)
    monkeypatch.setattr(promoting.queries, "delete_actions", counted)
    before = (await run(graph_driver, _COUNTED, ws=workspace_id)).records
    await erasure.begin(workspace_id, alice)
    await until_erased(services, workspace_id)

    assert [tuple(record.values()) for record in before] == [(3, 3, 3)]
    assert (max(parts), sum(parts)) == (2, 10)
    after = (await run(graph_driver, _COUNTED, ws=workspace_id)).records
    assert [tuple(record.values()) for record in after] == [(1, 1, 1)]
    assert (await erasure.count(workspace_id, "bob")).actions == 5


async def test_traces_of_a_batch_are_removed_in_one_pass(
    erasure, services, workspace_id, alice, monkeypatch
) -> None:
    """Each pass reads the whole audit and all answers of the workspace."""
    await fill(services, workspace_id, alice)
    with seeing(ReadScope(user_id=alice)):
        for number in range(3):
            said = CaptureDraft(conversation_id=f"chat-{number}", messages=[MessageDraft(content="Hello")])
            await services.conversations.capture.append(workspace_id, said)
    looked: list[set[str]] = []
    redact_audit = queries.redact_audit

    async def noted(*args: Any, **kwargs: Any) -> None:
        looked.append(set(kwargs["subject_ids"]))
        await redact_audit(*args, **kwargs)

    monkeypatch.setattr(queries, "redact_audit", noted)
    await erasure.begin(workspace_id, alice)
    await until_erased(services, workspace_id)

    assert {f"chat-{alice}", "chat-0", "chat-1", "chat-2"} in looked
    assert len(looked) == 3  # conversations, memories, and the user


async def test_runs_and_answers_are_erased_with_their_user_and_no_others(
    erasure, services, workspace_id, alice, graph_driver
) -> None:
    """Two users with equal session names have separate runs."""
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    for user in (alice, "bob"):
        draft = ActionDraft(
            session_id="the-same", action_type="deploy", node_type="Service", outcome=Outcome.SUCCESS
        )
        with seeing(ReadScope(user_id=user)):
            await services.telemetry.recorder.record(workspace_id, [draft, draft])
            await services.retrieval.answering.ask(workspace_id, "Who keeps bees?")

    counts = await erasure.begin(workspace_id, alice)
    await until_erased(services, workspace_id)

    assert (counts.sequences, counts.actions, counts.prompt_runs, counts.total) == (1, 2, 1, 4)
    left = await erasure.count(workspace_id, "bob")
    assert (left.sequences, left.actions, left.prompt_runs) == (1, 2, 1)
    assert (await erasure.count(workspace_id, alice)).total == 0
    assert await naming(graph_driver, alice) == []


async def test_saves_and_recalls_of_others_continue_during_an_erasure(
    erasure, services, workspace_id, alice
) -> None:
    await fill(services, workspace_id, alice)
    store, recall = services.memories.store, services.retrieval.recall
    drafts = [
        MemoryDraft(content=f"{alice} counts ship {number}", user_id=alice, dedup=False)
        for number in range(600)
    ]
    await store.save_all(workspace_id, drafts)
    found = []

    async def go_on() -> None:
        with seeing(ReadScope(user_id="bob")):
            for number in range(20):
                draft = MemoryDraft(content=f"Bob counts ship {number} of his", user_id="bob", dedup=False)
                saved = await store.save(workspace_id, draft)
                hits = (await recall.recall(workspace_id, RecallQuery(query="ship", limit=50))).hits
                found.append(saved.memory.id in {hit.memory.id for hit in hits})

    await erasure.begin(workspace_id, alice)
    await go_on()
    await until_erased(services, workspace_id)

    assert found == [True] * 20
    assert (await erasure.count(workspace_id, alice)).total == 0
    assert (await erasure.count(workspace_id, "bob")).memories == 20


async def test_shared_data_cannot_be_erased(erasure, workspace_id) -> None:
    with pytest.raises(InvalidInput, match="userId"):
        await erasure.begin(workspace_id, " ")
