"""Computes the probability that a hit is evidence for the query, 0..1, by a logistic model of absolute features.

The ranking's score uses values divided by the maximum of the same query, so it cannot distinguish a query with evidence
in the workspace from one without. The features here are absolute: cosines, their distance from the usual level among
the nearest, and the share of the query's rare words in a memory and in all candidates. Cosines of every embedder are
scaled to those of the default one. ``relevance.json`` has one set of weights for each measured embedder, and one for
words alone; ``make bench NAME=relevance`` writes it.

All languages share the weights. An embedder that does not know Chinese, Japanese and Korean gives high cosines to
unrelated texts in these scripts. Then its cosines for such texts, and for pairs of texts in two scripts, are ignored
(``blind``), and words decide. A word of these scripts is a pair of characters; it counts half, and almost nothing with
a particle. For an embedder that knows these scripts, unrelated texts of the same scripts set the scale of cosines.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from graph.core.ports import EmbeddingFailed
from graph.core.tables import read_table
from graph.core.text.language import contains_cjk, holds_pairs, stem, words
from graph.core.text.normal_forms import simplified
from graph.retrieval.recall.candidates import Column, Pool
from graph.retrieval.recall.parsed_query import ParsedQuery
from graph.retrieval.recall.ranking import manner_features, people_of
from graph.retrieval.recall.topics import MOST_GAINS, with_gain
from graph.vectors.index.models import EmbeddedQuery
from graph.vectors.index.service import Embeddings

WORDS = "words"
_OF_MEANING = ("nearest", "focus", "both", "statement", "manner", "above")
_OF_WORDS = ("coverage", "amount", "held", "names", "unknown_names", "mentions")
_PARTICLES = frozenset("的了吗呢吧么我你他她它们在是和也都就不很这那个什啊呀哦着")
_OF_A_PARTICLE = 0.2  # weight of a pair of characters with a particle, relative to other pairs
_OF_A_PAIR = 0.5  # weight of a pair of characters in words
_ACROSS = 2.0  # weight of a match in words across scripts: it is a name or a keyword
_STEEPEST = 30.0  # bounds the exponent; beyond it a probability is 0 or 1 in double precision
_AMOUNT_SCALE = 3.0  # divisor of the logarithm of the number of matched rare words
_COMPARED = 20  # number of nearest memories that determine the usual cosine
_OF_ASKED_SLOT = 0.9  # minimum relevance of a statement of the slot that the query asks for
_STATEMENT_WORDS = 30.0  # length in words at which the weight of a short statement has fallen to 1/e


@dataclass(frozen=True)
class Cosines:
    """Mean and standard deviation of an embedder's cosines between unrelated texts."""

    mean: float
    deviation: float

    def rescaled(self, values: Column, other: "Cosines") -> Column:
        """Scale cosines of this embedder to the mean and deviation of another one."""
        return np.clip(other.mean + (values - self.mean) / self.deviation * other.deviation, -1.0, 1.0)


@dataclass(frozen=True)
class Unrelated:
    """Cosines between unrelated texts, by script.

    Attributes:
        latin: Cosines of texts of which none is in Chinese, Japanese or Korean.
        cjk: Cosines of texts that both are; None: the embedder does not know these scripts.
        across: Cosines of texts of which one is; None likewise.
    """

    latin: Cosines
    cjk: Cosines | None = None
    across: Cosines | None = None


