"""Relations between memories with common entities, on the real server (D39, E1)."""

import asyncio

import pytest

from graph.knowledge.linking import service
from graph.knowledge.ontology.models import EntityDraft
from graph.memories.associations import removed_pairs
from graph.memories.models import Association, AssociationType, MemoryChange, MemoryDraft, MemoryState
from tests.fixtures.states import reached
from tests.fixtures.waiting import until


@pytest.fixture(autouse=True)
async def software(services, workspace_id) -> None:
    """Create the entities that the memories mention."""
    names = ("PostgreSQL", "Redis", "MongoDB", "Kafka")
    drafts = [EntityDraft(type="Software", name=name) for name in names]
    await services.knowledge.ontology.upsert_entities(workspace_id, drafts)


@pytest.fixture
def relations(services, workspace_id):
    """Return a function that returns a memory's associations."""

    async def relations(id_: str) -> list[Association]:
        return (await services.memories.associations.of_memories(workspace_id, [id_], first=100))[id_]

    return relations


async def idle(services, workspace_id) -> None:
    """Wait until no jobs are left."""

    async def is_idle() -> bool:
        return not (await services.core.jobs.page(workspace_id)).items

    await until(is_idle)


async def test_memories_with_a_common_entity_are_related(services, workspace_id, remember, relations) -> None:
    """D39, E1: by one edge for both; its strength is the share of the later memory's mentions."""
    first = await remember("Invoices are kept in PostgreSQL")
    await remember("Sessions are kept in Kafka")
    second = await remember("Moved the queue from Redis to PostgreSQL")
    await idle(services, workspace_id)

    (edge,) = await relations(first.id)
    assert (edge.type, edge.from_id, edge.to_id) == (AssociationType.RELATES_TO, second.id, first.id)
    assert edge.strength == pytest.approx(0.387, abs=0.001)
    assert await relations(second.id) == [edge]


async def test_a_removed_relation_is_not_created_again(services, workspace_id, remember, relations) -> None:
    """Issue 35.4: if either memory is linked again; other relations are created."""
    first = await remember("Invoices are kept in PostgreSQL")
    second = await remember("Moved the queue from Redis to PostgreSQL")
    await idle(services, workspace_id)
    (edge,) = await relations(first.id)
    await services.memories.associations.dissociate(workspace_id, edge.id)

    third = await remember("Backups of PostgreSQL are kept for a week")
    for memory in (first, second):
        change = MemoryChange(content=f"{memory.content}, since May")
        await services.memories.store.update(workspace_id, memory.id, change)
    await idle(services, workspace_id)

    found = {id_: await relations(id_) for id_ in (first.id, second.id)}
    assert {id_: [{each.from_id, each.to_id} - {id_} for each in edges] for id_, edges in found.items()} == {
        first.id: [{third.id}],
        second.id: [{third.id}],
    }


async def test_a_relation_removed_during_linking_stays_removed(
    services, workspace_id, remember, relations, monkeypatch
) -> None:
    """Issue 35.4: even if somebody removes it right after linking's first check."""
    first = await remember("Invoices are kept in PostgreSQL")
    await remember("Moved the queue from Redis to PostgreSQL")
    await idle(services, workspace_id)
    (edge,) = await relations(first.id)
    asked = []

    async def removed_meanwhile(runner, workspace_id, type_, pairs):
        found = await removed_pairs(runner, workspace_id, type_, pairs)
        asked.append(found)
        if len(asked) == 1:
            await services.memories.associations.dissociate(workspace_id, edge.id)
        return found

    monkeypatch.setattr(service, "removed_pairs", removed_meanwhile)
    change = MemoryChange(content=f"{first.content}, since May")
    await services.memories.store.update(workspace_id, first.id, change)
    await idle(services, workspace_id)

    assert asked[0] == frozenset()
    assert await relations(first.id) == []


async def test_concurrently_saved_memories_get_one_edge(services, workspace_id, relations) -> None:
    """E1: in either order of linking, and after repeated linking."""
    drafts = [
        MemoryDraft(content=f"Kafka carries the {name}", dedup=False) for name in ("orders", "invoices")
    ]
    saved = await asyncio.gather(*(services.memories.store.save(workspace_id, draft) for draft in drafts))
    ids = [receipt.memory.id for receipt in saved]
    await reached(services, workspace_id, ids, MemoryState.LINKED)
    await idle(services, workspace_id)

    (edge,) = await relations(ids[0])
    assert {edge.from_id, edge.to_id} == set(ids)


async def test_a_changed_text_loses_its_old_relations(services, workspace_id, remember, relations) -> None:
    """E1: the new text gets other relations."""
    kafka = await remember("Kafka carries the orders")
    redis = await remember("Redis holds the sessions")
    changing = await remember("Kafka was slow on Monday")
    await idle(services, workspace_id)
    assert len(await relations(kafka.id)) == 1

    change = MemoryChange(content="Redis was slow on Monday")
    await services.memories.store.update(workspace_id, changing.id, change)
    await idle(services, workspace_id)

    assert await relations(kafka.id) == []
    (edge,) = await relations(redis.id)
    assert {edge.from_id, edge.to_id} == {changing.id, redis.id}


async def test_an_edge_that_somebody_drew_stays_unchanged(
    services, workspace_id, remember, relations
) -> None:
    """E2: linking adds no second edge, and the edge outlives the common entity."""
    known = await remember("Kafka carries the orders")
    drawn = MemoryDraft(content="Nothing of the kind yet")
    later = (await services.memories.store.save(workspace_id, drawn)).memory
    own = await services.memories.associations.associate(
        workspace_id, from_id=later.id, to_id=known.id, type_="INVALIDATED_BY"
    )

    for content in ("Kafka carries nothing any more", "All of it was switched off"):
        await services.memories.store.update(workspace_id, later.id, MemoryChange(content=content))
        await idle(services, workspace_id)
        assert await relations(known.id) == [own]


async def test_an_edge_that_somebody_draws_again_is_theirs(
    services, workspace_id, remember, relations
) -> None:
    """E2: it has the caller's strength, and a change of the text keeps it."""
    known = await remember("Kafka carries the orders")
    later = await remember("Kafka was slow on Monday")
    await idle(services, workspace_id)
    own = await services.memories.associations.associate(
        workspace_id, from_id=later.id, to_id=known.id, type_="RELATES_TO", strength=0.75
    )

    await services.memories.store.update(workspace_id, later.id, MemoryChange(content="Nothing was slow"))
    await idle(services, workspace_id)

    assert await relations(known.id) == [own]
    assert own.strength == 0.75


async def test_other_owners_and_other_workspaces_are_not_related(
    services, workspace_id, other_workspace_id, relations
) -> None:
    """E1, I8: memories of different users are not related."""
    drafts = [
        MemoryDraft(content=f"Kafka carries the orders of {owner}", user_id=owner, dedup=False)
        for owner in ("ada", "ben")
    ]
    saved = await services.memories.store.save_all(workspace_id, drafts)
    await services.memories.store.save(other_workspace_id, MemoryDraft(content="Kafka carries orders"))
    await idle(services, workspace_id)

    assert [await relations(receipt.memory.id) for receipt in saved] == [[], []]


async def test_turns_of_a_conversation_are_not_related(services, workspace_id, remember, relations) -> None:
    """E1: the conversation connects them already."""
    memory = await remember("Kafka carries the orders")
    turn = await remember(
        "Kafka was slow on Monday", source_conversation_id="chat", source_message_id="message-1"
    )
    await idle(services, workspace_id)

    assert [await relations(each.id) for each in (memory, turn)] == [[], []]
