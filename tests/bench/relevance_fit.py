"""Fit of the relevance of hits: a logistic model over own and foreign questions, then Platt scaling.

Among n questions of one set and kind, each has the weight 1 / sqrt(n). The logistic model learns from the
first five hits, from the candidates that look most like evidence, and from the evidence. Platt scaling
calibrates it to the share of evidence among the first five hits, giving own and foreign questions the same
total weight. It keeps the order of hits.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from graph.retrieval.recall import relevance as measured
from graph.retrieval.recall.candidates import Pool
from graph.retrieval.recall.relevance import Cosines, Unrelated
from tests.bench.probes import Kind, Probe

Column = NDArray[np.float64]
Rows = NDArray[np.intp]

RELEVANCE_FILE = Path(measured.__file__).with_name("relevance.json")
MOST_FOREIGN = 0.05
LEAST_OWN = 0.95
L2 = 1e-4  # penalty on weights of features in about 0..1; the weights of examples sum to 1
# Weights of the altered copies of an example with evidence, which pretend that the evidence …
WITHOUT_WORDS = 0.1  # … has the same meaning in other words
BY_KEYWORDS = 0.3  # … is in another language, with keywords in the query's
OF_FEW_WORDS = 0.05  # … contains both words of a two-word query, and has no other features
IN_FEW_WORDS = 1.4  # amount of rare words in such a query, for example "drink" and "morning"
_OF_MEANING = ("nearest", "focus", "both", "statement", "manner", "above")
_OF_WORDS = ("coverage", "amount", "held", "names", "both")
_STEPS = 500
_LEAST_SLOPE = 0.01
_HARDEST = 5  # candidates to learn from, highest first, by each telling feature
_TELLING = ("nearest", "coverage", "focus")
_EVIDENCE_SHARE = 0.6  # share of an own question's weight
_DIGITS = 4
_FAR_BELOW = -30.0  # score of a question without a candidate to judge


@dataclass(frozen=True)
class Example:
    """A probe with the features of its candidates, one row each.

    Attributes:
        pool: Pool of the probe, without vectors if words alone judge.
        first: Rows of the first five hits.
        learnt: Rows to learn from.
        is_gold: True for each row that is evidence.
    """

    probe: Probe
    pool: Pool
    columns: Column
    first: Rows
    learnt: Rows
    is_gold: NDArray[np.bool_]

    @classmethod
    def of(cls, probe: Probe, names: Sequence[str], *, by_words: bool = False) -> "Example":
        """Compute the features with the project's own code; ``by_words`` ignores vectors."""
        pool = without_vectors(probe.pool) if by_words else probe.pool
        unrelated = None if by_words else probe.unrelated
        found = measured.features(
            pool, probe.question, unrelated, like=measured.default_cosines() if unrelated else None
        )
        size = len(pool.candidates)
        at = {candidate.id: row for row, candidate in enumerate(pool.candidates)}
        first = np.array([at[id_] for id_ in probe.first if id_ in at], dtype=np.intp)
        is_gold = np.array([candidate.id in probe.gold for candidate in pool.candidates], dtype=bool)
        if not size:
            return cls(probe, pool, np.zeros((0, len(names))), first, first, is_gold)
        looks = [np.argsort(-found[name], kind="stable")[:_HARDEST] for name in _TELLING]
        learnt = np.unique(np.concatenate([first, *looks, np.flatnonzero(is_gold)]))
        return cls(probe, pool, np.column_stack([found[name] for name in names]), first, learnt, is_gold)

    @property
    def has_evidence(self) -> bool:
        """True if evidence is among the first five hits."""
        return bool(self.is_gold[self.first].any())

    @property
    def teaches(self) -> bool:
        """True if the fit can learn from the example."""
        return bool(len(self.learnt)) and (self.has_evidence or not self.probe.is_own)


@dataclass(frozen=True)
class Logistic:
    """A logistic model: weights in the order of the feature names, and the bias."""

    bias: float
    weights: Column

    def scores(self, columns: Column) -> Column:
        """Return the log-odds of each row."""
        return columns @ self.weights + self.bias