@dataclass(frozen=True)
class RelevanceModel:
    """The fitted model for one embedder, or for words alone.

    Attributes:
        name: Signature of the embedder, or ``words``.
        weights: Weights by feature; ``bias`` is the constant.
        threshold: Minimum relevance for automatic injection.
        unrelated: Cosines of unrelated texts; None for words alone.
    """

    name: str
    weights: Mapping[str, float]
    threshold: float
    unrelated: Unrelated | None = None

    def relevance(self, columns: Mapping[str, Column]) -> Column:
        """Return the probability of each row, between 0 and 1 exclusive."""
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
        description: Description of model and calibration for people.
        unrelated: Cosines of the active embedder between unrelated texts, if the model was fitted to another one.
    """

    model: RelevanceModel
    description: str
    unrelated: Unrelated | None = None

    @property
    def threshold(self) -> float:
        """Minimum relevance for automatic injection."""
        return self.model.threshold

    def is_blind(self, pool: Pool, parsed: ParsedQuery) -> bool:
        """Tell whether the embedder does not know the script of the query and of most candidates.

        If no candidate matches by words, return False, because only cosines are left to rank by.
        """
        measured = self.unrelated or self.model.unrelated
        is_read = measured is None or measured.cjk is not None or not contains_cjk(parsed.text)
        if is_read or not any(pool.text_scores.values()):
            return False
        return 2 * sum(each.has_cjk for each in pool.candidates) > len(pool.candidates)

    def of(self, pool: Pool, parsed: ParsedQuery) -> dict[str, float]:
        """Return the relevance of every candidate for the query or for its best part, by id.

        A statement of the slot that the query asks for is relevant, whatever its words: "I moved to Berlin" tells where
        the user lives. A request raises two statements at most, because they share its topic rather than its words.
        """
        if not pool.candidates:
            return {}
        found = self._relevance(pool, parsed)
        for number, part in enumerate(parsed.parts):
            found = np.maximum(found, self._relevance(pool.asked_by(number), part))
        relevance = {each.id: float(value) for each, value in zip(pool.candidates, found, strict=True)}
        gains = pool.gains(parsed.request)
        ordered = sorted(gains, key=lambda id_: -with_gain(relevance[id_], gains[id_]))
        for id_, most in zip(ordered, MOST_GAINS, strict=False):
            relevance[id_] = with_gain(relevance[id_], min(gains[id_], most))
        for id_ in pool.stating(parsed.asked_slot):
            relevance[id_] = max(relevance[id_], _OF_ASKED_SLOT)
        return relevance

    def _relevance(self, pool: Pool, parsed: ParsedQuery) -> Column:
        unrelated = self.unrelated or self.model.unrelated
        columns = features(pool, parsed, unrelated, like=default_cosines() if unrelated else None)
        return self.model.relevance(columns)


@cache
def models() -> Mapping[str, RelevanceModel]:
    """Return the fitted models by name; the first one with an embedder belongs to the default embedder."""
    text = files("graph.retrieval.recall").joinpath("relevance.json").read_text(encoding="utf-8")
    loaded: dict[str, dict[str, object]] = json.loads(text)
    return {name: read_model(name, stored) for name, stored in loaded.items()}


def default_model() -> RelevanceModel:
    """Return the fitted model of the default embedder."""
    return next(model for model in models().values() if model.unrelated is not None)


def default_cosines() -> Cosines:
    """Return the default embedder's cosines of unrelated texts, to which those of every embedder are scaled."""
    unrelated = default_model().unrelated
    assert unrelated is not None  # noqa: S101 - the default model was chosen by it
    return unrelated.latin


def read_model(name: str, stored: Mapping[str, object]) -> RelevanceModel:
    """Parse a stored model."""
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
    pool: Pool, parsed: ParsedQuery, unrelated: Unrelated | None = None, *, like: Cosines | None = None
) -> dict[str, Column]:
    """Return a column of values for each feature, 0..1.

    Args:
        pool: The candidates.
        parsed: Parsed query.
        unrelated: Cosines of the active embedder between unrelated texts; None: cosines do not count.
        like: Cosines of unrelated texts to which the embedder's are scaled; None: no scaling.
    """
    held = _Held.of(pool, parsed)
    nearest, is_seen = _read(pool, parsed, ("cosine", "part_cosine"), unrelated, like)
    focus, _ = _read(pool, parsed, ("focus_cosine",), unrelated, like)
    held_amount = amount(held.amount)
    return {
        "blind": 1.0 - is_seen,
        "nearest": nearest,
        "focus": focus,
        "both": nearest * held.coverage,
        "statement": nearest * _is_statement(pool),
        "manner": nearest * sum(manner_features(pool, parsed).values()),
        "above": np.maximum(nearest - _usual(nearest[is_seen > 0], like), 0.0),
        "coverage": held.coverage,
        "amount": held_amount,
        "held": held.coverage * held_amount,
        "names": _names_held(pool, parsed),
        "unknown_names": np.full(len(pool.candidates), _unknown_names(pool, parsed)),
        "mentions": _mentions(pool),
    }


