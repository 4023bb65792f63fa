"""Contexts: layers in order, within a deadline and a budget, and none if memory is off."""

import asyncio
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from app.bootstrap.dependencies import Dependencies, Signals
from app.bootstrap.retrieval import build_retrieval
from app.bootstrap.runtime import SystemClock
from app.settings import ContextSettings, ProxySettings, Settings
from graph.core.errors import InvalidInput, NotFound, Unavailable
from graph.knowledge.ontology.models import EntityDraft, RelationDraft
from graph.memories.models import MemoryDraft, MemoryState
from graph.retrieval.context.layers import LayerOff
from graph.retrieval.context.models import ContextQuery, LayerName
from graph.telemetry.reading import TelemetryReader
from tests.fixtures.layers import Saying, contexts
from tests.fixtures.local_models import files_of
from tests.fixtures.prompts import blocks_of, fenced
from tests.fixtures.states import reached
from tests.fixtures.telemetry import failing, history
from tests.fixtures.timeouts import scaled_timeout

LOG = "\n".join(f"12:00:{n % 60:02} INFO worker-{n} handled request {n * 7919} in {n} ms" for n in range(100))


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (LayerOff("there is nothing to go by"), "there is nothing to go by"),
        (Unavailable("neo4j", "the graph does not answer"), "the graph does not answer"),
        (ZeroDivisionError("inner words"), "it failed; see the log"),
    ],
    ids=repr,
)
async def test_a_failed_layer_is_named_and_the_others_are_returned(
    services, agents_workspace_id, error, why
) -> None:
    """J14: the response is never an error and reveals no internals."""
    composer = contexts(
        services,
        Saying(LayerName.ONTOLOGY, "a"),
        Saying(LayerName.PATTERNS, error=error),
        Saying(LayerName.MEMORIES, "c"),
    )

    context = await composer.compose(agents_workspace_id, ContextQuery(query="x"))

    assert (context.prompt, context.skipped) == (fenced("a", "c"), [f"patterns: {why}"])


async def test_a_late_layer_is_omitted_and_runs_to_its_end(services, agents_workspace_id) -> None:
    """J14: it is not cancelled, so that the server has its query plan the next time."""
    free = asyncio.Event()
    late = Saying(LayerName.MEMORIES, "late", after=free)
    composer = contexts(services, Saying(LayerName.ONTOLOGY, "a"), late, seconds=2)

    context = await composer.compose(agents_workspace_id, ContextQuery(query="x"))

    assert (context.prompt, context.skipped) == (
        fenced("a"),
        ["memories: the graph did not answer within 2 seconds"],
    )
    assert late.used is None
    free.set()
    async with asyncio.timeout(scaled_timeout(30)):
        await late.ended.wait()


async def test_closing_cancels_late_layers(services, agents_workspace_id) -> None:
    late = Saying(LayerName.MEMORIES, "late", after=asyncio.Event())
    composer = contexts(services, late, seconds=0.01)
    await composer.compose(agents_workspace_id, ContextQuery(query="x"))

    async with asyncio.timeout(scaled_timeout(30)):
        await composer.close()

    assert late.cancelled.is_set()


async def test_a_caller_who_goes_away_ends_its_layers(services, agents_workspace_id) -> None:
    slow = Saying(LayerName.MEMORIES, "slow", after=asyncio.Event())
    composer = contexts(services, slow)
    composing = asyncio.create_task(composer.compose(agents_workspace_id, ContextQuery(query="x")))
    async with asyncio.timeout(scaled_timeout(30)):
        await slow.begun.wait()
        composing.cancel()
        await slow.cancelled.wait()
        await asyncio.wait({composing})
    assert composing.cancelled()


