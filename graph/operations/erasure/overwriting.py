"""Takes the room that the database has freed, so that what stood there is overwritten.

Neo4j marks a deleted record as free and keeps its bytes until it reuses the space. It reuses space shortly after the
last transaction that could see the record. Best effort: data in transaction logs, and keys in pages of range indexes,
stay until the database prunes or reuses those.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from graph.core.background import portions
from graph.core.database import Database
from graph.core.ids import new_id
from graph.operations.erasure import queries

FILLER_PREFIX: Final = "filler_"
"""Prefix of the ids of fillers."""
_FREED_AFTER_SECONDS: Final = 3.0
_TOGETHER: Final = 500
_MOST: Final = 16_000
"""Fillers, of about 6 KB each: no erasure makes the store grow by more than 100 MB for a moment."""
# A memory's text is there several times: as it is, as it is searched, and in its neighbours.
_FOR_EACH: Final = 3
_LEAST: Final = 200
_RECORD_CHARS: Final = 120  # what a record of Neo4j's store of texts holds
_FILLING: Final[Mapping[str, Any]] = {
    # Longer texts are put where several records in a row are free, and shorter ones leave the end of a record.
    **{f"filler_{number}": "." * _RECORD_CHARS for number in range(30)},
    "filler_numbers": [0.0] * 384,
}


async def overwrite_freed(database: Database, workspace_id: str, erased: int) -> None:
    """Write and delete as much as so many erased nodes may have held; nothing of it is left."""
    if erased > 0:
        await asyncio.sleep(_FREED_AFTER_SECONDS)
        count = min(_MOST, max(_LEAST, _FOR_EACH * erased))
        for ids in portions([new_id(FILLER_PREFIX.rstrip("_")) for _ in range(count)], _TOGETHER):
            await queries.write_fillers(database, workspace_id=workspace_id, ids=ids, properties=_FILLING)
    deleted = _TOGETHER
    while deleted == _TOGETHER:
        deleted = await queries.delete_fillers(
            database, workspace_id=workspace_id, prefix=FILLER_PREFIX, limit=_TOGETHER
        )
