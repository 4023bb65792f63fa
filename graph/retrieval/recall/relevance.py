"""Probability that a hit is evidence for the query, 0 to 1: a logistic model over absolute features.

The ranking's score uses values divided by the maximum of the same query, so it cannot distinguish a query with evidence
in the workspace from one without. The features here are absolute: cosines, their distance from the usual level among
the nearest, and the share of the query's rare words in a memory and in all candidates. Cosines are comparable for one
embedder only, so ``relevance.json`` has one set of weights for each measured embedder, and one for words alone; ``make
bench NAME=relevance`` writes it.

No weight belongs to a language, so that all languages share the fit. An embedder that does not know Chinese, Japanese
and Korean places their texts close together, and wrong ones closer. For them, and between two scripts, its cosines
count for nothing (``blind``), and the words decide: words of these scripts are pairs of characters, two of which make a
word, and pairs with a particle carry almost no information. For an embedder that knows them, cosines are scaled by
those of unrelated texts of each kind.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from graph.core.ports import EmbeddingFailed
from graph.core.tables import read_table
from graph.core.text.language import contains_cjk, holds_pairs, stem, words
from graph.core.text.normal_forms import simplified
from graph.retrieval.recall.candidates import Pool
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.ranking import people_of, says_how
from graph.vectors.index.models import EmbeddedQuery
from graph.vectors.index.service import Embeddings

Column = NDArray[np.float64]

WORDS = "words"
_OF_MEANING = ("nearest", "focus", "both", "statement", "manner", "above")
_OF_WORDS = ("coverage", "amount", "held", "names", "unknown_names", "mentions")
_PARTICLES = frozenset("的了吗呢吧么我你他她它们在是和也都就不很这那个什啊呀哦着")
_OF_A_PARTICLE = 0.2  # how much a pair of characters with one tells of what another pair does
_OF_A_PAIR = 0.5  # words
_ACROSS = 2.0  # words: what a text holds in the script of a query in another one is a name or a keyword
_STEEPEST = 30.0  # beyond it a probability is 0 or 1 to the last digit
_AMOUNT_SCALE = 3.0  # of the logarithm of the number of rare words held
_COMPARED = 20  # the nearest, among which one that answers stands out
_STATEMENT_WORDS = 30.0  # over which what is no turn counts for e times less as a short statement


@dataclass(frozen=True)
class Cosines:
    """Cosines between unrelated texts of an embedder: mean and deviation."""

    mean: float
    deviation: float

    def rescaled(self, values: Column, other: "Cosines") -> Column:
        """Scale cosines of this embedder to the mean and deviation of another one."""
        return np.clip(other.mean + (values - self.mean) / self.deviation * other.deviation, -1.0, 1.0)


@dataclass(frozen=True)
class Unrelated:
    """Cosines between unrelated texts, by script.

    Attributes:
        latin: Neither text is in Chinese, Japanese or Korean.
        cjk: Both are; None: the embedder does not know these scripts.
        across: One is; None likewise.
    """

    latin: Cosines
    cjk: Cosines | None = None
    across: Cosines | None = None


@dataclass(frozen=True)
class RelevanceModel:
    """The weights for one embedder, or for words alone.

    Attributes:
        name: The embedder's signature, or ``words``.
        weights: By feature; ``bias`` is the constant.
        threshold: Minimum relevance of automatic injection.
        unrelated: Cosines of unrelated texts; None for words alone.
    """

    name: str
    weights: Mapping[str, float]
    threshold: float
    unrelated: Unrelated | None = None

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
    """Model and calibration for the relevance of one recall.

    Attributes:
        description: The same in words.
        unrelated: Unrelated texts of the embedder in use, if the model was fitted to another one.
    """

    model: RelevanceModel
    description: str
    unrelated: Unrelated | None = None

    @property
    def threshold(self) -> float:
        """Minimum relevance for automatic injection."""
        return self.model.threshold

    def is_blind(self, pool: Pool, question: ParsedQuery) -> bool:
        """Tell whether the embedder does not know the script of a query and of most that was found for it.

        If no words were found either, only its cosines remain, and count.
        """
        measured = self.unrelated or self.model.unrelated
        is_read = measured is None or measured.cjk is not None or not contains_cjk(question.text)
        if is_read or not any(pool.text_scores.values()):
            return False
        return 2 * sum(each.has_cjk for each in pool.candidates) > len(pool.candidates)

    def of(self, pool: Pool, question: ParsedQuery) -> dict[str, float]:
        """Return the relevance of every candidate by its id."""
        if not pool.candidates:
            return {}
        own = self.model.unrelated
        columns = features(pool, question, self.unrelated or own, like=own.latin if own else None)
        found = self.model.relevance(columns)
        return {each.id: float(value) for each, value in zip(pool.candidates, found, strict=True)}


@cache
def models() -> Mapping[str, RelevanceModel]:
    """Return the fitted models by name; the first of those with an embedder is the default embedder's."""
    text = files("graph.retrieval.recall").joinpath("relevance.json").read_text(encoding="utf-8")
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
        unrelated=Unrelated(**{script: Cosines(**value) for script, value in unrelated.items()})
        if isinstance(unrelated, dict)
        else None,
    )