async def test_targets_patterns_and_memories_appear_in_this_order(services, agents_workspace_id) -> None:
    """J2, J10, G12: with the targets' relations and the patterns of their types."""
    payments, ledger, _ = await services.knowledge.ontology.upsert_entities(
        agents_workspace_id,
        [
            EntityDraft(type="Service", name="payments", description="Takes card payments"),
            EntityDraft(type="Database", name="ledger"),
            EntityDraft(type="Person", name="Zdenka"),
        ],
    )
    await services.knowledge.ontology.upsert_relations(
        agents_workspace_id,
        [RelationDraft(from_name=payments.id, to_name=ledger.id, type="DEPENDS_ON")],
    )
    await services.telemetry.recorder.record(agents_workspace_id, history(failed=6, succeeded=3))
    drop = [failing(f"d{n}", action_type="drop", node_type="Database") for n in range(5)]
    await services.telemetry.recorder.record(agents_workspace_id, drop)
    await services.telemetry.promoter.promote(agents_workspace_id)
    saved = await services.memories.store.save(
        agents_workspace_id, MemoryDraft(content="the rollout of release seven waits for approval")
    )
    await reached(services, agents_workspace_id, [saved.memory.id], MemoryState.LINKED)

    context = await services.retrieval.context.compose(
        agents_workspace_id,
        ContextQuery(query="rollout of release seven", target_ids=(payments.id, "ent_unknown")),
    )

    assert blocks_of(context.prompt).splitlines() == [
        "Known entities:",
        "- payments (Service): Takes card payments",
        "  - DEPENDS_ON → ledger (Database)",
        "",
        "Known failure patterns for Service:",
        "- deploy on Service → E_QUOTA (6 sequences, 66%)",
        "",
        "Memory context: the rollout of release seven waits for approval",
    ]
    assert context.messages == [{"role": "system", "content": context.prompt}]
    assert context.skipped == [
        "episodes: no conversationId is named",
        "ontology: 1 of the targets are not in this workspace",
    ]
    assert [entity.id for entity in context.entities] == [payments.id]
    assert [pattern.error_code for pattern in context.patterns] == ["E_QUOTA"]
    assert [hit.memory.id for hit in context.memories] == [saved.memory.id]
    assert context.tokens == -(-len(context.prompt) // 4)
    await services.telemetry.usage.flush()
    assert (await services.memories.store.get(agents_workspace_id, saved.memory.id)).usage_count > 0


async def test_an_action_without_a_target_has_warnings_of_its_own(services, agents_workspace_id) -> None:
    """G12: without a target and an action the response says that there are no warnings."""
    await services.telemetry.recorder.record(agents_workspace_id, history(failed=5, succeeded=0))
    await services.telemetry.promoter.promote(agents_workspace_id)

    async def told(**asked) -> tuple[list[str], bool]:
        context = await services.retrieval.context.compose(
            agents_workspace_id, ContextQuery(query="x", **asked)
        )
        off = "patterns: neither a target nor an actionType is named" in context.skipped
        return [pattern.action_type for pattern in context.patterns], off

    assert await told(action_type="deploy") == (["deploy"], False)
    assert await told(action_type="restart") == ([], False)
    assert await told(action_type="restart", target_types=("Service",)) == (["deploy"], False)
    assert await told() == ([], True)


async def test_entities_named_in_the_message_are_targets(services, agents_workspace_id) -> None:
    """G12: by name or alias, with their types; an action without a target warns about all types."""
    await services.telemetry.recorder.record(agents_workspace_id, history(failed=5, succeeded=0))
    await services.telemetry.promoter.promote(agents_workspace_id)
    await services.knowledge.ontology.upsert_entities(
        agents_workspace_id,
        [
            EntityDraft(type="Service", name="payments", aliases=("pay desk", "支付服务")),
            EntityDraft(type="Team", name="night shift"),
        ],
    )

    async def told(query: str, **asked) -> list[str]:
        context = await services.retrieval.context.compose(
            agents_workspace_id, ContextQuery(query=query, **asked)
        )
        return [pattern.node_type for pattern in context.patterns]

    assert await told("Roll out payments again") == ["Service"]
    assert await told("Roll out the Pay Desk again") == ["Service"]
    assert await told("部署支付服务前要注意什么") == ["Service"]
    assert await told("deploy(payments)") == ["Service"]
    assert await told("Roll out checkout-api/payments") == ["Service"]
    assert await told(f"{LOG}\nnow deploy Payments") == ["Service"]
    assert await told(f"{' '.join(LOG.split())} now deploy Payments") == ["Service"]
    assert await told("Wake the night shift") == []
    assert await told("Wake the night shift", action_type="deploy") == ["Service"]
    assert await told("Roll it out again") == []


async def test_another_workspace_reads_nothing_of_a_context(
    services, agents_workspace_id, other_agents_workspace_id
) -> None:
    """G14, I8: even if it names the other workspace's ids."""
    (payments,) = await services.knowledge.ontology.upsert_entities(
        agents_workspace_id, [EntityDraft(type="Service", name="payments")]
    )
    await services.memories.store.save(
        agents_workspace_id, MemoryDraft(content="payments deploys on Mondays")
    )
    await services.telemetry.recorder.record(agents_workspace_id, history(failed=5, succeeded=0))
    await services.telemetry.promoter.promote(agents_workspace_id)

    context = await services.retrieval.context.compose(
        other_agents_workspace_id,
        ContextQuery(
            query="payments deploys on Mondays",
            target_ids=(payments.id,),
            target_types=("Service",),
            action_type="deploy",
        ),
    )

    assert (context.prompt, context.entities, context.patterns, context.memories) == ("", [], [], [])


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"query": " "}, "query"),
        ({"query": "x", "target_ids": ("e",) * 101}, "targetEntityIds"),
        ({"query": "x", "target_types": ("T",) * 101}, "targetTypes"),
        ({"query": "x", "conversation_id": "\x00"}, "conversationId"),
    ],
)
async def test_an_invalid_question_is_refused(services, agents_workspace_id, asked, field) -> None:
    with pytest.raises(InvalidInput) as refused:
        await services.retrieval.context.compose(agents_workspace_id, ContextQuery(**asked))

    assert refused.value.field == field


