"""Entities on the real server: created, changed, hidden, restored and listed."""

import asyncio

import pytest

from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.knowledge.ontology.models import (
    Entity,
    EntityDraft,
    EntityFilter,
    EntityTypeDraft,
    RelationDraft,
    RelationTypeDraft,
)
from tests.fixtures.graphs import run

PAYMENTS = EntityDraft(type="Service", name="Payments", description="Takes money", aliases=("pay",))


async def node(graph_driver, id_: str) -> dict:
    """Return labels and properties of an entity's node."""
    result = await run(
        graph_driver,
        "MATCH (n:Entity {id: $id}) RETURN labels(n) AS labels, properties(n) AS properties",
        id=id_,
    )
    (record,) = result.records
    return record.data()


def told(entity: Entity) -> dict:
    """Return the entity without its state, which changes when it is embedded."""
    return entity.model_dump(exclude={"state"})


async def test_a_repeated_upsert_keeps_the_node(services, workspace_id) -> None:
    """E7: the key consists of type and normalised name."""
    (first,) = await services.knowledge.ontology.upsert_entities(workspace_id, [PAYMENTS])
    (again,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Service", name=" payments\u00a0", summary="pays")]
    )

    assert again.id == first.id
    assert (first.key, again.key) == ("Service:payments", "Service:payments")
    assert (again.name, again.aliases, again.description, again.summary) == (
        "payments",
        ("pay",),
        "Takes money",
        "pays",
    )
    assert await services.knowledge.ontology.count(workspace_id, EntityFilter()) == 1
    assert told(await services.knowledge.ontology.get(workspace_id, first.id)) == told(again)


async def test_the_type_is_a_label_of_the_node_and_follows_its_change(
    services, workspace_id, graph_driver
) -> None:
    """E6."""
    (entity,) = await services.knowledge.ontology.upsert_entities(workspace_id, [PAYMENTS])
    assert set((await node(graph_driver, entity.id))["labels"]) == {"Entity", "Searchable", "Service"}

    (changed,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(id=entity.id, type="Team", name="Payments")]
    )

    assert (changed.id, changed.key) == (entity.id, "Team:payments")
    stored = await node(graph_driver, entity.id)
    assert set(stored["labels"]) == {"Entity", "Searchable", "Team"}
    assert stored["properties"]["type"] == "Team"


async def test_a_type_that_conflicts_with_relations_is_refused(services, workspace_id) -> None:
    """E7: upsertRelations would refuse such a relation."""
    ontology = services.knowledge.ontology
    ada, ibm = await ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Person", name="Ada"), EntityDraft(type="Company", name="IBM")]
    )
    await ontology.types.upsert_entity_types(
        workspace_id, [EntityTypeDraft(name="Founder", parent="Person"), EntityTypeDraft(name="Place")]
    )
    await ontology.types.upsert_relation_types(
        workspace_id, [RelationTypeDraft(name="OWNS", from_types=("Person",), to_types=("Company",))]
    )
    drawn = [RelationDraft(from_name=ada.id, to_name=ibm.id, type=type_) for type_ in ("OWNS", "KNOWS")]
    await ontology.upsert_relations(workspace_id, drawn)

    async def refusal(*drafts: EntityDraft) -> tuple[str | None, str]:
        with pytest.raises(InvalidInput) as refused:
            await ontology.upsert_entities(workspace_id, drafts)
        return refused.value.field, refused.value.message

    swapped = [
        EntityDraft(id=ibm.id, type="Founder", name="IBM"), EntityDraft(id=ada.id, type="Company", name="Ada")
    ]  # fmt: skip
    assert await refusal(EntityDraft(id=ada.id, type="Place", name="Ada")) == (
        "type",
        f"with its new type, from of OWNS must be of type Person, got Place; remove these relations of {ada.id} first",
    )
    assert await refusal(EntityDraft(id=ibm.id, type="Place", name="IBM")) == (
        "type",
        f"with its new type, to of OWNS must be of type Company, got Place; remove these relations of {ibm.id} first",
    )
    assert (await refusal(*swapped))[0] == "type"
    assert (await ontology.get(workspace_id, ada.id)).type == "Person"

    (founder,) = await ontology.upsert_entities(
        workspace_id, [EntityDraft(id=ada.id, type="Founder", name="Ada")]
    )
    assert founder.type == "Founder"