def feature_names() -> list[str]:
    """Return the name of every feature, in a fixed order."""
    return ["blind", *_OF_MEANING, *_OF_WORDS]


def features(
    pool: Pool, question: ParsedQuery, unrelated: Unrelated | None = None, *, like: Cosines | None = None
) -> dict[str, Column]:
    """Return every feature of every candidate, one column per feature, in 0..1.

    Args:
        pool: The candidates.
        question: Analysed query.
        unrelated: Unrelated texts of the embedder in use; without it, no cosine counts.
        like: Embedder to whose cosines those of this one are scaled; without it, they stay unchanged.
    """
    held = _Held.of(pool, question)
    nearest, is_seen = _read(pool, question, ("cosine", "part_cosine"), unrelated, like)
    focus, _ = _read(pool, question, ("focus_cosine",), unrelated, like)
    held_amount = amount(held.amount)
    return {
        "blind": 1.0 - is_seen,
        "nearest": nearest,
        "focus": focus,
        "both": nearest * held.coverage,
        "statement": nearest * _is_statement(pool),
        "manner": nearest * sum(says_how(pool, question).values()),
        "above": np.maximum(nearest - _usual(nearest[is_seen > 0], like), 0.0),
        "coverage": held.coverage,
        "amount": held_amount,
        "held": held.coverage * held_amount,
        "names": _names_held(pool, question),
        "unknown_names": np.full(len(pool.candidates), _unknown_names(pool, question)),
        "mentions": np.array([float(bool(pool.mentioned(each))) for each in pool.candidates]),
    }


def amount(count: Column | float) -> Column:
    """Return the feature of so many rare words held: its logarithm, in about 0..1."""
    found: Column = np.log1p(count) / _AMOUNT_SCALE
    return found


@dataclass(frozen=True)
class _Held:
    """Share of the query's words in the candidates.

    Attributes:
        coverage: Of each candidate, the share of the words it holds, weighted by how rare they are in the language.
        amount: Of each, how many rare words that is.
    """

    coverage: Column
    amount: Column

    @classmethod
    def of(cls, pool: Pool, question: ParsedQuery) -> "_Held":
        rarity = {stem(word): weight * _informativeness(word) for word, weight in question.weighted_words}
        stems = [stem_ for stem_ in question.stems if stem_ in rarity]
        weights = np.array([rarity[stem_] for stem_ in stems])
        rows = np.array(pool.holding(stems), dtype=np.float64)
        rows = rows.reshape(len(pool.candidates), len(stems))
        total = float(weights.sum()) or 1.0
        counts = np.sqrt(weights) * [_OF_A_PAIR if holds_pairs(stem_) else 1.0 for stem_ in stems]
        is_asked_in_cjk = contains_cjk(question.text)
        across = [_ACROSS if each.has_cjk != is_asked_in_cjk else 1.0 for each in pool.candidates]
        return cls(coverage=rows @ weights / total, amount=rows @ counts * across)


