"""Cleanup of the external tier: real counts, and recall that then knows that the tier is incomplete."""

from datetime import UTC, datetime, timedelta

import pytest

from graph.core.errors import InvalidInput
from graph.core.models import RecallTier
from graph.core.ports import TierCleanup, TierPoint, TierScope
from graph.memories.models import MemoryChange, MemoryDraft
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.graphs import run
from tests.integration.vectors.external.conftest import settled

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


@pytest.fixture
async def old_and_new(own_services, own_workspace_id, own_driver) -> list[str]:
    """Save a memory of 2020 and one of today, wait until both are mirrored, and return their ids."""
    drafts = [MemoryDraft(content="old tea"), MemoryDraft(content="fresh tea")]
    ids = [
        receipt.memory.id for receipt in await own_services.memories.store.save_all(own_workspace_id, drafts)
    ]
    await settled(own_services, own_workspace_id)
    await run(own_driver, "MATCH (m:Memory {id: $id}) SET m.created_at = $at", id=ids[0], at=LONG_AGO)
    await own_services.memories.store.update(own_workspace_id, ids[0], MemoryChange(importance=0.1))
    await settled(own_services, own_workspace_id)
    return ids


async def test_expired_and_old_points_are_removed_and_counted(
    tier, own_services, own_workspace_id, old_and_new
):
    """B21, M12: the counts are the real ones; the graph keeps the old memories."""
    old, fresh = old_and_new
    vector = [1.0] * own_services.vectors.embeddings.active.dimension
    stale = TierPoint(
        own_workspace_id, "mem_stale", None, None, None, "", {}, datetime.now(UTC), LONG_AGO, vector, [vector]
    )
    await tier.upsert(own_services.vectors.embeddings.active.signature, [stale])

    removed = await own_services.vectors.external.cleanup(own_workspace_id)
    again = await own_services.vectors.external.cleanup(own_workspace_id, retention_days=3650)

    assert (removed, again) == (TierCleanup(expired=1, old=1), TierCleanup(expired=0, old=0))
    left = [
        id_ for id_, payload in (await tier.payloads()).items() if payload["workspace_id"] == own_workspace_id
    ]
    assert left == [fresh]
    assert (await own_services.memories.store.get(own_workspace_id, old)).content == "old tea"


async def test_memories_removed_by_a_cleanup_are_still_found(
    tier, own_services, own_workspace_id, old_and_new
):
    """C2: the tier stays in use; the graph's index is searched as well only if the tier may lack memories."""
    other = (await own_services.tenancy.workspaces.create("another tenant")).id
    await own_services.vectors.external.cleanup(own_workspace_id, retention_days=1)
    query = RecallQuery(query="tea")

    found = await own_services.retrieval.recall.recall(own_workspace_id, query)
    elsewhere = await own_services.retrieval.recall.recall(other, query)

    yesterday = datetime.now(UTC) - timedelta(days=1)
    lacks = f"a cleanup removed memories created before {yesterday:%Y-%m-%d} from the external tier"
    assert {hit.memory.id for hit in found.hits} == set(old_and_new)
    assert (found.resolution.tier, found.resolution.fallback) == (RecallTier.EXTERNAL, None)
    assert found.resolution.degraded == (f"external: {lacks}; the graph's own index was searched as well",)
    assert (elsewhere.resolution.tier, elsewhere.resolution.degraded) == (RecallTier.EXTERNAL, ())

    embedded = await own_services.vectors.embeddings.embed_query("tea")
    for cutoff, is_complete in ((yesterday + timedelta(seconds=1), True), (LONG_AGO, False)):
        nearest = await own_services.vectors.external.nearest(
            TierScope(own_workspace_id), embedded, 5, oldest=cutoff
        )
        assert [hit["id"] for hit in nearest.found] == old_and_new[1:]
        assert nearest.lacks == (None if is_complete else lacks)


@pytest.mark.parametrize("days", [0, -1, 3651])
async def test_days_out_of_range_are_refused(own_services, own_workspace_id, days):
    """B21."""
    with pytest.raises(InvalidInput, match="retentionDays must be between 1 and 3650") as refused:
        await own_services.vectors.external.cleanup(own_workspace_id, retention_days=days)

    assert refused.value.field == "retentionDays"
