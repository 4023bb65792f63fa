"""How probable it is that a hit is evidence for the query, 0..1: a logistic model over absolute signs.

The ranking's score is made of values that are divided by the largest of the same query, so it cannot tell a query that
the workspace knows something about from one that it knows nothing about. The features here are absolute: cosines as
they are, and how much of the query's rare words a memory, or any of the candidates, holds. Cosines mean something for
one embedder only, so ``relevance.json`` has one set of weights for each that was measured, and one for words alone; it
is written by ``recollect bench fit``. Chinese, Japanese and Korean have weights of their own, since an embedder may
know nothing of them.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from graph.recall.candidates import Candidate, Pool
from graph.recall.language import contains_cjk, stem, words
from graph.recall.question import Question
from graph.recall.scoring import people_of

Column = NDArray[np.float64]

WORDS = "words"
_SCRIPTS = (
    "",
    "_cjk",
    "_across",
)  # of query and memory: neither is, both are, or one is Chinese, Japanese or Korean
_OF_MEANING = ("nearest", "focus", "both")
_OF_WORDS = ("coverage", "amount", "names", "unknown_names", "mentions")
# Words of Chinese are pairs of characters; what is held of a query in another script are names or keywords.
_OF_WORDS_BY_SCRIPT = ("coverage", "amount")
_STEEPEST = 30.0  # beyond it a probability is 0 or 1 to the last digit
_AMOUNT_SCALE = 3.0  # of the logarithm of the number of rare words held


@dataclass(frozen=True)
class Cosines:
    """How near an embedder puts texts that have nothing to do with each other: mean and deviation of their cosines."""

    mean: float
    deviation: float

    def rescaled(self, values: Column, other: "Cosines") -> Column:
        """Return cosines of this embedder as those that lie as many deviations from the mean of another."""
        return np.clip(other.mean + (values - self.mean) / self.deviation * other.deviation, -1.0, 1.0)


@dataclass(frozen=True)
class RelevanceModel:
    """The weights for one embedder, or for words alone.

    Attributes:
        name: The embedder's signature, or ``words``.
        weights: By feature; ``bias`` is the constant.
        threshold: What is given unasked has at least this relevance.
        unrelated: Cosines of unrelated texts; None for words alone.
    """

    name: str
    weights: Mapping[str, float]
    threshold: float
    unrelated: Cosines | None = None

    def relevance(self, columns: Mapping[str, Column]) -> Column:
        """Return the probability of each row, above 0 and below 1."""
        size = len(next(iter(columns.values())))
        total = np.full(size, self.weights["bias"])
        for name, weight in self.weights.items():
            if name != "bias":
                total += weight * columns[name]
        probability: Column = 1.0 / (1.0 + np.exp(-np.clip(total, -_STEEPEST, _STEEPEST)))
        return probability


@dataclass(frozen=True)
class Scale:
    """What the relevance of one recall is measured with.

    Attributes:
        told: The same in words.
        cosines: How the embedder in use puts unrelated texts, where the model was fitted to another one.
    """

    model: RelevanceModel
    told: str
    cosines: Cosines | None = None

    @property
    def threshold(self) -> float:
        """What is given unasked has at least this relevance."""
        return self.model.threshold

    def of(self, pool: Pool, question: Question) -> dict[str, float]:
        """Return the relevance of every candidate by its id."""
        if not pool.candidates:
            return {}
        columns = features(pool, question, cosines=self.cosines, like=self.model.unrelated)
        found = self.model.relevance(columns)
        return {each.id: float(value) for each, value in zip(pool.candidates, found, strict=True)}


@cache
def models() -> Mapping[str, RelevanceModel]:
    """Return the fitted models by name; the first of those with an embedder is the default embedder's."""
    text = files("graph.recall").joinpath("relevance.json").read_text(encoding="utf-8")
    loaded: dict[str, dict[str, object]] = json.loads(text)
    return {name: read_model(name, stored) for name, stored in loaded.items()}


def read_model(name: str, stored: Mapping[str, object]) -> RelevanceModel:
    """Return a model as it is stored."""
    unrelated = stored.get("unrelated")
    weights, threshold = stored["weights"], stored["threshold"]
    assert isinstance(weights, Mapping)  # noqa: S101 - the file is ours
    assert isinstance(threshold, float)  # noqa: S101
    return RelevanceModel(
        name=name,
        weights=weights,
        threshold=threshold,
        unrelated=Cosines(**unrelated) if isinstance(unrelated, dict) else None,
    )


def feature_names() -> list[str]:
    """Return the name of every feature, in a fixed order."""
    by_script = [f"{sign}{script}" for script in _SCRIPTS for sign in ("is", *_OF_MEANING)]
    return [
        *by_script,
        *_OF_WORDS,
        *(f"{sign}{script}" for script in _SCRIPTS[1:] for sign in _OF_WORDS_BY_SCRIPT),
    ]


