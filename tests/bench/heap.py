"""Reads what Neo4j holds of its Java heap."""

from pathlib import Path

from neo4j import AsyncDriver, AsyncGraphDatabase

from app.settings import Settings

_HEAP = Path(__file__).with_name("heap.cypher").read_text(encoding="utf-8")


def open_driver(settings: Settings) -> AsyncDriver:
    """Return a driver of the store that the settings name, to be closed by the caller."""
    address, password = settings.neo4j, settings.neo4j.password
    assert address.uri is not None
    assert password is not None
    return AsyncGraphDatabase.driver(address.uri, auth=(address.user, password.get_secret_value()))


async def heap_in_use(driver: AsyncDriver) -> int:
    """Return how many bytes of the heap are in use, those included that could be collected."""
    (record,) = (await driver.execute_query(_HEAP)).records
    return int(record["used"])
