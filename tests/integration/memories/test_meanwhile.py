"""Work that waits for a memory's lock and reads the memory again once it has it."""

import pytest

from graph.memories.bulk import BulkChange, Selection
from graph.memories.models import MemoryClearing, MemoryDraft, MemoryFilter, MemoryType, SaveOutcome
from tests.fixtures.graphs import OneOfEach, one_of_each
from tests.fixtures.locks import overtaken_by
from tests.fixtures.waiting import until

_CHANGES = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws, id: $id})
SET memory.type = 'Decision'"""
_LEAVES = """CYPHER 25
MATCH (memory:Memory {workspace_id: $ws, id: $id})
SET memory.workspace_id = $target, memory.dedup_key = null"""
_OF_THE_TYPE = MemoryFilter(types=(MemoryType.CONTEXT,))


@pytest.fixture
async def seeded(graph_driver) -> OneOfEach:
    return await one_of_each(graph_driver)


async def test_clearing_spares_memories_that_no_longer_match(services, graph_driver, seeded) -> None:
    """A30."""
    clearing = MemoryClearing(types=(MemoryType.CONTEXT,))
    spared = seeded.memory_ids[3]

    cleared = await overtaken_by(
        graph_driver,
        _CHANGES,
        services.memories.deletion.clear(seeded.workspace_id, clearing),
        ws=seeded.workspace_id,
        id=spared,
    )

    assert cleared == 3
    assert await services.memories.store.find(seeded.workspace_id, spared) is not None


@pytest.mark.parametrize("by_id", [False, True])
async def test_a_bulk_delete_spares_memories_that_no_longer_match(
    services, graph_driver, seeded, by_id
) -> None:
    """A30: with and without ids in the selection."""
    spared = seeded.memory_ids[3]
    selection = Selection(ids=(spared, seeded.memory_ids[0]) if by_id else (), filter=_OF_THE_TYPE)

    report = await overtaken_by(
        graph_driver,
        _CHANGES,
        services.memories.bulk.delete(seeded.workspace_id, selection),
        ws=seeded.workspace_id,
        id=spared,
    )

    assert report.changed == report.matched - 1
    assert await services.memories.store.find(seeded.workspace_id, spared) is not None


@pytest.mark.parametrize("by_id", [False, True])
async def test_a_bulk_change_spares_memories_that_no_longer_match(
    services, graph_driver, seeded, by_id
) -> None:
    """A30: with and without ids in the selection."""
    spared = seeded.memory_ids[3]
    selection = Selection(ids=(spared, seeded.memory_ids[0]) if by_id else (), filter=_OF_THE_TYPE)

    report = await overtaken_by(
        graph_driver,
        _CHANGES,
        services.memories.bulk.change(seeded.workspace_id, selection, BulkChange(add_tags=("swept",))),
        ws=seeded.workspace_id,
        id=spared,
    )

    assert report.changed == report.matched - 1
    assert "swept" not in (await services.memories.store.get(seeded.workspace_id, spared)).tags


async def test_a_successor_may_move_away_before_its_draft_is_replaced(
    services, graph_driver, workspace_id, other_workspace_id
) -> None:
    """A21, A32: the draft then becomes a new memory, and the caller gets no id that they do not know."""
    draft = MemoryDraft(content="The ferry to Texel sails every hour")
    known = (await services.memories.store.save(workspace_id, draft)).memory

    async def is_settled() -> bool:
        return not (await services.core.jobs.page(workspace_id)).items

    await until(is_settled)
    again = draft.model_copy(update={"merges": True, "tags": ("travel",)})

    saved = await overtaken_by(
        graph_driver,
        _LEAVES,
        services.memories.store.save(workspace_id, again),
        ws=workspace_id,
        id=known.id,
        target=other_workspace_id,
    )

    assert saved.outcome is SaveOutcome.CREATED
    assert saved.memory.id != known.id
