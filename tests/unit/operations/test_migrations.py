"""Stores that are migrated and stores that are refused (M14)."""

from typing import cast

import pytest
from neo4j import Record

from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.operations.admin import FIRST_VERSION, MIGRATIONS, prepare_store


def test_migrations_are_numbered_without_a_gap() -> None:
    numbers = [FIRST_VERSION, *(migration.number for migration in MIGRATIONS)]

    assert numbers == list(range(FIRST_VERSION, FIRST_VERSION + len(numbers)))


async def test_nothing_is_written_into_the_store_of_a_later_release() -> None:
    names: list[str] = []

    class Later:
        async def run(self, statement, _parameters) -> list[Record]:
            names.append(statement.name)
            return [Record({"number": FIRST_VERSION + len(MIGRATIONS) + 1})]

    with pytest.raises(InvalidInput, match="start a later release, or restore a backup"):
        await prepare_store(cast("Database", Later()))

    assert names == ["find_store_version"]
