"""Finds memories that cannot both hold, so that somebody may decide which of them does."""

import asyncio
from collections.abc import Sequence
from itertools import islice

import structlog

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.models import Frozen
from graph.core.pages import page_size
from graph.core.ports import Clock
from graph.memories.contradictions import queries
from graph.memories.contradictions.rules import contradicts
from graph.memories.models import Memory
from graph.vectors.index.service import Embeddings


class Contradiction(Frozen):
    """Two memories of one owner that cannot both hold; ``newer`` was saved later."""

    newer: Memory
    older: Memory


_log = structlog.get_logger("recollect.memories")

_LATEST = 100  # memories whose neighbours are looked at: each is a search of the index
_NEIGHBOURS = 10
_LEAST_COSINE = 0.6  # contradictions are worded almost alike


class Contradictions:
    """The use case of finding contradictions; lives as long as the process."""

    def __init__(self, database: Database, embeddings: Embeddings, clock: Clock) -> None:
        self._database = database
        self._embeddings = embeddings
        self._clock = clock

    async def latest(self, workspace_id: str, *, first: int = 20) -> list[Contradiction]:
        """Return contradictions of the 100 memories that were saved last, with older ones; the newest first.

        Omits pairs that somebody has associated as contradicting: they are known. Empty while no vectors are available.

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
