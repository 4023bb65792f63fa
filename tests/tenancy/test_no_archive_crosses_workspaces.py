"""Queries of archives that take element ids, run in one workspace with those of another (issue 15, point 6)."""

import pytest

from graph.core.database import Database
from graph.operations.archive import queries
from graph.operations.archive.labels import ARCHIVED
from tests.fixtures.graphs import fingerprint, one_of_each
from tests.tenancy.test_no_query_crosses_workspaces import BY_ELEMENT_ID


@pytest.fixture
def database(graph_driver) -> Database:
    return Database(graph_driver, name="neo4j", timeout_seconds=30)


async def refs_of(database: Database, workspace_id: str) -> list[str]:
    rows = await queries.list_archive_nodes(
        database, workspace_id=workspace_id, user_id=None, labels=list(ARCHIVED)
    )
    return [ref for row in rows for ref in row.refs]


async def test_nothing_is_read_of_another_workspace(database, graph_driver) -> None:
    ours, theirs = (
        (await one_of_each(graph_driver)).workspace_id,
        (await one_of_each(graph_driver)).workspace_id,
    )
    refs = await refs_of(database, theirs)

    for place, finds in ((ours, False), (theirs, True)):
        nodes = await queries.get_archive_nodes(
            database, workspace_id=place, refs=refs, vector_property="embedding_a"
        )
        edges = await queries.list_archive_edges(database, workspace_id=place, refs=refs)

        assert (len(nodes) == len(refs)) is finds
        assert bool(edges) is finds
        assert all("workspace_id" not in {k for k, v in row.properties.items() if v} for row in nodes)


async def test_no_edge_is_made_to_or_in_another_workspace(database, graph_driver) -> None:
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


def test_these_are_all_the_queries_that_take_element_ids() -> None:
    assert {"get_archive_nodes", "list_archive_edges", "create_archive_edges"} == BY_ELEMENT_ID
