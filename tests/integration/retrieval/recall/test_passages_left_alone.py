"""Passages whose memory was deleted."""

from graph.memories.models import MemoryDraft
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.graphs import run

_LEFT_ALONE = """CYPHER 25
UNWIND range(1, $count) AS ordinal
CREATE (passage:Passage {workspace_id: $ws, memory_id: 'mem_gone', ordinal: ordinal, slot: $slot, active: true,
                         search_kind: 'passage', user_id: ''})
WITH passage
CALL db.create.setNodeVectorProperty(passage, $property, $vector)"""
_AS_MANY_AS_CANDIDATES = 40
_MEANING = "words that nobody said"


async def test_orphaned_passages_do_not_hide_a_memory(services, graph_driver, workspace_id) -> None:
    """C1: a passage without a memory is not a candidate."""
    index = services.vectors.embeddings.active
    ((*nearest,),) = (await services.vectors.embeddings.embed_query(_MEANING)).vectors
    place = min(range(index.dimension), key=lambda place: abs(nearest[place]))
    farther = [0.9 * value + (0.4 if at == place else 0.0) for at, value in enumerate(nearest)]
    await run(
        graph_driver,
        _LEFT_ALONE,
        count=_AS_MANY_AS_CANDIDATES,
        ws=workspace_id,
        slot=index.slot,
        property=index.vector_property,
        vector=nearest,
    )
    draft = MemoryDraft(content="Crates are stacked in threes", embedding=tuple(farther))
    saved = await services.memories.store.save(workspace_id, draft)

    found = await services.retrieval.recall.recall(workspace_id, RecallQuery(query=_MEANING))

    assert [hit.memory.id for hit in found.hits] == [saved.memory.id]
