"""Refused merges: their result would be invalid or too large."""

import pytest

from graph.core.errors import Conflict, InvalidInput
from graph.knowledge import merging as limits
from graph.knowledge.ontology.models import EntityDraft, EntityTypeDraft, RelationTypeDraft
from tests.fixtures.graphs import run
from tests.fixtures.relations import relate

_NO_TYPES = "CYPHER 25 MATCH (type:EntityType {workspace_id: $ws}) DETACH DELETE type"


async def test_a_merge_whose_properties_nobody_could_write_is_refused(
    services, workspace_id, companies
) -> None:
    """Nobody could edit the entity any more; a violation that existed before does not prevent a merge."""
    ontology, merge = services.knowledge.ontology, services.knowledge.merging.merge
    one, two, plain = await companies(IBM=None, Ibm2=None, Ibm3=None)

    async def describe(name: str, properties: dict) -> None:
        draft = EntityDraft(type="Company", name=name, properties=properties)
        await ontology.upsert_entities(workspace_id, [draft])

    async def refusal() -> tuple[str | None, str]:
        with pytest.raises(InvalidInput) as refused:
            await merge(workspace_id, from_id=two.id, into_id=one.id)
        assert refused.value.message.endswith("change or remove properties of one of them first")
        return refused.value.field, refused.value.message

    await describe("IBM", {f"a{number}": "x" * 400 for number in range(12)})
    await describe("Ibm2", {f"b{number}": "x" * 400 for number in range(12)})
    field, message = await refusal()
    assert (field, "at most 8192" in message) == ("from", True)
    await describe("IBM", {f"a{number}": None for number in range(12)})
    schema = {"properties": {"a1": {"type": "integer"}}, "additionalProperties": False}
    await ontology.types.upsert_entity_types(
        workspace_id, [EntityTypeDraft(name="Company", properties=schema)]
    )
    field, message = await refusal()
    assert (field, "Company 'IBM'" in message) == ("from", True)
    assert await ontology.find(workspace_id, id_=two.id) is not None

    await merge(workspace_id, from_id=plain.id, into_id=two.id)


@pytest.mark.parametrize("is_outgoing", [True, False])
async def test_a_merge_that_draws_a_relation_that_the_registry_forbids_is_refused(
    services, workspace_id, is_outgoing
) -> None:
    """E7: upsertRelations would refuse it."""
    ontology, merge = services.knowledge.ontology, services.knowledge.merging.merge
    drafts = [EntityDraft(type=type_, name=type_) for type_ in ("Team", "Person", "Service", "Group")]
    team, person, service, group = await ontology.upsert_entities(workspace_id, drafts)
    await ontology.types.upsert_entity_types(workspace_id, [EntityTypeDraft(name="Group", parent="Team")])
    ends = {"from_types": ("Team",)} if is_outgoing else {"to_types": ("Team",)}
    await ontology.types.upsert_relation_types(workspace_id, [RelationTypeDraft(name="OWNS", **ends)])
    other = (team, "OWNS", service) if is_outgoing else (service, "OWNS", team)
    await relate(services, workspace_id, other, (team, "KNOWS", person))

    with pytest.raises(InvalidInput) as refused:
        await merge(workspace_id, from_id=team.id, into_id=person.id)

    end = "from" if is_outgoing else "to"
    assert refused.value.field == "from"
    assert refused.value.message == (
        f"once merged, {end} of OWNS must be of type Team, got Person; remove these relations of {team.id} or change "
        "its type first"
    )
    assert await ontology.find(workspace_id, id_=team.id) is not None
    await merge(workspace_id, from_id=team.id, into_id=group.id)


async def test_merging_a_hub_is_refused(services, workspace_id, companies, monkeypatch) -> None:
    """One transaction would contain all its edges; a merge in the other direction has few."""
    monkeypatch.setattr(limits, "MOST_TAKEN_OVER", 2)
    hub, other, ada, bob, eve = await companies(IBM=None, Ibm2=None, Ada=None, Bob=None, Eve=None)
    await relate(services, workspace_id, *((person, "WORKS_AT", hub) for person in (ada, bob, eve)))

    with pytest.raises(InvalidInput, match="more than 2 ") as refused:
        await services.knowledge.merging.merge(workspace_id, from_id=hub.id, into_id=other.id)

    assert refused.value.field == "from"
    await services.knowledge.merging.merge(workspace_id, from_id=other.id, into_id=hub.id)


async def test_a_merge_into_an_entity_without_a_valid_type_is_refused(
    services, workspace_id, companies, graph_driver
) -> None:
    """The merge would write nothing of the duplicate, yet hide it."""
    one, two = await companies(IBM=None, Ibm2=None)
    await run(graph_driver, _NO_TYPES, ws=workspace_id)

    with pytest.raises(Conflict) as refused:
        await services.knowledge.merging.merge(workspace_id, from_id=two.id, into_id=one.id)

    assert refused.value.field == "into"
    assert await services.knowledge.ontology.find(workspace_id, id_=two.id) is not None
