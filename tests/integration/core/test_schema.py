import asyncio
from collections.abc import AsyncIterator

import pytest
from neo4j import AsyncDriver, AsyncGraphDatabase
from neo4j.exceptions import ConstraintError

from graph.core.database import Database
from graph.operations.admin.service import apply_missing_migrations
from graph.vectors.index.queries import create_vector_index_a
from tests.fixtures.neo4j import small_neo4j

OPTIONS = {"indexConfig": {"vector.dimensions": 8, "vector.similarity_function": "cosine"}}


OF_BEFORE = [
    "CREATE CONSTRAINT memory_id_unique FOR (n:Memory) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT searchable_id_unique FOR (n:Searchable) REQUIRE n.id IS UNIQUE",
    "CREATE CONSTRAINT memory_key_of_user_unique FOR (n:Memory) REQUIRE (n.workspace_id, n.user_id, n.key) IS UNIQUE",
    "CREATE (:Memory:Searchable {workspace_id: 'ws_a', id: 'note', user_id: 'ada', agent_id: 'tutor', key: 'tea'})",
]
UNIQUE = """
SHOW CONSTRAINTS YIELD name, properties WHERE name STARTS WITH 'memory_id' OR name STARTS WITH 'searchable_id'
    OR name STARTS WITH 'memory_key'
    OR name IN ['memory_of_workspace_unique', 'searchable_of_workspace_unique']
RETURN name, properties ORDER BY name
"""
SAVED = "CREATE (n:Memory:Searchable {workspace_id: $ws, id: 'note'}) RETURN n.id"
KEYED = "CREATE (n:Memory {workspace_id: 'ws_a', id: $id, user_id: 'ada', agent_id: $agent, key: 'tea'}) RETURN n.id"


@pytest.fixture
async def driver(tmp_path) -> AsyncIterator[AsyncDriver]:
    """An empty store of this test's own."""
    server = await small_neo4j(tmp_path)
    address = server.address
    try:
        async with AsyncGraphDatabase.driver(
            address.uri, auth=(address.user, address.password), notifications_min_severity="OFF"
        ) as opened:
            yield opened
    finally:
        await server.stop()


async def test_processes_that_start_together_on_an_empty_store_all_get_its_schema(driver):
    """M14: IF NOT EXISTS alone does not see what another transaction is just making."""
    databases = [Database(driver, name="neo4j", timeout_seconds=30) for _ in range(6)]

    await asyncio.gather(*(apply_missing_migrations(database) for database in databases))
    await asyncio.gather(*(create_vector_index_a(database, options=OPTIONS) for database in databases))

    shown = await driver.execute_query(
        "SHOW INDEXES YIELD name WHERE name IN ['vectors_a', 'memory_text', 'searchable_id']"
    )
    assert sorted(record["name"] for record in shown.records) == ["memory_text", "searchable_id", "vectors_a"]


async def test_a_store_with_uniqueness_of_earlier_is_changed(driver):
    """C20: ids were unique over all workspaces and keys over all agents of a user.

    By processes that start together, and again at each start; what it holds stays.
    """
    for statement in OF_BEFORE:
        await driver.execute_query(statement)
    databases = [Database(driver, name="neo4j", timeout_seconds=30) for _ in range(3)]

    await asyncio.gather(*(apply_missing_migrations(database) for database in databases))
    await apply_missing_migrations(databases[0])

    assert [record.values() for record in (await driver.execute_query(UNIQUE)).records] == [
        ["memory_key_of_owner_unique", ["workspace_id", "user_id", "agent_id", "key"]],
        ["memory_of_workspace_unique", ["workspace_id", "id"]],
        ["searchable_of_workspace_unique", ["workspace_id", "id"]],
    ]
    await driver.execute_query(SAVED, ws="ws_b")
    with pytest.raises(ConstraintError):
        await driver.execute_query(SAVED, ws="ws_a")
    await driver.execute_query(KEYED, id="coachs", agent="coach")
    with pytest.raises(ConstraintError):
        await driver.execute_query(KEYED, id="tutors", agent="tutor")
    counted = await driver.execute_query("MATCH (n:Memory {id: 'note'}) RETURN count(*) AS memories")
    assert counted.records[0]["memories"] == 2
