"""Work that waits for an entity while it is merged, which then uses the merged entity."""

from datetime import UTC, datetime
from typing import Any

import pytest

from graph.core.errors import NotFound
from graph.knowledge.ontology.models import EntityDraft, RelationDraft
from graph.knowledge.queries import link_memories
from tests.fixtures.graphs import OneOfEach, one_of_each, run
from tests.fixtures.locks import overtaken_by

_MERGED = """CYPHER 25
MATCH (source:Entity {workspace_id: $ws, id: $id})
MATCH (target:Entity {workspace_id: $ws, id: $into})
CREATE (source)-[:MERGED_INTO {id: 'mrg_late', created_at: source.created_at}]->(target)
SET source.active = false, source.deleted_at = source.created_at"""
_STATE = """CYPHER 25
MATCH (entity:Entity {workspace_id: $ws, id: $id})
RETURN entity.active AS active, COUNT { (entity)-[:MERGED_INTO]->() } AS merges"""
_MENTIONED = """CYPHER 25
MATCH (:Memory {workspace_id: $ws})-[edge:MENTIONS {surface: 'late'}]->(entity:Entity)
RETURN entity.id AS id"""


@pytest.fixture
async def seeded(graph_driver) -> OneOfEach:
    return await one_of_each(graph_driver)


@pytest.fixture
def beside_its_merge(graph_driver, seeded):
    """Return a function that runs work while the entity that it waits for is merged into another one."""

    async def beside_its_merge(work) -> Any:
        source, target = seeded.entity_ids[:2]
        try:
            return await overtaken_by(
                graph_driver, _MERGED, work, ws=seeded.workspace_id, id=source, into=target
            )
        finally:
            (state,) = (await run(graph_driver, _STATE, ws=seeded.workspace_id, id=source)).records
            assert state.data() == {"active": False, "merges": 1}

    return beside_its_merge


@pytest.mark.parametrize("named_by", ["id", "key"])
async def test_a_write_to_a_duplicate_during_a_merge_reaches_the_merged_entity(
    services, seeded, beside_its_merge, named_by
) -> None:
    """The duplicate stays hidden."""
    named = {"id": seeded.entity_ids[0]} if named_by == "id" else {"key": seeded.entity_key}
    draft = EntityDraft(type="Service", name="Paying", **named)

    (written,) = await beside_its_merge(
        services.knowledge.ontology.upsert_entities(seeded.workspace_id, [draft])
    )

    assert written.id == seeded.entity_ids[1]
    assert "Paying" in written.aliases


async def test_a_relation_written_during_a_merge_goes_to_the_target(
    services, seeded, beside_its_merge
) -> None:
    ada = EntityDraft(type="Person", name="Ada", key="ada")
    await services.knowledge.ontology.upsert_entities(seeded.workspace_id, [ada])
    draft = RelationDraft(from_name="ada", to_name=seeded.entity_key, type="KNOWS")

    (drawn,) = await beside_its_merge(
        services.knowledge.ontology.upsert_relations(seeded.workspace_id, [draft])
    )

    assert drawn.to_id == seeded.entity_ids[1]


async def test_concurrent_merges_of_one_entity_merge_it_once(services, seeded, beside_its_merge) -> None:
    ada = EntityDraft(type="Person", name="Ada", key="ada")
    (into,) = await services.knowledge.ontology.upsert_entities(seeded.workspace_id, [ada])
    merging = services.knowledge.merging.merge(
        seeded.workspace_id, from_id=seeded.entity_ids[0], into_id=into.id
    )

    with pytest.raises(NotFound):
        await beside_its_merge(merging)


async def test_a_mention_written_during_a_merge_goes_to_the_target(
    services, graph_driver, seeded, beside_its_merge
) -> None:
    entity_id = seeded.entity_ids[0]
    row = {
        "id": seeded.memory_ids[3],
        "version": 2,
        "entity_ids": [entity_id],
        "mentions": [{"entity_id": entity_id, "how": "RULE", "surface": "late"}],
    }

    await beside_its_merge(
        link_memories(
            services.core.database,
            workspace_id=seeded.workspace_id,
            memories=[row],
            automatic=["RULE"],
            now=datetime(2026, 3, 1, tzinfo=UTC),
        )
    )

    (mentioned,) = (await run(graph_driver, _MENTIONED, ws=seeded.workspace_id)).records
    assert mentioned["id"] == seeded.entity_ids[1]
