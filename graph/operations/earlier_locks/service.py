"""Removes what locks of earlier releases left on nodes, once in the life of a store."""

from graph.core.data_versions.once import once_in_a_store
from graph.core.database import Database
from graph.operations.earlier_locks import queries

_TOGETHER = 10_000


@once_in_a_store("locks leave nothing")
async def remove_earlier_locks(database: Database) -> None:
    """Take ``locked_at`` from every node."""
    while await queries.remove_earlier_locks(database, limit=_TOGETHER) == _TOGETHER:
        pass
