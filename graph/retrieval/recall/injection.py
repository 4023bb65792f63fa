"""Memory that is injected into a turn automatically: pinned memories, then relevant ones."""

import asyncio
from collections.abc import Sequence

from graph.core.ports import EmbeddingFailed
from graph.core.text.budget import effective_budget, token_walk
from graph.memories.policy import RetentionSurface
from graph.memories.tags import PINNED
from graph.retrieval.recall.agreement import with_disagreements
from graph.retrieval.recall.models import RecallHit, RecallQuery, RecallResult
from graph.retrieval.recall.overview_requests import asks_what_is_known, excluding_assistant
from graph.retrieval.recall.relevance import Calibration
from graph.retrieval.recall.rules import RecallRules
from graph.retrieval.recall.service import MOST_IN_TEXT, Recall
from graph.tenancy.workspaces import Workspaces
from graph.vectors.index.service import Embeddings

_MOST_PINNED = 3  # leaves room for hits of the query


class Injection:
    """Selects memories to inject into chat turns; lives as long as the process."""

    def __init__(
        self, recall: Recall, embeddings: Embeddings, workspaces: Workspaces, rules: RecallRules
    ) -> None:
        self._recall = recall
        self._calibration = Calibration(embeddings)
        self._workspaces = workspaces
        self._rules = rules

    async def for_turn(
        self,
        workspace_id: str,
        text: str,
        *,
        max_tokens: int | None = None,
        dry_run: bool = False,
    ) -> RecallResult:
        """Return the few relevant memories to inject into a turn.

        The workspace sets their number, the strategy, and optionally a minimum cosine. The default threshold is the
        calibrated relevance of the embedder, or of words if the embedder fails. Statements that are not valid now are
        omitted, unless the text concerns the past. Old extracted memories are omitted, too. A text that requests
        everything known about its author gets the newest memories, up to 20 or the workspace's number.

        Memories tagged ``pinned`` come first, for any text and of any age: up to three, but one place is left for other
        hits if the number is above one. A dry run counts no use; call :meth:`Recall.note_use` for the shown memories.

        Raises:
            InvalidInput: ``text`` breaks a rule.
        """
        chosen = await self._workspaces.settings_of(workspace_id)
        most = chosen.injection_max_memories
        if most == 0:
            max_tokens = 0
        query = RecallQuery(
            query=text,
            limit=max(self._rules.injection_max_memories if most is None else most, 1),
            max_tokens=max_tokens,
            min_score=chosen.similarity_threshold,
            only_relevant=chosen.similarity_threshold is None,
            for_injection=True,
            dry_run=dry_run,
        )
        if asks_what_is_known(text):
            everything = {
                "query": None,
                "min_score": None,
                "only_relevant": False,
                "filter": excluding_assistant(query.filter),
            }
            limit = MOST_IN_TEXT if most is None else query.limit
            query = query.model_copy(update={**everything, "limit": limit})
        found, pinned = await asyncio.gather(
            self._recall.recall(workspace_id, query, surface=RetentionSurface.INJECTION_AUTO),
            self._pinned(workspace_id, query),
        )
        if pinned is None:
            return found
        lacks = dict.fromkeys([*found.resolution.degraded, *pinned.resolution.degraded])
        resolution = found.resolution.model_copy(update={"degraded": tuple(lacks)})
        hits = found.hits
        if pinned.hits:
            hits = tuple(await with_disagreements(_pinned_first(pinned.hits, hits, query)))
        return found.model_copy(update={"hits": hits, "resolution": resolution})

    async def threshold(self, workspace_id: str, text: str) -> float | None:
        """Return the minimum cosine of entities for automatic injection, or None if the embedder fails."""
        chosen = (await self._workspaces.settings_of(workspace_id)).similarity_threshold
        if chosen is not None:
            return chosen
        try:
            return await self._calibration.threshold(text)
        except EmbeddingFailed:
            return None  # the entity search then uses words, and reports why

    async def _pinned(self, workspace_id: str, query: RecallQuery) -> RecallResult | None:
        if query.max_tokens == 0:
            return None
        tags = (*query.filter.all_tags, PINNED)
        filter_ = query.filter.model_copy(update={"all_tags": tags, "excluded_speakers": ()})
        limit = min(_MOST_PINNED, query.limit)
        return await self._recall.tagged(
            workspace_id, RecallQuery(filter=filter_, limit=limit, for_injection=True)
        )


def _pinned_first(
    pinned: Sequence[RecallHit], found: Sequence[RecallHit], query: RecallQuery
) -> tuple[RecallHit, ...]:
    """Return pinned hits and then the others without repetitions, within the limit and the budget."""
    others = {hit.memory.id: hit for hit in found}
    if others.keys() - {hit.memory.id for hit in pinned}:
        pinned = pinned[: max(query.limit - 1, 1)]
    hits = ([others.pop(hit.memory.id, hit) for hit in pinned] + list(others.values()))[: query.limit]
    if query.max_tokens is None:
        return tuple(hits)
    return tuple(token_walk(((hit, hit.tokens) for hit in hits), effective_budget(query.max_tokens)))
