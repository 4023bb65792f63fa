"""The embedded Neo4j."""

from neo4j import AsyncGraphDatabase


async def test_neo4j_of_the_test_run_takes_queries(neo4j_address):
    async with AsyncGraphDatabase.driver(
        neo4j_address.uri, auth=(neo4j_address.user, neo4j_address.password)
    ) as driver:
        result = await driver.execute_query("RETURN 1 AS one")

        assert [record["one"] for record in result.records] == [1]
