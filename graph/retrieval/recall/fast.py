"""The strategy FAST: ranks memories by their ranks in two lists, and computes no relevance."""

import asyncio
from collections.abc import Mapping, Sequence

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.fusion import reciprocal_rank_fusion
from graph.core.ports import Clock
from graph.core.scope import current_scope
from graph.core.text.budget import estimate_tokens
from graph.core.text.lucene import text_queries
from graph.memories.filtering import filter_parameters
from graph.memories.models import MemoryFilter
from graph.retrieval import queries
from graph.retrieval.recall.candidate_retriever import OVER_FETCH, WIDEST_NET
from graph.retrieval.recall.explanation import place_in_words
from graph.retrieval.recall.models import RecallHit, RecallLeg, RecallQuery, RecallTrace
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.rules import RecallRules
from graph.retrieval.recall.validity import validity_of
from graph.vectors.index.models import EmbeddedQuery


class FastSearch:
    """Executes the recalls with the strategy FAST; lives as long as the process."""

    def __init__(self, database: Database, clock: Clock, rules: RecallRules) -> None:
        self._database = database
        self._clock = clock
        self._rules = rules

    async def find(
        self,
        workspace_id: str,
        query: RecallQuery,
        parsed: ParsedQuery,
        embedded: EmbeddedQuery | None,
        trace: RecallTrace,
    ) -> Sequence[RecallHit] | None:
        """Return a page of hits, or None if neither words nor vectors can be searched.

        The score is the sum of 1/(k + rank) over both lists. Each list has the best 40 memories that match the filter;
        with a filter, these come from the best 2,000 of each index.

        Raises:
            InvalidInput: A field of the filter breaks a rule.
        """
        with trace.stage("graph"):
            by_words, by_meaning = await asyncio.gather(
                self._by_words(workspace_id, query, parsed, trace),
                self._by_meaning(workspace_id, query, embedded, trace),
            )
            if by_words is None and by_meaning is None:
                return None
        scores = reciprocal_rank_fusion([list(by_words or ()), list(by_meaning or ())], self._rules.rrf_k)
        if query.min_score is not None and by_meaning is None:
            trace.degraded.append("minScore: ignored, because without vectors there are no cosines")
        elif query.min_score is not None and by_meaning is not None:
            scores = {id_: scores[id_] for id_, cosine in by_meaning.items() if cosine >= query.min_score}
        ids = sorted(scores, key=lambda id_: (-scores[id_], id_))
        end = query.offset + query.limit
        if end > len(ids) >= self._rules.limits.pool:
            trace.degraded.append(f"list: only the best {len(ids)} candidates are ranked")
        with trace.stage("read"):
            return await self._hits(
                workspace_id, ids[query.offset : end], query, scores, by_words or {}, by_meaning or {}, trace
            )

    async def _by_words(
        self, workspace_id: str, query: RecallQuery, parsed: ParsedQuery, trace: RecallTrace
    ) -> Mapping[str, float] | None:
        """Return Lucene's scores of the best by words, by id; None if the index cannot be searched."""
        try:
            rows = await queries.search_memories_by_words(
                self._database,
                workspace_id=workspace_id,
                text_queries=[
                    {"index": leg.index, "query": leg.query}
                    for leg in text_queries(parsed.weighted_words, workspace_id, parsed.languages)
                ],
                text_limit=self._rows(query),
                filter=filter_parameters(query.filter),
                now=self._clock.now(),
                limit=self._rules.limits.pool,
            )
        except Unavailable as error:
            if error.index is None:
                raise
            trace.degraded.append(f"words: {error}")
            return None
        return {row.id: row.score for row in rows}

    async def _by_meaning(
        self, workspace_id: str, query: RecallQuery, embedded: EmbeddedQuery | None, trace: RecallTrace
    ) -> Mapping[str, float] | None:
        """Return the cosines of the nearest, by id; None without a vector or if the index cannot be searched."""
        if embedded is None:
            return None
        try:
            rows = await queries.search_memories_by_meaning(
                self._database,
                workspace_id=workspace_id,
                vector_index=embedded.index.name,
                vector=embedded.vectors[0],
                vector_property=embedded.index.vector_property,
                vector_limit=self._rows(query),
                filter=filter_parameters(query.filter),
                now=self._clock.now(),
                limit=self._rules.limits.pool,
            )
        except Unavailable as error:
            if error.index is None:
                raise
            trace.degraded.append(f"vector: {error}")
            trace.note_without_vectors(str(error))
            return None
        return {row.id: row.cosine for row in rows}

    def _rows(self, query: RecallQuery) -> int:
        """Return the number of rows to read from each index, of which enough pass the filter."""
        if query.filter == MemoryFilter() and current_scope().agents is None:
            return self._rules.limits.pool * OVER_FETCH
        return WIDEST_NET

    async def _hits(
        self,
        workspace_id: str,
        ids: Sequence[str],
        query: RecallQuery,
        scores: Mapping[str, float],
        by_words: Mapping[str, float],
        by_meaning: Mapping[str, float],
        trace: RecallTrace,
    ) -> Sequence[RecallHit]:
        """Read the memories of a page."""
        now = self._clock.now()
        rows = await queries.get_hits(
            self._database,
            workspace_id=workspace_id,
            ids=ids,
            relation_limit=self._rules.relation_limit if query.expand_relations else 0,
            vector_property="",
            now=now,
            merge_above=None,
        )
        ranks = {
            RecallLeg.VECTOR: {id_: rank for rank, id_ in enumerate(by_meaning, start=1)},
            RecallLeg.WORDS: {id_: rank for rank, id_ in enumerate(by_words, start=1)},
        }
        hits = []
        for row in rows:
            id_ = row.memory.id
            places = {leg: places[id_] for leg, places in ranks.items() if id_ in places}
            hits.append(
                RecallHit(
                    memory=row.memory,
                    score=scores[id_],
                    vector_score=by_meaning.get(id_),
                    text_score=by_words.get(id_),
                    tier=trace.tier,
                    tokens=estimate_tokens(row.memory.content),
                    why=[place_in_words(leg, place) for leg, place in places.items()],
                    places=places,
                    relations=row.relations,
                    superseded_by=row.superseded_by,
                    validity=validity_of(row.memory, now, row.superseded_by),
                )
            )
        return hits
