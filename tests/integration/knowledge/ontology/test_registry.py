"""The type registry on the real server: explicit and implicit types, their rules, and their deletion."""

import pytest

from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.knowledge.models import ConnectionChange
from graph.knowledge.ontology.models import EntityDraft, EntityTypeDraft, RelationDraft, RelationTypeDraft

PORT = {"properties": {"port": {"type": "integer", "minimum": 1}}, "required": ["port"]}


async def test_the_first_use_creates_a_type_with_an_open_schema(services, workspace_id) -> None:
    """E7."""
    ada, bob = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Person", name="Ada"), EntityDraft(type="Person", name="Bob")]
    )
    await services.knowledge.ontology.upsert_relations(
        workspace_id, [RelationDraft(from_name=ada.id, to_name=bob.id, type="KNOWS")]
    )

    registry = await services.knowledge.ontology.types.read(workspace_id)
    assert [(name, dict(type_.properties)) for name, type_ in registry.entity_types.items()] == [
        ("Person", {})
    ]
    assert [(name, dict(type_.properties)) for name, type_ in registry.relation_types.items()] == [
        ("KNOWS", {})
    ]


async def test_a_strict_registry_refuses_unknown_types(services, workspace_id) -> None:
    """E7: the workspace's setting decides."""
    await services.tenancy.workspaces.update(workspace_id, settings={"ontologyStrict": True})
    await services.knowledge.ontology.types.upsert_entity_types(
        workspace_id, [EntityTypeDraft(name="Person")]
    )

    ada, bob = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Person", name="Ada"), EntityDraft(type="Person", name="Bob")]
    )
    with pytest.raises(InvalidInput) as entity:
        await services.knowledge.ontology.upsert_entities(
            workspace_id, [EntityDraft(type="Robot", name="R2")]
        )
    with pytest.raises(InvalidInput) as relation:
        await services.knowledge.ontology.upsert_relations(
            workspace_id, [RelationDraft(from_name=ada.id, to_name=bob.id, type="KNOWS")]
        )

    assert (entity.value.field, relation.value.field) == ("type", "type")
    assert "Robot" in entity.value.message
    assert list((await services.knowledge.ontology.types.read(workspace_id)).relation_types) == []


async def test_properties_must_match_the_schema_of_the_type_and_its_ancestors(services, workspace_id) -> None:
    """E7."""
    await services.knowledge.ontology.types.upsert_entity_types(
        workspace_id,
        [
            EntityTypeDraft(
                name="Service", parent="Thing", properties={"properties": {"tier": {"enum": ["a", "b"]}}}
            ),
            EntityTypeDraft(name="Thing", properties=PORT),
        ],
    )

    async def problem(properties: dict) -> str:
        draft = EntityDraft(type="Service", name="Payments", properties=properties)
        try:
            await services.knowledge.ontology.upsert_entities(workspace_id, [draft])
        except InvalidInput as error:
            return error.message
        return ""

    assert await problem({}) == "properties of Service 'Payments': 'port' is a required property"
    assert (
        await problem({"port": "x"}) == "properties.port of Service 'Payments': 'x' is not of type 'integer'"
    )
    assert await problem({"port": 1, "tier": "c"}) == (
        "properties.tier of Service 'Payments': 'c' is not one of ['a', 'b']"
    )
    assert await problem({"port": 1, "tier": "a"}) == ""
    assert await problem({"tier": "b"}) == ""  # merged with the stored properties
    assert await problem({"port": None}) == "properties of Service 'Payments': 'port' is a required property"


async def test_an_update_of_a_type_changes_the_given_fields(services, workspace_id) -> None:
    types = services.knowledge.ontology.types
    (first,) = await types.upsert_entity_types(
        workspace_id, [EntityTypeDraft(name="Thing", description="a thing", properties=PORT)]
    )
    (same,) = await types.upsert_entity_types(workspace_id, [EntityTypeDraft(name="Thing")])
    (opened,) = await types.upsert_entity_types(
        workspace_id, [EntityTypeDraft(name="Thing", description=None, properties=None)]
    )

    assert (same.id, same.description, same.properties) == (first.id, "a thing", PORT)
    assert (opened.id, opened.description, opened.properties) == (first.id, None, {})


