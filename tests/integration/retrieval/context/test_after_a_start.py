"""The first context after an engine's start."""

from app.bootstrap.runtime import open_runtime, warmed_up
from app.settings import ContextSettings
from graph.knowledge.ontology.models import EntityDraft
from graph.memories.models import MemoryDraft, MemoryState
from graph.retrieval.context.models import ContextQuery
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.states import reached

DEADLINE_MS = 60_000  # the result must not depend on the machine's speed


async def test_the_hundredth_context_has_its_ids(services, settings, agents_workspace_id) -> None:
    """J14, issue 35.19: the server's query planning must not remove anything from it."""
    (pump,) = await services.knowledge.ontology.upsert_entities(
        agents_workspace_id, [EntityDraft(type="Service", name="Pump house", description="Feeds the boiler")]
    )
    texts = [f"The boiler of the pump house has valve {number}" for number in range(1, 6)]
    saved = await services.memories.store.save_all(
        agents_workspace_id, [MemoryDraft(content=text) for text in texts]
    )
    await reached(services, agents_workspace_id, [each.memory.id for each in saved], MemoryState.LINKED)
    own = settings.model_copy(update={"context": ContextSettings(deadline_ms=DEADLINE_MS)})
    asked = ContextQuery(query="Which valves has the boiler of the pump house?", dry_run=True)

    async with open_runtime(own, embedder=HashingEmbedder()) as runtime, warmed_up(runtime.services):
        contexts = [
            await runtime.services.retrieval.context.compose(agents_workspace_id, asked) for _ in range(100)
        ]

    first, hundredth = contexts[0], contexts[-1]
    assert first.node_ids == hundredth.node_ids
    assert set(first.node_ids) == {pump.id, *(each.memory.id for each in saved)}
    assert (first.missing, first.skipped) == (hundredth.missing, hundredth.skipped)
