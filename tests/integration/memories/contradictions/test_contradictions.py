"""Pairs of contradicting memories on the real server, for a person to decide."""

import pytest

from graph.core.errors import InvalidInput
from graph.memories.models import AssociationType, MemoryDraft, MemoryState
from tests.fixtures.waiting import until


async def saved(services, workspace_id, *contents: str, **fields) -> list[str]:
    """Save memories one after another and return their ids once they are embedded."""
    store = services.memories.store
    ids = [
        (await store.save(workspace_id, MemoryDraft(content=content, **fields))).memory.id
        for content in contents
    ]

    async def are_embedded() -> bool:
        found = await store.find_all(workspace_id, ids)
        return all(memory.state in {MemoryState.EMBEDDED, MemoryState.LINKED} for memory in found.values())

    await until(are_embedded)
    return ids


async def found(services, workspace_id, **options) -> list[tuple[str, str]]:
    """Return the pairs as ids of the newer and the older memory."""
    pairs = await services.memories.contradictions.latest(workspace_id, **options)
    return [(pair.newer.id, pair.older.id) for pair in pairs]


async def test_contradicting_memories_are_listed_newer_first(services, workspace_id) -> None:
    """Issue 17: each pair once, even in repeated requests; merely similar memories are not listed."""
    old, _, new = await saved(
        services,
        workspace_id,
        "Ada is allergic to peanuts",
        "Ada is allergic to walnuts",
        "Ada is not allergic to peanuts",
    )

    assert await found(services, workspace_id) == [(new, old)]
    assert await found(services, workspace_id) == [(new, old)]


async def test_an_associated_pair_is_no_longer_listed(services, workspace_id) -> None:
    """Issue 17: or if one of them is deleted."""
    memories = services.memories
    one, two = await saved(services, workspace_id, "The launch is on March 15", "The launch is on April 1")
    three, four = await saved(
        services, workspace_id, "The timeout is 30 seconds", "The timeout is 45 seconds"
    )
    assert await found(services, workspace_id) == [(four, three), (two, one)]

    await memories.deletion.delete(workspace_id, three)
    await memories.associations.associate(
        workspace_id, from_id=two, to_id=one, type_=AssociationType.CONTRADICTS, strength=1.0
    )

    assert await found(services, workspace_id) == []


async def test_a_superseded_memory_contradicts_nothing_while_its_successor_exists(
    services, workspace_id
) -> None:
    """Issue 17."""
    memories = services.memories
    old, new, successor = await saved(
        services,
        workspace_id,
        "Ada is allergic to peanuts",
        "Ada is not allergic to peanuts",
        "Nobody knows what Ada may eat",
    )
    for each in (old, new):
        await memories.associations.associate(
            workspace_id, from_id=each, to_id=successor, type_=AssociationType.INVALIDATED_BY
        )
        assert await found(services, workspace_id) == []

    await memories.deletion.delete(workspace_id, successor)

    assert await found(services, workspace_id) == [(new, old)]


async def test_different_speakers_and_workspaces_do_not_contradict(
    services, workspace_id, other_workspace_id
) -> None:
    """I1."""
    await saved(services, workspace_id, "Ada likes tea", user_id="ada")
    await saved(services, workspace_id, "Ada dislikes tea", user_id="bob")
    await saved(services, other_workspace_id, "Ada dislikes tea", user_id="ada")

    assert await found(services, workspace_id) == []
    assert await found(services, other_workspace_id) == []


async def test_the_limit_sets_the_number_of_contradictions(services, workspace_id) -> None:
    await saved(services, workspace_id, "The launch is on March 15", "The launch is on April 1")
    three, four = await saved(
        services, workspace_id, "The timeout is 30 seconds", "The timeout is 45 seconds"
    )

    assert await found(services, workspace_id, first=1) == [(four, three)]
    with pytest.raises(InvalidInput, match="first must be between"):
        await found(services, workspace_id, first=0)