async def test_a_missing_workspace_is_not_found(services) -> None:
    with pytest.raises(NotFound):
        await services.retrieval.context.compose("ws_none", ContextQuery(query="x"))


class StuckTelemetry(TelemetryReader):
    """Telemetry that never answers."""

    def __init__(self) -> None:
        self.ended = asyncio.Event()

    async def patterns_for(self, *_, **__):
        await self.ended.wait()


async def test_an_explicit_request_waits_longer_than_a_turn(services, agents_workspace_id) -> None:
    """J14: 3 and 1.5 seconds by default; the service uses the settings."""
    core, own = services.core, Settings(_env_file=None)
    assert (own.context.deadline_ms, own.proxy.deadline_ms) == (3000, 1500)
    own = own.model_copy(
        update={"context": ContextSettings(deadline_ms=200), "proxy": ProxySettings(deadline_ms=100)}
    )
    signals = Signals(core.wake_up, None, core.announcer, core.working_set, None, None, None)
    on = Dependencies(own, core.database, SystemClock(), signals, core.text_work, core.body_work, files_of())
    composer = build_retrieval(
        on,
        workspaces=services.tenancy.workspaces,
        vectors=services.vectors,
        memories=services.memories.store,
        knowledge=services.knowledge,
        telemetry=replace(services.telemetry, reader=StuckTelemetry()),
        conversations=services.conversations,
        reranker=None,
        language_models=services.tenancy.language_models,
    ).context

    asked = ContextQuery(query="x", action_type="deploy")
    turn = asked.model_copy(update={"is_automatic": True})
    context, injected = [await composer.compose(agents_workspace_id, each) for each in (asked, turn)]
    async with asyncio.timeout(scaled_timeout(30)):
        await composer.close()

    assert "patterns: the graph did not answer within 0.2 seconds" in context.skipped
    assert "patterns: the graph did not answer within 0.1 seconds" in injected.skipped


async def test_injections_are_logged_without_text(services, agents_workspace_id) -> None:
    """J8: the number of memories, their format and the model; nothing if memory is off and nobody asked."""
    draft = MemoryDraft(content="rollouts wait for approval")
    saved = await services.memories.store.save(agents_workspace_id, draft)
    ids = [saved.memory.id]
    await reached(services, agents_workspace_id, ids, MemoryState.LINKED)
    asked = ContextQuery(query=draft.content, conversation_id="c", provider="openai")

    with capture_logs() as logs:
        context = await services.retrieval.context.compose(agents_workspace_id, asked)
    await services.tenancy.workspaces.update(agents_workspace_id, memory_enabled=False)
    with capture_logs() as silent:
        automatic = asked.model_copy(update={"is_automatic": True})
        await services.retrieval.context.compose(agents_workspace_id, automatic)

    assert context.skipped == [
        "episodes: the conversation has no episodes",
        "patterns: neither a target nor an actionType is named",
    ]
    assert [each for each in logs if each["event"].startswith("memory.injection")] == [
        {
            "event": "memory.injection.injected",
            "log_level": "info",
            "count": 1,
            "patterns": 0,
            "strategy": "system_prompt",
            "model": "openai",
            "skipped": 2,
        }
    ]
    assert [each for each in silent if each["event"].startswith("memory.injection")] == []


@pytest.mark.parametrize(
    ("provider", "told"),
    [
        ("openai/gpt-5.1", "openai/gpt-5.1"),
        ("org/model:70b@latest", "org/model:70b@latest"),
        ("I like tea", "other"),
        ("茶", "other"),
        ("x" * 101, "other"),
        (None, None),
    ],
)
async def test_only_the_name_of_a_model_is_logged(services, agents_workspace_id, provider, told) -> None:
    """J8, N7: a caller may send any text as the provider."""
    asked = ContextQuery(query="approval", layers=frozenset(), provider=provider)

    with capture_logs() as logs:
        await services.retrieval.context.compose(agents_workspace_id, asked)

    (event,) = [each for each in logs if each["event"] == "memory.injection.injected"]
    assert event["model"] == told


async def test_warming_up_only_fails_if_a_server_is_unavailable(services, agents_workspace_id) -> None:
    """The server plans every layer's statements before the first caller needs them."""
    off = Saying(LayerName.EPISODES, error=LayerOff("the conversation has no episodes"))
    down = Saying(LayerName.ONTOLOGY, error=Unavailable("neo4j", "the graph does not answer"))

    await services.retrieval.context.warm_up(agents_workspace_id)
    await contexts(services, off).warm_up(agents_workspace_id)
    with pytest.raises(Unavailable):
        await contexts(services, off, down).warm_up(agents_workspace_id)
