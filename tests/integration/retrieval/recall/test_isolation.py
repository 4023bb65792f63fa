"""Recall in a workspace with one memory, while another workspace has 10,000 nearer ones.

A workspace filter after the search would find nothing, because all candidates would belong to the other
workspace.
"""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from app.bootstrap.runtime import open_runtime
from app.settings import EmbeddingSettings
from graph.core.models import RecallTier
from graph.core.scope import ReadScope, seeing
from graph.memories.models import AssociationType, MemoryDraft, MemoryFilter
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.graphs import run
from tests.fixtures.waiting import until

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
CROWD = 10_000
BATCH = 1000
COPY = (Path(__file__).parent / "crowd.cypher").read_text(encoding="utf-8")
AWAY = """CYPHER 25 MATCH (node:Searchable {workspace_id: $workspace_id})
CALL (node) { DETACH DELETE node } IN TRANSACTIONS OF 1000 ROWS"""
NO_MODEL = EmbeddingSettings(source="none")
TEXT = "sapphire lantern orchard"
MEANING = "unheard gibberish"
OWN = (
    "An orchard at dusk, and somewhere in this long and rambling sentence a sapphire, while no lantern is lit"
)


@pytest.fixture(scope="module")
async def crowded(services, graph_driver) -> AsyncIterator[str]:
    """Yield a workspace of 10,000 memories whose texts and vectors match the later queries exactly."""
    workspace_id = (await services.tenancy.workspaces.create("the crowd")).id
    id_ = await saved_and_embedded(services, workspace_id, TEXT)
    (meaning,) = await HashingEmbedder().embed([MEANING])
    # Slightly different vectors: an index of thousands of equal points is slow to build.
    vectors = meaning + np.random.default_rng(5).normal(0, 0.03, (CROWD, meaning.size))
    for start in range(0, CROWD, BATCH):
        await run(
            graph_driver,
            COPY,
            workspace_id=workspace_id,
            id=id_,
            batch=str(start),
            vectors=vectors[start : start + BATCH].tolist(),
            vector_property=services.vectors.embeddings.vector_property,
        )
    await run(graph_driver, "CALL db.index.fulltext.awaitEventuallyConsistentIndexRefresh()")
    yield workspace_id
    async with graph_driver.session() as session:
        await (await session.run(AWAY, workspace_id=workspace_id)).consume()


@pytest.fixture(scope="module")
async def lonely(services, crowded) -> tuple[str, str]:
    """Return a workspace with one memory that is farther from the query in both ways, and the memory's id."""
    workspace_id = (await services.tenancy.workspaces.create("the lonely one")).id
    return workspace_id, await saved_and_embedded(services, workspace_id, OWN)


async def saved_and_embedded(services, workspace_id: str, content: str) -> str:
    saved = await services.memories.store.save(workspace_id, MemoryDraft(content=content))

    async def is_embedded() -> bool:
        return (await services.memories.store.get(workspace_id, saved.memory.id)).state in (
            "EMBEDDED",
            "LINKED",
        )

    await until(is_embedded)
    return saved.memory.id


async def test_the_vector_leg_alone_finds_it_first(services, lonely) -> None:
    """The query shares no word with any memory; the other workspace's memories have cosine 1 with it."""
    workspace_id, id_ = lonely
    result = await services.retrieval.recall.recall(workspace_id, RecallQuery(query=MEANING, limit=10))

    assert [hit.memory.id for hit in result.hits] == [id_]
    assert result.hits[0].text_score is None
    assert result.hits[0].vector_score is not None
    assert result.resolution.tier is RecallTier.VECTOR


async def test_the_text_leg_alone_finds_it_first(settings, lonely, crowded) -> None:
    """Without an embedder only words count, and the other workspace's memories match more of them."""
    workspace_id, id_ = lonely
    async with open_runtime(settings.model_copy(update={"embedding": NO_MODEL}), embedder=None) as runtime:
        result = await runtime.services.retrieval.recall.recall(
            workspace_id, RecallQuery(query=TEXT, limit=10)
        )

    assert [hit.memory.id for hit in result.hits] == [id_]
    assert result.hits[0].vector_score is None
    assert result.resolution.tier is RecallTier.KEYWORD


