"""Use of Neo4j's Java heap."""

from pathlib import Path

from neo4j import AsyncDriver, AsyncGraphDatabase

from app.settings import Settings

_HEAP = Path(__file__).with_name("heap.cypher").read_text(encoding="utf-8")


def open_driver(settings: Settings) -> AsyncDriver:
    """Open a driver for the Neo4j of the settings; the caller closes it."""
    address, password = settings.neo4j, settings.neo4j.password
    assert address.uri is not None
    assert password is not None
    return AsyncGraphDatabase.driver(address.uri, auth=(address.user, password.get_secret_value()))


async def heap_in_use(driver: AsyncDriver) -> int:
    """Return the number of heap bytes in use, including garbage."""
    (record,) = (await driver.execute_query(_HEAP)).records
    return int(record["used"])
