"""Facts that release 0.1 stored: what they are about was their content, their sentence was in their metadata."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import structlog

from graph.conversations.extraction import queries
from graph.core.data_versions.once import once_in_a_store
from graph.core.database import Database
from graph.core.errors import NotFound
from graph.memories import rules
from graph.memories.models import Memory
from graph.memories.service import Memories

_TOGETHER = 500
_STATEMENT = "statement"

_log = structlog.get_logger("recollect.extraction")


@once_in_a_store("facts are sentences")
async def complete_earlier_facts(database: Database, memories: Memories) -> None:
    """Make every fact of a store say its sentence.

    Each is a change like any other: hash, search text and vector follow, and the text before stays as a version.
    Processes that start together may all do it. What is broken off is gone on with at the next start.
    """
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
