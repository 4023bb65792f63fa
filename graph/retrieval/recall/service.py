"""Recall: by query, and by tags."""

import asyncio
import math
from collections.abc import Iterable, Sequence
from enum import StrEnum

from graph.core.current_call import leads_nowhere, touches
from graph.core.database import Database
from graph.core.measuring import UNMEASURED, Measurements
from graph.core.models import Frozen, RecallTier
from graph.core.ports import Clock, Reranker
from graph.core.text.budget import MOST_TOKENS, effective_budget, token_walk
from graph.core.text.checks import note_of_cut
from graph.core.text.language import Specificity
from graph.memories.models import Memory
from graph.memories.policy import RetentionSurface
from graph.memories.service import Memories
from graph.retrieval.recall.fast import FastSearch
from graph.retrieval.recall.listing import Lister
from graph.retrieval.recall.markdown import render, render_lines
from graph.retrieval.recall.models import (
    NEWEST_FIRST,
    RecallHit,
    RecallQuery,
    RecallResult,
    RecallStrategy,
    RecallTrace,
    strategy_named,
)
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.pipeline import Ranking, RecallPipeline
from graph.retrieval.recall.relevance import Calibration
from graph.retrieval.recall.rules import MAX_LIMIT, RecallRules, validated
from graph.telemetry.usage import Usage
from graph.tenancy.workspaces import Workspaces
from graph.vectors.external.service import ExternalTier
from graph.vectors.index.models import EmbeddedQuery
from graph.vectors.index.service import Embeddings

MOST_IN_TEXT = 20
_MOST_WEAK = 3
WARM_UPS = ("warm up", "What does Ada Lovelace prefer in Python?")
"""Queries without and with names: names add a lookup of entities to the statement."""


