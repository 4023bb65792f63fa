"""One ranked list out of candidates of several kinds.

Scores of Lucene and of the fitted ranking mean something within one index or one kind only. What can be compared
between kinds is how near a text is to the query's vector and how much of the query's words it holds, both by one
measure for all::

    meaning   = max(0, cosine) / the best cosine of all candidates
    coverage  = rarity of the query's words the text holds / rarity of all its words
    relevance = (meaning + coverage) / 2, or the one of them there is
    score     = relevance · (0.8 + 0.2 / place within its kind)

Rarity is BM25's idf over all candidates. Words are stemmed as in Lucene's English analyser, and CJK text is split into
bigrams. Equal weights were the best fusion without a fit. Memories keep the order of recall: the first gets the largest
relevance of all memories, and so on. The last factor is bounded, so that a kind with many candidates cannot fill the
page before the best of another kind, and a poor one cannot pass a good one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graph.retrieval.search.models import SearchKind

_PLACE_SHARE = 0.2

Column = NDArray[np.float64]


@dataclass(frozen=True)
class BlendCandidate:
    """Possible hit of a search.

    Attributes:
        cosine: Of the query and the text; None without a vector.
        stems: The query's stems that the text holds.
    """

    kind: SearchKind
    id: str
    cosine: float | None
    stems: frozenset[str]


@dataclass(frozen=True)
class Blended:
    """A candidate with its place in the list of all kinds."""

    candidate: BlendCandidate
    score: float
    coverage: float


@dataclass(frozen=True)
class BlendQuery:
    """Query against which candidates are scored.

    Attributes:
        stems: The distinct stems of the query.
        order: Ids of a kind in the order they keep among themselves, best first.
    """

    stems: Sequence[str]
    order: Mapping[SearchKind, Sequence[str]] = field(default_factory=dict)


def blend(candidates: Sequence[BlendCandidate], asked: BlendQuery) -> list[Blended]:
    """Return the candidates best first; equal scores go by kind and id, so that pages continue each other."""
    if not candidates:
        return []
    coverages = _coverages(candidates, asked.stems)
    relevances = _relevances(candidates, coverages, has_stems=bool(asked.stems))
    coverage_of = {(c.kind, c.id): float(value) for c, value in zip(candidates, coverages, strict=True)}
    relevance_of = {(c.kind, c.id): float(value) for c, value in zip(candidates, relevances, strict=True)}
    blended = []
    for kind in SearchKind:
        ordered = _ordered([c for c in candidates if c.kind is kind], relevance_of, asked.order.get(kind))
        scale = sorted((relevance_of[kind, c.id] for c in ordered), reverse=True)
        for place, (candidate, relevance) in enumerate(zip(ordered, scale, strict=True), start=1):
            score = relevance * (1 - _PLACE_SHARE + _PLACE_SHARE / place)
            blended.append(Blended(candidate, score, coverage_of[kind, candidate.id]))
    kinds = list(SearchKind)
    return sorted(blended, key=lambda b: (-b.score, kinds.index(b.candidate.kind), b.candidate.id))


def _ordered(
    candidates: Sequence[BlendCandidate],
    relevance_of: Mapping[tuple[SearchKind, str], float],
    order: Sequence[str] | None,
) -> list[BlendCandidate]:
    if order is None:
        return sorted(candidates, key=lambda c: (-relevance_of[c.kind, c.id], c.id))
    by_id = {candidate.id: candidate for candidate in candidates}
    return [by_id[id_] for id_ in order if id_ in by_id]


def _coverages(candidates: Sequence[BlendCandidate], stems: Sequence[str]) -> Column:
    if not stems:
        return np.zeros(len(candidates))
    holds = np.array([[stem in c.stems for stem in stems] for c in candidates], dtype=np.float64)
    found = holds.sum(axis=0)
    rarity = np.log1p((len(candidates) - found + 0.5) / (found + 0.5))
    return np.asarray(holds @ rarity / rarity.sum())


def _relevances(candidates: Sequence[BlendCandidate], coverages: Column, *, has_stems: bool) -> Column:
    cosines = np.array([max(c.cosine or 0.0, 0.0) for c in candidates])
    best = cosines.max()
    if best <= 0:
        return coverages
    meaning: Column = cosines / best
    return (meaning + coverages) / 2 if has_stems else meaning