def amount(count: Column | float) -> Column:
    """Return the scaled logarithm of a number of matched rare words, about 0..1."""
    found: Column = np.log1p(count) / _AMOUNT_SCALE
    return found


@dataclass(frozen=True)
class _Held:
    """The query's words in the candidates, one row per candidate.

    Attributes:
        coverage: Share of the query's words in the candidate, weighted by their rarity in the language.
        amount: Number of rare words in the candidate.
    """

    coverage: Column
    amount: Column

    @classmethod
    def of(cls, pool: Pool, parsed: ParsedQuery) -> "_Held":
        rarity = {stem(word): weight * _informativeness(word) for word, weight in parsed.weighted_words}
        stems = [stem_ for stem_ in parsed.stems if stem_ in rarity]
        weights = np.array([rarity[stem_] for stem_ in stems])
        rows = pool.holding(stems)
        total = float(weights.sum()) or 1.0
        counts = np.sqrt(weights) * [_OF_A_PAIR if holds_pairs(stem_) else 1.0 for stem_ in stems]
        is_query_cjk = contains_cjk(parsed.text)
        across = [_ACROSS if has_cjk != is_query_cjk else 1.0 for has_cjk in pool.values("has_cjk")]
        return cls(coverage=rows @ weights / total, amount=rows @ counts * across)


def _usual(nearest: Column, chance: Cosines | None) -> float:
    """Return the median cosine of the twenty nearest; chance cosines fill up a smaller pool."""
    by_chance = chance.mean + chance.deviation if chance else 0.0
    among = np.concatenate([np.sort(nearest)[-_COMPARED:], np.full(_COMPARED, by_chance)])[:_COMPARED]
    return float(np.median(among))


def _is_statement(pool: Pool) -> Column:
    """Return how short a statement each candidate is, 0..1; turns get 0.

    A short statement has one topic, so its cosine is reliable. Turns do not: a greeting is near every greeting.
    """
    lengths = np.array(pool.values("words"), dtype=np.float64)
    is_turn = np.array([scope is not None for scope in pool.values("turn_scope")], dtype=bool)
    return np.where(is_turn, 0.0, np.exp(-lengths / _STATEMENT_WORDS))


def _informativeness(word: str) -> float:
    """Return a factor for the specificity of a word, which is unknown for pairs of Chinese characters."""
    return _OF_A_PARTICLE**2 if contains_cjk(word) and not _PARTICLES.isdisjoint(simplified(word)) else 1.0


def _read(
    pool: Pool,
    parsed: ParsedQuery,
    of: Sequence[str],
    unrelated: Unrelated | None,
    like: Cosines | None,
) -> tuple[Column, Column]:
    """Return the largest of the named cosines of each candidate, at least 0, and 1 if it counts, else 0."""
    known = [np.array(pool.values(name), dtype=np.float64) for name in of]
    cosines = np.nan_to_num(np.fmax.reduce(known))
    read, is_seen = np.zeros(len(cosines)), np.zeros(len(cosines))
    if unrelated is not None:
        is_query_cjk = contains_cjk(parsed.text)
        is_cjk = np.array(pool.values("has_cjk"), dtype=bool)
        same = unrelated.cjk if is_query_cjk else unrelated.latin
        for rows, measured in (
            (is_cjk == is_query_cjk, same),
            (is_cjk != is_query_cjk, unrelated.across),
        ):
            if measured is not None:
                values = cosines[rows]
                read[rows] = measured.rescaled(values, like) if like not in (None, measured) else values
                is_seen[rows] = 1.0
    return np.maximum(read, 0.0), is_seen


