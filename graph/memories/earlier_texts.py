"""Deleted and expired memories of earlier releases, whose texts are still in the full-text indexes."""

from graph.core.data_versions.once import once_in_a_store
from graph.core.database import Database
from graph.memories.deletion import queries

_TOGETHER = 10_000


@once_in_a_store("indexes hold what lives")
async def take_gone_from_text_indexes(database: Database) -> None:
    """Take them out, so that they fill no list."""
    while await queries.take_gone_from_text_indexes(database, limit=_TOGETHER) == _TOGETHER:
        pass
