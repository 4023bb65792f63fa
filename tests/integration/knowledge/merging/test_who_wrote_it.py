"""Sources of entities and relations across merges, so that a connection deletes only its own data."""

from tests.fixtures.relations import ends_of, relate, sources_of


async def test_manual_data_of_a_duplicate_survives_a_deleted_connection(
    services, workspace_id, companies
) -> None:
    """E9: an entity or relation of both survives if only one of its sources is deleted."""
    one, two, ada = await companies(IBM="crm", Ibm2=None, Ada=None)
    await relate(services, workspace_id, (one, "EMPLOYS", ada), (ada, "WORKS_AT", one), connection="crm")
    await relate(services, workspace_id, (two, "EMPLOYS", ada))
    await relate(services, workspace_id, (ada, "WORKS_AT", two), connection="wiki")
    await services.knowledge.merging.merge(workspace_id, from_id=two.id, into_id=one.id)
    assert (await services.knowledge.ontology.get(workspace_id, one.id)).by_hand

    assert await services.knowledge.connections.delete(workspace_id, "crm") == 0

    kept = {(one.id, "EMPLOYS", ada.id), (ada.id, "WORKS_AT", one.id)}
    assert await ends_of(services, workspace_id, one) == kept
    assert (
        await services.knowledge.connections.delete(workspace_id, "wiki") == 2
    )  # the duplicate's relations, which are hidden
    assert await ends_of(services, workspace_id, one) == {(one.id, "EMPLOYS", ada.id)}


async def test_undone_merges_restore_who_wrote_each_entity(services, workspace_id, companies) -> None:
    """In any order of undoing, and even if a source has written it again."""
    one, two, three, ada = await companies(IBM="crm", Ibm2=None, Ibm3="wiki", Ada=None)
    for entity, connection in ((one, "crm"), (two, "hr"), (three, "wiki"), (three, "hr")):
        await relate(services, workspace_id, (ada, "WORKS_AT", entity), connection=connection)
    merging = services.knowledge.merging
    for duplicate in (two, three):
        await merging.merge(workspace_id, from_id=duplicate.id, into_id=one.id)
    assert await sources_of(services, workspace_id, one) == [("crm", "hr", "wiki")]

    await merging.undo(workspace_id, two.id)

    assert await sources_of(services, workspace_id, one) == [("crm", "wiki", "hr")]
    assert not (await services.knowledge.ontology.get(workspace_id, one.id)).by_hand
    await relate(services, workspace_id, (ada, "WORKS_AT", one), connection="hr")
    (written,) = await companies(IBM=None)
    await merging.undo(workspace_id, three.id)
    assert await sources_of(services, workspace_id, one) == [("crm", "hr")]
    assert await sources_of(services, workspace_id, three) == [("wiki", "hr")]
    assert (written.id, written.by_hand) == (one.id, True)
    assert (await services.knowledge.ontology.get(workspace_id, one.id)).by_hand


async def test_undoing_one_merge_keeps_data_from_another(services, workspace_id, companies) -> None:
    one, two, three, ada = await companies(IBM=None, Ibm2=None, Ibm3=None, Ada=None)
    await relate(services, workspace_id, (ada, "WORKS_AT", two), connection="hr")
    await relate(services, workspace_id, (ada, "WORKS_AT", three), connection="wiki")
    for duplicate in (two, three):
        await services.knowledge.merging.merge(workspace_id, from_id=duplicate.id, into_id=one.id)

    await services.knowledge.merging.undo(workspace_id, two.id)
    assert await sources_of(services, workspace_id, one) == [("wiki",)]

    await services.knowledge.merging.undo(workspace_id, three.id)
    assert await ends_of(services, workspace_id, one) == set()


async def test_a_connection_that_writes_again_remains_a_source(services, workspace_id, companies) -> None:
    one, two = await companies(IBM=None, Ibm2="crm")
    await services.knowledge.merging.merge(workspace_id, from_id=two.id, into_id=one.id)
    await companies(IBM="crm")

    await services.knowledge.merging.undo(workspace_id, two.id)

    found = await services.knowledge.ontology.find_all(workspace_id, [one.id, two.id])
    assert [found[entity.id].connection_ids for entity in (one, two)] == [("crm",), ("crm",)]