@pytest.mark.parametrize(
    ("drafts", "field"),
    [
        ([{"name": "Memory"}], "name"),
        ([{"name": "Searchable"}], "name"),
        ([{"name": "lower"}], "name"),
        ([{"name": "With Space"}], "name"),
        ([{"name": "X" * 65}], "name"),
        ([{"name": "A", "parent": "Nothing"}], "parent"),
        ([{"name": "A", "parent": "A"}], "parent"),
        ([{"name": "A", "parent": "B"}, {"name": "B", "parent": "A"}], "parent"),
        ([{"name": "A", "description": "x" * 501}], "description"),
        ([{"name": "A", "properties": {"age": {"type": "integer"}}}], "properties"),
        ([{"name": "A", "properties": {"type": "array"}}], "properties"),
        ([{"name": "A", "properties": {"properties": {"x": {"type": "number!"}}}}], "properties"),
        ([], "inputs"),
    ],
    ids=repr,
)
async def test_an_invalid_entity_type_is_refused(services, workspace_id, drafts, field) -> None:
    with pytest.raises(InvalidInput) as refused:
        await services.knowledge.ontology.types.upsert_entity_types(
            workspace_id, [EntityTypeDraft(**draft) for draft in drafts]
        )

    assert refused.value.field == field
    assert (await services.knowledge.ontology.types.read(workspace_id)).entity_types == {}


@pytest.mark.parametrize(
    ("draft", "field"),
    [
        ({"name": "MENTIONS"}, "name"),
        ({"name": "PART_OF"}, "name"),
        ({"name": "knows"}, "name"),
        ({"name": "A__B"}, "name"),
        ({"name": "KNOWS]->() DELETE x"}, "name"),
        ({"name": "KNOWS", "from_types": ("Nothing",)}, "fromTypes"),
        ({"name": "KNOWS", "to_types": ("Nothing",)}, "toTypes"),
        ({"name": "KNOWS", "properties": {"$ref": "#"}}, "properties"),
    ],
    ids=repr,
)
async def test_an_invalid_relation_type_is_refused(services, workspace_id, draft, field) -> None:
    with pytest.raises(InvalidInput) as refused:
        await services.knowledge.ontology.types.upsert_relation_types(
            workspace_id, [RelationTypeDraft(**draft)]
        )

    assert refused.value.field == field


async def test_parents_cannot_form_a_cycle(services, workspace_id) -> None:
    types = services.knowledge.ontology.types
    await types.upsert_entity_types(
        workspace_id,
        [
            EntityTypeDraft(name="A"),
            EntityTypeDraft(name="B", parent="A"),
            EntityTypeDraft(name="C", parent="B"),
        ],
    )

    with pytest.raises(InvalidInput):
        await types.upsert_entity_types(workspace_id, [EntityTypeDraft(name="A", parent="C")])
    await types.upsert_entity_types(workspace_id, [EntityTypeDraft(name="C", parent="A")])

    registry = await types.read(workspace_id)
    assert registry.lineage("C") == ["C", "A"]
    assert set(registry.with_subtypes(["A"])) == {"A", "B", "C"}
    assert registry.with_subtypes(["B", "Unknown"]) == ["B", "Unknown"]


