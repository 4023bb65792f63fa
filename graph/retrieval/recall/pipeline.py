"""Finds memories by words and meaning: gathers candidates in one statement, ranks them and reads the best."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from graph.core.database import Database
from graph.core.models import RecallTier
from graph.core.ports import Clock, EmbeddingFailed, Reranker, RerankFailed
from graph.core.text.budget import estimate_tokens
from graph.core.text.language import Specificity
from graph.core.text.lucene import was_cut
from graph.memories.models import Memory
from graph.memories.service import Memories
from graph.retrieval import queries
from graph.retrieval.recall.agreement import (
    BLOCK,
    HEAD,
    Merged,
    merged,
    newer_first_in_blocks,
    with_disagreements,
)
from graph.retrieval.recall.candidate_retriever import CandidateRetriever, RetrievedCandidates
from graph.retrieval.recall.candidates import Pool
from graph.retrieval.recall.explanation import Explainer
from graph.retrieval.recall.models import Fusion, RecallHit, RecallQuery, RecallTrace
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.ranking import Ranked, diversified, handed_on, rank
from graph.retrieval.recall.relevance import Calibration
from graph.retrieval.recall.rules import RecallRules
from graph.retrieval.recall.validity import is_injected, validity_of
from graph.vectors.external.service import ExternalTier
from graph.vectors.index.models import EmbeddedQuery
from graph.vectors.index.service import Embeddings, patience

_CROWD = 0.5  # share of ended candidates from which the search is repeated without them
_MERGE_RESERVE = 5  # additional hits to read, in place of omitted duplicates


@dataclass(frozen=True)
class Ranking:
    """Candidates of a query, best first, with the data that ranked them.

    Attributes:
        embedded: The query's vectors; None: only words were compared.
        relevance: Probability that each candidate is evidence for the query, 0..1, by id.
    """

    pool: Pool
    ranked: Sequence[Ranked]
    relevance: Mapping[str, float]
    embedded: EmbeddedQuery | None


@dataclass(frozen=True)
class RankedHits:
    """The requested page of hits, and the number of ranked candidates."""

    hits: Sequence[RecallHit]
    total: int


@dataclass(frozen=True)
class _Read:
    """Hits read from a ranking, and the number of those omitted as ended or superseded."""

    merged: Merged
    ended: int


class RecallPipeline:
    """Executes recalls with a query text; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        memories: Memories,
        clock: Clock,
        rules: RecallRules,
        *,
        specificity: Specificity,
        calibration: Calibration,
        reranker: Reranker | None = None,
        tier: ExternalTier[Memory] | None = None,
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._clock = clock
        self._rules = rules
        self._specificity = specificity
        self._reranker = reranker
        self._calibration = calibration
        self._memories = memories
        self._retriever = CandidateRetriever(database, memories, clock, rules.limits, tier)

    def use_reranker(self, reranker: Reranker | None) -> None:
        """Replace the reranker of the best hits; None removes it."""
        self._reranker = reranker

    def parse(self, text: str) -> ParsedQuery:
        """Parse a query; this calls no model."""
        return ParsedQuery(text, self._specificity)

    async def find(self, workspace_id: str, query: RecallQuery, trace: RecallTrace) -> RankedHits | None:
        """Return a page of hits, or None if neither words nor vectors can be searched.

        Raises:
            InvalidInput: A field of the filter breaks a rule.
        """
        parsed = self.parse(query.query or "")
        embedded = await self.embed(parsed, trace)
        ranking = await self.rank(workspace_id, parsed, embedded, query, trace)
        if ranking is None:
            return None
        if query.diversity > 0 and ranking.embedded is not None:
            with trace.stage("diversify"):
                ranking = await self._diversify(workspace_id, ranking, ranking.embedded, query.diversity)
        elif query.diversity > 0:
            trace.note_without_diversity("there are no vectors to compare")
        with trace.stage("read"):
            head = await self._read_head(workspace_id, ranking, parsed, query, trace.tier)
            behind = await self._read_behind(workspace_id, ranking, parsed, query, trace.tier, head)
            hits = await with_disagreements(head.merged.hits)
            trace.merged = head.merged.count(query.offset + query.limit)
        found = len(hits) + len(behind.merged.hits)
        is_short = found < query.limit and not parsed.asks_about_the_past
        if is_short and head.ended + behind.ended >= self._rules.limits.pool * _CROWD:
            filter_ = query.filter.model_copy(update={"valid_at": self._clock.now()})
            return await self.find(workspace_id, query.model_copy(update={"filter": filter_}), trace)
        if query.offset < len(hits):
            at = query.filter.valid_at or self._clock.now()
            hits = await self._ordered(ranking, parsed, hits, at, trace)
        page = [*hits[query.offset : query.offset + query.limit], *behind.merged.hits]
        if not query.for_injection:  # injected memories are shown without reasons
            explainer = Explainer(ranking.pool, parsed, trace.tier)
            page = await self._explained(workspace_id, page, (*hits, *behind.merged.hits), explainer)
        return RankedHits(page, len(ranking.ranked))

    async def _explained(
        self, workspace_id: str, hits: list[RecallHit], read: Sequence[RecallHit], explainer: Explainer
    ) -> list[RecallHit]:
        """Add the reasons that quote other memories; read those memories that are no hits."""
        texts = {hit.memory.id: hit.memory.content for hit in read}
        missing = [id_ for id_ in explainer.beside_any(hit.memory.id for hit in hits) if id_ not in texts]
        others = await self._memories.find_all(workspace_id, missing) if missing else {}
        texts |= {id_: memory.content for id_, memory in others.items()}
        return [
            hit.model_copy(update={"why": [*hit.why, *explainer.why_beside(hit.memory.id, texts)]})
            for hit in hits
        ]

    async def embed(
        self, parsed: ParsedQuery, trace: RecallTrace, *, with_focus: bool = True
    ) -> EmbeddedQuery | None:
        """Return the vectors of a query; if the embedder fails, return None and note the reason in the trace.

        Args:
            parsed: The parsed query.
            trace: The trace of the recall.
            with_focus: Also embed the query's focus, if it has one: the query without phrases that only ask for an
                answer; and the parts of a query with several topics.
        """
        focus = [parsed.focus] if with_focus and parsed.focus is not None else []
        parts = [part.text for part in parsed.parts] if with_focus else []
        with trace.stage("embed"):
            try:
                embedded = await self._embeddings.embed_query(parsed.text, *focus, *parts)
            except EmbeddingFailed as error:
                trace.note_without_vectors(str(error))
                trace.degraded.append(f"vector: {error}")
                return None
        trace.embedder = embedded.index.signature
        return replace(embedded, parts=len(parts))

    async def rank(
        self,
        workspace_id: str,
        parsed: ParsedQuery,
        embedded: EmbeddedQuery | None,
        query: RecallQuery,
        trace: RecallTrace,
    ) -> Ranking | None:
        """Return the candidates, best first, or None if neither words nor vectors can be searched.

        Raises:
            InvalidInput: A field of the filter breaks a rule.
        """
        by_places = query.fusion is Fusion.RRF
        with trace.stage("graph"):
            gathered = await self._retriever.gather(
                workspace_id,
                parsed,
                embedded,
                filter_=query.filter,
                pool=max(self._rules.limits.pool, self._rules.vector_top_k) if by_places else None,
                only_current=query.leaves_out_what_ended,
            )
        _note(gathered, parsed, trace)
        if "vector" in gathered.lost:
            embedded = None
        if embedded is None and "words" in gathered.lost:
            return None
        if embedded is None and query.min_score is not None:
            only_relevant = query.only_relevant or query.for_injection
            query = query.model_copy(update={"min_score": None, "only_relevant": only_relevant})
            trace.degraded.append("minScore: ignored, because without vectors there are no cosines")
        pool = gathered.pool
        if by_places:
            pool = replace(pool, vector_ids=pool.vector_ids[: self._rules.vector_top_k])
        with trace.stage("rank"):
            scale = await self._calibration.relevance(embedded)
            is_blind = scale.is_blind(pool, parsed)
            ranked = rank(
                pool,
                parsed,
                query,
                rrf_k=self._rules.rrf_k,
                embedder=embedded.index.signature if embedded else None,
                is_blind=is_blind,
            )
            relevance = scale.of(pool, parsed)
            if not parsed.asks_about_the_past:
                relevance = handed_on(relevance, pool)
            trace.calibration = scale.description
            trace.threshold = scale.threshold if query.min_relevance is None else query.min_relevance
            if query.asks_for_relevance:
                ranked = [each for each in ranked if relevance[each.id] >= trace.threshold]
        if query.offset + query.limit > len(ranked) >= self._rules.limits.pool:
            trace.degraded.append(f"list: only the best {len(ranked)} candidates are ranked")
        return Ranking(pool, ranked, relevance, embedded)

    async def _diversify(
        self, workspace_id: str, ranking: Ranking, embedded: EmbeddedQuery, diversity: float
    ) -> Ranking:
        """Reorder the best of a ranking, so that similar memories do not follow each other."""
        head = ranking.ranked[:HEAD]
        rows = await queries.compare_memories(
            self._database,
            workspace_id=workspace_id,
            ids=[ranked.id for ranked in head],
            vector_property=embedded.index.vector_property,
        )
        similarities = {frozenset((row.first, row.second)): row.similarity for row in rows}
        reordered = [*diversified(head, similarities, diversity), *ranking.ranked[HEAD:]]
        return replace(ranking, ranked=reordered)

    async def _read_head(
        self,
        workspace_id: str,
        ranking: Ranking,
        parsed: ParsedQuery,
        query: RecallQuery,
        tier: RecallTier,
    ) -> _Read:
        """Read the part of the head that is shown or reranked, without duplicates of better hits.

        If too few hits remain, it reads twice as many, until the head ends.
        """
        end = query.offset + query.limit
        least = end + _MERGE_RESERVE
        if self._reranker is not None:
            least = max(least, self._rules.rerank_depth)
        count = -(-least // BLOCK) * BLOCK
        head = ranking.ranked[:HEAD]
        while True:
            read = await self._read(
                workspace_id,
                head[:count],
                ranking,
                parsed,
                query,
                tier,
                merge_above=self._rules.merge_above,
            )
            if len(read.merged.hits) >= end or count >= len(head):
                return read
            count *= 2

    async def _read_behind(
        self,
        workspace_id: str,
        ranking: Ranking,
        parsed: ParsedQuery,
        query: RecallQuery,
        tier: RecallTier,
        head: _Read,
    ) -> _Read:
        """Read the part of a page behind the head; there, duplicates are not merged."""
        first = max(query.offset - len(head.merged.hits), 0)
        last = query.offset + query.limit - len(head.merged.hits)
        chosen = ranking.ranked[HEAD:][first : max(last, 0)]
        if not chosen:
            return _Read(Merged((), ()), ended=0)
        return await self._read(workspace_id, chosen, ranking, parsed, query, tier, merge_above=None)

    async def _read(
        self,
        workspace_id: str,
        chosen: Sequence[Ranked],
        ranking: Ranking,
        parsed: ParsedQuery,
        query: RecallQuery,
        tier: RecallTier,
        *,
        merge_above: float | None,
    ) -> _Read:
        """Read the chosen hits without duplicates of better ones and, for injection, without ended ones."""
        # Compare vectors of the searched index: during a change of embedder, another slot may become active.
        index = ranking.embedded.index if ranking.embedded else self._embeddings
        now = self._clock.now()
        rows = await queries.get_hits(
            self._database,
            workspace_id=workspace_id,
            ids=[ranked.id for ranked in chosen],
            relation_limit=self._rules.relation_limit if query.expand_relations else 0,
            vector_property=index.vector_property,
            now=now,
            merge_above=merge_above,
        )
        found = {row.memory.id: row for row in rows}
        if query.for_injection:
            at = query.filter.valid_at or now
            past = parsed.asks_about_the_past
            injected = (row for row in rows if is_injected(row.memory, at, row.superseded_by, past=past))
            found = {row.memory.id: row for row in injected}
        ended = 0 if query.leaves_out_what_ended else len(rows) - len(found)
        explainer = Explainer(ranking.pool, parsed, tier)
        hits = [
            _hit(found[ranked.id], ranked, ranking.relevance[ranked.id], explainer, now)
            for ranked in chosen
            if ranked.id in found
        ]
        return _Read(merged(hits, {row.memory.id: row.near for row in rows}), ended=ended)

    async def _ordered(
        self,
        ranking: Ranking,
        parsed: ParsedQuery,
        hits: Sequence[RecallHit],
        moment: datetime,
        trace: RecallTrace,
    ) -> list[RecallHit]:
        """Rerank hits, and move the newer of two contradicting hits ahead; one valid at ``moment`` counts as newer.

        Both use ranks of the whole ranking instead of ranks among the read hits: pages read different numbers of hits,
        but must agree.
        """
        at = {ranked.id: place for place, ranked in enumerate(ranking.ranked)}
        places = [at[hit.memory.id] for hit in hits]
        if self._reranker is not None:
            depth = sum(place < self._rules.rerank_depth for place in places)
            with trace.stage("rerank"):
                hits = [*await self._rerank(self._reranker, parsed, hits[:depth], trace), *hits[depth:]]
        return newer_first_in_blocks(hits, places, moment)

    async def _rerank(
        self, reranker: Reranker, parsed: ParsedQuery, head: Sequence[RecallHit], trace: RecallTrace
    ) -> Sequence[RecallHit]:
        """Reorder the best hits by the reranker; keep the order if it fails or exceeds its timeout."""
        bound, most = patience(), self._rules.rerank_seconds
        seconds = bound.left_to_rerank(most) if bound else most
        try:
            async with asyncio.timeout(seconds):
                scores = await reranker.score(parsed.text, [hit.memory.content for hit in head])
        except RerankFailed as error:
            trace.degraded.append(f"rerank: {error}")
            return head
        except TimeoutError:
            late = f"{reranker.name} did not answer within {seconds:.3g} seconds"
            trace.degraded.append(f"rerank: {late}")
            return head
        order = sorted(range(len(head)), key=lambda i: -scores[i])
        scale = sorted((hit.score for hit in head), reverse=True)
        return [
            head[i].model_copy(
                update={"score": score, "why": [*head[i].why, f"{reranker.name} {scores[i]:.3f}"]}
            )
            for i, score in zip(order, scale, strict=True)
        ]


def _note(gathered: RetrievedCandidates, parsed: ParsedQuery, trace: RecallTrace) -> None:
    trace.exact = gathered.exact
    trace.note_external(gathered.external)
    trace.degraded += [f"{leg}: {reason}" for leg, reason in gathered.lost.items()]
    trace.degraded += gathered.degraded
    if "vector" in gathered.lost:
        trace.note_without_vectors(gathered.lost["vector"])
    if was_cut(parsed.weighted_words):
        trace.degraded.append("words: the query has more distinct words than are searched")


def _hit(
    row: queries.GetHitsRow, ranked: Ranked, relevance: float, explainer: Explainer, now: datetime
) -> RecallHit:
    memory: Memory = row.memory
    return RecallHit(
        memory=memory,
        score=ranked.score,
        relevance=relevance,
        vector_score=explainer.cosine(memory.id),
        text_score=explainer.text_score(memory.id),
        tier=explainer.tier,
        tokens=estimate_tokens(memory.content),
        why=explainer.why(memory.id),
        places=explainer.places(memory.id),
        relations=row.relations,
        superseded_by=row.superseded_by,
        validity=validity_of(memory, now, row.superseded_by),
    )
