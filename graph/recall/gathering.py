"""Gathers candidates: from the indexes where they serve, from every memory the filter admits where it admits few."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph.core.database import Database
from graph.embeddings.models import EmbeddedQuery
from graph.embeddings.service import Embeddings
from graph.embeddings.texts import LONGEST_WINDOWED_WORDS
from graph.memories.models import MemoryFilter
from graph.memories.rules import in_utc
from graph.memories.service import Memories, filter_parameters
from graph.ports import Clock
from graph.recall import queries
from graph.recall.candidates import Pool
from graph.recall.lucene import TextQuery, text_queries, window_queries
from graph.recall.question import Question

_OVER_FETCH = 4  # int8 vectors lose up to 1.5 % of the true top 10; out of four times as many none was lost
# Exact cosine costs about 1 ms for 150 rows; beyond this the index with a wider net is faster.
_MOST_COMPARED = 5000
_WIDEST_NET = 2000
_ANY_INDEX = "vectors_a"  # without a vector none is searched


@dataclass(frozen=True)
class RecallLimits:
    """How many candidates are gathered (measured: more cost time and find nothing more)."""

    pool: int = 40
    text_list: int = 200


@dataclass(frozen=True)
class Gathered:
    """The candidates; whether every admitted memory was compared, and what had to be approximated."""

    pool: Pool
    exact: bool = False
    degraded: Sequence[str] = ()


class Gatherer:
    """Asks the graph for candidates; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        memories: Memories,
        clock: Clock,
        limits: RecallLimits,
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._memories = memories
        self._clock = clock
        self._limits = limits

    async def gather(
        self,
        workspace_id: str,
        question: Question,
        embedded: EmbeddedQuery | None,
        *,
        filter_: MemoryFilter,
        valid_at: datetime | None,
    ) -> Gathered:
        """Return the candidates of one workspace that the filter admits.

        Raises:
            Unavailable: The graph does not answer.
        """
        common: dict[str, Any] = {
            **filter_parameters(filter_),
            "workspace_id": workspace_id,
            "text_queries": _legs(text_queries(question.weighted_words, workspace_id)),
            "window_queries": _legs(window_queries(question.weighted_words, workspace_id)),
            "vector": embedded.vectors[0] if embedded else None,
            "focus_vector": embedded.vectors[-1] if embedded else None,
            "vector_property": embedded.index.vector_property
            if embedded
            else self._embeddings.vector_property,
            "long_words": LONGEST_WINDOWED_WORDS,
            "pool_limit": self._limits.pool,
            "terms": [f" {stem} " for stem in question.stems],
            "now": self._clock.now(),
            "valid_at": in_utc(valid_at),
        }
        common.pop("text")
        index = embedded.index.name if embedded else _ANY_INDEX
        if filter_ == MemoryFilter():
            return Gathered(await self._from_indexes(common, index, widening=1.0, with_neighbours=True))
        admitted = await self._memories.count(workspace_id, filter_)
        if admitted <= _MOST_COMPARED:
            return Gathered(await self._from_all_admitted(common), exact=embedded is not None)
        total = await self._memories.count(workspace_id)
        pool = await self._from_indexes(common, index, widening=total / admitted, with_neighbours=False)
        note = (
            f"filter: {admitted} memories admitted; the indexes were asked with a wider net, not all compared"
        )
        return Gathered(pool, degraded=(note,))

    async def _from_indexes(
        self, common: dict[str, Any], vector_index: str, *, widening: float, with_neighbours: bool
    ) -> Pool:
        row = await queries.gather_candidates(
            self._database,
            **common,
            vector_index=vector_index,
            text_limit=_net(self._limits.text_list, widening),
            vector_limit=_net(self._limits.pool * _OVER_FETCH, widening),
            with_neighbours=with_neighbours,
        )
        return Pool.of(**dict(row))

    async def _from_all_admitted(self, common: dict[str, Any]) -> Pool:
        row = await queries.gather_candidates_exactly(self._database, **common, text_limit=_MOST_COMPARED)
        return Pool.of(**dict(row))


def _legs(found: Sequence[TextQuery]) -> list[dict[str, str]]:
    return [{"index": leg.index, "query": leg.query} for leg in found]


def _net(limit: int, widening: float) -> int:
    """Return how many rows to fetch so that about ``limit`` of them pass the filter, with twice that to be safe."""
    return limit if widening <= 1 else min(_WIDEST_NET, int(2 * limit * widening))
