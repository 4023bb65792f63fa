"""Archive queries that take element ids, run in one workspace with ids of another (issue 15, point 6)."""

import pytest

from graph.core.database import Database
from graph.operations import queries
from graph.operations.archive.format import ARCHIVED
from graph.operations.erasure import FILLER_PREFIX
from tests.fixtures.graphs import fingerprint, one_of_each, run
from tests.fixtures.timeouts import scaled_timeout
from tests.tenancy.test_no_query_crosses_workspaces import BY_ELEMENT_ID


@pytest.fixture
def database(graph_driver) -> Database:
    return Database(graph_driver, name="neo4j", timeout_seconds=scaled_timeout(30))


async def refs_by_label(database: Database, workspace_id: str) -> dict[str, list[str]]:
    rows = await queries.list_archive_nodes(
        database,
        workspace_id=workspace_id,
        user_id=None,
        labels=list(ARCHIVED),
        filler_prefix=FILLER_PREFIX,
    )
    return {row.label: row.refs for row in rows}


async def refs_of(database: Database, workspace_id: str) -> list[str]:
    return [ref for refs in (await refs_by_label(database, workspace_id)).values() for ref in refs]


async def read_from(
    database: Database, workspace_id: str, label: str, refs: list[str], *, user_id: str | None = None
) -> tuple[list[queries.GetArchiveNodesRow], list[queries.ListArchiveEdgesRow]]:
    """Return the nodes with these element ids and their outgoing edges."""
    nodes = await queries.get_archive_nodes(
        database,
        workspace_id=workspace_id,
        refs=refs,
        label=label,
        user_id=user_id,
        vector_property="embedding_a",
    )
    edges = await queries.list_archive_edges(
        database, workspace_id=workspace_id, refs=refs, label=label, user_id=user_id
    )
    return nodes, edges


async def test_no_query_reads_another_workspace(database, graph_driver) -> None:
    ours, theirs = (
        (await one_of_each(graph_driver)).workspace_id,
        (await one_of_each(graph_driver)).workspace_id,
    )
    by_label = await refs_by_label(database, theirs)

    for label, refs in by_label.items():
        assert await read_from(database, ours, label, refs) == ([], [])
        of = {"refs": refs, "label": label}
        assert await queries.get_archive_identities(database, workspace_id=ours, **of) == []
        assert len(await queries.get_archive_identities(database, workspace_id=theirs, **of)) == len(refs)
        nodes, _ = await read_from(database, theirs, label, refs)
        assert len(nodes) == len(refs)
        assert all("workspace_id" not in {k for k, v in row.properties.items() if v} for row in nodes)
    _, edges = await read_from(database, theirs, "Conversation", by_label["Message"])
    assert edges == []
    _, edges = await read_from(database, theirs, "Message", by_label["Message"])
    assert edges != []


async def test_a_reused_element_id_reads_nothing(database, graph_driver) -> None:
    """Neo4j may reuse the element id of a node that was deleted during an export (issue 15, point 6)."""
    names = await one_of_each(graph_driver)
    place = names.workspace_id
    (webhook,) = (
        await run(
            graph_driver, "MATCH (n:EventWebhook {workspace_id: $ws}) RETURN elementId(n) AS ref", ws=place
        )
    ).records
    (bobs,) = (
        await run(
            graph_driver,
            "CYPHER 25 MATCH (e:Entity {workspace_id: $ws, id: $entity_id}) "
            "CREATE (n:Memory {workspace_id: $ws, id: 'mem_of_bob', user_id: 'bob'}) CREATE (n)-[:MENTIONS]->(e) "
            "CREATE (n)-[:RELATES_TO]->(:Memory {workspace_id: $ws, id: 'mem_of_bob_too', user_id: 'bob'}) "
            "RETURN elementId(n) AS ref",
            ws=place,
            entity_id=names.entity_ids[0],
        )
    ).records

    assert await read_from(database, place, "Memory", [webhook["ref"]]) == ([], [])
    assert await read_from(database, place, "Memory", [bobs["ref"]], user_id="alice") == ([], [])
    nodes, edges = await read_from(database, place, "Memory", [bobs["ref"]], user_id="bob")
    assert [row.ref for row in nodes] == [bobs["ref"]]
    assert [edge.type for edge in edges] == ["RELATES_TO"]
    _, edges = await read_from(database, place, "Memory", [bobs["ref"]])
    assert sorted(edge.type for edge in edges) == ["MENTIONS", "RELATES_TO"]


async def test_no_edge_is_created_in_or_to_another_workspace(database, graph_driver) -> None:
    ours, theirs = (
        (await one_of_each(graph_driver)).workspace_id,
        (await one_of_each(graph_driver)).workspace_id,
    )
    own, foreign = (await refs_of(database, ours))[:2], (await refs_of(database, theirs))[:2]
    before = await fingerprint(graph_driver, theirs)

    async def joined(source: str, target: str) -> int:
        row = {"source": source, "target": target, "type": "NEXT", "properties": {}, "may_exist": False}
        return await queries.create_archive_edges(database, workspace_id=ours, rows=[row])

    assert [await joined(*ends) for ends in ((own[0], foreign[0]), (foreign[0], own[0]), foreign)] == [
        0,
        0,
        0,
    ]
    assert await fingerprint(graph_driver, theirs) == before
    assert await joined(*own) == 1


async def test_no_memory_of_another_workspace_is_counted_again(database, graph_driver) -> None:
    ours, theirs = (
        (await one_of_each(graph_driver)).workspace_id,
        (await one_of_each(graph_driver)).workspace_id,
    )
    refs = await refs_of(database, theirs)
    before = await fingerprint(graph_driver, theirs)

    await queries.recount_runs(database, workspace_id=ours, refs=refs)

    assert await fingerprint(graph_driver, theirs) == before
    await queries.recount_runs(database, workspace_id=theirs, refs=refs)
    assert await fingerprint(graph_driver, theirs) != before


def test_these_are_all_the_queries_that_take_element_ids() -> None:
    assert {
        "get_archive_nodes",
        "get_archive_identities",
        "list_archive_edges",
        "create_archive_edges",
        "recount_runs",
    } == BY_ELEMENT_ID
