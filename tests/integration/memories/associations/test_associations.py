"""Associations between memories: created, changed, listed and removed, never across workspaces."""

import asyncio

import pytest

from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.memories.models import AssociationType, MemoryDraft


@pytest.fixture
async def pair(services, workspace_id) -> tuple[str, str]:
    """Save two memories and return their ids."""
    receipts = await services.memories.store.save_all(
        workspace_id, [MemoryDraft(content="Ada likes tea"), MemoryDraft(content="Ada likes coffee")]
    )
    return receipts[0].memory.id, receipts[1].memory.id


async def edges_of(services, workspace_id, id_, first=100):
    return (await services.memories.associations.of_memories(workspace_id, [id_], first=first))[id_]


@pytest.mark.parametrize("type_", list(AssociationType))
async def test_an_association_is_seen_from_both_ends_until_it_is_removed(
    services, workspace_id, pair, type_
) -> None:
    """E1, E2."""
    one, other = pair
    drawn = await services.memories.associations.associate(
        workspace_id, from_id=one, to_id=other, type_=type_, strength=0.75
    )

    assert (drawn.from_id, drawn.to_id, drawn.type, drawn.strength) == (one, other, type_, 0.75)
    assert await edges_of(services, workspace_id, one) == [drawn]
    assert await edges_of(services, workspace_id, other) == [drawn]
    assert await services.memories.associations.dissociate(workspace_id, drawn.id) is True
    assert await services.memories.associations.dissociate(workspace_id, drawn.id) is False
    assert await edges_of(services, workspace_id, one) == []


async def test_a_removed_association_is_restored_only_on_request(
    services, workspace_id, other_workspace_id, pair
) -> None:
    """Issue 35.4: for this type, direction and workspace; only an import needs the request."""
    edges = services.memories.associations
    one, other = pair
    drawn = await edges.associate(workspace_id, from_id=one, to_id=other, type_="LEADS_TO")
    assert await edges.dissociate(other_workspace_id, drawn.id) is False
    await edges.dissociate(workspace_id, drawn.id)

    with pytest.raises(Conflict, match="LEADS_TO was deleted in this workspace") as refused:
        await edges.associate(
            workspace_id, from_id=one, to_id=other, type_="LEADS_TO", restores_deleted=False
        )

    assert refused.value.field == "restoreDeleted"
    assert await edges_of(services, workspace_id, one) == []
    for ends, type_ in (((other, one), "LEADS_TO"), ((one, other), "PART_OF")):
        await edges.associate(
            workspace_id, from_id=ends[0], to_id=ends[1], type_=type_, restores_deleted=False
        )
    again = await edges.associate(workspace_id, from_id=one, to_id=other, type_="LEADS_TO")
    imported = await edges.associate(
        workspace_id, from_id=one, to_id=other, type_="LEADS_TO", restores_deleted=False
    )
    assert imported == again


async def test_a_repeated_associate_changes_the_strength(services, workspace_id, pair) -> None:
    """E2: the default strength is 0.5; without a strength it stays. Direction and type identify an edge."""
    one, other = pair

    async def draw(from_id, to_id, type_="RELATES_TO", strength=None):
        return await services.memories.associations.associate(
            workspace_id, from_id=from_id, to_id=to_id, type_=type_, strength=strength
        )

    first = await draw(one, other)
    assert first.strength == 0.5
    assert await draw(one, other, strength=0.0) == first.model_copy(update={"strength": 0.0})
    assert await draw(one, other) == first.model_copy(update={"strength": 0.0})
    back = await draw(other, one, strength=1.0)
    typed = await draw(one, other, "EVOLVED_INTO", 0.25)
    assert [edge.id for edge in await edges_of(services, workspace_id, one)] == [
        back.id, typed.id, first.id,
    ]  # fmt: skip
    assert [edge.id for edge in await edges_of(services, workspace_id, one, first=1)] == [back.id]


async def test_concurrent_writers_create_one_edge(services, workspace_id, pair) -> None:
    """E2: its strength is one of those given."""
    strengths = [number / 10 for number in range(10)]

    drawn = await asyncio.gather(
        *(
            services.memories.associations.associate(
                workspace_id, from_id=pair[0], to_id=pair[1], type_="DERIVED_FROM", strength=strength
            )
            for strength in strengths
        )
    )

    assert len({edge.id for edge in drawn}) == 1
    (edge,) = await edges_of(services, workspace_id, pair[0])
    assert edge.strength in strengths


async def test_both_ends_must_live_in_the_workspace(services, workspace_id, other_workspace_id, pair) -> None:
    """E2, E15: a missing, foreign or deleted memory gives the same error."""
    one, other = pair
    theirs = (await services.memories.store.save(other_workspace_id, MemoryDraft(content="theirs"))).memory.id
    deleted = (await services.memories.store.save(workspace_id, MemoryDraft(content="to delete"))).memory.id
    await services.memories.deletion.delete(workspace_id, deleted)

    for missing in ("mem_missing", theirs, deleted):
        for ends, field in (((one, missing), "toId"), ((missing, other), "fromId")):
            with pytest.raises(NotFound) as refused:
                await services.memories.associations.associate(
                    workspace_id, from_id=ends[0], to_id=ends[1], type_="RELATES_TO"
                )
            assert refused.value.field == field
    assert await edges_of(services, workspace_id, one) == []
    assert await edges_of(services, other_workspace_id, theirs) == []


async def test_an_edge_of_another_workspace_is_not_removed(
    services, workspace_id, other_workspace_id, pair
) -> None:
    """E15, I8."""
    drawn = await services.memories.associations.associate(
        workspace_id, from_id=pair[0], to_id=pair[1], type_="RELATES_TO"
    )

    assert await services.memories.associations.dissociate(other_workspace_id, drawn.id) is False
    assert await edges_of(services, workspace_id, pair[0]) == [drawn]


async def test_an_error_names_the_invalid_field(services, workspace_id, pair) -> None:
    """E2."""
    one, other = pair
    for ends, type_, strength, field in (
        ((one, other), "PREVIOUS", 0.5, "type"),
        ((one, other), "related to", 0.5, "type"),
        ((one, other), "RELATES_TO", 1.01, "strength"),
        ((one, other), "RELATES_TO", float("nan"), "strength"),
        ((one, one), "RELATES_TO", 0.5, "toId"),
    ):
        with pytest.raises(InvalidInput) as refused:
            await services.memories.associations.associate(
                workspace_id, from_id=ends[0], to_id=ends[1], type_=type_, strength=strength
            )
        assert refused.value.field == field
    for first in (0, 101):
        with pytest.raises(InvalidInput) as refused:
            await edges_of(services, workspace_id, one, first=first)
        assert refused.value.field == "first"
    assert await edges_of(services, workspace_id, one) == []


async def test_a_softly_deleted_end_hides_its_edge_until_it_is_restored(services, workspace_id, pair) -> None:
    """E2, A30."""
    one, other = pair
    drawn = await services.memories.associations.associate(
        workspace_id, from_id=one, to_id=other, type_="INVALIDATED_BY"
    )

    await services.memories.deletion.delete(workspace_id, other)
    assert await edges_of(services, workspace_id, one) == []
    await services.memories.store.restore(workspace_id, other)
    assert await edges_of(services, workspace_id, one) == [drawn]
