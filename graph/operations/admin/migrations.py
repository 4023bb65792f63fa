"""The version of a store, and the migrations that take the store of an earlier release to the present one."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.operations.admin import queries
from graph.operations.admin.service import apply_schema

FIRST_VERSION: Final = 1
"""Version of the stores that release 0.1.0 creates."""

_log = structlog.get_logger("recollect.store")


@dataclass(frozen=True)
class Migration:
    """A step from one version of the store to the next.

    Attributes:
        number: Version of the store after the step.
        change: Changes one batch of nodes in the earlier form, and returns its size. It runs until it returns 0, so it
            must select only unchanged nodes.
    """

    number: int
    change: Callable[[Database], Awaitable[int]]


MIGRATIONS: Final[Sequence[Migration]] = ()
"""All migrations in their order: the first has number 2, each further one the next number. A released one stays."""


async def prepare_store(database: Database, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Apply the missing migrations, then create the missing indexes and constraints.

    Migrations come first, so that new constraints meet migrated nodes. The store notes its version after each one. An
    interrupted migration continues at the next start, and processes that start together may run the same one. A new
    store has the newest version.

    Raises:
        InvalidInput: A later release wrote the store.
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
