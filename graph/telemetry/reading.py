"""Reads telemetry: lists, search by meaning, and the patterns that an agent should know before it acts."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.core.fusion import reciprocal_rank_fusion
from graph.core.models import RecallTier
from graph.core.pages import Cursor, Page, Paging, page_of, page_size
from graph.core.ports import EmbeddingFailed
from graph.core.text.checks import filled, note_of_cut, query_text
from graph.core.text.language import content_words
from graph.core.text.lucene import sequence_queries
from graph.core.time import period_in_utc
from graph.telemetry import queries
from graph.telemetry.models import (
    ActionFilter,
    AgentAction,
    AgentPattern,
    AgentSequence,
    FoundSequence,
    PatternFilter,
    PatternState,
    SequenceFilter,
)
from graph.telemetry.queries import SearchSequencesRow
from graph.tenancy.workspaces import Workspaces
from graph.vectors.index.models import EmbeddedQuery
from graph.vectors.index.service import Embeddings

MOST_NODE_TYPES = 100
_MOST_RETURNED = 10
_MOST_FOUND = 200
_OVER_FETCH = 4  # a quantised index has the true nearest neighbours among four times as many
# Length of each list, the same for every page: longer lists on later pages would change the order of the fusion.
_POOL = _MOST_FOUND * _OVER_FETCH


@dataclass(frozen=True)
class SequencePage:
    """A page of sequences, with its search tier.

    Attributes:
        tier: Tier of the search; KEYWORD if only words were compared; None for a list without a query.
        fallback: Reason for a lower tier, if any.
        degraded: Truncated parts, with reasons.
    """

    page: Page[FoundSequence]
    tier: RecallTier | None = None
    fallback: str | None = None
    degraded: Sequence[str] = ()


class TelemetryReader:
    """The use cases of reading telemetry; lives as long as the process.

    Reading also works while the memory of a workspace is off, except ``patterns_for``.
    """

    def __init__(self, database: Database, embeddings: Embeddings, workspaces: Workspaces) -> None:
        self._database = database
        self._embeddings = embeddings
        self._workspaces = workspaces

    async def actions(
        self,
        workspace_id: str,
        filter_: ActionFilter = ActionFilter(),
        *,
        first: int = 50,
        after: str | None = None,
    ) -> Page[AgentAction]:
        """Return a page of actions, the latest first; with a target, that entity's agent history.

        Raises:
            InvalidInput: ``first`` or ``after`` is malformed, or the filter's ``until`` is before its ``since``.
        """
        paging = Paging.of(first, after)
        since, until = period_in_utc(filter_.since, filter_.until, excludes_until=True)
        conditions: dict[str, Any] = {
            **filter_.model_dump(exclude={"target_id"}),
            "since": since,
            "until": until,
            "after_time": paging.date,
            "after_id": paging.id,
            "limit": paging.limit,
        }
        if filter_.target_id is None:
            # A separate query, because the planner cannot choose its index by a parameter that may be null.
            listed = queries.list_actions_of_sequence if filter_.sequence_id else queries.list_actions
            found = await listed(self._database, workspace_id=workspace_id, **conditions)
        else:
            of_target = await queries.list_actions_of_targets(
                self._database, workspace_id=workspace_id, target_ids=[filter_.target_id], **conditions
            )
            found = [row.action for row in of_target]
        return _page_of_actions(found, paging.size)

    async def sequences(
        self,
        workspace_id: str,
        filter_: SequenceFilter = SequenceFilter(),
        *,
        first: int = 20,
        after: str | None = None,
    ) -> SequencePage:
        """Return a page of sequences, the latest to end first."""
        paging = Paging.of(first, after)
        sequences = await queries.list_sequences(
            self._database,
            workspace_id=workspace_id,
            **filter_.model_dump(),
            after_time=paging.date,
            after_id=paging.id,
            limit=paging.limit,
        )
        found = [FoundSequence(sequence=sequence) for sequence in sequences]
        cursors = [Cursor(date=sequence.ended_at, id=sequence.id) for sequence in sequences]
        return SequencePage(page_of(found, cursors, paging.size))

    async def search_sequences(
        self,
        workspace_id: str,
        query: str,
        filter_: SequenceFilter = SequenceFilter(),
        *,
        first: int = 20,
        after: str | None = None,
    ) -> SequencePage:
        """Return a page of the sequences whose steps match a query, by meaning and words.

        Raises:
            InvalidInput: The query is blank, or ``first`` or ``after`` is malformed.
        """
        size = page_size(first)
        if filter_.session_id is not None:
            raise InvalidInput("query", "query cannot be combined with sessionId: a session has one sequence")
        text = filled("query", query_text("query", query))
        cursor = Cursor.decode(after) if after else None
        start = 0 if cursor is None or cursor.rank is None else max(0, int(cursor.rank) + 1)
        embedded, fallback = await self._embed(text)
        rows = await queries.search_sequences(
            self._database,
            vector_index=embedded.index.name if embedded else "vectors_a",
            workspace_id=workspace_id,
            text_queries=[
                {"index": leg.index, "query": leg.query}
                for leg in sequence_queries(content_words(text), workspace_id)
            ],
            vector=embedded.vectors[0] if embedded else None,
            vector_property=embedded.index.vector_property if embedded else self._embeddings.vector_property,
            outcome=filter_.outcome,
            limit=_POOL,
        )
        found = _fused(rows)[start : start + size + 1]
        cursors = [Cursor(rank=float(start + place), id=hit.sequence.id) for place, hit in enumerate(found)]
        tier = RecallTier.VECTOR if embedded else RecallTier.KEYWORD
        return SequencePage(
            page_of(found, cursors, size), tier=tier, fallback=fallback, degraded=note_of_cut("query", query)
        )

    async def search_patterns(self, workspace_id: str, query: str, *, first: int = 20) -> list[AgentPattern]:
        """Return the promoted patterns of the runs that match a query.

        Includes suppressed patterns.

        Raises:
            InvalidInput: The query is blank, or ``first`` is not between 1 and 200.
        """
        limit = page_size(first)
        found = await self.search_sequences(workspace_id, query, first=_MOST_FOUND // _OVER_FETCH)
        return await queries.list_patterns_of_sequences(
            self._database,
            workspace_id=workspace_id,
            sequence_ids=[hit.sequence.id for hit in found.page.items],
            limit=limit,
        )

    async def patterns(
        self,
        workspace_id: str,
        filter_: PatternFilter = PatternFilter(),
        *,
        first: int = 20,
        after: str | None = None,
    ) -> Page[AgentPattern]:
        """Return a page of patterns, including suppressed ones, the most confident first.

        Raises:
            InvalidInput: ``first`` or ``after`` is malformed, or the filter has too many entries.
        """
        paging = Paging.of(first, after)
        node_types = await self._node_types(workspace_id, filter_.node_types, filter_.target_ids)
        if node_types is None:
            return Page(items=[], cursors=[], has_more=False)
        return await self._page_of_patterns(workspace_id, filter_, node_types, paging)

    async def _page_of_patterns(
        self, workspace_id: str, filter_: PatternFilter, node_types: Sequence[str], paging: Paging
    ) -> Page[AgentPattern]:
        rows = await queries.list_patterns(
            self._database,
            workspace_id=workspace_id,
            node_types=[each.lower() for each in node_types],
            action_type=filter_.action_type,
            error_code=filter_.error_code,
            suppressed=filter_.suppressed,
            states=list(filter_.states or [PatternState.PROMOTED]),
            after_rank=paging.rank,
            after_id=paging.id,
            limit=paging.limit,
        )
        cursors = [Cursor(rank=row.rank, id=row.pattern.id) for row in rows]
        return page_of([row.pattern for row in rows], cursors, paging.size)

    async def patterns_for(
        self,
        workspace_id: str,
        *,
        node_types: Sequence[str] = (),
        target_ids: Sequence[str] = (),
        action_type: str | None = None,
    ) -> list[AgentPattern]:
        """Return the patterns that an agent should know before it acts on nodes of some types.

        These are promoted, unsuppressed patterns of the types and of the entities' types. Patterns of the action come
        first, then the most confident. If there are no types and no known entities, these are patterns of the action on
        any type. The result is empty while memory is off.

        Raises:
            InvalidInput: There are more than 100 types or entities.
            NotFound: The workspace does not exist.
        """
        if not (node_types or target_ids or action_type):
            return []
        if not (await self._workspaces.get(workspace_id)).memory_enabled:
            return []
        types = await self._node_types(workspace_id, node_types, target_ids)
        if not types and action_type is None:
            return []
        filter_ = PatternFilter(action_type=None if types else action_type, suppressed=False)
        page = await self._page_of_patterns(workspace_id, filter_, types or (), Paging.of(_MOST_FOUND, None))
        return sorted(page.items, key=lambda pattern: pattern.action_type != action_type)[:_MOST_RETURNED]

    async def actions_of(
        self, workspace_id: str, sequence_ids: Sequence[str], *, first: int
    ) -> dict[str, list[AgentAction]]:
        """Return the earliest actions of sequences, in order.

        Raises:
            InvalidInput: ``first`` is not between 1 and 200.
        """
        rows = await queries.list_actions_of_sequences(
            self._database, workspace_id=workspace_id, sequence_ids=sequence_ids, limit=page_size(first)
        )
        found: dict[str, list[AgentAction]] = defaultdict(list)
        for row in rows:
            found[row.sequence_id].append(row.action)
        return found

    async def actions_on(
        self, workspace_id: str, target_ids: Sequence[str], *, first: int = 20, after: str | None = None
    ) -> dict[str, Page[AgentAction]]:
        """Return a page of each entity's agent history, the latest first."""
        paging = Paging.of(first, after)
        rows = await queries.list_actions_of_targets(
            self._database,
            workspace_id=workspace_id,
            target_ids=target_ids,
            **ActionFilter().model_dump(exclude={"target_id"}),
            after_time=paging.date,
            after_id=paging.id,
            limit=paging.limit,
        )
        found: dict[str, list[AgentAction]] = {id_: [] for id_ in target_ids}
        for row in rows:
            found[row.target_id].append(row.action)
        return {id_: _page_of_actions(actions, paging.size) for id_, actions in found.items()}

    async def evidence_of(
        self, workspace_id: str, pattern_ids: Sequence[str], *, first: int
    ) -> dict[str, list[AgentSequence]]:
        """Return the sequences that are evidence of patterns, the latest first.

        Raises:
            InvalidInput: ``first`` is not between 1 and 200.
        """
        rows = await queries.list_evidence(
            self._database, workspace_id=workspace_id, pattern_ids=pattern_ids, limit=page_size(first)
        )
        found: dict[str, list[AgentSequence]] = defaultdict(list)
        for row in rows:
            found[row.pattern_id].append(row.sequence)
        return found

    async def _node_types(
        self, workspace_id: str, node_types: Sequence[str], target_ids: Sequence[str]
    ) -> list[str] | None:
        """Return the requested types, empty for any type; None if there are targets and none of them is known."""
        for field, named in (("nodeTypes", node_types), ("targetIds", target_ids)):
            if len(named) > MOST_NODE_TYPES:
                raise InvalidInput(field, f"{field} must name at most {MOST_NODE_TYPES}")
        if not target_ids:
            return list(node_types)
        types = await queries.list_target_types(
            self._database, workspace_id=workspace_id, names=list(target_ids)
        )
        return sorted({*node_types, *types}) or None

    async def _embed(self, text: str) -> tuple[EmbeddedQuery | None, str | None]:
        try:
            return await self._embeddings.embed_query(text), None
        except EmbeddingFailed as error:
            return None, f"words only: {error}"


def _page_of_actions(found: Sequence[AgentAction], size: int) -> Page[AgentAction]:
    return page_of(found, [Cursor(date=action.occurred_at, id=action.id) for action in found], size)


def _fused(rows: Sequence[SearchSequencesRow]) -> list[FoundSequence]:
    """Return the hits by reciprocal rank fusion; among equal scores, the nearer in meaning first."""
    sequences = {row.sequence.id: row.sequence for row in rows}
    cosines = {row.sequence.id: row.cosine for row in rows if row.cosine is not None}
    texts = {row.sequence.id: row.text_score for row in rows if row.text_score is not None}
    scores = reciprocal_rank_fusion(
        [
            sorted(cosines, key=lambda id_: (-cosines[id_], id_)),
            sorted(texts, key=lambda id_: (-texts[id_], id_)),
        ]
    )
    ranked = sorted(scores, key=lambda id_: (-scores[id_], -cosines.get(id_, -1.0), id_))
    return [FoundSequence(sequence=sequences[id_], score=scores[id_]) for id_ in ranked]
