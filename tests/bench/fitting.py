"""Fit of the ranking's weights to the questions of several sets.

The loss is listwise: each gold candidate of a question competes with all candidates that are not gold. The
fit uses every feature of ``graph/retrieval/recall/ranking.py``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from tests.bench.metrics import Score
from tests.bench.progress import say
from tests.bench.rankings import Basis, Column, half_and_half

L2 = 0.05  # penalty on weights of standardised features; a tenth of it generalises less to held-out sets
# Factor of L2 for weights among long messages: only one set has these and its gold on short messages.
_AMONG_LONG = 10.0
SIGNLESS = frozenset(
    {"speaks_of_self", "question", "question_short", "coverage", "coverage_of_focus", "length"}
)
"""Features whose weights may be negative.

All others are evidence for a memory. Their weights are at least 0, which holds for unseen sets too.
"""
_MOST_STEPS = 200
_DIGITS = 3


@dataclass(frozen=True)
class Example:
    """One question of the fit: the features of its candidates, and a mask of the gold ones.

    Attributes:
        rows: Feature values, one row per candidate.
        weight: Weight of the question in the loss.
    """

    basis: Basis
    rows: Column
    is_gold: NDArray[np.bool_]
    weight: float

    @classmethod
    def of(cls, basis: Basis, weight: float) -> "Example | None":
        """Return the example, or None if its pool contains no gold candidate or only gold ones.

        If several candidates share a gold label, only the one that a plain fusion ranks first is kept.
        """
        asked = basis.asked
        labels = [asked.labels[candidate.id] for candidate in asked.pool.candidates]
        plain = half_and_half(asked.pool)
        best: dict[str, int] = {}
        for row in np.argsort(-plain, kind="stable"):
            best.setdefault(labels[row], int(row))
        gold = {best[label] for label in asked.gold if label in best}
        kept = [row for row, label in enumerate(labels) if row in gold or label not in asked.gold]
        if not gold or len(kept) == len(gold):
            return None
        return cls(basis, basis.columns[kept], np.array([row in gold for row in kept]), weight)


class Problem:
    """Loss of the weights over the examples, with its gradient; columns are divided by their deviation.

    The penalty draws the weights towards ``prior``, or towards 0.
    """

    def __init__(
        self, examples: Sequence[Example], names: Sequence[str], prior: Column | None = None
    ) -> None:
        rows = np.concatenate([example.rows for example in examples])
        deviation = rows.std(axis=0)
        self._scale = np.where(deviation > 0, deviation, 1.0)
        self._rows = rows / self._scale
        self._prior = np.zeros(len(self._scale)) if prior is None else prior * self._scale
        sizes = [len(example.rows) for example in examples]
        self._question = np.repeat(np.arange(len(examples)), sizes)
        self._is_gold = np.concatenate([example.is_gold for example in examples])
        golds = np.array([example.is_gold.sum() for example in examples])
        weights = np.array([example.weight for example in examples])
        self._gold_weight = (weights / weights.sum() / golds)[self._question[self._is_gold]]
        self._count = len(examples)
        is_among_long = np.array([name.endswith("_among_long") for name in names])
        self._cost = L2 * np.where(is_among_long, _AMONG_LONG, 1.0)
        self._bounds = [
            (None if among_long or name in SIGNLESS else 0.0, None)
            for name, among_long in zip(names, is_among_long, strict=True)
        ]

    def solve(self, without: NDArray[np.bool_] | None = None) -> Column:
        """Return the weights of the unscaled columns with the least loss; those in ``without`` stay 0."""
        free = np.ones(self._rows.shape[1], dtype=bool) if without is None else ~without
        found = minimize(
            self._loss,
            self._prior[free],
            args=(self._rows[:, free], self._cost[free], self._prior[free]),
            jac=True,
            method="L-BFGS-B",
            bounds=[bound for bound, is_free in zip(self._bounds, free, strict=True) if is_free],
            options={"maxiter": _MOST_STEPS},
        )
        weights = np.zeros(len(free))
        weights[free] = found.x
        return weights / self._scale

    def _loss(self, weights: Column, rows: Column, cost: Column, prior: Column) -> tuple[float, Column]:
        scores = rows @ weights
        others, gold = ~self._is_gold, self._is_gold
        rival = self._log_sum(scores[others], self._question[others])
        margin = rival[self._question[gold]] - scores[gold]
        away = weights - prior
        loss = float(self._gold_weight @ np.logaddexp(0.0, margin)) + float(cost @ away**2)
        pull = self._gold_weight / (1.0 + np.exp(-margin))
        slope = np.zeros(len(scores))
        slope[gold] = -pull
        by_question = np.bincount(self._question[gold], weights=pull, minlength=self._count)
        share = np.exp(scores[others] - rival[self._question[others]])
        slope[others] = by_question[self._question[others]] * share
        return loss, rows.T @ slope + 2 * cost * away

    def _log_sum(self, scores: Column, question: NDArray[np.intp]) -> Column:
        """Return the log-sum-exp of each question's scores."""
        largest = np.full(self._count, -np.inf)
        np.maximum.at(largest, question, scores)
        return largest + np.log(
            np.bincount(question, weights=np.exp(scores - largest[question]), minlength=self._count)
        )


def fit(
    bases: Sequence[Basis],
    set_weights: Sequence[float],
    *,
    without: str | None = None,
    prior: Column | None = None,
) -> Column:
    """Fit the weights and return them in the order of the bases' names.

    Args:
        bases: One basis per question.
        set_weights: Weight of each question.
        without: Feature to exclude.
        prior: Weights from which the fit departs as little as it can; None: from 0.
    """
    weighted = zip(bases, set_weights, strict=True)
    examples = [example for basis, weight in weighted if (example := Example.of(basis, weight))]
    left_out = np.array([name == without for name in bases[0].names])
    return Problem(examples, bases[0].names, prior).solve(left_out)


def fold_of(bases: Sequence[Basis], *, blocks: int = 4) -> list[str]:
    """Return each question's fold: its conversation or, if the set has only one, a block of questions."""
    scripts = [basis.asked.script for basis in bases]
    if len(set(scripts)) > 1:
        return scripts
    return [f"block {position * blocks // len(bases)}" for position in range(len(bases))]


def cross_validated(
    bases: Sequence[Basis],
    set_weights: Sequence[float],
    folds: Sequence[str],
    *,
    prior: Column | None = None,
) -> list[Score]:
    """Return each question's score by weights fitted without its fold."""
    scores: dict[int, Score] = {}
    for fold in sorted(set(folds)):
        say(f"fit: {fold} left out")
        inside = [number for number, name in enumerate(folds) if name != fold]
        weights = fit(
            [bases[number] for number in inside], [set_weights[number] for number in inside], prior=prior
        )
        for number, name in enumerate(folds):
            if name == fold:
                scores[number] = bases[number].score(weights)
    return [scores[number] for number in range(len(bases))]


def rounded(names: Sequence[str], weights: Column) -> dict[str, float]:
    """Return the weights by name, rounded as in ``weights.json``."""
    return {name: round(float(weight), _DIGITS) for name, weight in zip(names, weights, strict=True)}