async def test_the_revision_counts_changes_of_the_text_only(services, workspace_id) -> None:
    """E7, B16: a job embeds each new text."""
    (first,) = await services.knowledge.ontology.upsert_entities(workspace_id, [PAYMENTS])
    (same,) = await services.knowledge.ontology.upsert_entities(workspace_id, [PAYMENTS])
    (moved,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [PAYMENTS.model_copy(update={"uri": "https://example.com/pay"}, deep=True)]
    )
    (told,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Service", name="Payments", description="Takes cards")]
    )

    assert [entity.revision for entity in (first, same, moved, told)] == [1, 1, 1, 2]
    assert same.updated_at == first.updated_at


async def test_graph_and_search_are_written_together(services, workspace_id, graph_driver) -> None:
    """E7: one transaction writes the node, its search fields and its embedding job."""
    batch = [PAYMENTS, EntityDraft(type="Service", name="Ledger", properties={"language": "Go", "port": 80})]
    _, ledger = await services.knowledge.ontology.upsert_entities(workspace_id, batch)

    properties = (await node(graph_driver, ledger.id))["properties"]
    assert properties["search_text"] == "Ledger (service). language: Go. port: 80"
    assert properties["search_keys"] == "Ledger"
    assert properties["name_keys"] == ["ledger"]
    assert (properties["active"], properties["search_kind"], properties["revision"]) == (True, "entity", 1)


async def test_a_batch_is_written_completely_or_not_at_all(services, workspace_id) -> None:
    with pytest.raises(InvalidInput) as refused:
        await services.knowledge.ontology.upsert_entities(
            workspace_id, [PAYMENTS, EntityDraft(type="memory", name="x")]
        )

    assert refused.value.field == "type"
    with pytest.raises(NotFound):
        await services.knowledge.ontology.upsert_entities(
            workspace_id, [PAYMENTS, EntityDraft(id="ent_none", type="Service", name="x")]
        )
    assert await services.knowledge.ontology.count(workspace_id, EntityFilter()) == 0


async def test_later_entities_of_a_batch_see_earlier_changes(services, workspace_id) -> None:
    first, second = await services.knowledge.ontology.upsert_entities(
        workspace_id,
        [PAYMENTS, EntityDraft(type="Service", name="PAYMENTS", properties={"port": 80}, aliases=())],
    )

    assert first == second
    assert (second.name, second.description, second.aliases) == ("PAYMENTS", "Takes money", ())
    assert second.properties == {"port": 80}
    assert second.revision == 2


async def test_properties_are_merged_and_nulls_removed(services, workspace_id) -> None:
    draft = EntityDraft(type="Service", name="Payments", properties={"port": 80, "tier": {"a": [1, 2]}})
    await services.knowledge.ontology.upsert_entities(workspace_id, [draft])
    change = EntityDraft(type="Service", name="Payments", properties={"port": None, "owner": "Ada"})

    (changed,) = await services.knowledge.ontology.upsert_entities(workspace_id, [change])

    assert changed.properties == {"tier": {"a": [1, 2]}, "owner": "Ada"}
    emptied = EntityDraft(type="Service", name="Payments", properties=None, aliases=None)
    (bare,) = await services.knowledge.ontology.upsert_entities(workspace_id, [emptied])
    assert (bare.properties, bare.aliases) == ({}, ())


async def test_a_callers_key_survives_a_renaming(services, workspace_id) -> None:
    draft = EntityDraft(key="svc-1", type="Service", name="Payments")
    (first,) = await services.knowledge.ontology.upsert_entities(workspace_id, [draft])
    (renamed,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(key="svc-1", type="Service", name="Billing")]
    )

    assert (renamed.id, renamed.key, renamed.name) == (first.id, "svc-1", "Billing")
    assert told(await services.knowledge.ontology.find(workspace_id, key="svc-1")) == told(renamed)
    (other,) = await services.knowledge.ontology.upsert_entities(workspace_id, [PAYMENTS])
    with pytest.raises(Conflict) as refused:
        await services.knowledge.ontology.upsert_entities(
            workspace_id, [EntityDraft(id=other.id, key="svc-1", type="Service", name="x")]
        )
    assert refused.value.field == "key"


