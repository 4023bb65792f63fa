"""Mirroring of changes to the external tier, even after outages and overlapping changes."""

from datetime import UTC, datetime

import numpy as np
import pytest

from graph.core.models import RecallTier
from graph.memories.models import MemoryChange, MemoryClearing, MemoryDraft, MemoryFacet
from graph.retrieval.recall.models import RecallQuery
from tests.fixtures.graphs import run
from tests.fixtures.waiting import until
from tests.integration.vectors.external.conftest import PATIENCE, settled

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
RUNNING = "MATCH (job:Job {workspace_id: $ws, kind: 'MIRROR'}) RETURN job {.*} AS job ORDER BY job.subject_id"


async def saved(services, workspace_id: str, *contents: str, **fields) -> list[str]:
    drafts = [MemoryDraft(content=content, dedup=False, **fields) for content in contents]
    receipts = await services.memories.store.save_all(workspace_id, drafts)
    await settled(services, workspace_id)
    return [receipt.memory.id for receipt in receipts]


async def payloads(tier, workspace_id: str) -> dict[str, dict]:
    found = await tier.payloads()
    return {id_: payload for id_, payload in found.items() if payload["workspace_id"] == workspace_id}


async def contents(tier, workspace_id: str) -> list[str]:
    return sorted(payload["content"] for payload in (await payloads(tier, workspace_id)).values())


async def vector(services, text: str) -> list[float]:
    return (await services.vectors.embeddings.embed([text]))[0].tolist()


async def test_a_saved_memory_has_a_point_of_its_key_and_content(tier, own_services, own_workspace_id):
    """B19: with OmniRoute's payload and vector; without a key only the content is embedded."""
    draft = MemoryDraft(
        content="Ada drinks tea", key="drink", session_id="ses_1", api_key_id="key_1", metadata={"x": [1]},
        expires_at=datetime(2090, 1, 1, tzinfo=UTC),
    )  # fmt: skip
    memory = (await own_services.memories.store.save(own_workspace_id, draft)).memory
    (plain,) = await saved(own_services, own_workspace_id, "Ben drinks coffee")

    found = await payloads(tier, own_workspace_id)
    vectors = await tier.vectors()

    assert found[memory.id] == {
        "memoryId": memory.id, "apiKeyId": "key_1", "sessionId": "ses_1", "key": "drink",
        "content": "Ada drinks tea", "metadata": {"x": [1]}, "createdAtUnix": int(memory.created_at.timestamp()),
        "expiresAtUnix": 3786912000, "kind": "omniroute_memory", "workspace_id": own_workspace_id,
        "userId": "",
    }  # fmt: skip
    assert (found[plain]["key"], found[plain]["expiresAtUnix"]) == (None, None)
    np.testing.assert_allclose(
        vectors[memory.id], await vector(own_services, "drink\n\nAda drinks tea"), atol=1e-5
    )
    np.testing.assert_allclose(vectors[plain], await vector(own_services, "Ben drinks coffee"), atol=1e-5)


async def test_a_supplied_vector_is_mirrored_without_being_embedded(tier, own_services, own_workspace_id):
    """B8, B19: a memory without an embedding job is mirrored as well."""
    supplied = np.eye(1, own_services.vectors.embeddings.active.dimension, 5)[0].tolist()
    (id_,) = await saved(own_services, own_workspace_id, "as given", embedding=tuple(supplied))

    np.testing.assert_allclose((await tier.vectors())[id_], supplied, atol=1e-6)


async def test_a_change_is_mirrored(tier, own_services, own_workspace_id):
    """B25, B16: properties at once, a text with its new vector; other changes have no effect."""
    (id_,) = await saved(own_services, own_workspace_id, "tabs over spaces", metadata={"a": 1})
    memories = own_services.memories.store

    await memories.update(own_workspace_id, id_, MemoryChange(metadata={"b": 2}, facet=MemoryFacet.SKILL))
    await settled(own_services, own_workspace_id)
    changed = (await payloads(tier, own_workspace_id))[id_]
    await memories.update(own_workspace_id, id_, MemoryChange(content="spaces over tabs in Go"))
    await settled(own_services, own_workspace_id)

    assert changed["metadata"] == {"a": 1, "b": 2}
    assert (await payloads(tier, own_workspace_id))[id_]["content"] == "spaces over tabs in Go"
    np.testing.assert_allclose(
        (await tier.vectors())[id_], await vector(own_services, "spaces over tabs in Go"), atol=1e-5
    )