def features(
    pool: Pool, question: Question, *, cosines: Cosines | None = None, like: Cosines | None = None
) -> dict[str, Column]:
    """Return every feature of every candidate, one column per feature, in 0..1.

    Args:
        pool: The candidates.
        question: What is asked.
        cosines: How the embedder in use puts unrelated texts, where its cosines are to be read as another's.
        like: How that other one puts them.
    """
    size = len(pool.candidates)
    held = _Held.of(pool, question)
    nearest = _cosines(pool, lambda each: (each.cosine, each.part_cosine), cosines, like)
    focus = _cosines(pool, lambda each: (each.focus_cosine,), cosines, like)
    signs = {
        "nearest": nearest,
        "focus": focus,
        "coverage": held.coverage,
        "amount": np.log1p(held.amount) / _AMOUNT_SCALE,
        "both": nearest * held.coverage,
        "names": _names_held(pool, question),
        "unknown_names": np.full(size, _unknown_names(pool, question)),
        "mentions": np.array([float(bool(pool.mentioned(each))) for each in pool.candidates]),
    }
    masks = _masks(pool, question)
    return {
        **{f"is{script}": mask for script, mask in masks.items()},
        **{f"{name}{script}": signs[name] * mask for script, mask in masks.items() for name in _OF_MEANING},
        **{name: signs[name] for name in _OF_WORDS},
        **{
            f"{name}{script}": signs[name] * masks[script]
            for script in _SCRIPTS[1:]
            for name in _OF_WORDS_BY_SCRIPT
        },
    }


@dataclass(frozen=True)
class _Held:
    """What the candidates hold of the query's words.

    Attributes:
        coverage: Of each candidate, the share of the words it holds, weighted by how rare they are in the language.
        amount: Of each, how many rare words that is.
    """

    coverage: Column
    amount: Column

    @classmethod
    def of(cls, pool: Pool, question: Question) -> "_Held":
        rarity = {stem(word): weight for word, weight in question.weighted_words}
        stems = [stem_ for stem_ in question.stems if stem_ in rarity]
        weights = np.array([rarity[stem_] for stem_ in stems])
        rows = np.array([_row(pool, each, stems) for each in pool.candidates], dtype=np.float64)
        rows = rows.reshape(len(pool.candidates), len(stems))
        total = float(weights.sum()) or 1.0
        return cls(coverage=rows @ weights / total, amount=rows @ np.sqrt(weights))


def _row(pool: Pool, candidate: Candidate, stems: Sequence[str]) -> list[bool]:
    matched = {term.strip() for term in candidate.matched}
    matched |= {stem_ for entity in pool.mentioned(candidate) for stem_ in entity.stems}
    return [stem_ in matched for stem_ in stems]


def _masks(pool: Pool, question: Question) -> dict[str, Column]:
    """Return by the suffix of a feature which candidates it is of: the same script as the query's, or the other."""
    is_asked_in_cjk = contains_cjk(question.text)
    cjk = np.array([each.has_cjk for each in pool.candidates], dtype=bool)
    is_same = cjk == is_asked_in_cjk
    return {
        "": np.asarray(is_same & ~cjk, dtype=np.float64),
        "_cjk": np.asarray(is_same & cjk, dtype=np.float64),
        "_across": np.asarray(~is_same, dtype=np.float64),
    }


def _cosines(
    pool: Pool,
    of: Callable[[Candidate], Sequence[float | None]],
    cosines: Cosines | None,
    like: Cosines | None,
) -> Column:
    """Return the largest of each candidate's cosines, at least 0."""
    found = (max((value for value in of(each) if value is not None), default=0.0) for each in pool.candidates)
    column = np.array(list(found), dtype=np.float64)
    if cosines is not None and like is not None:
        column = cosines.rescaled(column, like)
    return np.maximum(column, 0.0)


def _names_held(pool: Pool, question: Question) -> Column:
    """Return which share of the names in the query each candidate holds; 0 where it has none."""
    named = question.named_stems
    held = (named & {term.strip() for term in each.matched} for each in pool.candidates)
    return np.array([len(each) / max(len(named), 1) for each in held])


def _unknown_names(pool: Pool, question: Question) -> float:
    """Return which share of the names in the query no candidate holds; 0 where it has none."""
    named = question.named_stems
    if not named:
        return 0.0
    known = {term.strip() for each in pool.candidates for term in each.matched}
    known |= {stem(word) for person in people_of(pool) for word in words(person)}
    known |= {stem_ for entity in pool.named.values() for stem_ in entity.stems}
    return len(named - known) / len(named)