def without_vectors(pool: Pool) -> Pool:
    """Return the pool as gathered by words alone."""
    found = {*pool.text_scores, *pool.window_scores, *pool.mention_ids}
    candidates = [
        replace(each, cosine=None, part_cosine=None, focus_cosine=None)
        for each in pool.candidates
        if {each.id, each.previous_id, each.next_id} & found
    ]
    return replace(pool, candidates=candidates, vector_ids=())


def fit(examples: Sequence[Example], names: Sequence[str]) -> Logistic:
    """Fit a logistic model and calibrate it to probabilities.

    More matching words or a higher cosine never make a hit less relevant, so their weights are at least 0.
    """
    taught = [example for example in examples if example.teaches]
    counts = Counter((each.probe.group, each.probe.kind) for each in taught)
    rows, labels, weights = [], [], []
    for example in taught:
        of_each = 1.0 / np.sqrt(counts[example.probe.group, example.probe.kind])
        is_gold = example.is_gold[example.learnt]
        columns = example.columns[example.learnt]
        for share, seen in _sights(columns, is_gold, names):
            rows.append(seen)
            labels.append(is_gold)
            weights.append(share * of_each * _shares(is_gold))
    columns = np.concatenate(rows)
    learnt = _logistic(
        columns, np.concatenate(labels), np.concatenate(weights), [_bounds(name) for name in names]
    )
    return _scaled(learnt, taught)


def threshold_of(model: Logistic, examples: Sequence[Example]) -> float:
    """Return the lowest threshold that at most ``MOST_FOREIGN`` of the foreign questions pass."""
    highest = np.sort([best_of(model, each) for each in examples if not each.probe.is_own])
    score = highest[len(highest) - 1 - int(MOST_FOREIGN * len(highest))]
    return _probability(float(score) + 10.0**-_DIGITS)


def best_of(model: Logistic, example: Example) -> float:
    """Return the score by which a question passes a threshold.

    For an own question, it is the highest score of evidence among the first five hits; for a foreign one, the
    highest of all candidates.
    """
    rows = example.first[example.is_gold[example.first]] if example.probe.is_own else slice(None)
    return float(model.scores(example.columns[rows]).max(initial=_FAR_BELOW))


def as_stored(
    names: Sequence[str], model: Logistic, threshold: float, unrelated: Unrelated | None
) -> dict[str, Any]:
    """Return a model in the format of ``relevance.json``."""
    weights = {name: round(float(weight), _DIGITS) for name, weight in zip(names, model.weights, strict=True)}
    stored: dict[str, Any] = {
        "threshold": round(threshold, _DIGITS),
        "weights": {"bias": round(model.bias, _DIGITS), **weights},
    }
    if unrelated is not None:
        by_script = {"latin": unrelated.latin, "cjk": unrelated.cjk, "across": unrelated.across}
        stored["unrelated"] = {name: _stored(cosines) for name, cosines in by_script.items() if cosines}
    return stored


def _stored(cosines: Cosines) -> dict[str, float]:
    return {"mean": round(cosines.mean, _DIGITS), "deviation": round(cosines.deviation, _DIGITS)}


def fitted_models(probes: Sequence[Probe]) -> dict[str, Any]:
    """Fit one model for the embedder of the probes and one for words alone, in the stored format."""
    names = measured.feature_names()
    signature, unrelated = next((each.embedder, each.unrelated) for each in probes if each.embedder)
    stored = {}
    for by_words in (False, True):
        examples = [Example.of(probe, names, by_words=by_words) for probe in probes]
        model = fit(examples, names)
        name = measured.WORDS if by_words else signature
        threshold = threshold_of(model, examples)
        stored[name] = as_stored(names, model, threshold, None if by_words else unrelated)
    return stored


def write_models(models: Mapping[str, Mapping[str, Any]], file: Path = RELEVANCE_FILE) -> None:
    """Write models to the file and keep those of other embedders."""
    stored = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    file.write_text(json.dumps({**stored, **models}, indent=2) + "\n", encoding="utf-8")