async def test_a_deletion_is_mirrored(tier, own_services, own_workspace_id, own_driver):
    """B21, A30, A31: soft, permanent, in bulk and by expiry; a restore creates the point again."""
    soft, hard, expired, *cleared = await saved(
        own_services, own_workspace_id, "soft", "hard", "expired", "one", "two"
    )
    (kept,) = await saved(own_services, own_workspace_id, "kept", api_key_id="key_kept")
    memories = own_services.memories.store

    await own_services.memories.deletion.delete(own_workspace_id, soft)
    await own_services.memories.deletion.delete(own_workspace_id, hard, hard=True)
    await run(own_driver, "MATCH (m:Memory {id: $id}) SET m.expires_at = $at", id=expired, at=LONG_AGO)
    await own_services.memories.deletion.sweep_expired()
    await settled(own_services, own_workspace_id)
    after_deletes = await contents(tier, own_workspace_id)
    await memories.restore(own_workspace_id, soft)
    await settled(own_services, own_workspace_id)
    after_restore = await contents(tier, own_workspace_id)
    await run(own_driver, "MATCH (m:Memory) WHERE m.id IN $ids SET m.api_key_id = 'key_1'", ids=cleared)
    await own_services.memories.deletion.clear(
        own_workspace_id, MemoryClearing(api_key_id="key_1"), hard=True
    )
    await settled(own_services, own_workspace_id)

    assert after_deletes == ["kept", "one", "two"]
    assert after_restore == ["kept", "one", "soft", "two"]
    assert await contents(tier, own_workspace_id) == ["kept", "soft"]
    assert (await payloads(tier, own_workspace_id)).keys() == {kept, soft}


async def test_the_points_of_a_conversation_move_with_it(tier, own_services, own_workspace_id):
    """B19, I15: with the same vectors; only the other workspace finds them."""
    target = (await own_services.tenancy.workspaces.create("another tenant")).id
    (kept,) = await saved(own_services, own_workspace_id, "a green bicycle")
    (gone,) = await saved(
        own_services, own_workspace_id, "a red bicycle", source_conversation_id="c", source_message_id="m1"
    )
    before = (await tier.vectors())[gone]

    await own_services.conversations.moving.move(own_workspace_id, "c", target)
    await settled(own_services, own_workspace_id)
    await settled(own_services, target)

    assert (await payloads(tier, own_workspace_id)).keys() == {kept}
    assert (await payloads(tier, target)).keys() == {gone}
    assert (await tier.vectors())[gone] == before
    for workspace_id, ids in ((own_workspace_id, [kept]), (target, [gone])):
        found = await own_services.retrieval.recall.recall(workspace_id, RecallQuery(query="a red bicycle"))
        assert found.resolution.tier is RecallTier.EXTERNAL
        assert [hit.memory.id for hit in found.hits] == ids


@pytest.mark.parametrize("hard", [False, True])
async def test_a_deleted_workspace_leaves_no_point(tier, own_services, own_workspace_id, hard):
    """I14: soft or permanent; other workspaces keep theirs."""
    other = (await own_services.tenancy.workspaces.create("another tenant")).id
    await saved(own_services, own_workspace_id, "one. Two", "three")
    await saved(own_services, other, "four")

    await own_services.tenancy.workspaces.delete(own_workspace_id, hard=hard)

    async def is_gone() -> bool:
        return not await payloads(tier, own_workspace_id)

    await until(is_gone, seconds=PATIENCE)
    assert await contents(tier, other) == ["four"]


