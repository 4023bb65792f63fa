"""Recall by several queries as by one: a memory that more than one found stands among the hits once."""

import asyncio
from collections.abc import Iterable, Sequence
from enum import StrEnum

from graph.core.models import Frozen
from graph.retrieval.recall.models import RecallHit, RecallQuery
from graph.retrieval.recall.rules import MAX_LIMIT
from graph.retrieval.recall.service import Recall


class SortOrder(StrEnum):
    """Order of results: by score, by time of the event, or by time of the change."""

    SCORE = "score"
    TIME_DESC = "time_desc"
    TIME_ASC = "time_asc"
    UPDATED_DESC = "updated_desc"
    UPDATED_ASC = "updated_asc"


class SeveralResult(Frozen):
    """Result of several queries.

    Attributes:
        query: Text of a single query; of several the first, None if there were only further ones.
        hits: In the order asked for.
    """

    query: str | None
    hits: tuple[RecallHit, ...]


async def recall_several(
    recall: Recall,
    workspace_id: str,
    asked: RecallQuery,
    further: Iterable[str] = (),
    *,
    least_score: float | None = None,
    order: SortOrder = SortOrder.SCORE,
) -> SeveralResult:
    """Run several queries with the same filter and return the best of all hits.

    Hits below the minimum score are removed from the resulting page. Only the remaining ones count as used. Blank and
    repeated texts are ignored.

    Raises:
        InvalidInput: A field breaks a rule.
    """
    texts = list(dict.fromkeys(text for text in (asked.query, *further) if text and text.strip()))
    if len(texts) <= 1:
        query = texts[0] if texts else asked.query
        page = await _found(recall, workspace_id, asked.model_copy(update={"query": query}))
    else:
        query, end = asked.query, asked.offset + asked.limit
        each = asked.model_copy(update={"limit": min(end, MAX_LIMIT), "offset": 0})
        found = await asyncio.gather(
            *(_found(recall, workspace_id, each.model_copy(update={"query": text})) for text in texts)
        )
        page = merged(found)[asked.offset : end]
    hits = ordered([hit for hit in page if least_score is None or hit.score >= least_score], order)
    if not asked.dry_run:
        recall.note_use(workspace_id, hits)
    return SeveralResult(query=query, hits=tuple(hits))


async def _found(recall: Recall, workspace_id: str, query: RecallQuery) -> Sequence[RecallHit]:
    return (await recall.recall(workspace_id, query.model_copy(update={"dry_run": True}))).hits


def merged(found: Iterable[Sequence[RecallHit]]) -> list[RecallHit]:
    """Return the hits of several queries, best first; a memory that several found has its best score.

    Equal scores go by their place among the hits of a query, so that more hits of each continue what fewer began.
    """
    best: dict[str, tuple[float, int, int, RecallHit]] = {}
    for number, hits in enumerate(found):
        for place, hit in enumerate(hits):
            ranked = (-hit.score, place, number, hit)
            if hit.memory.id not in best or ranked[:3] < best[hit.memory.id][:3]:
                best[hit.memory.id] = ranked
    return [hit for *_, hit in sorted(best.values(), key=lambda ranked: ranked[:3])]


def ordered(hits: Sequence[RecallHit], order: SortOrder) -> Sequence[RecallHit]:
    """Return hits, which come best first, in an order; those of the same moment stay as they come."""
    if order is SortOrder.SCORE:
        return hits
    by_time = order in (SortOrder.TIME_DESC, SortOrder.TIME_ASC)
    return sorted(
        hits,
        key=lambda hit: hit.memory.timestamp if by_time else hit.memory.updated_at,
        reverse=order in (SortOrder.TIME_DESC, SortOrder.UPDATED_DESC),
    )
