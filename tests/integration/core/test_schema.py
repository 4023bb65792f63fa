import asyncio

from neo4j import AsyncGraphDatabase

from app.embedded.neo4j import EmbeddedNeo4j
from app.embedded.ports import free_port
from graph.core.database import Database
from graph.core.schema import apply_migrations
from graph.embeddings.queries import create_vector_index_a

OPTIONS = {"indexConfig": {"vector.dimensions": 8, "vector.similarity_function": "cosine"}}


async def test_processes_that_start_together_on_an_empty_store_all_get_its_schema(tmp_path):
    """M14: IF NOT EXISTS alone does not see what another transaction is just making."""
    server = EmbeddedNeo4j(
        tmp_path, bolt_port=free_port(), http_port=free_port(), heap_mb=512, pagecache_mb=128
    )
    address = await server.start()
    try:
        async with AsyncGraphDatabase.driver(
            address.uri, auth=(address.user, address.password), notifications_min_severity="OFF"
        ) as driver:
            databases = [Database(driver, name="neo4j", timeout_seconds=30) for _ in range(6)]

            await asyncio.gather(*(apply_migrations(database) for database in databases))
            await asyncio.gather(
                *(create_vector_index_a(database, options=OPTIONS) for database in databases)
            )

            shown = await driver.execute_query(
                "SHOW INDEXES YIELD name WHERE name IN ['vectors_a', 'memory_text']"
            )
    finally:
        await server.stop()

    assert sorted(record["name"] for record in shown.records) == ["memory_text", "vectors_a"]
