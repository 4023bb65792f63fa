"""Searches nodes other than memories by words and meaning; each kind separately, so that none crowds out another."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.text.language import stems, words
from graph.core.text.lucene import KINDS_OF_USERS, knowledge_queries
from graph.retrieval import queries
from graph.retrieval.recall.candidate_retriever import POOL
from graph.retrieval.recall.explanation import place_in_words
from graph.retrieval.recall.models import RecallLeg, RecallTrace
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.search.models import SearchKind
from graph.vectors.index.models import EmbeddedQuery

_OVER_FETCH = 4  # int8 vectors miss up to 1.5 % of the true best, and text indexes contain deleted nodes
_READ_CHARS = 4000  # characters of a text whose words are compared; chunks and summaries are shorter


@dataclass
class Known:
    """One found node, with its cosine and the reasons from each leg."""

    text: str
    keys: str | None
    cosine: float | None
    why: list[str] = field(default_factory=list)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of its text and names."""
        return frozenset(stems(words(f"{self.text[:_READ_CHARS]} {self.keys or ''}")))


class Knowledge:
    """Searches the indexes of nodes other than memories; lives as long as the process."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(
        self,
        workspace_id: str,
        parsed: ParsedQuery,
        embedded: EmbeddedQuery | None,
        kinds: Sequence[SearchKind],
        trace: RecallTrace,
    ) -> dict[tuple[SearchKind, str], Known]:
        """Return the hits of both legs; the trace notes a leg whose index is unavailable."""
        by_words, by_meaning = await asyncio.gather(
            self._by_words(workspace_id, parsed, embedded, kinds, trace),
            self._by_meaning(workspace_id, embedded, kinds, trace),
        )
        return _joined(by_words, by_meaning)

    async def _by_words(
        self,
        workspace_id: str,
        parsed: ParsedQuery,
        embedded: EmbeddedQuery | None,
        kinds: Sequence[SearchKind],
        trace: RecallTrace,
    ) -> list[queries.SearchKnowledgeByWordsRow]:
        legs = [
            {"index": leg.index, "query": leg.query}
            for kind in kinds
            for leg in knowledge_queries(parsed.weighted_words, workspace_id, kind.value)
        ]
        if not legs:
            return []
        try:
            with trace.stage("knowledge_words"):
                return await queries.search_knowledge_by_words(
                    self._database,
                    workspace_id=workspace_id,
                    text_queries=legs,
                    vector=embedded.vectors[0] if embedded else None,
                    vector_property=embedded.index.vector_property if embedded else "",
                    searched=POOL * _OVER_FETCH,
                    limit=POOL,
                )
        except Unavailable as error:
            _note_lost("words", error, trace)
            return []

    async def _by_meaning(
        self,
        workspace_id: str,
        embedded: EmbeddedQuery | None,
        kinds: Sequence[SearchKind],
        trace: RecallTrace,
    ) -> list[queries.SearchKnowledgeByMeaningRow]:
        if embedded is None or not kinds:
            return []
        try:
            with trace.stage("knowledge_meaning"):
                return await queries.search_knowledge_by_meaning(
                    self._database,
                    vector_index=embedded.index.name,
                    workspace_id=workspace_id,
                    kinds=[kind.value for kind in kinds],
                    owned_kinds=sorted(KINDS_OF_USERS),
                    vector=embedded.vectors[0],
                    vector_property=embedded.index.vector_property,
                    vector_limit=POOL * _OVER_FETCH,
                    limit=POOL,
                )
        except Unavailable as error:
            _note_lost("vector", error, trace)
            return []


def _joined(
    by_words: Iterable[queries.SearchKnowledgeByWordsRow],
    by_meaning: Iterable[queries.SearchKnowledgeByMeaningRow],
) -> dict[tuple[SearchKind, str], Known]:
    """Merge the rows of both legs; note the rank of each node within its kind."""
    known: dict[tuple[SearchKind, str], Known] = {}
    for leg, rows in ((RecallLeg.VECTOR, by_meaning), (RecallLeg.WORDS, by_words)):
        places: dict[SearchKind, set[str]] = defaultdict(set)
        for row in rows:
            kind = SearchKind(row.kind)
            if row.id in places[kind]:
                continue  # the queries of two scripts found the same node
            places[kind].add(row.id)
            entry = known.setdefault((kind, row.id), Known(row.text, row.keys, row.cosine))
            entry.why.append(f"{place_in_words(leg, len(places[kind]))} of its kind")
    return known


def _note_lost(leg: str, error: Unavailable, trace: RecallTrace) -> None:
    """Note a leg whose index cannot be searched.

    Raises:
        Unavailable: The error is not a missing index.
    """
    if error.index is None:
        raise error
    note = f"{leg}: {error}"
    if note not in trace.degraded:
        trace.degraded.append(note)