class Recall:
    """Finds memories by query, tags or age; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        memories: Memories,
        usage: Usage,
        workspaces: Workspaces,
        clock: Clock,
        rules: RecallRules,
        *,
        specificity: Specificity,
        reranker: Reranker | None = None,
        tier: ExternalTier[Memory] | None = None,
        measurements: Measurements = UNMEASURED,
    ) -> None:
        self._rules = rules
        self._measurements = measurements
        self._usage = usage
        self._retention = memories.retention
        self._workspaces = workspaces
        self._clock = clock
        self._pipeline = RecallPipeline(
            database,
            embeddings,
            memories,
            clock,
            rules,
            specificity=specificity,
            calibration=Calibration(embeddings),
            reranker=reranker,
            tier=tier,
        )
        self._fast = FastSearch(database, clock, rules)
        self._lister = Lister(database, clock, rules)

    async def recall(
        self,
        workspace_id: str,
        query: RecallQuery,
        *,
        surface: RetentionSurface = RetentionSurface.RECALL,
        max_limit: int = MAX_LIMIT,
    ) -> RecallResult:
        """Return the best memories for a query, within the limit and the token budget, with a trace.

        Without a query, it lists memories with the filter's tags by importance. Without tags, or with the strategy
        ``exact``, it lists the newest first. With a query, ``exact`` lists only memories with some of its words.

        Args:
            workspace_id: Workspace to search.
            query: Parameters of the recall.
            surface: Surface of the caller, which determines the age limit.
            max_limit: Largest allowed limit.

        Raises:
            InvalidInput: A field breaks a rule.
        """
        request = await self._retained(workspace_id, validated(query, max_limit=max_limit), surface)
        strategy = await self._strategy(workspace_id, request)
        request = request.model_copy(update={"strategy": strategy})
        trace = self.trace(strategy)
        trace.degraded += note_of_cut("query", query.query or "")
        if request.max_tokens is not None:
            trace.budget = effective_budget(request.max_tokens)
        if trace.budget == 0:
            return RecallResult(hits=(), resolution=trace.resolution())
        hits = await self._hits(
            workspace_id, request, trace, by_tags=query.strategy is not RecallStrategy.EXACT
        )
        found = len(hits)
        if trace.budget is not None:
            hits = token_walk(((hit, hit.tokens) for hit in hits), trace.budget)
        if not request.dry_run and not request.for_injection:
            _note_what_is_read(hits, request, trace.threshold)
        if not request.dry_run:
            self._usage.record_recall(
                workspace_id,
                [hit.memory.id for hit in hits],
                session_id=request.used_by or request.filter.session_id,
                first_rank=request.offset + 1,
            )
        left_out = found - len(hits)
        return RecallResult(hits=tuple(hits), resolution=trace.resolution(), left_out=left_out)

    async def as_text(
        self,
        workspace_id: str,
        text: str,
        *,
        limit: int = 5,
        offset: int = 0,
        max_tokens: int = MOST_TOKENS,
    ) -> str:
        """Return the hits of a query as Markdown for a model; ``limit`` is capped at 20.

        Args:
            workspace_id: Workspace to search.
            text: Query.
            limit: Maximum number of memories.
            offset: Number of skipped best memories.
            max_tokens: Maximum tokens of the memories, at most 8000; the first memory is always shown.

        Raises:
            InvalidInput: ``text``, ``limit`` or ``offset`` breaks a rule.
        """
        query = RecallQuery(query=text, limit=min(limit, MOST_IN_TEXT), offset=offset, max_tokens=max_tokens)
        return render(await self.recall(workspace_id, query), offset=offset)

    async def in_lines(self, workspace_id: str, query: RecallQuery) -> str:
        """Return a page of a query's hits as text with one line for each memory.

        The page has the hits above the relevance threshold. If the first page has none, it has the best three, marked
        as weak. Only shown memories count as used.

        Raises:
            InvalidInput: A field breaks a rule.
        """
        found = await self.recall(workspace_id, query.model_copy(update={"dry_run": True}))
        shown = found.relevant or (found.hits if query.offset else found.hits[:_MOST_WEAK])
        if not query.dry_run:
            _note_what_is_read(found.hits, query, found.resolution.threshold)
            self._usage.record_recall(
                workspace_id,
                [hit.memory.id for hit in shown],
                session_id=query.used_by or query.filter.session_id,
                first_rank=query.offset + 1,
            )
        return render_lines(found.model_copy(update={"hits": tuple(shown)}), offset=query.offset)

    def note_use(self, workspace_id: str, hits: Sequence[RecallHit], *, used_by: str | None = None) -> None:
        """Count the use of hits that a caller took from a dry run and showed.

        Args:
            workspace_id: Workspace of the hits.
            hits: Shown hits, best first.
            used_by: Session whose run uses them.
        """
        self._usage.record_recall(workspace_id, [hit.memory.id for hit in hits], session_id=used_by)

    def use_reranker(self, reranker: Reranker | None) -> None:
        """Replace the reranker of the best hits; None removes it."""
        self._pipeline.use_reranker(reranker)

    def trace(self, strategy: RecallStrategy, operation: str = "recall") -> RecallTrace:
        """Return a new trace of a recall, which also reports measurements."""
        return RecallTrace(strategy, self._clock.now(), operation, self._measurements)

    def parse(self, text: str) -> ParsedQuery:
        """Parse a query; this calls no model."""
        return self._pipeline.parse(text)

    async def embed(self, parsed: ParsedQuery, trace: RecallTrace) -> EmbeddedQuery | None:
        """Return a query's vectors; on failure return None and note the reason in the trace."""
        return await self._pipeline.embed(parsed, trace)

    async def rank(
        self,
        workspace_id: str,
        parsed: ParsedQuery,
        embedded: EmbeddedQuery | None,
        trace: RecallTrace,
        *,
        surface: RetentionSurface = RetentionSurface.RECALL,
    ) -> Ranking | None:
        """Return all candidates among the memories, best first, for a list with other kinds of objects.

        Returns:
            None if neither words nor vectors can be searched.
        """
        query = RecallQuery(query=parsed.text, strategy=RecallStrategy.HYBRID)
        query = await self._retained(workspace_id, query, surface)
        return await self._pipeline.rank(workspace_id, parsed, embedded, query, trace)

    async def tagged(self, workspace_id: str, query: RecallQuery) -> RecallResult:
        """Return memories with the filter's tags, by importance, as the start of a longer list.

        Validates only the filter, and counts no use.

        Raises:
            InvalidInput: A field of the filter breaks a rule.
        """
        query = await self._retained(workspace_id, query, RetentionSurface.RECALL)
        trace = self.trace(RecallStrategy.EXACT)
        hits = await self._lister.tagged(workspace_id, self._holding(query), trace)
        return RecallResult(hits=hits, resolution=trace.resolution())

    async def warm_up(self, workspace_id: str) -> None:
        """Run recalls once, because Neo4j needs seconds to plan their statements the first time."""
        for text in WARM_UPS:
            await self.recall(workspace_id, RecallQuery(query=text, limit=1, dry_run=True))

    async def _retained(
        self, workspace_id: str, query: RecallQuery, surface: RetentionSurface
    ) -> RecallQuery:
        """Return the query with the age limit of the surface in its filter, if the surface has one."""
        if not self._retention.cuts(surface):
            return query
        chosen = await self._workspaces.settings_of(workspace_id)
        window = self._retention.lasting(chosen.retention_days).window(surface, self._clock.now())
        return query.model_copy(update={"filter": query.filter.model_copy(update={"retention": window})})

    def _holding(self, query: RecallQuery) -> RecallQuery:
        """Limit a query for injection to memories that are valid now, or at the time of its filter."""
        if not query.for_injection:
            return query
        moment = query.filter.valid_at or self._clock.now()
        return query.model_copy(update={"filter": query.filter.model_copy(update={"valid_at": moment})})

    async def _strategy(self, workspace_id: str, query: RecallQuery) -> RecallStrategy:
        """Return the strategy of the query, else of the workspace, else of the deployment; without a query, EXACT."""
        if query.query is None:
            return RecallStrategy.EXACT
        if query.strategy is not None:
            return query.strategy
        chosen = (await self._workspaces.settings_of(workspace_id)).strategy
        return self._rules.strategy if chosen is None else strategy_named(chosen)

    async def _hits(
        self, workspace_id: str, query: RecallQuery, trace: RecallTrace, *, by_tags: bool
    ) -> Sequence[RecallHit]:
        if query.query is None and by_tags and (query.filter.any_tags or query.filter.all_tags):
            return await self._listed(workspace_id, query, trace, by_tags=True)
        if query.query is None or query.strategy is RecallStrategy.EXACT:
            return await self._listed(workspace_id, query, trace, words=query.query)
        if query.strategy is RecallStrategy.FAST:
            return await self._found_fast(workspace_id, query, trace)
        found = await self._pipeline.find(workspace_id, query, trace)
        if found is None and (query.asks_for_relevance or query.for_injection):
            trace.fallback = "nothing: neither words nor vectors can be searched to tell what is relevant"
            return ()
        if found is None:
            trace.fallback = f"{NEWEST_FIRST}: neither words nor vectors can be searched"
        elif (
            found.total
            or query.min_score is not None
            or query.asks_for_relevance
            or query.strategy is not RecallStrategy.SEMANTIC
        ):
            return found.hits
        else:
            trace.fallback = f"{NEWEST_FIRST}: nothing was found"
        return await self._listed(workspace_id, query, trace)

    async def _found_fast(
        self, workspace_id: str, query: RecallQuery, trace: RecallTrace
    ) -> Sequence[RecallHit]:
        parsed = self.parse(query.query or "")
        embedded = await self._pipeline.embed(parsed, trace, with_focus=False)
        if query.diversity > 0:
            trace.note_without_diversity("the strategy FAST compares no hits")
        hits = await self._fast.find(workspace_id, query, parsed, embedded, trace)
        if hits is not None:
            return hits
        trace.fallback = f"{NEWEST_FIRST}: neither words nor vectors can be searched"
        return await self._listed(workspace_id, query, trace)

    async def _listed(
        self,
        workspace_id: str,
        query: RecallQuery,
        trace: RecallTrace,
        *,
        by_tags: bool = False,
        words: str | None = None,
    ) -> Sequence[RecallHit]:
        trace.tier = RecallTier.KEYWORD
        trace.exact = True
        if query.min_relevance is not None:
            trace.degraded.append("minRelevance: ignored, because hits without a query have no relevance")
        if query.min_score is not None:
            trace.degraded.append("minScore: ignored, because listed memories have no cosine")
        if query.diversity > 0:
            trace.note_without_diversity("listed memories are not compared by meaning")
        query = self._holding(query)
        with trace.stage("graph"):
            if by_tags:
                return await self._lister.tagged(workspace_id, query, trace)
            if words is not None:
                return await self._lister.matching(workspace_id, query, self.parse(words), trace)
            return await self._lister.newest(workspace_id, query, trace)


