"""Rankings of a gathered pool: each leg alone, plain fusions, and the fitted model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from graph.core.fusion import reciprocal_rank_fusion
from graph.retrieval.recall import ranking as scoring
from graph.retrieval.recall.candidates import Pool
from tests.bench.asking import Asked
from tests.bench.metrics import Score

Weights = Mapping[str, float]
Column = NDArray[np.float64]


def legs_and_fusions(asked: Asked) -> dict[str, Score]:
    """Return the scores of each leg alone and of their common fusions for one question."""
    pool = asked.pool
    fused = reciprocal_rank_fusion([list(pool.text_scores), pool.vector_ids])
    rankings = {
        "vector only": pool.vector_ids,
        "text only": list(pool.text_scores),
        "RRF, k = 60": sorted(fused, key=lambda id_: (-fused[id_], id_)),
        "half and half, scaled by the largest": _by_score(pool, half_and_half(pool)),
    }
    candidates = asked.labels.keys()
    return {
        name: Score.of([asked.labels[id_] for id_ in ranking if id_ in candidates], asked.gold)
        for name, ranking in rankings.items()
    }


@dataclass(frozen=True)
class Basis:
    """Features of a pool, for trying other weights without the server.

    Attributes:
        names: Feature of each column.
        columns: Feature values, one row per candidate.
    """

    names: Sequence[str]
    columns: Column
    asked: Asked

    @classmethod
    def of(cls, asked: Asked) -> "Basis":
        """Compute the features with the project's own scoring."""
        features = scoring.features(asked.pool, asked.question)
        return cls(list(features), np.column_stack(list(features.values())), asked)

    def score(self, weights: Column) -> Score:
        """Return the score of the ranking by these weights, in the order of ``names``."""
        asked = self.asked
        ranking = _by_score(asked.pool, self.columns @ weights)
        return Score.of([asked.labels[id_] for id_ in ranking], asked.gold)


def as_vector(names: Sequence[str], weights: Weights) -> Column:
    """Return the weights in the order of ``names``; a missing weight is 0."""
    return np.array([weights.get(name, 0.0) for name in names])


def half_and_half(pool: Pool) -> Column:
    """Return each candidate's sum of text score and cosine, each divided by its maximum."""
    text = np.array([pool.text_scores.get(candidate.id, 0.0) for candidate in pool.candidates])
    cosine = np.array([max(candidate.cosine or 0.0, 0.0) for candidate in pool.candidates])
    return _scaled(text) + _scaled(cosine)


def _scaled(values: Column) -> Column:
    largest = values.max(initial=0.0)
    return values / largest if largest > 0 else values


def _by_score(pool: Pool, scores: Column) -> list[str]:
    paired = zip(pool.candidates, scores, strict=True)
    return [candidate.id for candidate, _ in sorted(paired, key=lambda pair: (-pair[1], pair[0].id))]