def _usual(nearest: Column, chance: Cosines | None) -> float:
    """Return the usual cosine among the twenty nearest; for a small workspace, chance fills the missing ones."""
    by_chance = chance.mean + chance.deviation if chance else 0.0
    among = np.concatenate([np.sort(nearest)[-_COMPARED:], np.full(_COMPARED, by_chance)])[:_COMPARED]
    return float(np.median(among))


def _is_statement(pool: Pool) -> Column:
    """Return how much each candidate is a short statement, 0..1: one says one thing, so its cosine is about that.

    A turn of a conversation is none: a greeting is near every greeting.
    """
    lengths = np.array([each.words for each in pool.candidates], dtype=np.float64)
    is_turn = np.array([each.turn_scope is not None for each in pool.candidates], dtype=bool)
    return np.where(is_turn, 0.0, np.exp(-lengths / _STATEMENT_WORDS))


def _informativeness(word: str) -> float:
    """Return how much a word tells beside its specificity, which is not known of pairs of characters."""
    return _OF_A_PARTICLE**2 if contains_cjk(word) and not _PARTICLES.isdisjoint(simplified(word)) else 1.0


def _read(
    pool: Pool,
    question: ParsedQuery,
    of: Sequence[str],
    unrelated: Unrelated | None,
    like: Cosines | None,
) -> tuple[Column, Column]:
    """Return the largest of these cosines of each candidate, at least 0, and whether it tells anything, 1 or 0."""
    known = [np.array([*map(attrgetter(name), pool.candidates)], dtype=np.float64) for name in of]
    cosines = np.nan_to_num(np.fmax.reduce(known))
    read, is_seen = np.zeros(len(cosines)), np.zeros(len(cosines))
    if unrelated is not None:
        is_asked_in_cjk = contains_cjk(question.text)
        is_cjk = np.array([each.has_cjk for each in pool.candidates], dtype=bool)
        same = unrelated.cjk if is_asked_in_cjk else unrelated.latin
        for rows, measured in (
            (is_cjk == is_asked_in_cjk, same),
            (is_cjk != is_asked_in_cjk, unrelated.across),
        ):
            if measured is not None:
                values = cosines[rows]
                read[rows] = measured.rescaled(values, like) if like not in (None, measured) else values
                is_seen[rows] = 1.0
    return np.maximum(read, 0.0), is_seen


def _names_held(pool: Pool, question: ParsedQuery) -> Column:
    """Return which share of the names in the query each candidate holds; 0 where it has none."""
    named = frozenset(f" {stem_} " for stem_ in question.named_stems)
    return np.array([len(named.intersection(each.matched)) / max(len(named), 1) for each in pool.candidates])


def _unknown_names(pool: Pool, question: ParsedQuery) -> float:
    """Return which share of the names in the query no candidate holds; 0 where it has none."""
    named = question.named_stems
    if not named:
        return 0.0
    known = {term.strip() for term in set(chain.from_iterable(each.matched for each in pool.candidates))}
    known |= {stem(word) for person in people_of(pool) for word in words(person)}
    known |= {stem_ for entity in pool.named.values() for stem_ in entity.stems}
    return len(named - known) / len(named)


_SENTENCES = read_table("graph.retrieval.recall", "unrelated.toml")
UNRELATED: tuple[str, ...] = tuple(_SENTENCES["english"])
UNRELATED_CJK: tuple[str, ...] = tuple(_SENTENCES["chinese"])
# With MiniLM 0.21: "indentation style" and "Ada prefers tabs over spaces in Python" have 0.24.
_DEVIATIONS = 2.0
_LEAST_DEVIATION = 0.01
_KNOWS = 0.5  # the share of sentences that lie nearest to their own translation; with MiniLM 0.15


