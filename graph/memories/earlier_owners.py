"""Memories that release 0.1 stored: they belong to no user."""

from graph.core.data_versions.queries import find_data_version, note_data_version
from graph.core.database import Database
from graph.core.ports import Clock
from graph.memories import queries

_DONE = "memories have users"
_TOGETHER = 10_000


async def share_earlier_memories(database: Database, clock: Clock) -> None:
    """Note of every memory without a user that it is shared; done once, and harmless where it is done again."""
    if await find_data_version(database, name=_DONE) is not None:
        return
    while await queries.share_memories(database, limit=_TOGETHER):
        pass
    await note_data_version(database, name=_DONE, now=clock.now())
