"""Recall: what a query finds, what has a tag, and what a turn is given unasked."""

import asyncio
from collections.abc import Sequence

from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.core.measuring import UNMEASURED, Measurements
from graph.core.ports import Clock, EmbeddingFailed, Reranker
from graph.core.text.budget import effective_budget, token_walk
from graph.core.text.language import Specificity
from graph.core.tiers import RecallTier
from graph.memories.models import Memory, MemoryFilter
from graph.memories.retention import RetentionSurface
from graph.memories.service import Memories
from graph.memories.tags import PINNED
from graph.retrieval.recall.about_the_asker import asks_what_is_known
from graph.retrieval.recall.calibration import Calibration
from graph.retrieval.recall.listing import Lister
from graph.retrieval.recall.markdown import render
from graph.retrieval.recall.models import RecallHit, RecallQuery, RecallResult, RecallStrategy, strategy_named
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.pipeline import Ranking, RecallPipeline
from graph.retrieval.recall.rules import RecallRules, validated
from graph.retrieval.recall.trace import RecallTrace
from graph.telemetry.usage.service import Usage
from graph.tenancy.workspaces.service import Workspaces
from graph.vectors.external.service import ExternalTier
from graph.vectors.index.models import EmbeddedQuery
from graph.vectors.index.service import Embeddings

DEFAULT_TAGGED = 50
_MOST_PINNED = 3  # so that something that is asked for has room beside them
MOST_IN_TEXT = 20
WARM_UPS = ("warm up", "What does Ada Lovelace prefer in Python?")
"""Queries without and with names, which are looked up among the entities first."""


