"""Placeholder vectors (B15): stored if a deployment needs one per memory, and never compared."""

import numpy as np
import pytest

from graph.core.models import JobKind
from graph.memories.models import MemoryChange, MemoryDraft, MemoryState
from graph.retrieval.recall.models import RecallQuery, RecallStrategy
from graph.vectors.index.vectors import USUAL_DIMENSION, placeholder_vector
from tests.fixtures.graphs import run
from tests.fixtures.memories import MovingClock
from tests.fixtures.states import reached

VECTORS = """
CYPHER 25
MATCH (memory:Memory {workspace_id: $ws, id: $id})
RETURN memory.placeholder_vector AS placeholder, memory.embedding_a AS embedding_a,
       memory.embedding_b AS embedding_b
"""
INDEXED = "SHOW INDEXES YIELD properties WHERE 'placeholder_vector' IN properties RETURN count(*) AS count"
NONE = {"embedding_a": None, "embedding_b": None}
TURN = {"source_conversation_id": "c"}  # embedded by a job, never by the save


@pytest.fixture
def memories_of_tomorrow(memories_under):
    """Return a function that builds a memory store whose jobs are due tomorrow, so no worker takes them."""
    clock = MovingClock()
    clock.move(days=1)

    def memories(**policy):
        return memories_under(clock=clock, **policy)

    return memories


async def vectors(graph_driver, workspace_id, id_) -> dict:
    return (await run(graph_driver, VECTORS, ws=workspace_id, id=id_)).records[0].data()


async def test_without_the_setting_a_memory_has_its_own_vector_or_none(
    workspace_id, memories_of_tomorrow, graph_driver
) -> None:
    """B15: off by default."""
    draft = MemoryDraft(content="the quokka naps", **TURN)
    memory = (await memories_of_tomorrow().save(workspace_id, draft)).memory

    assert await vectors(graph_driver, workspace_id, memory.id) == {"placeholder": None, **NONE}


async def test_a_placeholder_is_never_compared(
    services, workspace_id, memories_of_tomorrow, graph_driver
) -> None:
    """B15: it is in a separate property and no index, needs reindexing, and is removed afterwards."""
    memories = memories_of_tomorrow(placeholder_vectors=True)
    draft = MemoryDraft(content="the quokka naps", **TURN)
    memory = (await memories.save(workspace_id, draft)).memory

    stored = await vectors(graph_driver, workspace_id, memory.id)
    dimension = services.vectors.embeddings.active.dimension
    assert stored == {"placeholder": placeholder_vector(memory.content, dimension), **NONE}
    assert (memory.state, memory.needs_reindex) == (MemoryState.STORED, True)
    assert (await run(graph_driver, INDEXED)).records[0]["count"] == 0
    query = RecallQuery(query="the quokka naps", strategy=RecallStrategy.SEMANTIC)
    hits = (await services.retrieval.recall.recall(workspace_id, query)).hits
    assert [hit.vector_score for hit in hits if hit.memory.id == memory.id] in ([], [None])

    changed = await memories.update(workspace_id, memory.id, MemoryChange(content="the quokka eats"))
    stored = await vectors(graph_driver, workspace_id, memory.id)
    assert stored["placeholder"] == placeholder_vector(changed.content, dimension)

    jobs = (await services.core.jobs.page(workspace_id)).items
    (job,) = [job for job in jobs if job.kind is JobKind.EMBED]
    await services.core.jobs.retry(workspace_id, job.id)
    found = await reached(services, workspace_id, [memory.id], MemoryState.EMBEDDED)
    assert found[memory.id].needs_reindex is False
    stored = await vectors(graph_driver, workspace_id, memory.id)
    assert stored["placeholder"] is None
    assert stored[services.vectors.embeddings.vector_property] is not None


async def test_a_supplied_vector_needs_no_placeholder(
    workspace_id, memories_of_tomorrow, graph_driver
) -> None:
    """B15, B8: in a save and in a change."""
    memories = memories_of_tomorrow(placeholder_vectors=True)
    unit = (1.0,) + (0.0,) * 383
    saved = await memories.save(workspace_id, MemoryDraft(content="one", embedding=unit, **TURN))
    assert (await vectors(graph_driver, workspace_id, saved.memory.id))["placeholder"] is None

    queued = await memories.save(workspace_id, MemoryDraft(content="two", **TURN))
    await memories.update(workspace_id, queued.memory.id, MemoryChange(embedding=unit))
    assert (await vectors(graph_driver, workspace_id, queued.memory.id))["placeholder"] is None


def test_a_placeholder_is_a_unit_vector_of_the_text_alone() -> None:
    first, again, other = (placeholder_vector(text, USUAL_DIMENSION) for text in ("a", "a", "b"))

    assert len(first) == 768
    assert first == again != other
    np.testing.assert_allclose(np.linalg.norm(first), 1.0, rtol=1e-6)
    assert abs(np.dot(first, other)) < 0.2
