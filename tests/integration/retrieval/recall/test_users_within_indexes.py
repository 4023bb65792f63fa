"""Users' scopes within the indexes, so that others' nearer memories displace nothing (issue 15, point 1)."""

import pytest

from graph.core.scope import ReadScope, seeing
from graph.memories.bulk import BulkChange, Owner, Selection
from graph.memories.models import MemoryDraft
from graph.retrieval.recall.models import RecallQuery, RecallStrategy
from graph.telemetry.models import ActionDraft, Outcome

_NEAREST = tuple(float(place == 0) for place in range(384))
_FARTHER = tuple(0.6 if place == 0 else 0.8 * (place == 1) for place in range(384))
_MANY = 450
_ALICE = ReadScope(user_id="alice")


@pytest.fixture
async def crowd(services, workspace_id) -> list[str]:
    """Save many of Bob's memories, nearer than Alice's and a shared one; return the ids of the last two."""
    drafts = [
        MemoryDraft(content=f"A piano, piano {number}", user_id="bob", embedding=_NEAREST, dedup=False)
        for number in range(_MANY)
    ]
    await services.memories.store.save_all(workspace_id, drafts)
    own = [
        MemoryDraft(content=text, user_id=user, embedding=_FARTHER, dedup=False)
        for text, user in (
            ("She keeps her old harp and a piano at home beside the window", "alice"),
            ("The hall downstairs has one grand piano for whoever asks", None),
        )
    ]
    receipts = await services.memories.store.save_all(workspace_id, own)
    return [receipt.memory.id for receipt in receipts]


@pytest.mark.parametrize("strategy", list(RecallStrategy))
async def test_memories_of_a_small_user_are_found_beside_a_large_one(
    services, workspace_id, crowd, strategy
) -> None:
    query = RecallQuery(query="piano", strategy=strategy, limit=10)

    with seeing(_ALICE):
        own = await services.retrieval.recall.recall(workspace_id, query)
    with seeing(_ALICE.model_copy(update={"include_shared": False})):
        hers_alone = await services.retrieval.recall.recall(workspace_id, query)

    assert {hit.memory.id for hit in own.hits} == set(crowd)
    assert [hit.memory.id for hit in hers_alone.hits] == crowd[:1]
    assert own.resolution.degraded == ()


async def test_a_memory_moved_to_another_user_is_found_by_that_user_only(
    services, workspace_id, crowd
) -> None:
    bulk = services.memories.bulk
    await bulk.change(
        workspace_id, Selection(ids=crowd[:1]), BulkChange(move_to=Owner(user_id="carol")), dry_run=False
    )

    found = {}
    for user in ("alice", "carol"):
        with seeing(ReadScope(user_id=user, include_shared=False)):
            query = RecallQuery(query="piano", strategy=RecallStrategy.EXACT, limit=10)
            result = await services.retrieval.recall.recall(workspace_id, query)
        found[user] = [hit.memory.id for hit in result.hits]

    assert found == {"alice": [], "carol": crowd[:1]}


async def test_a_run_of_a_small_user_is_found_beside_a_large_one(services, workspace_id) -> None:
    await services.tenancy.workspaces.update(workspace_id, memory_enabled=True)
    drafts = [
        ActionDraft(
            session_id=f"run-{number}",
            action_type="deploy",
            node_type="Service",
            outcome=Outcome.SUCCESS,
            user_id="alice" if number == 0 else "bob",
        )
        for number in range(300)
    ]
    await services.telemetry.recorder.record(workspace_id, drafts)

    with seeing(ReadScope(user_id="alice")):
        found = await services.telemetry.reader.search_sequences(workspace_id, "deploy", first=5)

    assert [hit.sequence.session_id for hit in found.page.items] == ["run-0"]
