"""Removes what locks of earlier releases left on nodes, once in the life of a store."""

from graph.core.data_versions.queries import find_data_version, note_data_version
from graph.core.database import Database
from graph.core.ports import Clock
from graph.operations.earlier_locks import queries

_DONE = "locks leave nothing"
_TOGETHER = 10_000


async def remove_earlier_locks(database: Database, clock: Clock) -> None:
    """Take ``locked_at`` from every node; done once, and harmless where it is done again."""
    if await find_data_version(database, name=_DONE) is not None:
        return
    while await queries.remove_earlier_locks(database, limit=_TOGETHER) == _TOGETHER:
        pass
    await note_data_version(database, name=_DONE, now=clock.now())
