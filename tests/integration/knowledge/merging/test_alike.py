"""Suggestions of duplicate entities on the real server, for a person to decide."""

import pytest

from graph.core.errors import InvalidInput
from graph.knowledge.ontology.models import EntityDraft


async def written(services, workspace_id, *names: str, type_: str = "Service") -> list[str]:
    """Create entities one after another and return their ids."""
    upsert = services.knowledge.ontology.upsert_entities
    return [
        (await upsert(workspace_id, [EntityDraft(type=type_, name=name, key=f"{type_}/{place}")]))[0].id
        for place, name in enumerate(names)
    ]


async def found(services, workspace_id, **options) -> list[tuple[str, str]]:
    """Return the suggestions as ids of the entity and its duplicate."""
    pairs = await services.knowledge.merging.alike(workspace_id, **options)
    return [(pair.entity.id, pair.duplicate.id) for pair in pairs]


async def test_names_that_differ_by_hyphens_alone_are_found(
    services, workspace_id, other_workspace_id
) -> None:
    """Issue 17: within one type and workspace, latest first."""
    one, two, _, three = await written(
        services, workspace_id, "Checkout service", "Checkout-service", "Billing", "checkoutservice"
    )
    await written(services, workspace_id, "Checkout service", type_="Team")
    await written(services, other_workspace_id, "Billing")

    assert await found(services, workspace_id) == [(one, three), (one, two)]
    assert await found(services, workspace_id, first=1) == [(one, three)]
    assert await found(services, other_workspace_id) == []
    with pytest.raises(InvalidInput, match="first must be between"):
        await found(services, workspace_id, first=0)


@pytest.mark.parametrize("newer_is_merged", [True, False])
async def test_entities_merged_or_separated_before_are_not_suggested(
    services, workspace_id, newer_is_merged
) -> None:
    """Issue 17: in either direction."""
    merging = services.knowledge.merging
    one, two = await written(services, workspace_id, "Checkout service", "Checkout-service")
    if not newer_is_merged:
        one, two = two, one

    merge = await merging.merge(workspace_id, from_id=two, into_id=one)
    assert await found(services, workspace_id) == []
    await merging.undo(workspace_id, merge.id)
    assert await found(services, workspace_id) == []


async def test_the_same_name_comes_first_and_nothing_unlike_at_all(services, workspace_id) -> None:
    """Issue 36, point 6: even behind a later duplicate; separators between digits and other types differ."""
    maya, same, bare, later = await written(
        services, workspace_id, "Maya Chen", "maya chen", "Checkout service", "Checkout-service"
    )
    await written(services, workspace_id, "Python 3.1", "Python 31", "Maya Cheng", type_="Software")
    await written(services, workspace_id, "Checkout service", type_="Team")

    assert await found(services, workspace_id) == [(maya, same), (bare, later)]


async def test_an_unclassified_entity_is_suggested_for_one_with_a_type(services, workspace_id) -> None:
    """Issue 36, point 6: an unclassified entity with a custom key stays separate and is suggested."""
    (thing,) = await written(services, workspace_id, "Maya Chen", type_="Thing")
    (person,) = await written(services, workspace_id, "Maya Chen", type_="Person")

    assert await found(services, workspace_id) == [(thing, person)]
