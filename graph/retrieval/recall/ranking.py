"""From a pool of candidates to an order: relevance first, then what may bend it a little."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graph.core.fusion import DEFAULT_K, reciprocal_rank_fusion
from graph.retrieval.recall.candidates import Candidate, Pool
from graph.retrieval.recall.models import Fusion, RecallQuery, RecallStrategy
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.scoring import scores

# The logistic brings the scale of the fit, about 2 to 18, into 0..1; only the order carries meaning.
_SCORE_SCALE = 3.0
_SCORE_OFFSET = 3.0

# Side signals are bounded factors, so that none of them can beat relevance.
_IMPORTANCE_SPAN = 0.1  # importance 0 takes a tenth away, 1 adds a tenth
_RECENCY_GAIN = 0.05
_RECENCY_DAYS = 30.0
_USE_GAIN = 0.05
_HALF_USED = 5.0
_SUPERSEDED_FACTOR = 0.5


@dataclass(frozen=True, slots=True)
class Ranked:
    """One candidate with its score in 0..1."""

    id: str
    score: float


def rank(
    pool: Pool,
    question: ParsedQuery,
    query: RecallQuery,
    *,
    rrf_k: float = DEFAULT_K,
    is_blind: bool = False,
) -> list[Ranked]:
    """Return the candidates best first, without those below the asked threshold.

    Relevance is the cosine for the strategy ``semantic``, reciprocal rank fusion if requested, and the fitted model
    otherwise. Importance, recency and use change it within bounds, except the plain sums of reciprocal rank fusion. A
    superseded memory follows its successor. Of two states of a slot, the current one takes the place of the older,
    unless the query concerns the past. If the embedder is blind for query and hits, the fitted model uses words alone.
    """
    if not pool.candidates:
        return []
    relevance = _relevance(pool, question, query, rrf_k, is_blind=is_blind)
    is_plain = _is_by_places(query, pool)
    bent = {
        c.id: relevance[c.id] * (1.0 if is_plain else _side_factor(c))
        for c in pool.candidates
        if c.id in relevance
    }
    cosines = {c.id: c.cosine for c in pool.candidates if c.cosine is not None}
    if question.asks_about_the_past:
        superseded_by = {c.id: () if c.closed_by else c.superseded_by for c in pool.candidates}
    else:
        bent, cosines = handed_on(bent, pool), handed_on(cosines, pool)
        superseded_by = {c.id: c.superseded_by for c in pool.candidates}
    bent = _behind_successors(bent, superseded_by)
    admitted = (id_ for id_ in bent if _clears(cosines.get(id_), query.min_score))
    ordered = sorted(admitted, key=lambda id_: (-bent[id_], id_))
    return [Ranked(id=id_, score=bent[id_] if is_plain else min(bent[id_], 1.0)) for id_ in ordered]


def handed_on(scores: Mapping[str, float], pool: Pool) -> dict[str, float]:
    """Return scores in which each memory has at least the score of every older state that it closed."""
    settled = dict(scores)
    closed_by = {c.id: c.closed_by for c in pool.candidates if c.closed_by}
    for id_, score in scores.items():
        seen, later = {id_}, list(closed_by.get(id_, ()))
        while later:
            successor = later.pop()
            if successor in seen:
                continue
            seen.add(successor)
            if successor in settled:
                settled[successor] = max(settled[successor], score)
            later += closed_by.get(successor, ())
    return settled


def _behind_successors(
    scores: Mapping[str, float], superseded_by: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Halve the scores of superseded memories, and keep each below its successors."""
    settled: dict[str, float] = {}

    def settle(id_: str, later: frozenset[str]) -> float:
        if id_ not in settled:
            successors = [each for each in superseded_by[id_] if each in scores and each not in later]
            after = [settle(each, later | {id_}) for each in successors]
            score = scores[id_] * (_SUPERSEDED_FACTOR if superseded_by[id_] else 1.0)
            settled[id_] = min([score, *(math.nextafter(each, 0.0) for each in after)])
        return settled[id_]

    for id_ in scores:
        settle(id_, frozenset())
    return settled


def _relevance(
    pool: Pool, question: ParsedQuery, query: RecallQuery, rrf_k: float, *, is_blind: bool
) -> dict[str, float]:
    if query.strategy is RecallStrategy.SEMANTIC and pool.vector_ids:
        return {c.id: (1 + c.cosine) / 2 for c in pool.candidates if c.cosine is not None}
    if _is_by_places(query, pool):
        return reciprocal_rank_fusion([list(pool.text_scores), pool.vector_ids], rrf_k)
    raw = scores(pool, question, is_blind=is_blind)
    shown = 1 / (1 + np.exp(_SCORE_OFFSET - raw / _SCORE_SCALE))
    return {c.id: float(score) for c, score in zip(pool.candidates, shown, strict=True)}


def _is_by_places(query: RecallQuery, pool: Pool) -> bool:
    by_meaning_alone = query.strategy is RecallStrategy.SEMANTIC and bool(pool.vector_ids)
    return query.fusion is Fusion.RRF and not by_meaning_alone


def _side_factor(candidate: Candidate) -> float:
    importance = 1 + _IMPORTANCE_SPAN * (2 * candidate.importance - 1)
    recency = 1 + _RECENCY_GAIN * math.exp(-max(candidate.age_days, 0) / _RECENCY_DAYS)
    use = 1 + _USE_GAIN * candidate.usage_count / (candidate.usage_count + _HALF_USED)
    return importance * recency * use


def _clears(cosine: float | None, threshold: float | None) -> bool:
    return threshold is None or (cosine is not None and cosine >= threshold)


Pair = frozenset[str]


def diversified(
    ranked: Sequence[Ranked], similarities: Mapping[Pair, float], diversity: float
) -> list[Ranked]:
    """Reorder memories by relevance minus redundancy (Carbonell and Goldstein, SIGIR 1998).

    Args:
        ranked: Best first; scores in 0..1.
        similarities: Cosine of pairs of ids; a pair that is missing counts as unlike.
        diversity: 0 keeps the order, 1 asks for nothing but novelty after the first.
    """
    left = list(ranked)
    chosen: list[Ranked] = []
    nearest = dict.fromkeys((candidate.id for candidate in left), 0.0)
    while left:
        best = max(left, key=lambda c: (1 - diversity) * c.score - diversity * nearest[c.id])
        left.remove(best)
        chosen.append(best)
        for candidate in left:
            alike = similarities.get(frozenset((best.id, candidate.id)), 0.0)
            nearest[candidate.id] = max(nearest[candidate.id], alike)
    return chosen
