"""Recall: the query is embedded, one statement gathers candidates, features rank them, the budget cuts them."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.core.pages import page_size
from graph.core.text import storable
from graph.embeddings.models import EmbeddedQuery
from graph.embeddings.service import Embeddings
from graph.memories.models import Memory, MemoryOrder
from graph.memories.retention import RetentionSurface
from graph.memories.service import Memories
from graph.ports import Clock, EmbeddingFailed, Reranker, RerankFailed
from graph.recall import queries
from graph.recall.budget import effective_budget, estimate_tokens, token_walk
from graph.recall.diversity import diversified
from graph.recall.explanation import Explainer
from graph.recall.fusion import DEFAULT_K
from graph.recall.gathering import Gatherer, RecallLimits
from graph.recall.lucene import was_cut
from graph.recall.models import (
    RecallHit,
    RecallQuery,
    RecallResolution,
    RecallResult,
    RecallStrategy,
    RecallTier,
    Relation,
)
from graph.recall.question import Question, Specificity
from graph.recall.ranking import Ranked, rank
from graph.usage.service import Usage

MAX_LIMIT = 100
MAX_QUERY_CHARS = 8000
_RELATION_LIMIT = 5  # RECALL_RELATION_LIMIT (C21)
_MOST_COMPARED = 50  # how many of the best are compared with each other for diversity
_MERGE_RESERVE = 5  # how many more are read, to take the place of those that repeat another


@dataclass(frozen=True)
class RecallRules:
    """What an operator may set.

    Attributes:
        limits: How many candidates are gathered.
        rrf_k: The k of reciprocal rank fusion, where that is asked for (C6).
        merge_above: Cosine above which one of two statements is left out (C14).
        rerank_depth: How many of the best a reranker reads.
    """

    limits: RecallLimits = field(default_factory=RecallLimits)
    rrf_k: float = DEFAULT_K
    merge_above: float = 0.92
    rerank_depth: int = 30


@dataclass
class _Account:
    """What happened in one recall, collected on the way."""

    strategy: RecallStrategy
    tier: RecallTier = RecallTier.VECTOR
    embedder: str | None = None
    fallback: str | None = None
    exact: bool = False
    degraded: list[str] = field(default_factory=list)
    stages_ms: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.stages_ms[name] = round((time.perf_counter() - start) * 1000, 3)

    def resolution(self) -> RecallResolution:
        return RecallResolution(
            strategy=self.strategy,
            tier=self.tier,
            embedder=self.embedder,
            fallback=self.fallback,
            exact=self.exact,
            degraded=tuple(self.degraded),
            stages_ms=self.stages_ms,
        )


class Recall:
    """The use case of finding memories; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        memories: Memories,
        usage: Usage,
        clock: Clock,
        rules: RecallRules,
        *,
        specificity: Specificity,
        reranker: Reranker | None = None,
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._memories = memories
        self._rules = rules
        self._usage = usage
        self._retention = memories.retention
        self._clock = clock
        self._specificity = specificity
        self._reranker = reranker
        self._gatherer = Gatherer(database, embeddings, memories, clock, rules.limits)

    async def recall(self, workspace_id: str, query: RecallQuery) -> RecallResult:
        """Return the best memories for a query, within the limit and the budget, and how they were found.

        Without a query, or with the strategy ``exact``, the newest come first.

        Raises:
            InvalidInput: A field breaks a rule.
            Unavailable: The graph does not answer.
        """
        checked = self._within_retention(_checked(query))
        account = _Account(strategy=checked.strategy)
        budget = None if checked.max_tokens is None else effective_budget(checked.max_tokens)
        if budget == 0:
            return RecallResult(hits=(), resolution=account.resolution())
        if checked.query is None or checked.strategy is RecallStrategy.EXACT:
            hits = await self._newest(workspace_id, checked, account)
        else:
            hits = await self._ranked(workspace_id, checked, account)
        if budget is not None:
            hits = token_walk(((hit, hit.tokens) for hit in hits), budget)
        if not checked.dry_run:
            self._usage.record(workspace_id, [hit.memory.id for hit in hits])
        return RecallResult(hits=tuple(hits), resolution=account.resolution())

    async def warm_up(self, workspace_id: str) -> None:
        """Have the server plan the statements of a recall, which takes it seconds the first time.

        Raises:
            Unavailable: The graph does not answer.
        """
        await self.recall(workspace_id, RecallQuery(query="warm up", limit=1, dry_run=True))

    def _within_retention(self, query: RecallQuery) -> RecallQuery:
        """Leave out what is older than the retention window, where settings cut recall by it (A36)."""
        window = self._retention.window(RetentionSurface.RECALL, self._clock.now())
        if window is None:
            return query
        return query.model_copy(update={"filter": query.filter.model_copy(update={"retention": window})})

    async def _newest(self, workspace_id: str, query: RecallQuery, account: _Account) -> Sequence[RecallHit]:
        account.tier = RecallTier.KEYWORD
        account.exact = True
        with account.stage("graph"):
            page = await self._memories.page(
                workspace_id,
                query.filter,
                order=MemoryOrder.CREATED_AT,
                first=min(query.offset + query.limit, MAX_LIMIT),
            )
        chosen = page.items[query.offset :]
        return [
            RecallHit(
                memory=memory,
                score=1.0 / (1 + query.offset + rank),
                vector_score=None,
                text_score=None,
                tier=RecallTier.KEYWORD,
                tokens=estimate_tokens(memory.content),
                why=[f"newest {query.offset + rank + 1}"],
            )
            for rank, memory in enumerate(chosen)
        ]

    async def _ranked(self, workspace_id: str, query: RecallQuery, account: _Account) -> Sequence[RecallHit]:
        question = Question(query.query or "", self._specificity)
        with account.stage("embed"):
            embedded = await self._embed(question, account)
        with account.stage("graph"):
            gathered = await self._gatherer.gather(
                workspace_id, question, embedded, filter_=query.filter, valid_at=query.valid_at
            )
        pool = gathered.pool
        account.exact = gathered.exact
        account.degraded += gathered.degraded
        if was_cut(question.weighted_words):
            account.degraded.append("words: the query has more distinct words than are searched")
        with account.stage("rank"):
            ranking = rank(pool, question, query, rrf_k=self._rules.rrf_k)
        if query.diversity > 0 and embedded is not None:
            with account.stage("diversify"):
                ranking = await self._diversify(workspace_id, ranking, query, embedded)
        explainer = Explainer(pool, question, account.tier)
        with account.stage("read"):
            hits = await self._read(workspace_id, ranking, query, explainer, account.tier)
        if self._reranker is not None:
            with account.stage("rerank"):
                hits = await self._rerank(self._reranker, question, hits, account)
        return hits[query.offset : query.offset + query.limit]

    async def _diversify(
        self, workspace_id: str, ranking: list[Ranked], query: RecallQuery, embedded: EmbeddedQuery
    ) -> list[Ranked]:
        """Reorder the best of a ranking, so that no hit repeats what a better one said."""
        head = ranking[:_MOST_COMPARED]
        rows = await queries.compare_memories(
            self._database,
            workspace_id=workspace_id,
            ids=[ranked.id for ranked in head],
            vector_property=embedded.index.vector_property,
        )
        similarities = {frozenset((row.first, row.second)): row.similarity for row in rows}
        return diversified(head, similarities, query.diversity) + ranking[_MOST_COMPARED:]

    async def _read(
        self,
        workspace_id: str,
        ranking: Sequence[Ranked],
        query: RecallQuery,
        explainer: Explainer,
        tier: RecallTier,
    ) -> list[RecallHit]:
        """Read as many of the best as are shown or reranked, without those that repeat a better one."""
        wanted = query.offset + query.limit + _MERGE_RESERVE
        if self._reranker is not None:
            wanted = max(wanted, self._rules.rerank_depth)
        chosen = ranking[:wanted]
        rows = await queries.get_hits(
            self._database,
            workspace_id=workspace_id,
            ids=[ranked.id for ranked in chosen],
            relation_limit=_RELATION_LIMIT if query.expand_relations else 0,
            vector_property=self._embeddings.vector_property,
            merge_above=self._rules.merge_above,
        )
        found = {row.memory.id: row for row in rows}
        return [
            _hit(found[ranked.id], ranked.score, explainer, tier)
            for ranked in chosen
            if ranked.id in found and found[ranked.id].repeats is None
        ]

    async def _rerank(
        self, reranker: Reranker, question: Question, hits: list[RecallHit], account: _Account
    ) -> list[RecallHit]:
        """Reorder the best hits by a model that reads query and text together; a failure keeps the order (C16)."""
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

    async def _embed(self, question: Question, account: _Account) -> EmbeddedQuery | None:
        texts = [question.text] if question.focus is None else [question.text, question.focus]
        try:
            embedded = await self._embeddings.embed_query(*texts)
        except EmbeddingFailed as error:
            account.tier = RecallTier.KEYWORD
            account.fallback = f"keywords only: {error}"
            account.degraded.append(f"vector: {error}")
            return None
        account.embedder = embedded.index.signature
        return embedded


