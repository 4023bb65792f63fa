"""What an operator wants to know of a store: which server it is, and whether its indexes serve."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cypher import Statement
from graph.core.rows import Runner
from graph.core.schema import migrations
from graph.operations.admin import queries

_DECLARED_NAME = re.compile(r"\b(\w+) IF NOT EXISTS\b")
_FULL_TEXT = re.compile(r"FULLTEXT INDEX (\w+) IF NOT EXISTS FOR \([^)]*\) ON EACH \[([^\]]*)\]")
_ONLINE = "ONLINE"
_FAILED = "FAILED"


@dataclass(frozen=True)
class IndexReport:
    """The state of a store's indexes, by name.

    Attributes:
        online: Those that serve.
        building: Those that do not serve yet, each with the percentage done.
        failed: Those that will never serve.
        missing: Those that the migrations declare and the store lacks.
    """

    online: Sequence[str]
    building: Mapping[str, float]
    failed: Sequence[str]
    missing: Sequence[str]


async def online_indexes(runner: Runner) -> set[str]:
    """Return the names of the store's indexes that serve."""
    return {row.name for row in await queries.list_indexes(runner) if row.state == _ONLINE}


async def inspect_indexes(runner: Runner) -> IndexReport:
    """Compare the store's indexes with the migrations."""
    rows = await queries.list_indexes(runner)
    found = {row.name for row in rows}
    return IndexReport(
        online=[row.name for row in rows if row.state == _ONLINE],
        building={row.name: row.percent for row in rows if row.state not in (_ONLINE, _FAILED)},
        failed=[row.name for row in rows if row.state == _FAILED],
        missing=[name for name in declared_indexes() if name not in found],
    )


async def apply_missing_migrations(runner: Runner) -> None:
    """Apply the migrations that make something the store lacks, and those that make nothing of a name.

    A full-text index of an earlier release that holds fewer properties is made again; until it is there again, recall
    goes without it and says so. All are idempotent, but on a server that has just started each statement of one that
    changes nothing costs 0.1 s.
    """
    rows = await queries.list_indexes(runner)
    found = {row.name for row in rows}
    for migration in migrations():
        outdated = _outdated(migration, rows)
        for name in outdated:
            await queries.drop_index(runner, name=name)
        found -= outdated
        names = set(_names_of(migration))
        if not names or not names <= found:
            await runner.run(migration, {})


def declared_indexes() -> list[str]:
    """Return the names of all indexes and constraints that the migrations make; a constraint's index has its name."""
    return [name for migration in migrations() for name in _names_of(migration)]


def _outdated(migration: Statement, rows: Sequence[queries.ListIndexesRow]) -> set[str]:
    """Return the full-text indexes that the store has with other properties than the migration gives them."""
    held = {row.name: row.properties for row in rows}
    wanted = {name: re.findall(r"n\.(\w+)", each) for name, each in _FULL_TEXT.findall(migration.text)}
    return {name for name, properties in wanted.items() if held.get(name, properties) != properties}


def _names_of(migration: Statement) -> list[str]:
    return _DECLARED_NAME.findall(migration.text)