async def test_a_taken_name_is_refused(services, workspace_id) -> None:
    """K18: at once and with its field, however often it is tried; both entities stay unchanged."""
    batch = [PAYMENTS, EntityDraft(type="Service", name="Ledger")]
    payments, ledger = await services.knowledge.ontology.upsert_entities(workspace_id, batch)

    with pytest.raises(Conflict, match="Service 'payments' belongs to another entity") as refused:
        await services.knowledge.ontology.upsert_entities(
            workspace_id, [EntityDraft(id=ledger.id, type="Service", name="payments")]
        )

    assert refused.value.field == "name"
    stored = await services.knowledge.ontology.find_all(workspace_id, [payments.id, ledger.id])
    assert (told(stored[payments.id]), told(stored[ledger.id])) == (told(payments), told(ledger))


async def test_keys_are_separate_for_each_workspace(services, workspace_id, other_workspace_id) -> None:
    """E15: the same key is another entity in another workspace, and an id from there is unknown."""
    (ours,) = await services.knowledge.ontology.upsert_entities(workspace_id, [PAYMENTS])
    (theirs,) = await services.knowledge.ontology.upsert_entities(other_workspace_id, [PAYMENTS])

    assert ours.id != theirs.id
    assert await services.knowledge.ontology.find_all(workspace_id, [theirs.id]) == {}
    assert await services.knowledge.ontology.delete(workspace_id, theirs.id) is False
    with pytest.raises(NotFound):
        await services.knowledge.ontology.upsert_entities(
            workspace_id, [EntityDraft(id=theirs.id, type="Service", name="stolen")]
        )
    with pytest.raises(NotFound):
        await services.knowledge.ontology.restore(workspace_id, theirs.id)
    assert told(await services.knowledge.ontology.get(other_workspace_id, theirs.id)) == told(theirs)


async def test_a_deleted_entity_is_hidden_until_restored(services, workspace_id) -> None:
    """E9: its relations are hidden as well; a restore or an upsert shows both again."""
    ada, bob = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Person", name="Ada"), EntityDraft(type="Person", name="Bob")]
    )
    await services.knowledge.ontology.upsert_relations(
        workspace_id, [RelationDraft(from_name=ada.id, to_name=bob.id, type="KNOWS")]
    )

    async def shown() -> tuple:
        ontology = services.knowledge.ontology
        return (
            [entity.name for entity in (await ontology.page(workspace_id, EntityFilter())).items],
            await ontology.count(workspace_id, EntityFilter()),
            list(await ontology.find_all(workspace_id, [ada.id])),
            await ontology.find(workspace_id, key=ada.key) is not None,
            len((await ontology.relations.of_entities(workspace_id, [bob.id], first=5))[bob.id]),
            await ontology.count_by_type(workspace_id),
            await ontology.count_relations_by_type(workspace_id),
        )

    before = await shown()
    assert before == (["Bob", "Ada"], 2, [ada.id], True, 1, {"Person": 2}, {"KNOWS": 1})
    assert await services.knowledge.ontology.delete(workspace_id, ada.id) is True
    assert await services.knowledge.ontology.delete(workspace_id, ada.id) is False
    assert await shown() == (["Bob"], 1, [], False, 0, {"Person": 1}, {})
    with pytest.raises(NotFound) as refused:
        await services.knowledge.ontology.upsert_relations(
            workspace_id, [RelationDraft(from_name=bob.id, to_name=ada.id, type="KNOWS")]
        )
    assert refused.value.field == "to"
    assert (await services.knowledge.ontology.restore(workspace_id, ada.id)).deleted_at is None
    assert await shown() == before
    await services.knowledge.ontology.delete(workspace_id, ada.id)
    await services.knowledge.ontology.upsert_entities(workspace_id, [EntityDraft(type="Person", name="Ada")])
    assert await shown() == before


