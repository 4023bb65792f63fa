"""What an operator wants to know of a store: which server it is, and whether its indexes serve."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cypher import Statement
from graph.core.rows import Runner
from graph.core.schema import migrations
from graph.operations.admin import queries

_DECLARED_NAME = re.compile(r"\b(\w+) IF NOT EXISTS\b")
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


async def inspect_indexes(runner: Runner) -> IndexReport:
    """Compare the store's indexes with the migrations.

    Raises:
        Unavailable: The server does not answer.
    """
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

    All are idempotent, but on a server that has just started each statement of one that changes nothing costs 0.1 s.

    Raises:
        Unavailable: The server does not answer.
    """
    found = {row.name for row in await queries.list_indexes(runner)}
    for migration in migrations():
        names = set(_names_of(migration))
        if not names or not names <= found:
            await runner.run(migration, {})


def declared_indexes() -> list[str]:
    """Return the names of all indexes and constraints that the migrations make; a constraint's index has its name."""
    return [name for migration in migrations() for name in _names_of(migration)]


def _names_of(migration: Statement) -> list[str]:
    return _DECLARED_NAME.findall(migration.text)
