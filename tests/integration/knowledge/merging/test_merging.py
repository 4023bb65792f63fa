"""Merges on the real server: one entity represents two until the merge is undone."""

import secrets
from pathlib import Path

import pytest

from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.knowledge.ontology.models import EntityDraft, EntityFilter
from graph.knowledge.ontology.names import relation_id
from tests.fixtures.graphs import run
from tests.fixtures.relations import ends_of, relate

_HERE = Path(__file__).parent
_MENTION = (_HERE / "mention.cypher").read_text(encoding="utf-8")
_MENTIONED = """
MATCH (m:Memory {workspace_id: $ws})-[r:MENTIONS]->(e:Entity)
RETURN m.id AS memory, e.id AS entity, r.entity_id AS noted
"""


@pytest.fixture
async def things(services, workspace_id):
    """Create IBM, a duplicate with other fields, and two neighbours."""
    drafts = [
        EntityDraft(type="Company", name="IBM", aliases=("Big Blue",), properties={"founded": 1911}),
        EntityDraft(
            type="Company",
            name="I.B.M.",
            aliases=("big blue", "Int. Business Machines"),
            description="makes machines",
            properties={"founded": 1912, "listed": "NYSE"},
        ),
        EntityDraft(type="Person", name="Ada"),
        EntityDraft(type="Person", name="Bob"),
    ]
    return await services.knowledge.ontology.upsert_entities(workspace_id, drafts)


async def mentions(graph_driver, workspace_id) -> set[tuple[str, str]]:
    result = await run(graph_driver, _MENTIONED, ws=workspace_id)
    assert all(record["entity"] == record["noted"] for record in result.records)
    return {(record["memory"], record["entity"]) for record in result.records}


async def test_a_merge_moves_relations_mentions_and_names_and_an_undo_returns_them(
    services, workspace_id, things, graph_driver
) -> None:
    """The issue's "merges of duplicates are reversible": in both directions, without loss."""
    ibm, duplicate, ada, bob = things
    await relate(
        services,
        workspace_id,
        (ada, "WORKS_AT", duplicate),
        (bob, "WORKS_AT", ibm),
        (bob, "WORKS_AT", duplicate),
        (duplicate, "EMPLOYS", ada),
        (ibm, "SAME_GROUP", duplicate),
    )
    memory = f"mem_{secrets.token_hex(12)}"
    await run(graph_driver, _MENTION, ws=workspace_id, entity_id=duplicate.id, memory_id=memory)

    merge = await services.knowledge.merging.merge(workspace_id, from_id=duplicate.id, into_id=ibm.id)

    assert merge.copied == 3  # Ada's work, her employment and the mention; Bob's relation existed already
    one = await services.knowledge.ontology.get(workspace_id, ibm.id)
    assert one.aliases == ("Big Blue", "I.B.M.", "Int. Business Machines")
    assert (one.name, one.description) == ("IBM", "makes machines")
    assert one.properties == {"founded": 1911, "listed": "NYSE"}
    assert one.revision == ibm.revision + 1
    assert await ends_of(services, workspace_id, ibm) == {
        (ada.id, "WORKS_AT", ibm.id),
        (bob.id, "WORKS_AT", ibm.id),
        (ibm.id, "EMPLOYS", ada.id),
    }
    assert (memory, ibm.id) in await mentions(graph_driver, workspace_id)
    assert await services.knowledge.ontology.find(workspace_id, id_=duplicate.id) is None
    assert await services.knowledge.ontology.count(workspace_id, EntityFilter(types=("Company",))) == 1
    copied = await services.knowledge.ontology.relations.find(
        workspace_id, relation_id(ada.id, "WORKS_AT", ibm.id)
    )
    assert copied is not None

    back = await services.knowledge.merging.undo(workspace_id, merge.id)

    told = {"state", "revision", "updated_at"}
    assert back.model_dump(exclude=told) == duplicate.model_dump(exclude=told)
    again = await services.knowledge.ontology.get(workspace_id, ibm.id)
    assert again.model_dump(exclude=told) == ibm.model_dump(exclude=told)
    assert await ends_of(services, workspace_id, ibm) == {
        (bob.id, "WORKS_AT", ibm.id),
        (ibm.id, "SAME_GROUP", duplicate.id),
    }
    assert await ends_of(services, workspace_id, duplicate) == {
        (ada.id, "WORKS_AT", duplicate.id),
        (bob.id, "WORKS_AT", duplicate.id),
        (duplicate.id, "EMPLOYS", ada.id),
        (ibm.id, "SAME_GROUP", duplicate.id),
    }
    assert await mentions(graph_driver, workspace_id) == {(memory, duplicate.id)}