def _sights(columns: Column, is_gold: NDArray[np.bool_], names: Sequence[str]) -> list[tuple[float, Column]]:
    """Return an example and, if it has evidence, altered copies of it, each with its weight.

    Questions in data sets repeat the words of their evidence, which rarely has keywords. Fitted to these
    alone, the model would reject evidence in other words, or in another language with keywords in the
    query's.
    """
    at = {name: column for column, name in enumerate(names)}
    if not is_gold.any():
        return [(1.0, columns)]
    of_meaning, of_words = [at[name] for name in _OF_MEANING], [at[name] for name in _OF_WORDS]
    share = WITHOUT_WORDS if columns[:, of_meaning].any() else 0.0
    without_words, by_keywords = columns.copy(), columns.copy()
    without_words[np.ix_(is_gold, of_words)] = 0.0
    by_keywords[np.ix_(is_gold, of_meaning)] = 0.0
    by_keywords[is_gold, at["blind"]] = 1.0
    few_words = by_keywords.copy()
    few_words[np.ix_(is_gold, [at["names"], at["unknown_names"], at["mentions"]])] = 0.0
    few_words[is_gold, at["coverage"]] = 1.0
    few_words[is_gold, at["amount"]] = few_words[is_gold, at["held"]] = measured.amount(IN_FEW_WORDS)
    return [
        (1.0 - share - BY_KEYWORDS - OF_FEW_WORDS, columns),
        (share, without_words),
        (BY_KEYWORDS, by_keywords),
        (OF_FEW_WORDS, few_words),
    ]


def _bounds(name: str) -> tuple[float | None, float | None]:
    """Return the minimum and the maximum weight of a feature; ``blind`` may have either sign."""
    if name == "blind":
        return (None, None)
    return (None, 0.0) if name.startswith("unknown") else (0.0, None)


def _shares(is_gold: NDArray[np.bool_]) -> Column:
    """Return the weight of each row of a question; the sum is 1, ``_EVIDENCE_SHARE`` of it on evidence."""
    gold, others = is_gold.sum(), (~is_gold).sum()
    if not gold or not others:
        return np.full(len(is_gold), 1.0 / len(is_gold))
    return np.where(is_gold, _EVIDENCE_SHARE / gold, (1 - _EVIDENCE_SHARE) / others)


def _logistic(
    rows: Column,
    labels: NDArray[np.bool_],
    weights: Column,
    bounds: Sequence[tuple[float | None, float | None]],
) -> Logistic:
    """Fit a logistic model with bounded weights and a free bias."""
    inputs = np.hstack([np.ones((len(rows), 1)), rows])
    signs = np.where(labels, 1.0, -1.0)
    weights = weights / weights.sum()
    penalty = np.full(inputs.shape[1], L2)
    penalty[0] = 0.0

    def loss(tried: Column) -> tuple[float, Column]:
        margins = signs * (inputs @ tried)
        value = float(weights @ np.logaddexp(0.0, -margins)) + float(penalty @ tried**2) / 2
        pull = weights * signs / (1.0 + np.exp(np.minimum(margins, -_FAR_BELOW)))
        return value, penalty * tried - inputs.T @ pull

    found = minimize(
        loss,
        np.zeros(inputs.shape[1]),
        jac=True,
        method="L-BFGS-B",
        bounds=[(None, None), *bounds],
        options={"maxiter": _STEPS},
    ).x
    return Logistic(float(found[0]), found[1:])


def _scaled(model: Logistic, taught: Sequence[Example]) -> Logistic:
    """Calibrate the model's scores linearly on the first five hits (Platt 1999)."""
    counts = Counter(each.probe.is_own for each in taught)
    scores = np.concatenate([model.scores(each.columns[each.first]) for each in taught])
    labels = np.concatenate([each.is_gold[each.first] for each in taught])
    weights = np.concatenate([np.full(len(each.first), 1.0 / counts[each.probe.is_own]) for each in taught])
    platt = _logistic(scores[:, None], labels, weights, [(_LEAST_SLOPE, None)])
    slope = float(platt.weights[0])
    return Logistic(model.bias * slope + platt.bias, model.weights * slope)


def _probability(score: float) -> float:
    return float(1.0 / (1.0 + np.exp(-score)))


NOT_LEARNT_FROM = 1
"""Half of the small talk that judges models."""


def is_for_fitting(probe: Probe) -> bool:
    """Tell whether a probe is for fitting; half of the small talk is held out for judging."""
    return probe.kind is not Kind.SMALL_TALK or probe.half != NOT_LEARNT_FROM
