"""Filling of the external tier: when it is enabled, changed or lost, and for another embedder.

Each test mirrors the same store to a separate collection; the last two tests change the store.
"""

import asyncio

import pytest

from app.settings import Settings
from graph.core.models import JobKind, RecallTier
from graph.core.ports import TierFailed
from graph.memories.models import MemoryDraft
from graph.retrieval.recall.models import RecallQuery
from graph.vectors.external.models import MirrorPhase, TierChange, VectorStore
from tests.fixtures.embedders import HashingEmbedder
from tests.fixtures.own_store import engine, make_empty
from tests.fixtures.quick_runtime import QUICK_RULES, open_quick_runtime
from tests.fixtures.reembedding import FixedCatalogue
from tests.fixtures.tiers import SwitchableTier
from tests.fixtures.waiting import until
from tests.integration.vectors.external.conftest import (
    PATIENCE,
    serves,
    settled,
    tiered_engine,
    with_tier,
    without_tier,
)

COUNT = 40


@pytest.fixture(scope="module")
async def filled(own_settings, own_driver) -> str:
    """Return a workspace with memories, in a store without an external tier."""
    await make_empty(own_driver)
    async with engine(without_tier(own_settings), HashingEmbedder()) as runtime:
        services = runtime.services
        workspace_id = (await services.tenancy.workspaces.create("before")).id
        drafts = [MemoryDraft(content=f"note {number}", dedup=False) for number in range(COUNT)]
        await services.memories.store.save_all(workspace_id, drafts)
        await settled(services, workspace_id)
        return workspace_id


@pytest.fixture
def settings(own_settings, request) -> Settings:
    """Return settings with the tier enabled and a collection name of this test."""
    return with_tier(own_settings, collection=request.node.name.split("[")[0])


@pytest.fixture
def tier() -> SwitchableTier:
    return SwitchableTier()


async def test_enabling_the_tier_mirrors_existing_memories_in_batches(settings, tier, filled):
    """B19: until it is complete, recall uses the graph's own index and reports the progress (C2)."""
    tier.failure = "not there yet"
    async with tiered_engine(settings, tier) as runtime:
        services = runtime.services
        status = await services.vectors.external.status([filled])
        early = await services.retrieval.recall.recall(filled, RecallQuery(query="note 7"))
        assert (status.phase, status.serves) == (MirrorPhase.PREPARING, False)
        assert early.resolution.tier is RecallTier.VECTOR
        assert early.hits[0].memory.content == "note 7"

        tier.failure = None
        await serves(services)
        late = await services.retrieval.recall.recall(filled, RecallQuery(query="note 7"))
        status = await services.vectors.external.status([filled])

    assert late.resolution.tier is RecallTier.EXTERNAL
    assert (status.phase, status.mirrored, status.total, status.pending) == (
        MirrorPhase.COMPLETE, COUNT, COUNT, 0,
    )  # fmt: skip
    assert len(await tier.payloads(settings.qdrant.collection)) == COUNT
    assert tier.most_points <= QUICK_RULES.batch_size == 32


async def test_during_the_filling_recall_reports_the_progress(settings, tier, filled, monkeypatch):
    """C2."""
    upsert = tier.upsert

    async def once(signature, points):
        if tier.most_points:
            await asyncio.Event().wait()  # a failing one would replace the reason in the response
        await upsert(signature, points)

    monkeypatch.setattr(tier, "upsert", once)
    async with tiered_engine(settings, tier) as runtime:
        services = runtime.services

        async def is_on_its_way() -> bool:
            found = await services.retrieval.recall.recall(filled, RecallQuery(query="note 7"))
            return found.resolution.degraded == (
                f"external: the external tier has 32 of {COUNT} memories so far",
            )

        await until(is_on_its_way, seconds=PATIENCE)


async def test_a_refused_memory_does_not_delay_others(settings, tier, filled):
    """B19: it gets a separate, visible job."""
    tier.refused = {"note 3"}
    async with tiered_engine(settings, tier) as runtime:
        services = runtime.services
        await serves(services)
        (job,) = (await services.core.jobs.page(filled)).items
        assert (job.kind, len(await tier.payloads(settings.qdrant.collection))) == ("MIRROR", COUNT - 1)


async def test_a_tier_that_lost_its_points_is_filled_again(settings, tier, filled):
    """C2: its results would be empty rather than wrong, so nobody would notice."""
    async with tiered_engine(settings, tier) as runtime:
        services = runtime.services
        await serves(services)
        for found in (await tier.client.get_collections()).collections:
            await tier.client.delete_collection(found.name)

        lost = await services.retrieval.recall.recall(filled, RecallQuery(query="note 7"))
        assert lost.resolution.tier is RecallTier.VECTOR
        assert lost.hits[0].memory.content == "note 7"
        await serves(services)

    assert len(await tier.payloads(settings.qdrant.collection)) == COUNT