class Recall:
    """The use cases of finding memories; lives as long as the process."""

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
        self._calibration = Calibration(embeddings)
        self._pipeline = RecallPipeline(
            database,
            embeddings,
            memories,
            clock,
            rules,
            specificity=specificity,
            calibration=self._calibration,
            reranker=reranker,
            tier=tier,
        )
        self._lister = Lister(database, memories, clock, rules)

    async def recall(
        self,
        workspace_id: str,
        query: RecallQuery,
        *,
        surface: RetentionSurface = RetentionSurface.RECALL,
    ) -> RecallResult:
        """Return the best memories for a query, within the limit and the budget, and how they were found.

        Without a query, what has the filter's tags comes by importance, and without tags, or with the
        strategy ``exact``, the newest come first; with a query, ``exact`` leaves out what holds none of its words.

        Args:
            workspace_id: Whose memories.
            query: What is asked.
            surface: Where it is asked, which decides on what is too old.

        Raises:
            InvalidInput: A field breaks a rule.
        """
        wanted = await self._retained(workspace_id, validated(query), surface)
        strategy = await self._strategy(workspace_id, wanted)
        wanted = wanted.model_copy(update={"strategy": strategy})
        account = self.account(strategy)
        if wanted.max_tokens is not None:
            account.budget = effective_budget(wanted.max_tokens)
        if account.budget == 0:
            return RecallResult(hits=(), resolution=account.resolution())
        hits = await self._hits(
            workspace_id, wanted, account, by_tags=query.strategy is not RecallStrategy.EXACT
        )
        if account.budget is not None:
            hits = token_walk(((hit, hit.tokens) for hit in hits), account.budget)
        if not wanted.dry_run:
            self._usage.record_recall(
                workspace_id,
                [hit.memory.id for hit in hits],
                session_id=wanted.used_by or wanted.filter.session_id,
                first_rank=wanted.offset + 1,
            )
        return RecallResult(hits=tuple(hits), resolution=account.resolution())

    async def by_tags(
        self,
        workspace_id: str,
        tags: Sequence[str],
        *,
        limit: int = DEFAULT_TAGGED,
        surface: RetentionSurface = RetentionSurface.RECALL,
    ) -> RecallResult:
        """Return what has any of the tags, or one below them, by importance and then by time; see :meth:`recall`.

        Raises:
            InvalidInput: No tag is named, one breaks a rule, or ``limit`` is not between 1 and 100.
        """
        if not tags:
            raise InvalidInput("tags", "tags must name at least one tag")
        query = RecallQuery(filter=MemoryFilter(any_tags=tuple(tags)), limit=limit)
        return await self.recall(workspace_id, query, surface=surface)

    async def as_text(
        self,
        workspace_id: str,
        text: str,
        *,
        limit: int = 5,
        offset: int = 0,
        surface: RetentionSurface = RetentionSurface.RECALL,
    ) -> str:
        """Return what a query finds as Markdown for a model to read; a ``limit`` above 20 is 20.

        Raises:
            InvalidInput: ``text``, ``limit`` or ``offset`` breaks a rule.
        """
        query = RecallQuery(query=text, limit=min(limit, MOST_IN_TEXT), offset=offset)
        return render(await self.recall(workspace_id, query, surface=surface), offset=offset)

    async def for_injection(
        self,
        workspace_id: str,
        text: str,
        *,
        filter_: MemoryFilter | None = None,
        max_tokens: int | None = None,
        dry_run: bool = False,
    ) -> RecallResult:
        """Return what a turn is given unasked: few memories, and none that is merely the least unlike.

        Number and strategy are the workspace's, and the threshold where it sets one, which is a cosine; else what
        passes is relevant by the measure of its embedder. What was extracted by itself is left out when it is old. A
        text that asks for all that is known of its author is given the newest, up to 20 where the workspace names no
        number. What is tagged ``pinned`` comes first, up to three of that number, whatever the text is about and how
        old it is. A dry run counts no use; ``note_use`` does, once it is known what was shown.

        Raises:
            InvalidInput: ``text`` or the filter breaks a rule.
        """
        chosen = await self._workspaces.settings_of(workspace_id)
        most = chosen.injection_max_memories
        if most == 0:
            max_tokens = 0
        wanted = RecallQuery(
            query=text,
            limit=max(self._rules.injection_max_memories if most is None else most, 1),
            max_tokens=max_tokens,
            min_score=chosen.similarity_threshold,
            only_relevant=chosen.similarity_threshold is None,
            filter=filter_ or MemoryFilter(),
            dry_run=dry_run,
        )
        if asks_what_is_known(text):
            everything = {"query": None, "min_score": None, "only_relevant": False}
            limit = MOST_IN_TEXT if most is None else wanted.limit
            wanted = wanted.model_copy(update={**everything, "limit": limit})
        found, pinned = await asyncio.gather(
            self.recall(workspace_id, wanted, surface=RetentionSurface.INJECTION_AUTO),
            self._pinned(workspace_id, wanted),
        )
        return (
            found.model_copy(update={"hits": _pinned_first(pinned, found.hits, wanted)}) if pinned else found
        )

    async def _pinned(self, workspace_id: str, wanted: RecallQuery) -> Sequence[RecallHit]:
        if wanted.max_tokens == 0:
            return ()
        filter_ = wanted.filter.model_copy(update={"all_tags": (*wanted.filter.all_tags, PINNED)})
        query = RecallQuery(filter=filter_, limit=min(_MOST_PINNED, wanted.limit))
        query = await self._retained(workspace_id, query, RetentionSurface.RECALL)
        return await self._lister.tagged(workspace_id, query)

    async def injection_threshold(self, workspace_id: str, text: str) -> float | None:
        """Return the least cosine of entities that are injected unasked; None where no embedder answers."""
        chosen = (await self._workspaces.settings_of(workspace_id)).similarity_threshold
        if chosen is not None:
            return chosen
        try:
            return await self._calibration.threshold(text)
        except EmbeddingFailed:
            return None  # keywords will have to serve, and the search says why

    def note_use(self, workspace_id: str, hits: Sequence[RecallHit]) -> None:
        """Count the use of what was shown of a dry run."""
        self._usage.record_recall(workspace_id, [hit.memory.id for hit in hits])

    def use_reranker(self, reranker: Reranker | None) -> None:
        """Have another model, or none, reorder the best hits from now on."""
        self._pipeline.use_reranker(reranker)

    def account(self, strategy: RecallStrategy, operation: str = "recall") -> RecallTrace:
        """Return where what happens in a recall is noted, and what it is measured under."""
        return RecallTrace(strategy, operation, self._measurements)

    def question(self, text: str) -> ParsedQuery:
        """Return what can be told of a query without a model."""
        return self._pipeline.question(text)

    async def embed(self, question: ParsedQuery, account: RecallTrace) -> EmbeddedQuery | None:
        """Return a query's vectors, or None, noted in the account, where there are none."""
        return await self._pipeline.embed(question, account)

    async def rank(
        self,
        workspace_id: str,
        question: ParsedQuery,
        embedded: EmbeddedQuery | None,
        account: RecallTrace,
        *,
        surface: RetentionSurface = RetentionSurface.RECALL,
    ) -> Ranking | None:
        """Return all candidates among the memories, best first, for a list that holds other things as well.

        None where neither words nor vectors can be searched.
        """
        query = RecallQuery(query=question.text, strategy=RecallStrategy.HYBRID)
        query = await self._retained(workspace_id, query, surface)
        return await self._pipeline.rank(workspace_id, question, embedded, query, account)

    async def warm_up(self, workspace_id: str) -> None:
        """Have the server plan the statements of a recall, which takes it seconds the first time."""
        for text in WARM_UPS:
            await self.recall(workspace_id, RecallQuery(query=text, limit=1, dry_run=True))

    async def _retained(
        self, workspace_id: str, query: RecallQuery, surface: RetentionSurface
    ) -> RecallQuery:
        """Return a query that leaves out what is too old for a surface, where settings let it show not everything."""
        if not self._retention.cuts(surface):
            return query
        chosen = await self._workspaces.settings_of(workspace_id)
        window = self._retention.lasting(chosen.retention_days).window(surface, self._clock.now())
        return query.model_copy(update={"filter": query.filter.model_copy(update={"retention": window})})

    async def _strategy(self, workspace_id: str, query: RecallQuery) -> RecallStrategy:
        """Return the strategy asked for, the workspace's or the deployment's; a list of what is there is exact."""
        if query.query is None:
            return RecallStrategy.EXACT
        if query.strategy is not None:
            return query.strategy
        chosen = (await self._workspaces.settings_of(workspace_id)).strategy
        return self._rules.strategy if chosen is None else strategy_named(chosen)

    async def _hits(
        self, workspace_id: str, query: RecallQuery, account: RecallTrace, *, by_tags: bool
    ) -> Sequence[RecallHit]:
        if query.query is None and by_tags and (query.filter.any_tags or query.filter.all_tags):
            return await self._listed(workspace_id, query, account, by_tags=True)
        if query.query is None or query.strategy is RecallStrategy.EXACT:
            return await self._listed(workspace_id, query, account, words=query.query)
        found = await self._pipeline.find(workspace_id, query, account)
        if found is None and query.asks_for_relevance:
            account.fallback = "nothing: neither words nor vectors can be searched to tell what is relevant"
            return ()
        if found is None:
            account.fallback = "newest first: neither words nor vectors can be searched"
        elif (
            found.total
            or query.min_score is not None
            or query.asks_for_relevance
            or query.strategy is not RecallStrategy.SEMANTIC
        ):
            return found.hits
        else:
            account.fallback = "newest first: nothing was found"
        return await self._listed(workspace_id, query, account)

    async def _listed(
        self,
        workspace_id: str,
        query: RecallQuery,
        account: RecallTrace,
        *,
        by_tags: bool = False,
        words: str | None = None,
    ) -> Sequence[RecallHit]:
        account.tier = RecallTier.KEYWORD
        account.exact = True
        if query.min_relevance is not None:
            account.degraded.append("minRelevance: what is listed without a query has none, so all is shown")
        with account.stage("graph"):
            if by_tags:
                return await self._lister.tagged(workspace_id, query)
            if words is not None:
                return await self._lister.matching(workspace_id, query, self.question(words))
            return await self._lister.newest(workspace_id, query)


def _pinned_first(
    pinned: Sequence[RecallHit], found: Sequence[RecallHit], wanted: RecallQuery
) -> tuple[RecallHit, ...]:
    """Return pinned hits and then the others, each once and as it was found, within number and budget."""
    others = {hit.memory.id: hit for hit in found}
    hits = ([others.pop(hit.memory.id, hit) for hit in pinned] + list(others.values()))[: wanted.limit]
    if wanted.max_tokens is None:
        return tuple(hits)
    return tuple(token_walk(((hit, hit.tokens) for hit in hits), effective_budget(wanted.max_tokens)))
