"""Fits the relevance of hits: a logistic model over questions with evidence and foreign ones, then Platt scaling.

Each question counts alike within its set and kind, each set alike. The logistic model learns from the first five hits,
from what looks most like evidence, and from the evidence; Platt scaling then brings it to the share of the first five
hits that are evidence, where half of the questions are foreign, which keeps the order.
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
from graph.retrieval.recall.relevance import Cosines, RelevanceModel, Unrelated
from tests.bench.probes import Kind, Probe

Column = NDArray[np.float64]
Rows = NDArray[np.intp]

RELEVANCE_FILE = Path(measured.__file__).with_name("relevance.json")
MOST_FOREIGN = 0.05
LEAST_OWN = 0.95
L2 = 1e-4  # on weights of features that lie in about 0..1, of examples whose weights add up to 1
WITHOUT_WORDS = 0.1  # the weight of evidence seen as if it said the same in other words
BY_KEYWORDS = 0.3  # of that seen as if it were in another language, with keywords in this one
OF_FEW_WORDS = 0.05  # of that seen as if it held both words of a question of two, and nothing else were known
IN_FEW_WORDS = 1.4  # "drink" and "morning" count that much
_OF_MEANING = ("nearest", "focus", "both", "statement", "manner", "above")
_OF_WORDS = ("coverage", "amount", "held", "names", "both")
_STEPS = 500
_LEAST_SLOPE = 0.01
_HARDEST = 5  # of each of the telling features
_TELLING = ("nearest", "coverage", "focus")
_EVIDENCE_SHARE = 0.6  # of an own question's weight
_DIGITS = 4
_FAR_BELOW = -30.0  # the score of nothing found


@dataclass(frozen=True)
class Example:
    """A probe with the features of its candidates, one row each.

    Attributes:
        first: Rows of the first five hits.
        learnt: Rows to learn from.
        is_gold: Of every row, whether it is evidence.
    """

    probe: Probe
    columns: Column
    first: Rows
    learnt: Rows
    is_gold: NDArray[np.bool_]

    @classmethod
    def of(cls, probe: Probe, names: Sequence[str], *, by_words: bool = False) -> "Example":
        """Compute the features with the project's own code; ``by_words`` as if there were no vectors."""
        pool = without_vectors(probe.pool) if by_words else probe.pool
        unrelated = None if by_words else probe.unrelated
        found = measured.features(
            pool, probe.question, unrelated, like=unrelated.latin if unrelated else None
        )
        size = len(pool.candidates)
        at = {candidate.id: row for row, candidate in enumerate(pool.candidates)}
        first = np.array([at[id_] for id_ in probe.first if id_ in at], dtype=np.intp)
        is_gold = np.array([candidate.id in probe.gold for candidate in pool.candidates], dtype=bool)
        if not size:
            return cls(probe, np.zeros((0, len(names))), first, first, is_gold)
        looks = [np.argsort(-found[name], kind="stable")[:_HARDEST] for name in _TELLING]
        learnt = np.unique(np.concatenate([first, *looks, np.flatnonzero(is_gold)]))
        return cls(probe, np.column_stack([found[name] for name in names]), first, learnt, is_gold)

    @property
    def has_evidence(self) -> bool:
        """Whether evidence is among the first five hits."""
        return bool(self.is_gold[self.first].any())

    @property
    def teaches(self) -> bool:
        """Whether there is something to learn from it."""
        return bool(len(self.learnt)) and (self.has_evidence or not self.probe.is_own)


@dataclass(frozen=True)
class Logistic:
    """Weights in the order of the names, and the constant."""

    bias: float
    weights: Column

    def scores(self, columns: Column) -> Column:
        """Return the logarithm of the odds of each row."""
        return columns @ self.weights + self.bias


def without_vectors(pool: Pool) -> Pool:
    """Return what words alone would have gathered."""
    found = {*pool.text_scores, *pool.window_scores, *pool.mention_ids}
    candidates = [
        replace(each, cosine=None, part_cosine=None, focus_cosine=None)
        for each in pool.candidates
        if {each.id, each.previous_id, each.next_id} & found
    ]
    return replace(pool, candidates=candidates, vector_ids=())


def fit(examples: Sequence[Example], names: Sequence[str]) -> Logistic:
    """Return the weights that lose least, scaled to probabilities.

    More words or a higher cosine never make a hit less relevant, so weights of such signs are at least 0.
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
    """Return the least probability at which no more than ``MOST_FOREIGN`` of the foreign questions bring anything."""
    highest = np.sort([best_of(model, each) for each in examples if not each.probe.is_own])
    score = highest[len(highest) - 1 - int(MOST_FOREIGN * len(highest))]
    return _probability(float(score) + 10.0**-_DIGITS)


def best_of(model: Logistic, example: Example) -> float:
    """Return the score that a question must be measured against.

    Of an own question it is that of the best evidence among the first five hits, of a foreign one that of any
    candidate.
    """
    rows = example.first[example.is_gold[example.first]] if example.probe.is_own else slice(None)
    return float(model.scores(example.columns[rows]).max(initial=_FAR_BELOW))


def as_stored(
    names: Sequence[str], model: Logistic, threshold: float, unrelated: Unrelated | None
) -> dict[str, Any]:
    """Return a model as ``relevance.json`` holds it."""
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


def as_logistic(names: Sequence[str], model: RelevanceModel) -> Logistic:
    """Return a stored model over columns in the order of the names."""
    return Logistic(model.weights["bias"], np.array([model.weights.get(name, 0.0) for name in names]))


def fitted_models(probes: Sequence[Probe]) -> dict[str, Any]:
    """Return the models as they are stored: one for the embedder that found the probes, and one for words alone."""
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
    """Put models into the file, beside those of other embedders."""
    stored = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    file.write_text(json.dumps({**stored, **models}, indent=2) + "\n", encoding="utf-8")


def _sights(columns: Column, is_gold: NDArray[np.bool_], names: Sequence[str]) -> list[tuple[float, Column]]:
    """Return an example as it is, and where it has evidence, that seen otherwise, with weights.

    Questions of data sets repeat the words of their evidence, and none of them has keywords. Learnt from these alone,
    nothing would be let through that says the same in other words, or in another language with keywords in this one.
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
    """Return the least and largest weight of a feature; that no cosine tells anything may count either way."""
    if name == "blind":
        return (None, None)
    return (None, 0.0) if name.startswith("unknown") else (0.0, None)


def _shares(is_gold: NDArray[np.bool_]) -> Column:
    """Return what each row of a question counts; together 1, of which the evidence has its share."""
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
    """Fit a logistic model whose weights keep within bounds; the constant is free."""
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
    """Return the model by Platt's method: its scores times a, plus b, over the first five hits (Platt 1999)."""
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
"""The half of the small talk that is for judging."""


def is_for_fitting(probe: Probe) -> bool:
    """Tell whether a probe may be learnt from when the result is to be judged by others."""
    return probe.kind is not Kind.SMALL_TALK or probe.half != NOT_LEARNT_FROM