async def test_writes_during_an_outage_are_mirrored_afterwards(tier, own_services, own_workspace_id):
    """A31, B21, B25, C2: only the status and the jobs report the outage, and no change is lost."""
    _, goes, changes = await saved(own_services, own_workspace_id, "stays", "goes", "changes")
    memories = own_services.memories.store
    tier.failure = "qdrant does not serve: ConnectError"

    await memories.save(own_workspace_id, MemoryDraft(content="comes"))
    await memories.update(own_workspace_id, changes, MemoryChange(content="changed"))
    assert await own_services.memories.deletion.delete(own_workspace_id, goes, hard=True)

    async def jobs_say_so() -> list:
        jobs = (await own_services.core.jobs.page(own_workspace_id)).items
        return len(jobs) == 3 and [job for job in jobs if job.kind == "MIRROR" and job.error == tier.failure]

    await until(jobs_say_so, seconds=PATIENCE)
    during = (await own_services.operations.status.engine([own_workspace_id])).vector_tier
    assert (during.health.ok, during.serves, during.reason) == (False, False, tier.failure)
    assert during.pending == 3
    assert sorted(payload for payload in await contents(tier, own_workspace_id)) == [
        "changes",
        "goes",
        "stays",
    ]

    tier.failure = None
    await settled(own_services, own_workspace_id)
    assert await contents(tier, own_workspace_id) == ["changed", "comes", "stays"]
    after = (await own_services.operations.status.engine([own_workspace_id])).vector_tier
    assert (after.health.ok, after.serves, after.pending) == (True, True, 0)


async def test_a_memory_that_the_tier_refuses_delays_no_other(tier, own_services, own_workspace_id):
    """B21: it is not lost; its job succeeds once the tier accepts it."""
    tier.refused = {"bad"}
    drafts = [MemoryDraft(content=content, dedup=False) for content in ("bad", "good", "fine")]
    await own_services.memories.store.save_all(own_workspace_id, drafts)

    async def only_one_is_left() -> list:
        jobs = (await own_services.core.jobs.page(own_workspace_id)).items
        return jobs if [job.error for job in jobs] == ["a point was refused"] else []

    (job,) = await until(only_one_is_left, seconds=PATIENCE)
    assert job.kind == "MIRROR"
    assert await contents(tier, own_workspace_id) == ["fine", "good"]
    status = await own_services.vectors.external.status([own_workspace_id])
    assert status.serves

    tier.refused = set()
    await own_services.core.jobs.retry(own_workspace_id, job.id)
    await settled(own_services, own_workspace_id)
    assert await contents(tier, own_workspace_id) == ["bad", "fine", "good"]


async def test_a_memory_changed_during_mirroring_is_mirrored_again(
    tier, own_services, own_workspace_id, own_driver, monkeypatch
):
    """B25: a slow worker must not leave outdated data; here another change overtakes it."""
    (id_,) = await saved(own_services, own_workspace_id, "before")
    upsert, done = tier.upsert, []

    async def overtaken(signature, points):
        if not done and points[0].memory_id == id_:
            done.append(True)
            change = "MATCH (m:Memory {id: $id}) SET m.content = 'after', m.updated_at = $at"
            await run(own_driver, change, id=id_, at=datetime.now(UTC))
        await upsert(signature, points)

    monkeypatch.setattr(tier, "upsert", overtaken)
    await own_services.memories.store.update(own_workspace_id, id_, MemoryChange(metadata={"x": 1}))
    await settled(own_services, own_workspace_id)

    assert done
    assert await contents(tier, own_workspace_id) == ["after"]


async def test_a_memory_deleted_permanently_during_mirroring_is_gone(
    tier, own_services, own_workspace_id, own_driver, monkeypatch
):
    """B21, I14: a slow worker does not restore its point."""
    (id_,) = await saved(own_services, own_workspace_id, "to be gone")
    upsert, done = tier.upsert, []

    async def overtaken(signature, points):
        if not done and points[0].memory_id == id_:
            done.append(True)
            await run(own_driver, "MATCH (m:Memory {id: $id}) DETACH DELETE m", id=id_)
        await upsert(signature, points)

    monkeypatch.setattr(tier, "upsert", overtaken)
    await own_services.memories.store.update(own_workspace_id, id_, MemoryChange(metadata={"x": 1}))
    await settled(own_services, own_workspace_id)

    assert done
    assert await contents(tier, own_workspace_id) == []
