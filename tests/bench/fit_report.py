"""Report on a fit: scores in sample, with conversations or whole sets held out, and without each feature."""

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

import numpy as np

from graph.retrieval.recall.ranking import BIAS, DEFAULT, weights
from graph.retrieval.recall.relevance import default_model
from tests.bench.asking import Asked
from tests.bench.fitting import cross_validated, fit, fold_of, rounded
from tests.bench.metrics import Score, summarise
from tests.bench.progress import say
from tests.bench.rankings import Basis, Column, Weights, as_vector, legs_and_fusions
from tests.bench.results import Table, against

_LEFT_OUT, _FITTED = "set left out", "fitted"
_MOST_LOST = 0.03  # maximum loss of recall@10 if the set is held out
_BEST = 10  # candidates of a question whose scores have the level of the default ones
_PLAIN = ("vector only", "text only", "RRF, k = 60")
WEIGHTS_FILE = Path(str(files("graph.retrieval.recall").joinpath("weights.json")))


class Fit:
    """The questions of several sets with the weights fitted to them.

    Weights for an embedder other than the default one depart as little as they can from the default ones.
    """

    def __init__(self, sets: Mapping[str, Sequence[Asked]], set_weights: Mapping[str, float]) -> None:
        self._bases = [Basis.of(one) for asked in sets.values() for one in asked]
        self._set_of = [name for name, asked in sets.items() for _ in asked]
        self._counts = [set_weights.get(name, 1.0) for name in self._set_of]
        names, embedder = self._bases[0].names, self._bases[0].asked.embedder
        other = None if embedder == default_model().name else embedder
        self._name = other or DEFAULT
        self._committed = as_vector(names, weights(embedder))
        self._prior = as_vector(names, weights()) if other else None
        self.fitted = fit(self._bases, self._counts, prior=self._prior)

    @property
    def weights(self) -> Weights:
        """Fitted weights, rounded as in ``weights.json``; see :meth:`_at_level`."""
        names = self._bases[0].names
        if self._prior is None:
            return rounded(names, self.fitted)
        factor, bias = self._at_level(self._prior)
        return rounded([BIAS, *names], np.array([bias, *(factor * self.fitted)]))

    def _at_level(self, default: Column) -> tuple[float, float]:
        """Return the factor and the constant that give the best candidates the level of the default scores.

        Importance, recency and use adjust scores by shares of them, so their level and spread matter beside the order.
        """
        own, usual = (
            np.concatenate([np.sort(basis.columns @ tried)[-_BEST:] for basis in self._bases])
            for tried in (self.fitted, default)
        )
        factor = float(usual.std() / own.std())
        return factor, float(usual.mean() - factor * own.mean())

    def report(self, *, ablations: bool) -> list[Table]:
        """Return the table of all sets and, if requested, the table of ablations."""
        fitted = as_vector(self._bases[0].names, self.weights)
        ways = {
            "committed": [basis.score(self._committed) for basis in self._bases],
            _FITTED: [basis.score(fitted) for basis in self._bases],
            "conversation left out": self._cross_validated(self._folds()),
            _LEFT_OUT: self._cross_validated(self._set_of),
        }
        return [self._table(ways), *([self._ablations()] if ablations else [])]

    def write(self, file: Path = WEIGHTS_FILE) -> None:
        """Write the weights to the file, one per line, and keep those of other embedders."""
        known = json.loads(file.read_text(encoding="utf-8"))
        file.write_text(json.dumps(known | {self._name: self.weights}, indent=2) + "\n", encoding="utf-8")

    def _cross_validated(self, folds: Sequence[str]) -> list[Score]:
        return cross_validated(self._bases, self._counts, folds, prior=self._prior)

    def _folds(self) -> list[str]:
        folds: list[str] = []
        for name in dict.fromkeys(self._set_of):
            of_set = [basis for basis, owner in zip(self._bases, self._set_of, strict=True) if owner == name]
            folds += [f"{name}: {fold}" for fold in fold_of(of_set)]
        return folds

    def _table(self, ways: Mapping[str, Sequence[Score]]) -> Table:
        """Return each set's scores, its loss when held out, and its lead over the best leg or RRF."""
        table = Table(
            "recall@10 / MRR of the committed weights, of those fitted, and of those fitted without a part",
            ["set", "questions", *ways, "change of recall@10", "best leg or RRF", "above it by"],
        )
        legs = [legs_and_fusions(basis.asked) for basis in self._bases]
        for name in dict.fromkeys(self._set_of):
            own = [number for number, owner in enumerate(self._set_of) if owner == name]
            of_set = {way: [scores[number] for number in own] for way, scores in ways.items()}
            with_it, without = _recall(of_set[_FITTED]), _recall(of_set[_LEFT_OUT])
            plain = {way: _recall([legs[number][way] for number in own]) for way in _PLAIN}
            best = max(plain, key=plain.__getitem__)
            table.rows.append(
                [
                    name,
                    str(len(own)),
                    *map(_cell, of_set.values()),
                    _held_to(without - with_it, -_MOST_LOST),
                    f"{plain[best]:.3f} {best}",
                    _held_to(without - plain[best], 0.0),
                ]
            )
        return table

    def _ablations(self) -> Table:
        sets = list(dict.fromkeys(self._set_of))
        table = Table("refitted without one feature: recall@10 / MRR", ["feature", *sets], is_detail=True)
        features = [None, *self._bases[0].names]
        for feature in features:
            say(f"fit: without {feature or 'leaving anything out'}")
            fitted = fit(self._bases, self._counts, without=feature, prior=self._prior)
            scores = [basis.score(fitted) for basis in self._bases]
            of_sets = (
                [score for score, owner in zip(scores, self._set_of, strict=True) if owner == name]
                for name in sets
            )
            table.rows.append([feature or "(none)", *map(_cell, of_sets)])
        return table


def _cell(scores: Sequence[Score]) -> str:
    means = summarise(scores)
    return f"{means['recall@10'].mean:.3f} / {means['MRR'].mean:.3f}"


def _held_to(change: float, target: float) -> str:
    return f"{change:+.3f} {against(round(change, 3), target)}"


def _recall(scores: Sequence[Score]) -> float:
    """Return the mean recall@10."""
    return summarise(scores)["recall@10"].mean
