"""Finds memories by words and meaning: candidates in one statement, features rank them, the best are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graph.core.database import Database
from graph.core.ports import Clock, EmbeddingFailed, Reranker, RerankFailed
from graph.core.text.budget import estimate_tokens
from graph.core.text.language import Specificity
from graph.core.text.lucene import was_cut
from graph.core.tiers import RecallTier
from graph.memories.models import Memory
from graph.memories.service import Memories
from graph.retrieval.recall import queries
from graph.retrieval.recall.agreement import Merged, merged, newer_first, with_disagreements
from graph.retrieval.recall.calibration import Calibration
from graph.retrieval.recall.candidate_retriever import CandidateRetriever, RetrievedCandidates
from graph.retrieval.recall.candidates import Pool
from graph.retrieval.recall.diversity import diversified
from graph.retrieval.recall.explanation import Explainer
from graph.retrieval.recall.models import Fusion, RecallHit, RecallQuery
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.ranking import Ranked, rank
from graph.retrieval.recall.rules import RecallRules
from graph.retrieval.recall.trace import RecallTrace
from graph.vectors.external.service import ExternalTier
from graph.vectors.index.models import EmbeddedQuery
from graph.vectors.index.service import Embeddings

_MOST_COMPARED = 50  # how many of the best are compared with each other for diversity
_MERGE_RESERVE = 5  # how many more are read, to take the place of those that repeat another


@dataclass(frozen=True)
class Ranking:
    """The candidates of a query, best first, with what they were ranked by.

    Attributes:
        embedded: The vectors they were compared with; None where only words served.
        relevance: How probable it is that each is evidence, 0..1, by id.
    """

    pool: Pool
    ranked: Sequence[Ranked]
    relevance: Mapping[str, float]
    embedded: EmbeddedQuery | None


@dataclass(frozen=True)
class RankedHits:
    """The hits asked for, out of how many that were ranked."""

    hits: Sequence[RecallHit]
    total: int


class RecallPipeline:
    """Serves the queries of recall that have words; lives as long as the process."""

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
        self._rules = rules
        self._specificity = specificity
        self._reranker = reranker
        self._calibration = calibration
        self._retriever = CandidateRetriever(database, memories, clock, rules.limits, tier)

    def use_reranker(self, reranker: Reranker | None) -> None:
        """Have another model, or none, reorder the best hits from now on."""
        self._reranker = reranker

    def question(self, text: str) -> ParsedQuery:
        """Return what can be told of a query without a model."""
        return ParsedQuery(text, self._specificity)

    async def find(self, workspace_id: str, query: RecallQuery, account: RecallTrace) -> RankedHits | None:
        """Return the hits of a page of the ranking, or None where neither words nor vectors can be searched.

        Raises:
            InvalidInput: A field of the filter breaks a rule.
        """
        question = self.question(query.query or "")
        embedded = await self.embed(question, account)
        ranking = await self.rank(workspace_id, question, embedded, query, account)
        if ranking is None:
            return None
        if query.diversity > 0 and ranking.embedded is not None:
            with account.stage("diversify"):
                ranking = await self._diversify(workspace_id, ranking, ranking.embedded, query.diversity)
        with account.stage("read"):
            read = await self._read(workspace_id, ranking, question, query, account.tier)
            hits = await with_disagreements(read.hits)
            account.merged = read.count(query.offset + query.limit)
        if self._reranker is not None:
            with account.stage("rerank"):
                hits = await self._rerank(self._reranker, question, hits, account)
        hits = newer_first(hits)
        return RankedHits(hits[query.offset : query.offset + query.limit], len(ranking.ranked))

    async def embed(self, question: ParsedQuery, account: RecallTrace) -> EmbeddedQuery | None:
        """Return the query's vectors, or None, noted in the account, where there are none."""
        texts = [question.text] if question.focus is None else [question.text, question.focus]
        with account.stage("embed"):
            try:
                embedded = await self._embeddings.embed_query(*texts)
            except EmbeddingFailed as error:
                account.note_without_vectors(str(error))
                account.degraded.append(f"vector: {error}")
                return None
        account.embedder = embedded.index.signature
        return embedded

    async def rank(
        self,
        workspace_id: str,
        question: ParsedQuery,
        embedded: EmbeddedQuery | None,
        query: RecallQuery,
        account: RecallTrace,
    ) -> Ranking | None:
        """Return the candidates best first, or None where neither words nor vectors can be searched.

        Raises:
            InvalidInput: A field of the filter breaks a rule.
        """
        by_places = query.fusion is Fusion.RRF
        with account.stage("graph"):
            gathered = await self._retriever.gather(
                workspace_id,
                question,
                embedded,
                filter_=query.filter,
                pool=max(self._rules.limits.pool, self._rules.vector_top_k) if by_places else None,
            )
        _note(gathered, question, account)
        if "vector" in gathered.lost:
            embedded = None
        if embedded is None and "words" in gathered.lost:
            return None
        if embedded is None and query.min_score is not None:
            query = query.model_copy(update={"min_score": None})
            account.degraded.append("minScore: words have no cosine, so none was compared with it")
        pool = gathered.pool
        if by_places:
            pool = replace(pool, vector_ids=pool.vector_ids[: self._rules.vector_top_k])
        with account.stage("rank"):
            ranked = rank(pool, question, query, rrf_k=self._rules.rrf_k)
            scale = await self._calibration.relevance(embedded)
            relevance = scale.of(pool, question)
            account.calibration = scale.description
            if query.asks_for_relevance:
                least = scale.threshold if query.min_relevance is None else query.min_relevance
                ranked = [each for each in ranked if relevance[each.id] >= least]
        if query.offset + query.limit > len(ranked) >= self._rules.limits.pool:
            account.degraded.append(f"list: only the best {len(ranked)} candidates are ranked")
        return Ranking(pool, ranked, relevance, embedded)

    async def _diversify(
        self, workspace_id: str, ranking: Ranking, embedded: EmbeddedQuery, diversity: float
    ) -> Ranking:
        """Reorder the best of a ranking, so that no hit repeats what a better one said."""
        head = ranking.ranked[:_MOST_COMPARED]
        rows = await queries.compare_memories(
            self._database,
            workspace_id=workspace_id,
            ids=[ranked.id for ranked in head],
            vector_property=embedded.index.vector_property,
        )
        similarities = {frozenset((row.first, row.second)): row.similarity for row in rows}
        reordered = [*diversified(head, similarities, diversity), *ranking.ranked[_MOST_COMPARED:]]
        return replace(ranking, ranked=reordered)

    async def _read(
        self,
        workspace_id: str,
        ranking: Ranking,
        question: ParsedQuery,
        query: RecallQuery,
        tier: RecallTier,
    ) -> Merged:
        """Read as many of the best as are shown or reranked, without those that repeat a better one."""
        wanted = query.offset + query.limit + _MERGE_RESERVE
        if self._reranker is not None:
            wanted = max(wanted, self._rules.rerank_depth)
        chosen = ranking.ranked[:wanted]
        # Vectors of the index that was searched: while embedders change, another slot becomes the active one.
        index = ranking.embedded.index if ranking.embedded else self._embeddings
        rows = await queries.get_hits(
            self._database,
            workspace_id=workspace_id,
            ids=[ranked.id for ranked in chosen],
            relation_limit=self._rules.relation_limit if query.expand_relations else 0,
            vector_property=index.vector_property,
            merge_above=self._rules.merge_above,
        )
        found = {row.memory.id: row for row in rows}
        explainer = Explainer(ranking.pool, question, tier)
        hits = [
            _hit(found[ranked.id], ranked.score, ranking.relevance[ranked.id], explainer, tier)
            for ranked in chosen
            if ranked.id in found
        ]
        return merged(hits, {row.memory.id: row.near for row in rows})

    async def _rerank(
        self, reranker: Reranker, question: ParsedQuery, hits: list[RecallHit], account: RecallTrace
    ) -> list[RecallHit]:
        """Reorder the best hits by a model that reads query and text together; a failure keeps the order."""
        head, tail = hits[: self._rules.rerank_depth], hits[self._rules.rerank_depth :]
        try:
            scores = await reranker.score(question.text, [hit.memory.content for hit in head])
        except RerankFailed as error:
            account.degraded.append(f"rerank: {error}")
            return hits
        order = sorted(range(len(head)), key=lambda i: -scores[i])
        scale = sorted((hit.score for hit in head), reverse=True)
        reordered = [
            head[i].model_copy(
                update={"score": score, "why": [*head[i].why, f"{reranker.name} {scores[i]:.3f}"]}
            )
            for i, score in zip(order, scale, strict=True)
        ]
        return reordered + tail


def _note(gathered: RetrievedCandidates, question: ParsedQuery, account: RecallTrace) -> None:
    account.exact = gathered.exact
    account.note_external(gathered.external)
    account.degraded += [f"{leg}: {reason}" for leg, reason in gathered.lost.items()]
    account.degraded += gathered.degraded
    if "vector" in gathered.lost:
        account.note_without_vectors(gathered.lost["vector"])
    if was_cut(question.weighted_words):
        account.degraded.append("words: the query has more distinct words than are searched")


def _hit(
    row: queries.GetHitsRow, score: float, relevance: float, explainer: Explainer, tier: RecallTier
) -> RecallHit:
    memory: Memory = row.memory
    return RecallHit(
        memory=memory,
        score=score,
        relevance=relevance,
        vector_score=explainer.cosine(memory.id),
        text_score=explainer.text_score(memory.id),
        tier=tier,
        tokens=estimate_tokens(memory.content),
        why=explainer.why(memory.id),
        places=explainer.places(memory.id),
        relations=row.relations,
    )
