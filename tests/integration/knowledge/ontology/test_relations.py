"""Relations on the real server."""

import asyncio

import pytest

from graph.core.errors import InvalidInput, NotFound
from graph.knowledge.ontology.models import EntityDraft, EntityTypeDraft, RelationDraft, RelationTypeDraft
from graph.knowledge.ontology.names import relation_id


@pytest.fixture
async def ends(services, workspace_id):
    """Create two people and a team."""
    return await services.knowledge.ontology.upsert_entities(
        workspace_id,
        [
            EntityDraft(type="Person", name="Ada"),
            EntityDraft(type="Person", name="Bob"),
            EntityDraft(type="Team", name="Crew", key="crew-1"),
        ],
    )


async def test_ends_and_type_identify_a_relation(services, workspace_id, ends) -> None:
    """E7: an upsert changes the existing one; the id is made of its parts, so it needs no lookup."""
    ada, bob, _ = ends
    draft = RelationDraft(from_name=ada.id, to_name=bob.id, type="KNOWS", properties={"since": 2019, "x": 1})
    (drawn,) = await services.knowledge.ontology.upsert_relations(workspace_id, [draft])
    (again,) = await services.knowledge.ontology.upsert_relations(
        workspace_id, [RelationDraft(from_name=ada.id, to_name=bob.id, type="KNOWS", strength=0.25)]
    )
    (changed,) = await services.knowledge.ontology.upsert_relations(
        workspace_id, [RelationDraft(from_name=ada.id, to_name=bob.id, type="KNOWS", properties={"x": None})]
    )

    assert drawn.id == again.id == relation_id(ada.id, "KNOWS", bob.id)
    assert (drawn.strength, again.strength, changed.strength) == (1.0, 0.25, 0.25)
    assert again.properties == {"since": 2019, "x": 1}
    assert changed.properties == {"since": 2019}
    assert await services.knowledge.ontology.relations.find(workspace_id, drawn.id) == changed
    assert await services.knowledge.ontology.count_relations_by_type(workspace_id) == {"KNOWS": 1}


async def test_both_ends_see_a_relation_and_may_be_named_by_key(services, workspace_id, ends) -> None:
    ada, bob, crew = ends
    drafts = [
        RelationDraft(from_name="Person:ada", to_name="crew-1", type="MEMBER_OF", strength=0.5),
        RelationDraft(from_name=ada.id, to_name=bob.id, type="KNOWS", strength=0.75),
    ]
    member, knows = await services.knowledge.ontology.upsert_relations(workspace_id, drafts)

    seen = await services.knowledge.ontology.relations.of_entities(
        workspace_id, [ada.id, bob.id, crew.id], first=5
    )
    assert seen == {ada.id: [knows, member], bob.id: [knows], crew.id: [member]}
    assert (await services.knowledge.ontology.relations.of_entities(workspace_id, [ada.id], first=1))[
        ada.id
    ] == [knows]


async def test_a_relation_is_removed_once(services, workspace_id, ends) -> None:
    ada, bob, _ = ends
    (drawn,) = await services.knowledge.ontology.upsert_relations(
        workspace_id, [RelationDraft(from_name=ada.id, to_name=bob.id, type="KNOWS")]
    )

    assert await services.knowledge.ontology.relations.delete(workspace_id, drawn.id) is True
    assert await services.knowledge.ontology.relations.delete(workspace_id, drawn.id) is False
    assert await services.knowledge.ontology.relations.find(workspace_id, drawn.id) is None
    for malformed in ("", "rel_x", relation_id(ada.id, "MERGED_INTO", bob.id), "ent_" + "a" * 24):
        assert await services.knowledge.ontology.relations.delete(workspace_id, malformed) is False


async def test_a_relation_type_allows_subtypes_of_its_ends(services, workspace_id, ends) -> None:
    ada, bob, crew = ends
    types = services.knowledge.ontology.types
    await types.upsert_entity_types(
        workspace_id, [EntityTypeDraft(name="Agent"), EntityTypeDraft(name="Person", parent="Agent")]
    )
    await types.upsert_relation_types(
        workspace_id,
        [
            RelationTypeDraft(
                name="MEMBER_OF",
                from_types=("Agent",),
                to_types=("Team",),
                properties={"properties": {"role": {"type": "string"}}},
            )
        ],
    )

    async def refused(**fields) -> InvalidInput:
        with pytest.raises(InvalidInput) as error:
            await services.knowledge.ontology.upsert_relations(
                workspace_id, [RelationDraft(type="MEMBER_OF", **fields)]
            )
        return error.value

    assert (await refused(from_name=crew.id, to_name=crew.id)).field == "to"
    wrong = await refused(from_name=ada.id, to_name=bob.id)
    assert (wrong.field, wrong.message) == ("to", "to of MEMBER_OF must be of type Team, got Person")
    assert (await refused(from_name=ada.id, to_name=crew.id, properties={"role": 1})).field == "properties"
    assert (await refused(from_name=ada.id, to_name=crew.id, strength=1.01)).field == "strength"
    await services.knowledge.ontology.upsert_relations(
        workspace_id, [RelationDraft(from_name=ada.id, to_name=crew.id, type="MEMBER_OF")]
    )


async def test_no_relation_connects_two_workspaces(services, workspace_id, other_workspace_id, ends) -> None:
    """E15, E2: an end in another workspace counts as missing."""
    ada, bob, _ = ends
    (theirs,) = await services.knowledge.ontology.upsert_entities(
        other_workspace_id, [EntityDraft(type="Person", name="Eve")]
    )
    (ours,) = await services.knowledge.ontology.upsert_relations(
        workspace_id, [RelationDraft(from_name=ada.id, to_name=bob.id, type="KNOWS")]
    )

    for from_name, to_name, field in ((ada.id, theirs.id, "to"), (theirs.key, ada.id, "from")):
        with pytest.raises(NotFound) as refused:
            await services.knowledge.ontology.upsert_relations(
                workspace_id, [RelationDraft(from_name=from_name, to_name=to_name, type="KNOWS")]
            )
        assert refused.value.field == field
    assert await services.knowledge.ontology.relations.find(other_workspace_id, ours.id) is None
    assert await services.knowledge.ontology.relations.delete(other_workspace_id, ours.id) is False
    assert await services.knowledge.ontology.relations.of_entities(other_workspace_id, [ada.id], first=5) == {
        ada.id: []
    }
    assert await services.knowledge.ontology.relations.find(workspace_id, ours.id) == ours


async def test_concurrent_writers_create_one_relation(services, workspace_id, ends) -> None:
    """N10."""
    ada, bob, _ = ends
    drafts = [
        RelationDraft(from_name=ada.id, to_name=bob.id, type="KNOWS"),
        RelationDraft(from_name=bob.id, to_name=ada.id, type="KNOWS"),
    ]
    await asyncio.gather(
        *(services.knowledge.ontology.upsert_relations(workspace_id, drafts) for _ in range(6))
    )

    assert await services.knowledge.ontology.count_relations_by_type(workspace_id) == {"KNOWS": 2}
