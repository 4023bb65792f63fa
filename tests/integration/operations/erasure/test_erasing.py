"""A user is erased, and nothing of theirs is found any more (issue 15, point 7)."""

import asyncio
from typing import Any

import pytest

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.core.audit.models import AuditAction
from graph.core.errors import InvalidInput, Unauthenticated
from graph.core.scope import ReadScope, seeing
from graph.memories.models import MemoryChange, MemoryDraft
from graph.operations.erasure.service import Erasure
from graph.operations.webhooks.models import WebhookEvent
from graph.retrieval.recall.models import RecallQuery
from graph.telemetry.models import ActionDraft, Outcome
from graph.tenancy.access.models import Scope
from tests.fixtures.graphs import run, texts_in

_ALL = """CYPHER 25
MATCH (n)
RETURN n.workspace_id AS workspace_id, labels(n) AS labels, [(n)-[r]->() | properties(r)] AS edges,
       [key IN keys(n)
        WHERE NOT any(kind IN ['LIST<FLOAT', 'VECTOR'] WHERE valueType(n[key]) STARTS WITH kind)
        | [key, n[key]]] AS node"""  # vectors have no words, and are most of the store
_WORD = "Xanthippe"


@pytest.fixture
def erasure(services) -> Erasure:
    return services.operations.erasure


@pytest.fixture
def alice(workspace_id) -> str:
    """Nobody else in the store is called so."""
    return f"alice-{workspace_id}"


async def until_erased(services, workspace_id: str) -> None:
    async with asyncio.timeout(60):
        while any(
            job.kind == "ERASE" for job in (await services.core.jobs.page(workspace_id, first=100)).items
        ):
            await asyncio.sleep(0.1)


async def everything(driver) -> list[Any]:
    return [record.data() for record in (await run(driver, _ALL)).records]


def naming(found: list[Any], word: str) -> list[Any]:
    return [record for record in found if any(word in text for text in texts_in(record))]


async def fill(services, workspace_id: str, alice: str) -> str:
    """Save what a user has: memories, one of them changed, one forgotten, a conversation, a key, a working set."""
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
    _, secret = await services.tenancy.access.create_key(
        workspace_id, name=f"{alice}'s phone", scopes=[Scope.READ, Scope.WRITE], user_id=alice
    )
    with seeing(ReadScope(user_id=alice)):
        await services.core.working_set.write(workspace_id, "chat", "plan", {"of": alice})
    return secret


async def test_nothing_that_names_the_user_or_says_what_they_said_is_left(
    erasure, services, workspace_id, alice, graph_driver
) -> None:
    await services.memories.store.save(workspace_id, MemoryDraft(content="bob keeps goats", user_id="bob"))
    secret = await fill(services, workspace_id, alice)
    assert naming(await everything(graph_driver), alice)

    counts = await erasure.begin(workspace_id, alice)
    await until_erased(services, workspace_id)

    assert (counts.memories, counts.conversations, counts.messages, counts.api_keys) == (6, 1, 2, 1)
    assert counts.versions >= 1
    assert (await erasure.count(workspace_id, alice)).total == 0
    found = await everything(graph_driver)
    assert naming(found, alice) == []
    ours = [record for record in found if record["workspace_id"] == workspace_id]
    assert naming(ours, _WORD) == []
    assert len(naming(ours, "bob keeps goats")) == 1
    with pytest.raises(Unauthenticated):
        await services.tenancy.access.authenticate(secret)
    with seeing(ReadScope(user_id=alice)):
        assert await services.core.working_set.read(workspace_id, "chat", "plan") is None


async def test_what_waits_to_be_delivered_to_a_webhook_is_erased(
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
    assert naming(await everything(graph_driver), alice) == []


async def test_the_audit_keeps_that_somebody_was_erased_and_not_who(
    erasure, services, workspace_id, alice
) -> None:
    await fill(services, workspace_id, alice)

    counts = await erasure.begin(workspace_id, alice)
    await until_erased(services, workspace_id)

    entries = (await services.core.audit.page(actions=[AuditAction.USER_ERASED], first=50)).items
    (entry,) = [each for each in entries if each.workspace_id == workspace_id]
    assert (entry.subject_id, entry.count) == (None, counts.total)


async def test_a_dry_run_changes_nothing(erasure, services, workspace_id, alice, graph_driver) -> None:
    await fill(services, workspace_id, alice)

    counts = await erasure.count(workspace_id, alice)

    assert counts.total > 0
    assert await erasure.count(workspace_id, alice) == counts
    assert naming(await everything(graph_driver), alice)


async def test_a_user_who_writes_meanwhile_is_erased(erasure, services, workspace_id, alice) -> None:
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


async def test_what_the_users_runs_were_evidence_of_is_counted_again(
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
    async with asyncio.timeout(30):
        while [r["sequences"] for r in (await run(graph_driver, counted, ws=workspace_id)).records] != [4]:
            await asyncio.sleep(0.2)

    await erasure.begin(workspace_id, alice)
    await until_erased(services, workspace_id)

    assert [r["sequences"] for r in (await run(graph_driver, counted, ws=workspace_id)).records] == [3]


async def test_runs_and_answers_are_erased_with_their_user_and_no_others(
    erasure, services, workspace_id, alice, graph_driver
) -> None:
    """Two users whose sessions have the same name have a run each."""
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
    assert naming(await everything(graph_driver), alice) == []


async def test_what_others_save_and_recall_meanwhile_goes_on(erasure, services, workspace_id, alice) -> None:
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


async def test_nobody_in_particular_cannot_be_erased(erasure, workspace_id) -> None:
    with pytest.raises(InvalidInput, match="userId"):
        await erasure.begin(workspace_id, " ")
