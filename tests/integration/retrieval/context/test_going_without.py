"""Contexts without vectors or with memory off: the remaining parts, and the reasons they give."""

import pytest

from graph.knowledge.ontology.models import EntityDraft
from graph.memories.models import MemoryDraft, MemoryState
from graph.retrieval.context.models import ContextQuery
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.graphs import run
from tests.fixtures.own_store import engine
from tests.fixtures.states import reached
from tests.fixtures.telemetry import history


async def test_late_vectors_only_cost_the_hits_by_meaning(
    services, agents_workspace_id, slow_embedder
) -> None:
    """J14: entities and memories are found by words within the same deadline, and the response says so."""
    await services.knowledge.ontology.upsert_entities(
        agents_workspace_id, [EntityDraft(type="Service", name="payments", description="Takes card payments")]
    )
    saved = await services.memories.store.save(
        agents_workspace_id, MemoryDraft(content="the rollout of payments waits for approval")
    )
    ids = [saved.memory.id]
    await reached(services, agents_workspace_id, ids, MemoryState.LINKED)
    await services.retrieval.context.warm_up(agents_workspace_id)
    slow = slow_embedder()

    context = await services.retrieval.context.compose(
        agents_workspace_id,
        ContextQuery(query="What does the rollout of payments wait for?"),
        deadline_seconds=60.0,
    )
    await services.vectors.embeddings.close()

    assert slow.asked > 0
    assert slow.cancelled == slow.asked
    assert [hit.memory.id for hit in context.memories] == ids
    assert [entity.name for entity in context.entities] == ["payments"]
    assert context.missing == {"meaning": "late"}
    assert context.in_short() == "injected=1; skipped=meaning(late)"
    (meaning,) = [reason for reason in context.skipped if reason.startswith("meaning: ")]
    assert meaning.startswith("meaning: only words and names were searched: ")
    assert meaning.endswith(" seconds")
    assert any(reason.startswith("memories: keywords only: ") for reason in context.skipped)


@pytest.mark.proof("drops indexes, so it has a store of its own")
async def test_every_affected_layer_names_a_missing_index(own_settings, empty_store) -> None:
    """J14, M14: a layer that finds nothing for this reason does not claim that the query named nothing."""
    async with engine(own_settings, HashingEmbedder()) as runtime:
        services = runtime.services
        workspace_id = (await services.tenancy.workspaces.create("without indexes")).id
        await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
        await services.knowledge.ontology.upsert_entities(
            workspace_id, [EntityDraft(type="Service", name="payments")]
        )
        await services.telemetry.recorder.record(workspace_id, history(failed=6, succeeded=3))
        await services.telemetry.promoter.promote(workspace_id)

        async def told(**asked):
            return await services.retrieval.context.compose(
                workspace_id, ContextQuery(query="Roll out payments", **asked), deadline_seconds=30.0
            )

        whole = await told()
        await run(empty_store, "DROP INDEX entity_names")
        without_names = await told()
        with_an_action = await told(action_type="deploy")
        await run(empty_store, "DROP INDEX memory_text")
        await run(empty_store, "DROP INDEX knowledge_text")
        without_words = await told()

    names, words, knowledge = (
        f"the index {name} cannot be searched" for name in ("entity_names", "memory_text", "knowledge_text")
    )
    assert [pattern.node_type for pattern in whole.patterns] == ["Service"]
    assert (whole.skipped, whole.missing) == (["episodes: no conversationId is named"], {})
    assert without_names.patterns == []
    assert without_names.skipped[1:] == [
        f"{layer}: names: {names}" for layer in ("ontology", "patterns", "memories")
    ]
    assert without_names.missing == {"patterns": "failed"}
    assert [pattern.node_type for pattern in with_an_action.patterns] == ["Service"]
    assert f"patterns: names: {names}" in with_an_action.skipped
    assert with_an_action.missing == {}
    ontology, _, memories = without_words.skipped[1:]
    assert f"words: {knowledge}" in ontology
    assert f"words: {words}" in memories


@pytest.mark.parametrize("is_automatic", [False, True], ids=["asked for", "automatic"])
async def test_with_memory_off_requests_omit_patterns_and_turns_omit_everything(
    services, agents_workspace_id, is_automatic
) -> None:
    """J2, E8, F17, I4, G12, G13: the response has the command to enable it; enabling restores everything."""
    asked = ContextQuery(
        query="deploy the payments service",
        target_types=("Service",),
        action_type="deploy",
        is_automatic=is_automatic,
    )
    (payments,) = await services.knowledge.ontology.upsert_entities(
        agents_workspace_id, [EntityDraft(type="Service", name="payments")]
    )
    saved = await services.memories.store.save(
        agents_workspace_id, MemoryDraft(content="the payments service is owned by Ada")
    )
    await reached(services, agents_workspace_id, [saved.memory.id], MemoryState.LINKED)
    await services.telemetry.recorder.record(agents_workspace_id, history(failed=6, succeeded=3))
    await services.telemetry.promoter.promote(agents_workspace_id)

    async def told():
        return await services.retrieval.context.compose(agents_workspace_id, asked, deadline_seconds=30.0)

    before = await told()
    assert "E_QUOTA" in before.prompt

    await services.tenancy.workspaces.update(agents_workspace_id, memory_enabled=False)
    off = await told()

    silent = ("episodes", "ontology", "patterns", "memories") if is_automatic else ("patterns",)
    why = (
        "memory is off in this workspace; "
        f"`recollect settings set enabled true --workspace {agents_workspace_id}` turns it on"
    )
    assert ([entity.name for entity in off.entities], off.patterns) == (
        [] if is_automatic else ["payments"],
        [],
    )
    assert [hit.memory.id for hit in off.memories] == ([] if is_automatic else [saved.memory.id])
    assert "E_QUOTA" not in off.prompt
    assert bool(off.prompt) is not is_automatic
    assert [reason for reason in off.skipped if "memory is off" in reason] == [
        f"{layer}: {why}" for layer in silent
    ]
    assert off.missing == dict.fromkeys(silent, "off")
    assert len((await services.telemetry.reader.patterns(agents_workspace_id)).items) == 1
    assert (await services.knowledge.ontology.get(agents_workspace_id, payments.id)).name == "payments"

    await services.tenancy.workspaces.update(agents_workspace_id, memory_enabled=True)
    assert (await told()).prompt == before.prompt
