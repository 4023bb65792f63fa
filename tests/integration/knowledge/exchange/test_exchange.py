"""Ontologies imported into a workspace and exported again (E6, E7)."""

import asyncio
import json

import pytest

from graph.core.errors import InvalidInput
from graph.knowledge.exchange import OntologyExchange, vocabulary_of
from graph.knowledge.ontology.models import EntityDraft, EntityTypeDraft

ALL = {
    "entityTypes": [
        {"name": "System", "description": "What runs.", "properties": {"required": ["owner"]}},
        {"name": "Service", "parent": "System"},
    ],
    "relationTypes": [{"name": "DEPENDS_ON", "fromTypes": ["Service"], "toTypes": ["System"]}],
}
PEOPLE = {
    "entityTypes": [
        {"name": "Thing", "properties": {"properties": {"size": {"type": "integer"}}}},
        {"name": "Person", "parent": "Thing"},
        {"name": "Organization", "parent": "Thing"},
    ],
    "relationTypes": [{"name": "WORKS_FOR", "fromTypes": ["Person"], "toTypes": ["Organization"]}],
}


@pytest.fixture
def exchange(services) -> OntologyExchange:
    return services.knowledge.exchange


async def test_a_vocabulary_becomes_types_that_validate_entities(services, exchange, workspace_id) -> None:
    """E6, E7: one import creates them; schema and inheritance apply at once."""
    report = await exchange.import_types(workspace_id, json.dumps(PEOPLE))

    assert report.entity_types.created == ["Organization", "Person", "Thing"]
    assert report.relation_types.created == ["WORKS_FOR"]
    assert report.dry_run is False
    with pytest.raises(InvalidInput, match=r"properties\.size of Person 'x'"):
        await services.knowledge.ontology.upsert_entities(
            workspace_id, [EntityDraft(type="Person", name="x", properties={"size": "no number"})]
        )
    registry = await services.knowledge.ontology.types.read(workspace_id)
    assert registry.lineage("Person") == ["Person", "Thing"]


@pytest.mark.parametrize("ontology", [ALL, PEOPLE], ids=["all", "people"])
async def test_a_repeated_import_changes_nothing(services, exchange, workspace_id, ontology) -> None:
    """E7: not even the time of the last change."""
    first = await exchange.import_types(workspace_id, json.dumps(ontology))
    before = await services.knowledge.ontology.types.read(workspace_id)

    again = await exchange.import_types(workspace_id, json.dumps(ontology))

    assert again.entity_types.unchanged == first.entity_types.created != []
    assert again.relation_types.unchanged == first.relation_types.created != []
    assert [*again.entity_types.created, *again.entity_types.updated, *again.relation_types.updated] == []
    after = await services.knowledge.ontology.types.read(workspace_id)
    assert (after.entity_types, after.relation_types) == (before.entity_types, before.relation_types)


async def test_an_export_imported_elsewhere_is_the_same_registry(
    services, exchange, workspace_id, other_workspace_id
) -> None:
    """E7, E15: the types belong to the other workspace."""
    await exchange.import_types(workspace_id, json.dumps(PEOPLE))
    await exchange.import_types(workspace_id, json.dumps(ALL))

    await exchange.import_types(other_workspace_id, await exchange.export(workspace_id))

    read = services.knowledge.ontology.types.read
    ours, theirs = await read(workspace_id), await read(other_workspace_id)
    assert vocabulary_of(theirs) == vocabulary_of(ours)
    assert len(ours.entity_types) == 5
    assert {type_.workspace_id for type_ in theirs.entity_types.values()} == {other_workspace_id}


async def test_a_dry_run_reports_the_changes_without_making_them(services, exchange, workspace_id) -> None:
    """E7."""
    await services.knowledge.ontology.types.upsert_entity_types(
        workspace_id, [EntityTypeDraft(name="System", description="old"), EntityTypeDraft(name="Other")]
    )
    before = await services.knowledge.ontology.types.read(workspace_id)

    report = await exchange.import_types(workspace_id, json.dumps(ALL), dry_run=True)

    assert report.dry_run is True
    assert (report.entity_types.created, report.entity_types.updated) == (["Service"], ["System"])
    assert report.relation_types.created == ["DEPENDS_ON"]
    after = await services.knowledge.ontology.types.read(workspace_id)
    assert (after.entity_types, after.relation_types) == (before.entity_types, {})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "lower"}, "content, entityTypes.2 ('lower'): name must be PascalCase"),
        ({"name": "Memory"}, "content, entityTypes.2 ('Memory'): name must not be Memory"),
        ({"name": "A", "properties": {"type": "array"}}, "content, entityTypes.2 ('A'): properties: type must"),
        ({"name": "A", "parent": "Nobody"}, "parent must name a type of entities; create 'Nobody' first"),
        ({"name": "System", "parent": "Service"}, "parent of "),
    ],
)  # fmt: skip
async def test_an_invalid_import_stores_nothing(services, exchange, workspace_id, change, message) -> None:
    """E7: all or nothing, and the message names the place."""
    wrong = {**ALL, "entityTypes": [*ALL["entityTypes"], change]}

    with pytest.raises(InvalidInput) as refused:
        await exchange.import_types(workspace_id, json.dumps(wrong))

    assert refused.value.message.startswith(message)
    assert (await services.knowledge.ontology.types.read(workspace_id)).entity_types == {}


async def test_an_invalid_relation_type_rolls_back_the_entity_types(services, exchange, workspace_id) -> None:
    """E7: both are in one transaction."""
    wrong = {**ALL, "relationTypes": [{"name": "NEEDS", "toTypes": ["Nobody"]}]}

    with pytest.raises(InvalidInput, match="create 'Nobody' first"):
        await exchange.import_types(workspace_id, json.dumps(wrong))

    assert (await services.knowledge.ontology.types.read(workspace_id)).entity_types == {}


async def test_a_part_of_a_vocabulary_can_be_imported(exchange, workspace_id) -> None:
    report = await exchange.import_types(workspace_id, json.dumps(PEOPLE), only=["Person"])

    assert report.entity_types.created == ["Person", "Thing"]
    assert report.relation_types.created == []


async def test_concurrent_imports_create_each_type_once(services, exchange, workspace_id) -> None:
    """N10."""
    text = json.dumps(ALL)

    await asyncio.gather(*(exchange.import_types(workspace_id, text) for _ in range(4)))

    registry = await services.knowledge.ontology.types.read(workspace_id)
    assert sorted(registry.entity_types) == ["Service", "System"]


async def test_a_workspace_without_types_exports_empty_lists(exchange, workspace_id) -> None:
    assert json.loads(await exchange.export(workspace_id)) == {"entityTypes": [], "relationTypes": []}


async def test_a_text_that_is_too_large_is_refused(exchange, workspace_id) -> None:
    with pytest.raises(InvalidInput, match="at most 4000000 characters"):
        await exchange.import_types(workspace_id, " " * 4_000_001)