class Calibration:
    """Calibrations of all embedders used so far; lives as long as the process."""

    def __init__(self, embeddings: Embeddings) -> None:
        self._embeddings = embeddings
        self._known: dict[tuple[str, bool], Cosines] = {}
        self._measured: dict[str, Unrelated] = {}

    async def threshold(self, text: str = "") -> float:
        """Return the cosine, -1..1, that few unrelated texts reach with the embedder in use.

        Args:
            text: Compared text; Chinese, Japanese and Korean have their own threshold.

        Raises:
            EmbeddingFailed: There is none that answers.
        """
        unrelated = await self.unrelated(in_cjk=contains_cjk(text))
        return min(unrelated.mean + _DEVIATIONS * unrelated.deviation, 1.0)

    async def relevance(self, embedded: EmbeddedQuery | None) -> Scale:
        """Return what the relevance of memories that were compared with a query is measured with.

        An uncalibrated embedder uses the default one's calibration, scaled by the cosines of unrelated sentences.

        Args:
            embedded: The query's vectors; None: only words served.
        """
        known = models()
        by_words = known[WORDS]
        if embedded is None:
            return Scale(by_words, "words: there are no vectors to compare")
        signature = embedded.index.signature
        if signature in known:
            return Scale(known[signature], signature)
        default = next(model for model in known.values() if model.unrelated is not None)
        try:
            unrelated = await self.measured()
        except EmbeddingFailed as error:
            return Scale(by_words, f"words: {signature} is not calibrated, and fails now: {error}")
        description = (
            f"{default.name}: {signature} is not calibrated, its cosines are rescaled by unrelated sentences"
        )
        return Scale(default, description, unrelated)

    async def measured(self) -> Unrelated:
        """Return how near the embedder in use puts unrelated texts within and across scripts, as far as it knows them.

        Raises:
            EmbeddingFailed: There is none that answers.
        """
        active = self._embeddings.active
        known = self._measured.get(active.signature) if active else None
        if known is not None:
            return known
        embedded = await self._embeddings.embed_query(*UNRELATED, *UNRELATED_CJK)
        found = unrelated_among(embedded.vectors)
        self._measured[embedded.index.signature] = found
        return found

    async def unrelated(self, *, in_cjk: bool) -> Cosines:
        """Return how near the embedder in use puts unrelated texts.

        Raises:
            EmbeddingFailed: There is none that answers.
        """
        active = self._embeddings.active
        known = self._known.get((active.signature, in_cjk)) if active else None
        if known is not None:
            return known
        embedded = await self._embeddings.embed_query(*(UNRELATED_CJK if in_cjk else UNRELATED))
        found = cosines_among(embedded.vectors)
        self._known[embedded.index.signature, in_cjk] = found
        return found


def unrelated_among(vectors: object) -> Unrelated:
    """Return how near an embedder puts unrelated texts, of the vectors of the sentences and then of the Chinese."""
    rows = np.asarray(vectors)
    latin, chinese = rows[: len(UNRELATED)], rows[len(UNRELATED) :]
    across = latin @ chinese.T
    is_own = np.eye(len(UNRELATED), dtype=bool)
    knows = float((across.argmax(axis=1) == np.arange(len(UNRELATED))).mean()) >= _KNOWS
    return Unrelated(
        latin=cosines_among(latin),
        cjk=cosines_among(chinese) if knows else None,
        across=_spread(across[~is_own]) if knows else None,
    )


def cosines_among(vectors: object) -> Cosines:
    """Return mean and deviation of the cosines between unit vectors, one a row."""
    rows = np.asarray(vectors)
    return _spread((rows @ rows.T)[np.triu_indices(len(rows), k=1)])


def _spread(cosines: NDArray[np.float64]) -> Cosines:
    return Cosines(float(cosines.mean()), max(float(cosines.std()), _LEAST_DEVIATION))