def _note_what_is_read(hits: Sequence[RecallHit], query: RecallQuery, threshold: float | None) -> None:
    """Report the best relevant hit as touched by the current call; a first page without one is a dead end."""
    relevant = [
        hit for hit in hits if threshold is None or hit.relevance is None or hit.relevance >= threshold
    ]
    if relevant:
        touches(relevant[0].memory.id)
    elif query.offset == 0:
        leads_nowhere()


class SortOrder(StrEnum):
    """Order of results: by score, by event time, or by time of the last change."""

    SCORE = "score"
    TIME_DESC = "time_desc"
    TIME_ASC = "time_asc"
    UPDATED_DESC = "updated_desc"
    UPDATED_ASC = "updated_asc"


class SeveralResult(Frozen):
    """Result of several queries.

    Attributes:
        query: The main query, or the only one of the further queries; else None.
        hits: Hits in the requested order.
    """

    query: str | None
    hits: tuple[RecallHit, ...]


async def recall_several(
    recall: Recall,
    workspace_id: str,
    base: RecallQuery,
    further: Iterable[str] = (),
    *,
    least_score: float | None = None,
    order: SortOrder = SortOrder.SCORE,
) -> SeveralResult:
    """Run several queries with the same filter; return one page of all their hits.

    The page is cut first, then hits below ``least_score`` are removed. Only the remaining hits count as used. Blank
    and repeated texts are ignored. Each query reads its hits up to the end of the page.

    Raises:
        InvalidInput: A field breaks a rule.
    """
    texts = list(dict.fromkeys(text for text in (base.query, *further) if text and text.strip()))
    if len(texts) <= 1:
        query = texts[0] if texts else base.query
        page = await _found(recall, workspace_id, base.model_copy(update={"query": query}))
    else:
        validated(base)
        query, end = base.query, base.offset + base.limit
        each = base.model_copy(update={"limit": end, "offset": 0})
        found = await asyncio.gather(
            *(
                _found(recall, workspace_id, each.model_copy(update={"query": text}), max_limit=end)
                for text in texts
            )
        )
        page = merged(found)[base.offset : end]
    hits = ordered([hit for hit in page if least_score is None or hit.score >= least_score], order)
    if not base.dry_run:
        recall.note_use(workspace_id, hits)
    return SeveralResult(query=query, hits=tuple(hits))


