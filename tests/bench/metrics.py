"""Metrics of rankings: recall, reciprocal rank, and confidence intervals of their means."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

DEPTH = 20
"""Number of ranked labels to evaluate; a first gold label behind them has the reciprocal rank 0."""
CUTOFFS = (5, 10, 20)
_RESAMPLES = 2000
_SEED = 20_261_121


@dataclass(frozen=True)
class Interval:
    """A mean with the bounds of its 95 % confidence interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Score:
    """Score of one question's ranking: recall at each of ``CUTOFFS``, and the reciprocal rank."""

    recall: tuple[float, ...]
    reciprocal_rank: float

    @classmethod
    def of(cls, ranking: Sequence[str], gold: Collection[str]) -> "Score":
        """Score a ranking of labels, best first."""
        labels = distinct(ranking)[:DEPTH]
        return cls(
            tuple(recall_at(labels, gold, cutoff) for cutoff in CUTOFFS), reciprocal_rank(labels, gold)
        )

    @property
    def values(self) -> tuple[float, ...]:
        """Recall at each cutoff, then the reciprocal rank."""
        return (*self.recall, self.reciprocal_rank)


VALUE_NAMES = (*(f"recall@{cutoff}" for cutoff in CUTOFFS), "MRR")


def distinct(labels: Sequence[str]) -> list[str]:
    """Return each label once, at its first position: a session counts by its best turn."""
    return list(dict.fromkeys(labels))


def recall_at(ranking: Sequence[str], gold: Collection[str], cutoff: int) -> float:
    """Return the share of the gold labels among the first ``cutoff``."""
    return len(set(ranking[:cutoff]) & set(gold)) / len(set(gold))


def reciprocal_rank(ranking: Sequence[str], gold: Collection[str]) -> float:
    """Return 1 / rank of the first gold label, 0 without one."""
    return next((1.0 / rank for rank, label in enumerate(ranking, start=1) if label in gold), 0.0)


def bootstrap(values: Sequence[float] | NDArray[np.float64]) -> Interval:
    """Return the mean of per-question values and its percentile bootstrap interval.

    For a paired interval, pass the differences of two methods on the same questions.
    """
    sample = np.asarray(values, dtype=np.float64)
    if not len(sample):
        return Interval(float("nan"), float("nan"), float("nan"))
    drawn = np.random.default_rng(_SEED).integers(len(sample), size=(_RESAMPLES, len(sample)))
    low, high = np.percentile(sample[drawn].mean(axis=1), [2.5, 97.5])
    return Interval(float(sample.mean()), float(low), float(high))


def summarise(scores: Sequence[Score]) -> dict[str, Interval]:
    """Return the mean and interval of each of ``VALUE_NAMES`` over questions."""
    table = np.array([score.values for score in scores]).reshape(len(scores), len(VALUE_NAMES))
    return {name: bootstrap(table[:, column]) for column, name in enumerate(VALUE_NAMES)}