async def test_the_target_may_take_the_duplicates_name(services, workspace_id, things) -> None:
    """Both keys find it; the duplicate keeps its own, so that the merge can be undone."""
    ibm, duplicate, _, _ = things
    await services.knowledge.merging.merge(workspace_id, from_id=duplicate.id, into_id=ibm.id)

    (renamed,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(id=ibm.id, type="Company", name="I.B.M.")]
    )

    assert (renamed.id, renamed.name, renamed.key) == (ibm.id, "I.B.M.", ibm.key)
    (written,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Company", name="I.B.M.", summary="a company")]
    )
    assert written.id == ibm.id


async def test_a_write_under_the_duplicates_name_reaches_the_merged_entity(
    services, workspace_id, things
) -> None:
    ibm, duplicate, ada, _ = things
    await services.knowledge.merging.merge(workspace_id, from_id=duplicate.id, into_id=ibm.id)

    (written,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Company", name="I.B.M.", summary="a company", aliases=("IBM Corp",))]
    )
    await relate(services, workspace_id, (ada, "WORKS_AT", duplicate))

    assert (written.id, written.name, written.summary) == (ibm.id, "IBM", "a company")
    assert written.aliases == ("Big Blue", "I.B.M.", "Int. Business Machines", "IBM Corp")
    assert await ends_of(services, workspace_id, ibm) == {(ada.id, "WORKS_AT", ibm.id)}


async def test_undoing_a_merge_keeps_later_changes(services, workspace_id, things) -> None:
    ibm, duplicate, ada, bob = things
    await relate(services, workspace_id, (ada, "WORKS_AT", duplicate), (bob, "WORKS_AT", duplicate))
    await services.knowledge.merging.merge(workspace_id, from_id=duplicate.id, into_id=ibm.id)
    await services.knowledge.ontology.upsert_entities(
        workspace_id,
        [EntityDraft(type="Company", name="IBM", description="new", properties={"listed": "LSE", "x": 1})],
    )
    await relate(services, workspace_id, (ada, "WORKS_AT", ibm))  # created again: now the target's own

    await services.knowledge.merging.undo(workspace_id, duplicate.id)

    one = await services.knowledge.ontology.get(workspace_id, ibm.id)
    assert (one.description, one.aliases) == ("new", ("Big Blue",))
    assert one.properties == {"founded": 1911, "listed": "LSE", "x": 1}
    assert await ends_of(services, workspace_id, ibm) == {(ada.id, "WORKS_AT", ibm.id)}