async def _found(
    recall: Recall, workspace_id: str, query: RecallQuery, *, max_limit: int = MAX_LIMIT
) -> Sequence[RecallHit]:
    dry_run = query.model_copy(update={"dry_run": True})
    return (await recall.recall(workspace_id, dry_run, max_limit=max_limit)).hits


def merged(found: Iterable[Sequence[RecallHit]]) -> list[RecallHit]:
    """Merge the hits of several queries, best first; a memory that several queries found has its best score.

    A hit counts no more than those before it in its list, and its place there breaks ties. So longer lists continue
    shorter ones without reordering.
    """
    best: dict[str, tuple[float, int, int, RecallHit]] = {}
    for number, hits in enumerate(found):
        least = math.inf
        for place, hit in enumerate(hits):
            least = min(least, hit.score)
            ranked = (-least, place, number, hit)
            if hit.memory.id not in best or ranked[:3] < best[hit.memory.id][:3]:
                best[hit.memory.id] = ranked
    return [hit for *_, hit in sorted(best.values(), key=lambda ranked: ranked[:3])]


def ordered(hits: Sequence[RecallHit], order: SortOrder) -> Sequence[RecallHit]:
    """Sort hits, which are best first, by an order; equal times keep the better hit first."""
    if order is SortOrder.SCORE:
        return hits
    by_time = order in (SortOrder.TIME_DESC, SortOrder.TIME_ASC)
    return sorted(
        hits,
        key=lambda hit: hit.memory.timestamp if by_time else hit.memory.updated_at,
        reverse=order in (SortOrder.TIME_DESC, SortOrder.UPDATED_DESC),
    )
