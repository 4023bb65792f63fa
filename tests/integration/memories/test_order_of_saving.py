"""The order of steps in a save (D38): validate, classify, tags, graph, enrichment, embedding, response."""

from datetime import UTC, datetime, timedelta

import pytest

from graph.core.errors import InvalidInput
from graph.memories.models import MemoryDraft, MemoryState
from tests.fixtures.graphs import run
from tests.fixtures.memories import MovingClock

TOMORROW = datetime.now(UTC) + timedelta(days=1)  # jobs due then are not taken by the run's workers
STORED = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws})
RETURN memory.type AS type, memory.confidence AS confidence, memory.tag_prefixes AS prefixes,
       memory.enriched AS enriched,
       COLLECT {
         MATCH (job:Job {workspace_id: $ws, subject_id: memory.id})
         RETURN job.kind ORDER BY job.kind
       } AS jobs"""
JOBS = "CYPHER 25 MATCH (job:Job {workspace_id: $ws}) RETURN count(job) AS jobs"


@pytest.fixture
def save(memories_under, workspace_id):
    """Return a function that saves with a clock whose jobs no worker takes yet."""
    memories = memories_under(clock=MovingClock(TOMORROW))

    async def save(**fields):
        draft = MemoryDraft(**{"content": "We decided to use crates", "dedup": False, **fields})
        return (await memories.save(workspace_id, draft)).memory

    return save


async def test_a_saved_memory_is_stored_classified_and_queued_before_the_response(
    save, workspace_id, graph_driver
) -> None:
    """D38, D39: one write creates the memory and the jobs for enrichment and embedding."""
    memory = await save(tags=("Slack:General",))

    (stored,) = (await run(graph_driver, STORED, ws=workspace_id)).records
    assert stored.data() == {
        "type": "Decision",
        "confidence": 0.8,
        "prefixes": ["slack", "slack:general"],
        "enriched": False,
        "jobs": ["EMBED", "LINK"],
    }
    assert (memory.type, memory.state) == ("Decision", MemoryState.STORED)


async def test_a_supplied_vector_is_stored_and_only_enrichment_queued(
    save, services, workspace_id, graph_driver
) -> None:
    """D38."""
    dimension = services.vectors.embeddings.active.dimension
    memory = await save(embedding=tuple([1.0] + [0.0] * (dimension - 1)))

    (stored,) = (await run(graph_driver, STORED, ws=workspace_id)).records
    assert (stored["jobs"], memory.state) == (["LINK"], MemoryState.EMBEDDED)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"content": " "}, "content"),
        ({"importance": 1.5}, "importance"),
        ({"embedding": (1.0,)}, "embedding"),
        ({"metadata": {"password": "AKIA" + "IOSFODNN7EXAMPLE", "x": float("nan")}}, "metadata"),
    ],
)
async def test_a_refused_save_writes_nothing(save, workspace_id, graph_driver, fields, field) -> None:
    """D38: validation comes first, so neither a memory nor a job exists."""
    with pytest.raises(InvalidInput) as refused:
        await save(**fields)

    assert refused.value.field == field
    assert (await run(graph_driver, STORED, ws=workspace_id)).records == []
    (left,) = (await run(graph_driver, JOBS, ws=workspace_id)).records
    assert left["jobs"] == 0