async def test_later_merges_must_be_undone_first(services, workspace_id, things) -> None:
    ibm, duplicate, ada, _ = things
    (third,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Company", name="B.M.")]
    )
    await relate(services, workspace_id, (ada, "WORKS_AT", third))
    first = await services.knowledge.merging.merge(workspace_id, from_id=third.id, into_id=duplicate.id)
    second = await services.knowledge.merging.merge(workspace_id, from_id=duplicate.id, into_id=ibm.id)
    assert await ends_of(services, workspace_id, ibm) == {(ada.id, "WORKS_AT", ibm.id)}
    (written,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Company", name="B.M.", summary="far")]
    )
    assert written.id == ibm.id

    with pytest.raises(Conflict):
        await services.knowledge.merging.undo(workspace_id, first.id)
    await services.knowledge.merging.undo(workspace_id, second.id)
    await services.knowledge.merging.undo(workspace_id, first.id)

    assert await ends_of(services, workspace_id, third) == {(ada.id, "WORKS_AT", third.id)}
    assert await ends_of(services, workspace_id, duplicate) == set()
    with pytest.raises(NotFound):
        await services.knowledge.merging.undo(workspace_id, first.id)
    page = await services.knowledge.merging.page(workspace_id, first=1)
    rest = await services.knowledge.merging.page(workspace_id, after=page.cursors[0].encode())
    assert [merge.id for merge in (*page.items, *rest.items)] == [second.id, first.id]
    assert all(merge.undone_at is not None for merge in (*page.items, *rest.items))


async def test_only_two_live_entities_of_one_workspace_are_merged(
    services, workspace_id, other_workspace_id, things
) -> None:
    """E15."""
    ibm, duplicate, _, _ = things
    (theirs,) = await services.knowledge.ontology.upsert_entities(
        other_workspace_id, [EntityDraft(type="Company", name="IBM")]
    )
    merge = await services.knowledge.merging.merge(workspace_id, from_id=duplicate.id, into_id=ibm.id)

    async def refusal(from_id: str, into_id: str) -> tuple[type, str | None]:
        with pytest.raises((NotFound, InvalidInput)) as refused:
            await services.knowledge.merging.merge(workspace_id, from_id=from_id, into_id=into_id)
        return type(refused.value), refused.value.field

    assert await refusal(ibm.id, ibm.id) == (InvalidInput, "into")
    assert await refusal(theirs.id, ibm.id) == (NotFound, "from")
    assert await refusal(ibm.id, theirs.id) == (NotFound, "into")
    assert await refusal(duplicate.id, ibm.id) == (NotFound, "from")
    assert await refusal(ibm.id, "Company:ibm") == (NotFound, "into")
    with pytest.raises(NotFound):
        await services.knowledge.merging.undo(other_workspace_id, merge.id)
    with pytest.raises(NotFound):
        await services.knowledge.ontology.restore(workspace_id, duplicate.id)
    assert (await services.knowledge.merging.page(other_workspace_id)).items == []


async def test_deleting_a_connection_deletes_its_merged_entity(services, workspace_id) -> None:
    """E9: the record of a merge that can no longer be undone is deleted as well."""
    one, two = await services.knowledge.ontology.upsert_entities(
        workspace_id,
        [
            EntityDraft(type="Company", name="IBM"),
            EntityDraft(type="Company", name="I.B.M.", connection_id="crm"),
        ],
    )
    merge = await services.knowledge.merging.merge(workspace_id, from_id=two.id, into_id=one.id)

    assert await services.knowledge.connections.delete(workspace_id, "crm") == 1

    assert (await services.knowledge.ontology.get(workspace_id, one.id)).connection_ids == ()
    with pytest.raises(NotFound):
        await services.knowledge.merging.undo(workspace_id, merge.id)
    (again,) = await services.knowledge.ontology.upsert_entities(
        workspace_id, [EntityDraft(type="Company", name="I.B.M.")]
    )
    assert again.id not in {one.id, two.id}


async def test_the_record_of_a_merge_is_deleted_with_the_merged_entity(services, workspace_id) -> None:
    """E9: otherwise it stays in the list although it cannot be undone."""
    one, two = await services.knowledge.ontology.upsert_entities(
        workspace_id,
        [
            EntityDraft(type="Company", name="IBM", connection_id="crm"),
            EntityDraft(type="Company", name="I.B.M.", connection_id="crm"),
        ],
    )
    await services.knowledge.merging.merge(workspace_id, from_id=two.id, into_id=one.id)

    await services.knowledge.connections.delete(workspace_id, "crm")

    assert (await services.knowledge.merging.page(workspace_id)).items == []
