"""Waiting until a memory reaches the state that its caller needs."""

import pytest

from graph.core.errors import InvalidInput
from graph.memories.models import MemoryDraft, MemoryState
from graph.memories.saving.waiting import wait_for


@pytest.mark.usefixtures("patient_waits")
async def test_a_saved_memory_is_embedded_while_its_caller_waits(services, workspace_id) -> None:
    """B14: even if the save leaves the embedding to a job."""
    drafts = [MemoryDraft(content=f"number {number}", source_conversation_id="c") for number in range(30)]
    receipts = await services.memories.store.save_all(workspace_id, drafts)
    ids = [receipt.memory.id for receipt in receipts]

    found = await services.memories.store.wait_for(workspace_id, ids, MemoryState.EMBEDDED, timeout_ms=10_000)

    assert {memory.state for memory in found.values()} <= {MemoryState.EMBEDDED, MemoryState.LINKED}
    assert list(found) == ids


async def test_waiting_ends_at_the_timeout(services, workspace_id) -> None:
    """It returns the memories as they are then, without missing ones."""
    saved = await services.memories.store.save(workspace_id, MemoryDraft(content="nothing fails here"))

    found = await services.memories.store.wait_for(
        workspace_id, [saved.memory.id, "mem_missing"], MemoryState.FAILED, timeout_ms=50
    )

    assert list(found) == [saved.memory.id]


async def test_waiting_ends_with_a_failure(services, workspace_id) -> None:
    """A memory whose embedding failed permanently never becomes EMBEDDED; its caller learns this at once."""
    saved = await services.memories.store.save(workspace_id, MemoryDraft(content="unembeddable"))
    failed = saved.memory.model_copy(update={"state": MemoryState.FAILED, "failure": "no model"})

    async def read(ids):
        return dict.fromkeys(ids, failed)

    found = await wait_for(read, [failed.id], MemoryState.LINKED, timeout_ms=10_000)

    assert found == {failed.id: failed}


@pytest.mark.parametrize("timeout_ms", [-1, 10_001])
async def test_a_time_out_of_range_is_refused(services, workspace_id, timeout_ms) -> None:
    with pytest.raises(InvalidInput) as refused:
        await services.memories.store.wait_for(workspace_id, [], MemoryState.EMBEDDED, timeout_ms=timeout_ms)

    assert refused.value.field == "timeoutMs"
