"""Memories that release 0.1 stored: they belong to no user."""

from graph.core.data_versions.once import once_in_a_store
from graph.core.database import Database
from graph.memories import queries

_TOGETHER = 10_000


@once_in_a_store("memories have users")
async def share_earlier_memories(database: Database) -> None:
    """Note of every memory without a user that it is shared."""
    while await queries.share_memories(database, limit=_TOGETHER):
        pass