async def test_an_engine_starts_and_works_while_the_store_cannot_even_be_opened(settings, tier, filled):
    """B15, C2: a missing extra or a wrong address is a reason in the status, not a failed start."""

    def opener(*_):
        raise TierFailed("qdrant-client is not installed: `make extra NAME=qdrant` installs it")

    async with open_quick_runtime(settings, embedder=HashingEmbedder(), tier_opener=opener) as runtime:
        services = runtime.services
        found = await services.retrieval.recall.recall(filled, RecallQuery(query="note 7"))
        status = (await services.operations.status.engine([filled])).vector_tier

    reason = "qdrant-client is not installed: `make extra NAME=qdrant` installs it"
    assert found.resolution.degraded == (f"external: {reason}",)
    assert found.hits[0].memory.content == "note 7"
    assert (status.health.ok, status.health.error, status.reason) == (False, reason, reason)


async def test_a_requested_tier_that_is_off_is_named(settings, filled):
    """B24: with the setting ``qdrant``, every response says that the tier did not answer."""
    async with open_quick_runtime(without_tier(settings), embedder=HashingEmbedder()) as runtime:
        external = runtime.services.vectors.external
        await external.change_settings(TierChange(vector_store=VectorStore.QDRANT))
        try:
            found = await runtime.services.retrieval.recall.recall(filled, RecallQuery(query="note 7"))
        finally:
            await external.change_settings(TierChange(vector_store=None))

    reason = "the external tier is selected but not enabled"
    assert found.resolution.tier is RecallTier.VECTOR
    assert found.resolution.fallback == f"the graph's own vectors: {reason}"
    assert found.hits[0].memory.content == "note 7"


async def test_a_tier_switched_on_again_holds_nothing_deleted_before(settings, tier, filled):
    """B21: a disabled tier receives no updates, so it is filled again; its old jobs are deleted."""
    async with tiered_engine(settings, tier) as runtime:
        await serves(runtime.services)
        tier.failure = "down"
        await runtime.services.memories.store.save(filled, MemoryDraft(content="never told"))
        await until(lambda: _is_told_of(runtime.services, filled), seconds=PATIENCE)
    tier.failure = None
    async with engine(without_tier(settings), HashingEmbedder()) as runtime:
        services = runtime.services
        assert not (await services.vectors.external.status([filled])).settings.enabled
        assert (await services.vectors.external.status([filled])).pending == 0
        page = await services.retrieval.recall.recall(filled, RecallQuery(query="note 7"))
        assert (page.resolution.tier, page.resolution.degraded) == (RecallTier.VECTOR, ())
        await services.memories.deletion.delete(filled, page.hits[0].memory.id, hard=True)
        left = {job.kind for job in (await services.core.jobs.page(filled)).items}
        assert left.isdisjoint({JobKind.MIRROR, JobKind.MIRROR_ALL, JobKind.UNMIRROR})
    assert len(await tier.payloads(settings.qdrant.collection)) == COUNT

    async with tiered_engine(settings, tier) as runtime:
        await serves(runtime.services)

    contents = {payload["content"] for payload in (await tier.payloads(settings.qdrant.collection)).values()}
    assert len(contents) == COUNT
    assert "never told" in contents
    assert "note 7" not in contents


async def _is_told_of(services, workspace_id: str) -> bool:
    return any(job.kind == "MIRROR" for job in (await services.core.jobs.page(workspace_id)).items)


async def test_another_embedder_refills_the_tier(settings, tier, filled):
    """B10: vectors of two embedders are never compared; until then recall uses the graph's own index."""
    old = HashingEmbedder()
    new = HashingEmbedder(model="new", dimension=48)
    async with tiered_engine(settings, tier, old) as runtime:
        await serves(runtime.services)
    seen = set()
    async with tiered_engine(settings, tier, new, catalogue=FixedCatalogue.of(old)) as runtime:
        services = runtime.services

        async def is_settled() -> bool:
            found = await services.retrieval.recall.recall(filled, RecallQuery(query="note 8"))
            assert found.hits[0].memory.content == "note 8"
            seen.add(found.resolution.tier)
            by_new = found.resolution.embedder == new.signature
            return by_new and found.resolution.tier is RecallTier.EXTERNAL

        await until(is_settled, seconds=PATIENCE)

    assert {len(vector) for vector in (await tier.vectors(settings.qdrant.collection)).values()} == {48}
    assert len(await tier.payloads(settings.qdrant.collection)) == COUNT
    assert seen <= {RecallTier.VECTOR, RecallTier.EXTERNAL}