async def test_an_unused_type_can_be_deleted(services, workspace_id) -> None:
    types = services.knowledge.ontology.types
    await types.upsert_entity_types(
        workspace_id, [EntityTypeDraft(name="Thing"), EntityTypeDraft(name="Service", parent="Thing")]
    )
    await types.upsert_relation_types(workspace_id, [RelationTypeDraft(name="NEEDS", to_types=("Service",))])
    one, two = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Service", name="a"), EntityDraft(type="Service", name="b")]
    )
    (edge,) = await services.knowledge.ontology.upsert_relations(
        workspace_id, [RelationDraft(from_name=one.id, to_name=two.id, type="NEEDS")]
    )

    with pytest.raises(Conflict, match="subtypes"):
        await types.delete_entity_type(workspace_id, "Thing")
    with pytest.raises(Conflict, match="entities"):
        await types.delete_entity_type(workspace_id, "Service")
    with pytest.raises(Conflict, match="relations"):
        await types.delete_relation_type(workspace_id, "NEEDS")
    await services.knowledge.ontology.relations.delete(workspace_id, edge.id)
    assert await types.delete_relation_type(workspace_id, "NEEDS") is True
    assert await types.delete_relation_type(workspace_id, "NEEDS") is False
    assert await types.delete_entity_type(workspace_id, "Nothing") is False


async def test_a_type_of_restorable_entities_is_not_deleted(services, workspace_id) -> None:
    """E7: a restored entity keeps its type and relations; the refusal names the blocking records."""
    ontology = services.knowledge.ontology
    one, two, three = await ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Service", name=name) for name in ("a", "b", "c")]
    )
    await ontology.upsert_relations(
        workspace_id,
        [
            RelationDraft(from_name=one.id, to_name=two.id, type="NEEDS"),
            RelationDraft(from_name=two.id, to_name=three.id, type="NEEDS"),
        ],
    )

    async def refusals() -> list[str]:
        found = []
        for delete, name in (
            (ontology.types.delete_entity_type, "Service"),
            (ontology.types.delete_relation_type, "NEEDS"),
        ):
            with pytest.raises(Conflict) as refused:
                await delete(workspace_id, name)
            found.append(refused.value.message.removeprefix(f"type {name} cannot be deleted: there are "))
        return found

    await ontology.delete(workspace_id, one.id)
    assert await refusals() == [
        "entities of it: 2 live, 1 deleted but restorable, 0 merged into others",
        (
            "relations of it: 1 between live entities, 1 of deleted or merged entities, "
            "which restoring an entity brings back"
        ),
    ]
    await services.knowledge.merging.merge(workspace_id, from_id=two.id, into_id=three.id)
    await ontology.delete(workspace_id, three.id)
    assert (await refusals())[0] == "entities of it: 0 live, 2 deleted but restorable, 1 merged into others"
    assert (await ontology.restore(workspace_id, one.id)).type == "Service"


async def test_types_are_separate_for_each_workspace(services, workspace_id, other_workspace_id) -> None:
    """E15: one tenant's schema does not apply to another."""
    types = services.knowledge.ontology.types
    await types.upsert_entity_types(workspace_id, [EntityTypeDraft(name="Service", properties=PORT)])

    await services.knowledge.ontology.upsert_entities(
        other_workspace_id, [EntityDraft(type="Service", name="x")]
    )

    assert await types.delete_entity_type(other_workspace_id, "Missing") is False
    assert (await types.read(workspace_id)).entity_types["Service"].properties == PORT
    assert (await types.read(other_workspace_id)).entity_types["Service"].properties == {}
    with pytest.raises(NotFound):
        await types.is_strict("ws_missing")


async def test_a_deleted_workspace_registers_no_types(services) -> None:
    """E7, E9: and no connections."""
    types, gone = services.knowledge.ontology.types, "ws_gone"

    for refused in (
        types.upsert_entity_types(gone, [EntityTypeDraft(name="Service")]),
        types.upsert_relation_types(gone, [RelationTypeDraft(name="NEEDS")]),
        services.knowledge.connections.upsert(gone, "crm", ConnectionChange(kind="crm")),
    ):
        with pytest.raises(NotFound) as error:
            await refused
        assert error.value.field == "workspaceId"

    registry = await types.read(gone)
    assert (registry.entity_types, registry.relation_types) == ({}, {})
    assert (await services.knowledge.connections.page(gone)).items == []