async def test_lists_filter_by_type_name_and_connection_and_go_page_by_page(services, workspace_id) -> None:
    await services.knowledge.ontology.types.upsert_entity_types(
        workspace_id, [EntityTypeDraft(name="Thing"), EntityTypeDraft(name="Service", parent="Thing")]
    )
    drafts = [EntityDraft(type="Service", name=f"Service {i}", connection_id="crm") for i in range(5)]
    drafts += [
        EntityDraft(type="Thing", name="Stone", aliases=("Rock",)),
        EntityDraft(type="Tree", name="Oak"),
    ]
    await services.knowledge.ontology.upsert_entities(workspace_id, drafts)

    async def names(**fields) -> list[str]:
        page = await services.knowledge.ontology.page(workspace_id, EntityFilter(**fields))
        assert await services.knowledge.ontology.count(workspace_id, EntityFilter(**fields)) == len(
            page.items
        )
        return [entity.name for entity in page.items]

    services_newest_first = [f"Service {i}" for i in reversed(range(5))]
    assert await names(types=("Thing",)) == ["Stone", *services_newest_first]
    assert await names(types=("Service",)) == services_newest_first
    assert await names(name=" ROCK") == ["Stone"]
    assert await names(connection_id="crm") == services_newest_first
    assert await names(connection_id="crm", name="e 3") == ["Service 3"]
    assert await names(connection_id="nowhere") == []
    seen, after = [], None
    while True:
        page = await services.knowledge.ontology.page(workspace_id, EntityFilter(), first=3, after=after)
        seen += [entity.name for entity in page.items]
        if not page.has_more:
            break
        after = page.cursors[-1].encode()
    assert seen == ["Oak", "Stone", *services_newest_first]


async def test_concurrent_writers_create_one_entity(services, workspace_id) -> None:
    """N10."""
    written = await asyncio.gather(
        *(services.knowledge.ontology.upsert_entities(workspace_id, [PAYMENTS]) for _ in range(8))
    )

    assert len({entities[0].id for entities in written}) == 1
    assert await services.knowledge.ontology.count(workspace_id, EntityFilter()) == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", " "),
        ("name", "x" * 201),
        ("name", "a\x00b"),
        ("aliases", ("a", "")),
        ("aliases", tuple(f"a{i}" for i in range(51))),
        ("description", "x" * 501),
        ("summary", "x" * 501),
        ("properties", {"body": "x" * 501}),
        ("properties", {"body": {"deep": ["x" * 501]}}),
        ("properties", {f"p{i}": "x" * 400 for i in range(30)}),
        ("uri", "not a uri"),
        ("uri", "data:text/plain,hello"),
        ("uri", "https://user:secret@example.com/"),
        ("key", "ent_mine"),
        ("connection_id", ""),
        ("type", "Memory"),
        ("type", "person"),
        ("type", "Person) DETACH DELETE (n"),
        ("description", "the key is AKIAIOSFODNN7EXAMPLE"),
    ],
    ids=lambda value: repr(value)[:40],
)
async def test_an_invalid_entity_is_refused_with_its_field(services, workspace_id, field, value) -> None:
    """E10, I16: a node describes a thing; documents, data and credentials are refused."""
    with pytest.raises(InvalidInput) as refused:
        await services.knowledge.ontology.upsert_entities(
            workspace_id, [EntityDraft(**{"type": "Service", "name": "x", field: value})]
        )

    assert refused.value.field == ("connectionId" if field == "connection_id" else field)
    assert "AKIA" not in refused.value.message


async def test_the_ontology_works_with_memory_off(services) -> None:
    """E8."""
    workspace = await services.tenancy.workspaces.create("off", memory_enabled=False)

    await services.knowledge.ontology.upsert_entities(workspace.id, [PAYMENTS])

    page = await services.knowledge.ontology.page(workspace.id, EntityFilter())
    assert [entity.name for entity in page.items] == ["Payments"]
