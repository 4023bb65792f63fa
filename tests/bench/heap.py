"""What Neo4j holds of its Java heap."""

from pathlib import Path

from neo4j import AsyncDriver

_HEAP = Path(__file__).with_name("heap.cypher").read_text(encoding="utf-8")


async def heap_in_use(driver: AsyncDriver) -> int:
    """Return how many bytes of the heap are in use, those included that could be collected."""
    (record,) = (await driver.execute_query(_HEAP)).records
    return int(record["used"])
