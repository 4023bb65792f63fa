"""Facts that release 0.1 stored: what they are about was their content, their sentence was in their metadata."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import structlog

from graph.conversations.extraction import queries
from graph.core.data_versions.queries import find_data_version, note_data_version
from graph.core.database import Database
from graph.core.errors import NotFound
from graph.core.ports import Clock
from graph.memories import rules
from graph.memories.models import Memory
from graph.memories.service import Memories

_DONE = "facts are sentences"
_TOGETHER = 500
_STATEMENT = "statement"

_log = structlog.get_logger("recollect.extraction")


async def complete_earlier_facts(database: Database, memories: Memories, clock: Clock) -> None:
    """Make every fact of a store say its sentence; done once, and harmless where it is done again.

    Each is a change like any other: hash, search text and vector follow, and the text before stays as a version.
    Processes that start together may all do it. What is broken off is gone on with at the next start.
    """
    if await find_data_version(database, name=_DONE) is not None:
        return
    met: set[tuple[str, str]] = set()
    while True:
        rows = await queries.list_facts_without_sentence(database, limit=_TOGETHER)
        new = [row for row in rows if (row.workspace_id, row.id) not in met]
        if not new:
            break
        for row in new:
            with suppress(NotFound):  # somebody else deleted it meanwhile
                await memories.revise(row.workspace_id, row.id, _whole)
            met.add((row.workspace_id, row.id))
    await note_data_version(database, name=_DONE, now=clock.now())
    if met:
        _log.info("extraction.facts_told_whole", count=len(met))


def _whole(memory: Memory) -> Mapping[str, Any]:
    """Return what of a fact changes; of one whose text somebody changed only the sentence it no longer says goes."""
    statement = memory.metadata.get(_STATEMENT)
    metadata = {name: value for name, value in memory.metadata.items() if name != _STATEMENT}
    if memory.version > 1 or not isinstance(statement, str) or not statement.strip():
        return {"metadata": rules.as_json(metadata), "updated_at": memory.updated_at}
    metadata = {"polarity": "positive", **metadata, "object": memory.content}
    return {"content": statement, "metadata": rules.as_json(metadata), "updated_at": memory.updated_at}
