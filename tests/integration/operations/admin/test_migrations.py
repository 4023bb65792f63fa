"""Migrations at start: an earlier release's store is migrated, a later release's store is refused."""

import asyncio

import pytest

from cypher.header import parse
from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.operations.admin import FIRST_VERSION, Migration, inspect_indexes, prepare_store
from graph.operations.queries import find_store_version
from tests.fixtures.graphs import run

_RENAME = """// name: rename_text_of_notes
// mode: write
// returns: one
// unscoped: the notes of every workspace
// column: count integer
CYPHER 25
MATCH (note:Note)
WHERE note.text IS NOT NULL
WITH note
LIMIT 2
SET note.content = note.text
REMOVE note.text
RETURN count(*) AS count
"""
_NOTES = [f"note {number}" for number in range(5)]
_SAVED = "CYPHER 25 UNWIND $texts AS text CREATE (:Note {text: text})"
_READ = "CYPHER 25 MATCH (note:Note) RETURN note.content AS content, note.text AS text ORDER BY content"


class Renaming:
    """The migration under test: it renames a property of notes, two notes at a time.

    Attributes:
        batches: Number of notes that each call changed.
    """

    def __init__(self, *, fails_after: int | None = None) -> None:
        self.batches: list[int] = []
        self._fails_after = fails_after
        self._statement = parse(_RENAME, folder="tests", stem="rename_text_of_notes", path="rename.cypher")

    async def change(self, database: Database) -> int:
        if len(self.batches) == self._fails_after:
            raise ConnectionResetError
        (record,) = await database.run(self._statement, {})
        self.batches.append(record["count"])
        return self.batches[-1]

    @property
    def migrations(self) -> list[Migration]:
        return [Migration(FIRST_VERSION + 1, self.change)]


@pytest.fixture
async def database(empty_store) -> Database:
    """Return a store of the first version with five notes."""
    opened = Database(empty_store, name="neo4j", timeout_seconds=30)
    await prepare_store(opened, [])
    await run(empty_store, _SAVED, texts=_NOTES)
    return opened


async def contents(driver) -> list[tuple[str | None, str | None]]:
    return [tuple(record.values()) for record in (await run(driver, _READ)).records]


RENAMED = [(note, None) for note in _NOTES]


async def test_an_empty_store_gets_the_newest_version_and_the_schema_without_a_migration(empty_store) -> None:
    """M13, M14."""
    database, renaming = Database(empty_store, name="neo4j", timeout_seconds=30), Renaming()

    await prepare_store(database, renaming.migrations)

    assert (renaming.batches, await find_store_version(database)) == ([], FIRST_VERSION + 1)
    assert (await inspect_indexes(database)).missing == []


async def test_an_earlier_store_is_migrated_once(database, empty_store) -> None:
    """M14."""
    renaming = Renaming()

    for _ in range(2):
        await prepare_store(database, renaming.migrations)

    assert (renaming.batches, await contents(empty_store)) == ([2, 2, 1, 0], RENAMED)
    assert await find_store_version(database) == FIRST_VERSION + 1


async def test_an_interrupted_migration_continues_at_the_next_start(database, empty_store) -> None:
    """M14: the store keeps its old version until the migration is complete."""
    with pytest.raises(ConnectionResetError):
        await prepare_store(database, Renaming(fails_after=1).migrations)
    assert await find_store_version(database) == FIRST_VERSION
    renaming = Renaming()

    await prepare_store(database, renaming.migrations)

    assert (renaming.batches, await contents(empty_store)) == ([2, 1, 0], RENAMED)
    assert await find_store_version(database) == FIRST_VERSION + 1


async def test_processes_that_start_together_migrate_a_store(database, empty_store) -> None:
    """M14."""
    await asyncio.gather(*(prepare_store(database, Renaming().migrations) for _ in range(3)))

    assert await contents(empty_store) == RENAMED
    assert await find_store_version(database) == FIRST_VERSION + 1


async def test_several_migrations_run_in_their_order(database) -> None:
    """M14."""
    done: list[int] = []

    def noting(number: int) -> Migration:
        async def change(_: Database) -> int:
            done.append(number)
            return 0

        return Migration(number, change)

    await prepare_store(database, [noting(2)])
    await prepare_store(database, [noting(2), noting(3), noting(4)])

    assert (done, await find_store_version(database)) == ([2, 3, 4], 4)


async def test_a_store_of_a_later_release_is_refused_in_one_line_and_left_alone(
    database, empty_store
) -> None:
    """M14."""
    await prepare_store(database, Renaming().migrations)
    await run(empty_store, "DROP INDEX memory_text")

    with pytest.raises(InvalidInput) as refused:
        await prepare_store(database, [])

    assert str(refused.value) == (
        "the store has version 2, and this release reads versions up to 1: start a later release, or restore a backup"
    )
    assert (await inspect_indexes(database)).missing == ["memory_text"]
