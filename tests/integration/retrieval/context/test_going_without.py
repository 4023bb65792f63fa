"""Contexts without vectors, without memory or without the engine: what is left, and what they say of it."""

import pytest

from graph.knowledge.ontology.models import EntityDraft
from graph.memories.models import MemoryDraft, MemoryState
from graph.retrieval.context.models import ContextQuery
from tests.fixtures.prompts import fenced
from tests.fixtures.states import reached
from tests.fixtures.telemetry import history


async def test_late_vectors_cost_what_is_found_by_meaning_only(
    services, agents_workspace_id, slow_embedder
) -> None:
    """J14: words, entities and memories are found by their words within the same deadline, and the answer says so."""
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
        deadline_seconds=10.0,
    )
    await services.vectors.embeddings.close()

    assert slow.asked > 0
    assert slow.cancelled == slow.asked
    assert [hit.memory.id for hit in context.memories] == ids
    assert [entity.name for entity in context.entities] == ["payments"]
    assert context.missing == {"meaning": "late"}
    assert context.in_short() == "injected=1; skipped=meaning(late)"
    assert any(reason.startswith("memories: keywords only: ") for reason in context.skipped)


@pytest.mark.parametrize(
    ("change", "why", "silent"),
    [
        ({"memory_enabled": False}, "memory is off in this workspace", ("patterns", "memories")),
        (
            {"settings": {"engineEnabled": False}},
            "the engine is off in this workspace (engineEnabled)",
            ("episodes", "ontology", "patterns", "memories"),
        ),
    ],
)
async def test_memory_off_silences_patterns_and_memories_and_the_engine_everything(
    services, agents_workspace_id, change, why, silent
) -> None:
    """J2, E8, F17, I5, G12, G13: and it says so; rows stay readable, and all is back once it is on again."""
    asked = ContextQuery(query="deploy the payments service", target_types=("Service",), action_type="deploy")
    (payments,) = await services.knowledge.ontology.upsert_entities(
        agents_workspace_id, [EntityDraft(type="Service", name="payments")]
    )
    await services.telemetry.recorder.record(agents_workspace_id, history(failed=6, succeeded=3))
    await services.telemetry.promoter.promote(agents_workspace_id)
    before = await services.retrieval.context.compose(agents_workspace_id, asked)
    assert "E_QUOTA" in before.prompt

    await services.tenancy.workspaces.update(agents_workspace_id, **change)
    off = await services.retrieval.context.compose(agents_workspace_id, asked)

    tells = "ontology" not in silent
    assert off.prompt == (fenced("Known entities:\n- payments (Service)") if tells else "")
    assert ([entity.name for entity in off.entities], off.patterns, off.memories) == (
        ["payments"] if tells else [], [], []
    )  # fmt: skip
    assert [reason for reason in off.skipped if why in reason] == [f"{layer}: {why}" for layer in silent]
    assert off.missing == dict.fromkeys(silent, "off")
    assert len((await services.telemetry.reader.patterns(agents_workspace_id)).items) == 1
    assert (await services.knowledge.ontology.get(agents_workspace_id, payments.id)).name == "payments"

    await services.tenancy.workspaces.update(
        agents_workspace_id, memory_enabled=True, settings={"engineEnabled": None}
    )
    assert (await services.retrieval.context.compose(agents_workspace_id, asked)).prompt == before.prompt
