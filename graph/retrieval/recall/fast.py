"""The strategy FAST: fuses the ranks of two lists in one statement, and computes no relevance."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import VECTOR_INDEXES
from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.models import RecallTier
from graph.core.ports import Clock
from graph.core.scope import current_scope
from graph.core.text.budget import estimate_tokens
from graph.core.text.lucene import text_queries
from graph.memories.filtering import filter_parameters
from graph.memories.models import MemoryFilter
from graph.retrieval import queries
from graph.retrieval.recall.candidate_retriever import WIDEST_NET
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

        The score is the sum of 1/(k + rank) over both lists. The lists hold the 40 best memories by words and the 40
        nearest texts (memories or their passages); a filter applies to the best 2,000 of each index. The trace notes
        approximations.

        Raises:
            InvalidInput: A field of the filter breaks a rule.
        """
        with trace.stage("graph"):
            page = await self._page(workspace_id, query, parsed, embedded, trace)
        if page is None:
            return None
        pool = self._rules.limits.pool
        if query.offset + query.limit > page.total >= pool:
            trace.degraded.append(f"list: only the best {page.total} candidates are ranked")
        if _is_filtered(query) and page.is_incomplete:
            trace.degraded.append(f"filter: applied to the best {WIDEST_NET} of each index only")
        now = self._clock.now()
        return [_hit(found, trace.tier, now) for found in page.hits]

    async def _page(
        self,
        workspace_id: str,
        query: RecallQuery,
        parsed: ParsedQuery,
        embedded: EmbeddedQuery | None,
        trace: RecallTrace,
    ) -> queries.FastPage | None:
        """Search; skip an index that cannot be searched, and note it in the trace."""
        legs = text_queries(parsed.weighted_words, workspace_id, parsed.languages)
        words: Sequence[Mapping[str, str]] | None = [{"index": leg.index, "query": leg.query} for leg in legs]
        while words is not None or embedded is not None:
            try:
                return await self._search(workspace_id, query, words or (), embedded, trace)
            except Unavailable as error:
                if error.index in VECTOR_INDEXES and embedded is not None:
                    embedded = None
                    trace.degraded.append(f"vector: {error}")
                    trace.note_without_vectors(str(error))
                elif error.index is not None and words is not None:
                    words = None
                    trace.degraded.append(f"words: {error}")
                else:
                    raise
        return None

    async def _search(
        self,
        workspace_id: str,
        query: RecallQuery,
        words: Sequence[Mapping[str, str]],
        embedded: EmbeddedQuery | None,
        trace: RecallTrace,
    ) -> queries.FastPage:
        common: dict[str, Any] = {
            "workspace_id": workspace_id,
            "text_queries": words,
            "search_limit": WIDEST_NET if _is_filtered(query) else self._rules.limits.pool,
            "list_limit": self._rules.limits.pool,
            "filter": filter_parameters(query.filter),
            "now": self._clock.now(),
            "rrf_k": self._rules.rrf_k,
            "offset": query.offset,
            "limit": query.limit,
            "relation_limit": self._rules.relation_limit if query.expand_relations else 0,
        }
        if embedded is not None:
            return await queries.search_memories_fast(
                self._database,
                vector_index=embedded.index.name,
                vector=embedded.vectors[0],
                vector_property=embedded.index.vector_property,
                min_score=query.min_score,
                **common,
            )
        page = await queries.search_memories_fast_by_words(self._database, min_score=None, **common)
        if query.min_score is not None:
            trace.degraded.append("minScore: ignored, because without vectors there are no cosines")
        return page


def _is_filtered(query: RecallQuery) -> bool:
    """Tell whether the statement filters by more than the indexes do, which know workspace and users."""
    return query.filter != MemoryFilter() or current_scope().agents is not None


def _hit(found: queries.FastHit, tier: RecallTier, now: datetime) -> RecallHit:
    ranks = {RecallLeg.VECTOR: found.vector_rank, RecallLeg.WORDS: found.text_rank}
    places = {leg: rank for leg, rank in ranks.items() if rank is not None}
    return RecallHit(
        memory=found.memory,
        score=found.score,
        vector_score=found.cosine,
        text_score=found.text_score,
        tier=tier,
        tokens=estimate_tokens(found.memory.content),
        why=[place_in_words(leg, place) for leg, place in places.items()],
        places=places,
        relations=found.relations,
        superseded_by=found.superseded_by,
        validity=validity_of(found.memory, now, found.superseded_by),
    )