def _hit(row: queries.GetHitsRow, score: float, explainer: Explainer, tier: RecallTier) -> RecallHit:
    memory: Memory = row.memory
    return RecallHit(
        memory=memory,
        score=score,
        vector_score=explainer.cosine(memory.id),
        text_score=explainer.text_score(memory.id),
        tier=tier,
        tokens=estimate_tokens(memory.content),
        why=explainer.why(memory.id),
        relations=[Relation(**relation) for relation in row.relations],
    )


def _checked(query: RecallQuery) -> RecallQuery:
    page_size(query.limit, field="limit", most=MAX_LIMIT)
    if query.offset < 0:
        raise InvalidInput("offset", "offset must not be negative")
    if query.min_score is not None and not -1.0 <= query.min_score <= 1.0:
        raise InvalidInput("minScore", "minScore must be a cosine between -1.0 and 1.0")
    if not 0.0 <= query.diversity <= 1.0:
        raise InvalidInput("diversity", "diversity must be between 0.0 and 1.0")
    if query.valid_at is not None and (query.query is None or query.strategy is RecallStrategy.EXACT):
        raise InvalidInput(
            "validAt", "validAt needs a query and a strategy other than exact: lists know no validity"
        )
    if query.query is None:
        return query
    text = storable("query", query.query).strip()
    if len(text) > MAX_QUERY_CHARS:
        raise InvalidInput("query", f"query must have at most {MAX_QUERY_CHARS} characters, got {len(text)}")
    return query.model_copy(update={"query": text or None})