def _names_held(pool: Pool, parsed: ParsedQuery) -> Column:
    """Return the share of the query's names in each candidate; 0 for a query without names."""
    named = frozenset(f" {stem_} " for stem_ in parsed.named_stems)
    if not named:
        return np.zeros(len(pool.candidates))
    return np.array([len(named.intersection(matched)) / len(named) for matched in pool.values("matched")])


def _mentions(pool: Pool) -> Column:
    """Return 1 for candidates that mention an entity of the query, else 0."""
    named = pool.named.keys()
    return np.array([not named.isdisjoint(ids) for ids in pool.values("mentions")], dtype=np.float64)


def _unknown_names(pool: Pool, parsed: ParsedQuery) -> float:
    """Return the share of the query's names that are in no candidate; 0 for a query without names."""
    named = parsed.named_stems
    if not named:
        return 0.0
    known = {term.strip() for term in set(chain.from_iterable(pool.values("matched")))}
    known |= {stem(word) for person in people_of(pool) for word in words(person)}
    known |= {stem_ for entity in pool.named.values() for stem_ in entity.stems}
    return len(named - known) / len(named)


_SENTENCES = read_table("graph.retrieval.recall", "unrelated.toml")
UNRELATED: tuple[str, ...] = tuple(_SENTENCES["english"])
UNRELATED_CJK: tuple[str, ...] = tuple(_SENTENCES["chinese"])
# The threshold is 0.21 with MiniLM: "indentation style" and "Ada prefers tabs over spaces in Python" have 0.24.
_DEVIATIONS = 2.0
_LEAST_DEVIATION = 0.01
_KNOWS = 0.5  # share of sentences whose own translation must be the nearest; MiniLM reaches 0.15


class Calibration:
    """Calibrations of all embedders used so far; lives as long as the process."""

    def __init__(self, embeddings: Embeddings) -> None:
        self._embeddings = embeddings
        self._known: dict[tuple[str, bool], Cosines] = {}
        self._measured: dict[str, Unrelated] = {}

    async def threshold(self, text: str = "") -> float:
        """Return the cosine, -1..1, that few unrelated texts reach with the active embedder.

        Args:
            text: Compared text; Chinese, Japanese and Korean texts have their own threshold.

        Raises:
            EmbeddingFailed: No embedder answers.
        """
        unrelated = await self.unrelated(in_cjk=contains_cjk(text))
        return min(unrelated.mean + _DEVIATIONS * unrelated.deviation, 1.0)

    async def relevance(self, embedded: EmbeddedQuery | None) -> Scale:
        """Return model and calibration for the relevance of one recall.

        For an embedder without a fitted model, cosines are scaled to the default embedder's by unrelated sentences.

        Args:
            embedded: The query's vectors; None: words only.
        """
        known = models()
        by_words = known[WORDS]
        if embedded is None:
            return Scale(by_words, "words: there are no vectors to compare")
        signature = embedded.index.signature
        if signature in known:
            return Scale(known[signature], signature)
        default = default_model()
        try:
            unrelated = await self.measured()
        except EmbeddingFailed as error:
            return Scale(by_words, f"words: {signature} is not calibrated, and fails now: {error}")
        description = (
            f"{default.name}: {signature} is not calibrated, its cosines are rescaled by unrelated sentences"
        )
        return Scale(default, description, unrelated)

    async def measured(self) -> Unrelated:
        """Measure the active embedder's cosines between unrelated texts, within and across scripts.

        Raises:
            EmbeddingFailed: No embedder answers.
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
        """Measure the active embedder's cosines between unrelated texts, either Chinese or English.

        Raises:
            EmbeddingFailed: No embedder answers.
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
    """Compute the cosines of unrelated texts from vectors of the English sentences, then of the Chinese ones."""
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
    """Compute mean and deviation of the cosines between unit vectors, one per row."""
    rows = np.asarray(vectors)
    return _spread((rows @ rows.T)[np.triu_indices(len(rows), k=1)])


def _spread(cosines: NDArray[np.float64]) -> Cosines:
    return Cosines(float(cosines.mean()), max(float(cosines.std()), _LEAST_DEVIATION))
