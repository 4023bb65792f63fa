"""Fills a store past the service, whose own writing is measured elsewhere."""

from typing import Any

from neo4j import AsyncDriver, AsyncGraphDatabase, Query

from app.settings import Settings


def open_driver(settings: Settings) -> AsyncDriver:
    """Return a driver of the store that the settings name, to be closed by the caller."""
    address, password = settings.neo4j, settings.neo4j.password
    assert address.uri is not None
    assert password is not None
    return AsyncGraphDatabase.driver(address.uri, auth=(address.user, password.get_secret_value()))


async def fill(driver: AsyncDriver, text: str, **parameters: Any) -> None:
    """Run one statement that was read from a file."""
    await driver.execute_query(Query(text), parameters)  # type: ignore[arg-type]