async def test_both_legs_together_find_it_first(services, lonely) -> None:
    workspace_id, id_ = lonely
    result = await services.retrieval.recall.recall(workspace_id, RecallQuery(query=TEXT, limit=10))

    assert [hit.memory.id for hit in result.hits] == [id_]


async def test_a_large_tenant_does_not_find_it(services, lonely, crowded) -> None:
    _, id_ = lonely
    result = await services.retrieval.recall.recall(crowded, RecallQuery(query=OWN, limit=100))

    assert result.hits
    assert {hit.memory.workspace_id for hit in result.hits} == {crowded}
    assert id_ not in {hit.memory.id for hit in result.hits}


async def test_the_vector_index_filters_while_it_searches(graph_driver, services, lonely, crowded) -> None:
    """Directly in the index, without the exact comparison that a small workspace gets."""
    workspace_id, id_ = lonely
    (vector,) = (await HashingEmbedder().embed([MEANING])).tolist()
    active = services.vectors.embeddings.active
    assert active is not None

    found = await graph_driver.execute_query(
        f"CYPHER 25 MATCH (m:Memory) SEARCH m IN (VECTOR INDEX {active.name} FOR $vector "
        "WHERE m.workspace_id = $ws LIMIT 10) SCORE AS score RETURN m.id AS id, score",
        ws=workspace_id,
        vector=vector,
    )
    crowd = await graph_driver.execute_query(
        f"CYPHER 25 MATCH (m:Memory) SEARCH m IN (VECTOR INDEX {active.name} FOR $vector LIMIT 10) "
        "SCORE AS score RETURN m.workspace_id AS ws, score",
        vector=vector,
    )

    assert [record["id"] for record in found.records] == [id_]
    assert {record["ws"] for record in crowd.records} == {crowded}
    assert min(record["score"] for record in crowd.records) > found.records[0]["score"]


@pytest.mark.parametrize("source", ["indexes", "all admitted", "words"])
async def test_an_invisible_memory_supersedes_nothing_for_a_user(
    services, workspace_id, embedder, source, monkeypatch
) -> None:
    """C27, C30: a shared memory ranks lower only for users who see its successor; others never see its id."""
    shared, own = [
        (
            await services.memories.store.save(
                workspace_id, MemoryDraft(content=content, user_id=user_id, dedup=False)
            )
        ).memory.id
        for content, user_id in (("The harbour office opens at nine", None), ("It opens at ten", "alice"))
    ]
    await services.memories.associations.associate(
        workspace_id, from_id=shared, to_id=own, type_=AssociationType.INVALIDATED_BY
    )
    filter_ = MemoryFilter(since=LONG_AGO) if source == "all admitted" else MemoryFilter()
    query = RecallQuery(query="When does the harbour office open?", filter=filter_)
    if source == "words":
        monkeypatch.setitem(embedder.refused, query.query, "away")
    found = {}
    for user_id in ("alice", "bob"):
        with seeing(ReadScope(user_id=user_id)):
            result = await services.retrieval.recall.recall(workspace_id, query)
        assert (result.resolution.embedder is None) is (source == "words")
        found[user_id] = next(hit for hit in result.hits if hit.memory.id == shared)

    assert "superseded by “It opens at ten”" in found["alice"].why
    assert not any("superseded" in reason for reason in found["bob"].why)
    assert found["alice"].score < found["bob"].score


async def test_an_expired_memory_supersedes_nothing(services, workspace_id, graph_driver) -> None:
    """C11, C30."""
    old, new = [
        (
            await services.memories.store.save(workspace_id, MemoryDraft(content=content, dedup=False))
        ).memory.id
        for content in ("The harbour office opens at nine", "The harbour office opens at ten this week")
    ]
    await services.memories.associations.associate(
        workspace_id, from_id=old, to_id=new, type_=AssociationType.INVALIDATED_BY
    )
    await run(graph_driver, "MATCH (m:Memory {id: $id}) SET m.expires_at = $at", id=new, at=LONG_AGO)

    result = await services.retrieval.recall.recall(workspace_id, RecallQuery(query="harbour office"))

    assert [hit.memory.id for hit in result.hits] == [old]
    assert not any("superseded" in reason for reason in result.hits[0].why)
