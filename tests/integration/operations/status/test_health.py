"""The ``GET /health`` response, its cost, and its counts of missing parts."""

import pytest

from graph.core.errors import Unavailable
from graph.core.ports import EmbedderState
from graph.memories.models import MemoryDraft
from graph.operations import queries
from graph.operations.status import Health, Status


@pytest.fixture
def status(services) -> Status:
    """Return a status service with empty caches."""
    return Status(
        services.core.database, services.vectors.embeddings, services.core.wake_up, services.vectors.external
    )


async def test_the_count_of_memories_is_cached(status, services, workspace_id, monkeypatch) -> None:
    """M1: anybody may ask, so the graph is spared; the total reveals nothing of a workspace."""
    await services.memories.store.save(workspace_id, MemoryDraft(content="Counted."))
    asked = []
    count = queries.count_stored

    async def counting(runner, *, kinds):
        asked.append(kinds)
        return await count(runner, kinds=kinds)

    monkeypatch.setattr(queries, "count_stored", counting)
    found = [await status.health() for _ in range(3)]

    assert len(asked) == 1
    assert {health.memory_count for health in found} == {found[0].memory_count}
    assert found[0].memory_count >= 1
    assert sorted(found[0].queues) == ["distill", "embedding", "enrichment", "extraction"]


async def test_a_failed_count_is_omitted(status, monkeypatch) -> None:
    """M1: the health check never raises."""

    async def away(runner, *, kinds):
        raise Unavailable("neo4j", "the graph does not answer")

    monkeypatch.setattr(queries, "count_stored", away)
    found = await status.health()

    assert (found.neo4j, found.memory_count, found.queues) == (True, None, {})


@pytest.mark.parametrize(
    ("neo4j", "redis", "qdrant", "status_"),
    [
        (True, True, None, "ok"),
        (True, True, True, "ok"),
        (True, True, False, "degraded"),
        (True, False, None, "degraded"),
        (False, True, True, "unavailable"),
    ],
)
def test_the_status_names_missing_parts(neo4j, redis, qdrant, status_) -> None:
    """M1: a disabled tier does not count as missing."""
    embedder = EmbedderState(ready=True, signature="a:model:3")

    assert Health(neo4j=neo4j, redis=redis, embedder=embedder, qdrant=qdrant).status == status_
