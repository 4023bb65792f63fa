"""The indexes and constraints of a store: creation and state."""

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import structlog

from cypher import Statement, catalogue
from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.core.rows import Runner
from graph.operations import queries

_DECLARED_NAME = re.compile(r"\b(\w+) IF NOT EXISTS\b")
_ONLINE = "ONLINE"
_FAILED = "FAILED"


@dataclass(frozen=True)
class IndexReport:
    """The state of a store's indexes, by name.

    Attributes:
        online: Online indexes.
        building: Populating indexes, each with its percentage.
        failed: Failed indexes, which will never be online.
        missing: Indexes of the schema that the store lacks.
    """

    online: Sequence[str]
    building: Mapping[str, float]
    failed: Sequence[str]
    missing: Sequence[str]


async def online_indexes(runner: Runner) -> set[str]:
    """Return the names of the store's online indexes."""
    return {row.name for row in await queries.list_indexes(runner) if row.state == _ONLINE}


async def inspect_indexes(runner: Runner) -> IndexReport:
    """Compare the store's indexes with the schema."""
    rows = await queries.list_indexes(runner)
    found = {row.name for row in rows}
    return IndexReport(
        online=[row.name for row in rows if row.state == _ONLINE],
        building={row.name: row.percent for row in rows if row.state not in (_ONLINE, _FAILED)},
        failed=[row.name for row in rows if row.state == _FAILED],
        missing=[name for name in declared_indexes() if name not in found],
    )


async def apply_schema(runner: Runner) -> None:
    """Create the indexes and constraints that the store lacks.

    It runs only missing statements: each is idempotent, but takes 0.1 s on a newly started server even without effect.
    """
    found = {row.name for row in await queries.list_indexes(runner)}
    for schema in _schemas():
        missing = tuple(part for name, part in _declarations(schema) if name not in found)
        if missing:
            await runner.run(replace(schema, parts=missing), {})


def declared_indexes() -> list[str]:
    """Return the names of all indexes and constraints of the schema; a constraint's index has its name."""
    return [name for schema in _schemas() for name, _ in _declarations(schema)]


def _schemas() -> list[Statement]:
    return [statement for statement in catalogue().values() if statement.folder == "schema"]


def _declarations(schema: Statement) -> Iterator[tuple[str, str]]:
    """Yield the statements of a schema file with the names of their indexes and constraints."""
    for part in schema.parts:
        (name,) = _DECLARED_NAME.findall(part)
        yield name, part


FIRST_VERSION: Final = 1
"""Version of the stores that release 0.1.0 creates."""

_log = structlog.get_logger("recollect.store")


@dataclass(frozen=True)
class Migration:
    """A step from one version of the store to the next.

    Attributes:
        number: Version of the store after the step.
        change: Migrates one batch of nodes and returns its size. It runs until it returns 0, so it must select only
            nodes in the earlier form.
    """

    number: int
    change: Callable[[Database], Awaitable[int]]


MIGRATIONS: Final[Sequence[Migration]] = ()
"""All migrations in order, numbered from 2 without gaps. Released migrations never change."""


async def prepare_store(database: Database, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Apply the missing migrations, then create the missing indexes and constraints.

    Migrations run first, so that new constraints apply to migrated nodes. The store's version is recorded after each.
    An interrupted migration continues at the next start, and several starting processes may run the same one. A new
    store has the newest version.

    Raises:
        InvalidInput: A later release has written the store.
    """
    newest = migrations[-1].number if migrations else FIRST_VERSION
    version = await queries.find_store_version(database)
    if version is not None and version > newest:
        raise InvalidInput(
            "neo4j",
            f"the store has version {version}, and this release reads versions up to {newest}: "
            "start a later release, or restore a backup",
        )
    for migration in migrations:
        if version is not None and migration.number > version:
            await _apply(database, migration)
    await apply_schema(database)
    if version is None:
        await queries.note_store_version(database, number=newest)


async def _apply(database: Database, migration: Migration) -> None:
    while await migration.change(database):
        pass
    await queries.note_store_version(database, number=migration.number)
    _log.info("store.migrated", version=migration.number)
