import asyncio
from collections.abc import AsyncIterator

import pytest
from neo4j import AsyncDriver, AsyncGraphDatabase
from neo4j.exceptions import ConstraintError

from graph.core.database import Database
from graph.operations.admin import apply_schema
from graph.vectors.index.queries import create_vector_index_a
from tests.fixtures.neo4j import small_neo4j

OPTIONS = {"indexConfig": {"vector.dimensions": 8, "vector.similarity_function": "cosine"}}

SAVED = "CREATE (n:Memory:Searchable {workspace_id: $ws, id: 'note'}) RETURN n.id"
KEYED = "CREATE (n:Memory {workspace_id: 'ws_a', id: $id, user_id: 'ada', agent_id: $agent, key: 'tea'}) RETURN n.id"


@pytest.fixture
async def driver(tmp_path) -> AsyncIterator[AsyncDriver]:
    """Yield a driver to an empty store of this test."""
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
    """M14: IF NOT EXISTS alone does not see an index that another transaction is creating."""
    databases = [Database(driver, name="neo4j", timeout_seconds=30) for _ in range(6)]

    await asyncio.gather(*(apply_schema(database) for database in databases))
    await asyncio.gather(*(create_vector_index_a(database, options=OPTIONS) for database in databases))

    shown = await driver.execute_query(
        "SHOW INDEXES YIELD name WHERE name IN ['vectors_a', 'memory_text', 'searchable_id']"
    )
    assert sorted(record["name"] for record in shown.records) == ["memory_text", "searchable_id", "vectors_a"]


async def test_ids_are_unique_within_a_workspace_and_keys_to_an_agent(empty_store):
    """C20."""
    await apply_schema(Database(empty_store, name="neo4j", timeout_seconds=30))
    await empty_store.execute_query(SAVED, ws="ws_a")
    await empty_store.execute_query(KEYED, id="tutors", agent="tutor")

    await empty_store.execute_query(SAVED, ws="ws_b")
    await empty_store.execute_query(KEYED, id="coachs", agent="coach")
    with pytest.raises(ConstraintError):
        await empty_store.execute_query(SAVED, ws="ws_a")
    with pytest.raises(ConstraintError):
        await empty_store.execute_query(KEYED, id="another", agent="tutor")
