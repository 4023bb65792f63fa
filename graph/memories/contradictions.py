"""Finds memories that cannot both be true, so that a person can resolve them."""

import asyncio
from collections.abc import Sequence
from itertools import islice

import structlog

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.models import Frozen
from graph.core.pages import page_size
from graph.core.ports import Clock
from graph.memories import queries
from graph.memories.deduplication.disagreement import contradicts
from graph.memories.models import Memory
from graph.vectors.index.service import Embeddings


class Contradiction(Frozen):
    """Two memories of one owner that cannot both be true; ``newer`` was saved later."""

    newer: Memory
    older: Memory


_log = structlog.get_logger("recollect.memories")

_LATEST = 100  # memories compared with their neighbours: each costs a search of the index
_NEIGHBOURS = 10
_LEAST_COSINE = 0.6  # contradicting statements have similar wording, hence similar vectors


class Contradictions:
    """Lists contradictions; lives as long as the process."""

    def __init__(self, database: Database, embeddings: Embeddings, clock: Clock) -> None:
        self._database = database
        self._embeddings = embeddings
        self._clock = clock

    async def latest(self, workspace_id: str, *, first: int = 20) -> list[Contradiction]:
        """Return contradictions between the 100 latest memories and older ones, the newest first.

        Omits known contradictions: pairs that already have such an association. Returns nothing if vectors are
        unavailable.

        Raises:
            InvalidInput: ``first`` is not a page size.
        """
        size = page_size(first)
        return await asyncio.to_thread(_contradictions, await self._neighbours(workspace_id), size)

    async def _neighbours(self, workspace_id: str) -> list[queries.ListOlderNeighboursRow]:
        index = self._embeddings.active
        if index is None:
            return []
        try:
            return await queries.list_older_neighbours(
                self._database,
                workspace_id=workspace_id,
                latest_limit=_LATEST,
                vector_index=index.name,
                vector_property=index.vector_property,
                vector_limit=_NEIGHBOURS,
                least_cosine=_LEAST_COSINE,
                now=self._clock.now(),
            )
        except Unavailable as error:
            if error.index is None:
                raise
            _log.warning("memories.not_compared", count=_LATEST, reason=error.message)
            return []


def _contradictions(rows: Sequence[queries.ListOlderNeighboursRow], most: int) -> list[Contradiction]:
    """Return the first pairs that contradict each other."""
    pairs = (row for row in rows if contradicts(row.memory, row.other))
    return [Contradiction(newer=row.memory, older=row.other) for row in islice(pairs, most)]
