"""Recall without a model that answers in time: the other parts answer, and the response says so."""

import asyncio

from app.bootstrap.runtime import open_runtime
from graph.core.models import RecallTier
from graph.memories.models import MemoryDraft, MemoryState
from graph.retrieval.recall.models import RecallQuery
from graph.vectors.index.service import vectors_within
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.recall import recall_under
from tests.fixtures.timeouts import scaled_timeout


async def test_until_the_model_is_ready_saves_are_stored_and_recall_answers_from_keywords(
    settings, workspace_id
):
    """B15, C2, N9: nothing waits for the embedder, and the response names the tier."""
    embedder = HashingEmbedder()
    embedder.failure = "the model is loading"
    async with open_runtime(settings, embedder=embedder) as runtime:
        services = runtime.services
        saved = await services.memories.store.save(workspace_id, MemoryDraft(content="tabs over spaces"))

        result = await services.retrieval.recall.recall(workspace_id, RecallQuery(query="tabs"))

    assert saved.memory.state is MemoryState.STORED
    assert [hit.memory.content for hit in result.hits] == ["tabs over spaces"]
    assert result.hits[0].tier is RecallTier.KEYWORD
    assert result.hits[0].vector_score is None
    assert result.resolution.tier is RecallTier.KEYWORD
    assert result.resolution.embedder is None
    assert result.resolution.fallback == "keywords only: the model is loading"
    assert result.resolution.degraded == ("vector: the model is loading",)


async def test_without_vectors_a_semantic_query_returns_nothing(settings, workspace_id):
    """C13: no default hits replace a search that cannot run."""
    embedder = HashingEmbedder()
    embedder.failure = "down"
    async with open_runtime(settings, embedder=embedder) as runtime:
        await runtime.services.memories.store.save(workspace_id, MemoryDraft(content="clean aesthetics"))

        result = await runtime.services.retrieval.recall.recall(
            workspace_id, RecallQuery(query="minimalist design")
        )

    assert result.hits == ()
    assert result.resolution.tier is RecallTier.KEYWORD


async def test_diversity_without_vectors_is_reported_as_ignored(
    services, workspace_id, embedder, monkeypatch
):
    """C22: without vectors, the similarity of two memories is unknown."""
    await services.memories.store.save(workspace_id, MemoryDraft(content="tabs over spaces"))
    monkeypatch.setitem(embedder.refused, "tabs", "away")
    result = await services.retrieval.recall.recall(workspace_id, RecallQuery(query="tabs", diversity=0.5))

    assert [hit.memory.content for hit in result.hits] == ["tabs over spaces"]
    assert result.resolution.degraded == (
        "vector: away",
        "diversity: not applied, because there are no vectors to compare",
    )


async def test_a_short_deadline_skips_the_reranker(services, workspace_id):
    """Issue "Nothing lost, nothing misleading": otherwise a context would lose its memories."""

    class _Late:
        name = "test/late"

        async def score(self, query, texts):
            await asyncio.Event().wait()

    saved = await services.memories.store.save(workspace_id, MemoryDraft(content="tabs over spaces"))
    service = recall_under(services, reranker=_Late())

    with vectors_within(scaled_timeout(30), reranked_within=0.0):
        result = await service.recall(workspace_id, RecallQuery(query="tabs"))

    assert [hit.memory.id for hit in result.hits] == [saved.memory.id]
    assert "rerank: test/late did not answer within 0 seconds" in result.resolution.degraded
