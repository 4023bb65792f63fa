"""Ranks candidates: by relevance, slightly adjusted for importance, recency and use."""

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from graph.core.fusion import DEFAULT_K, reciprocal_rank_fusion
from graph.core.text.language import stem, words
from graph.memories.models import MemoryType
from graph.memories.saving.indexing import is_role
from graph.retrieval.recall.candidates import Candidate, Column, Pool
from graph.retrieval.recall.models import Fusion, RecallQuery, RecallStrategy
from graph.retrieval.recall.parsed_query import ASSISTANT, USER, ParsedQuery, QueryDate

# ``tests/bench`` measured the useful features and their weights on several kinds of conversation; ``make bench
# NAME=fit`` writes ``weights.json``. Different features identify short chat turns and long messages: a feature named
# ``…_short`` counts for turns of a few words and fades with their length, and some features have a second weight,
# ``…_among_long``, which counts more the longer the candidates of a recall are.
_AMONG_LONG = (
    "text", "meaning_of_parts", "meaning_of_focus", "coverage", "coverage_of_focus", "coverage_short",
    "coverage_of_focus_short", "by_user", "question", "next", "next_short", "answers_short", "session_meaning_short",
    "tells_when", "style", "preference_for_help",
)  # fmt: skip


DEFAULT = "default"
"""Name of the default embedder's weights in ``weights.json``."""
BIAS = "bias"
"""Name of the constant among an embedder's weights."""
_SHORT_TURN_WORDS = 120.0  # length in words at which the weight of short turns has fallen to 1/e
_LONG_POOL_WORDS = 120.0  # median length in words at which 1 - 1/e of the weights among long messages counts
_LENGTH_SCALE = 6.0
_LONGEST_SHORT_TURN = 40  # words; up to this length, longer turns have more content
_FLOOR_OF_MEANING = 0.05  # quantile of a pool's cosines that counts as no similarity
_HALF_FLOOR = 20  # memories; a pool of this size applies half of the floor, which few cosines estimate badly
_LEAST_SPREAD = 0.1  # cosines closer to each other than this hardly distinguish memories
_RECENT_DAYS = 30.0
# Queries concern statements of people more often than answers of assistants.
_PEOPLE = frozenset({"user", "human"})
_SECONDS_A_DAY = 86_400
_DAYS_AFTER = 2  # people often mention an event up to two days later
# Recency counts in long queries only: they describe a situation instead of asking for a fact.
_SHORTEST_SITUATION_WORDS = 20
_FULL_SITUATION_WORDS = 50


def weights(embedder: str | None = None) -> Mapping[str, float]:
    """Return the fitted weights by feature name, and for some embedders ``bias``, a constant.

    The constant lets every embedder's scores have the level of the default one's; it changes no order.

    Args:
        embedder: Signature of the embedder; one without weights of its own, and None, have those of the default one.
    """
    known = _weights()
    return known.get(embedder or DEFAULT, known[DEFAULT])


@cache
def _weights() -> Mapping[str, Mapping[str, float]]:
    text = files("graph.retrieval.recall").joinpath("weights.json").read_text(encoding="utf-8")
    loaded: dict[str, dict[str, float]] = json.loads(text)
    return loaded


def scores(pool: Pool, parsed: ParsedQuery, *, embedder: str | None = None, is_blind: bool = False) -> Column:
    """Return one score per candidate, on the scale of the fitted model; higher is better.

    Args:
        pool: The candidates.
        parsed: Parsed query.
        embedder: Signature of the embedder; see :func:`weights`.
        is_blind: True if the embedder does not know the script of query and candidates. Then cosines do not count, nor
            do lengths: a longer text contains more pairs of Chinese characters by chance.
    """
    columns = features(pool, parsed, is_blind=is_blind)
    fitted = weights(embedder)
    total = np.full(len(pool.candidates), fitted.get(BIAS, 0.0))
    for name, weight in fitted.items():
        if name != BIAS:
            total += weight * columns[name]
    return total


def features(pool: Pool, parsed: ParsedQuery, *, is_blind: bool = False) -> dict[str, Column]:
    """Return a column of values for each feature, about 0..1; see :func:`scores`."""
    columns = _plain_features(pool, parsed, read=0.0 if is_blind else 1.0)
    among_long = _length_of(pool)
    return columns | {f"{name}_among_long": columns[name] * among_long for name in _AMONG_LONG}


def _length_of(pool: Pool) -> float:
    """Return 0..1 by the median length of the candidates: 0 for short turns, 1 for long messages."""
    lengths = pool.values("words")
    return 1.0 - math.exp(-float(np.median(lengths)) / _LONG_POOL_WORDS) if lengths else 0.0


def _share_of_turns(pool: Pool) -> float:
    """Return the share of turns among the candidates, 0..1; the window of any other memory is only its own text."""
    return float(np.mean([scope is not None for scope in pool.values("turn_scope")] or [False]))


def _plain_features(pool: Pool, parsed: ParsedQuery, *, read: float) -> dict[str, Column]:
    """Return the features of candidates; ``read`` is the factor of cosines and lengths, 0 or 1."""
    words_ = _own(pool, "words")
    short = np.exp(-words_ / _SHORT_TURN_WORDS)
    text = _scaled(_found(pool, pool.text_scores))
    meaning = read * _above_floor(_cosines(pool, "cosine"))
    asks = _own(pool, "is_question")
    sessions = _Sessions(pool)
    session_meaning = sessions.best(meaning)
    coverage = _coverage_features(pool, parsed, sessions)
    neighbours = _neighbour_features(pool, (text + meaning) / 2, asks)
    return {
        "text": text,
        "text_around": _scaled(_found(pool, pool.window_scores)) * _share_of_turns(pool),
        "meaning": meaning,
        "meaning_of_parts": read * _above_floor(_cosines(pool, "part_cosine")),
        "meaning_of_focus": read * _above_floor(_cosines(pool, "focus_cosine")),
        **coverage,
        "coverage_short": coverage["coverage"] * short,
        "coverage_of_focus_short": coverage["coverage_of_focus"] * short,
        **_speaker_features(pool, parsed),
        "question": asks,
        "question_short": asks * short,
        "next": neighbours["next"],
        "next_short": neighbours["next"] * short,
        "answers_short": neighbours["answers"] * short,
        "session_meaning": session_meaning,
        "session_meaning_short": session_meaning * short,
        **_time_features(pool, parsed, short),
        "tells_when": _own(pool, "has_time") * parsed.asks_when,
        "tells_how_many": _own(pool, "has_number") * parsed.asks_how_many,
        **manner_features(pool, parsed),
        "answer_asked_for": _answered(pool) * parsed.asks_what_was_answered,
        "tells_who": _tells_who(pool, parsed),
        "length": read * np.log1p(words_) / _LENGTH_SCALE,
        "length_of_short": read * np.log1p(np.minimum(words_, _LONGEST_SHORT_TURN)) / _LENGTH_SCALE,
    }


class _Sessions:
    """Candidates grouped by session; a memory that is not a turn is its own session."""

    def __init__(self, pool: Pool) -> None:
        keys = [scope or id_ for scope, id_ in zip(pool.values("turn_scope"), pool.values("id"), strict=True)]
        index = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self.of = np.array([index[key] for key in keys], dtype=np.intp)
        self.count = len(index)

    def best(self, values: Column) -> Column:
        """Return for each candidate the largest value of its session."""
        result = np.zeros(self.count)
        np.maximum.at(result, self.of, values)
        return result[self.of]

    def union(self, rows: Column) -> Column:
        """Return for each candidate the columns that any candidate of its session has."""
        result = np.zeros((self.count, rows.shape[1]))
        np.maximum.at(result, self.of, rows)
        return result[self.of]


def people_of(pool: Pool) -> list[str]:
    """Return the names of the speakers in the pool, without chat roles."""
    speakers = set(pool.values("speaker"))
    return sorted(speaker for speaker in speakers if speaker and not is_role(speaker))


def _speaker_features(pool: Pool, parsed: ParsedQuery) -> dict[str, Column]:
    meant = parsed.speaker_meant(people_of(pool))
    is_speaker = _said_by(pool, frozenset() if meant is None else {meant.lower()})
    of_self = _own(pool, "first_person") if meant not in {None, USER} else 0.0
    by_user = _said_by(pool, _PEOPLE)
    return {"speaker": is_speaker, "speaks_of_self": is_speaker * of_self, "by_user": by_user}


def _said_by(pool: Pool, names: Collection[str]) -> Column:
    """Return 1 for candidates whose speaker has one of these names in lower case, else 0."""
    speakers = pool.values("speaker")
    spellings = {speaker for speaker in set(speakers) if (speaker or "").lower() in names}
    return np.array([speaker in spellings for speaker in speakers], dtype=np.float64)


def manner_features(pool: Pool, parsed: ParsedQuery) -> dict[str, Column]:
    """Return the features of memories about how people want things done.

    ``style`` marks standing requests; ``preference_for_help`` marks preferences if the query requests help. Messages of
    an assistant get 0.
    """
    types = pool.values("type")
    by_people = 1.0 - _answered(pool)
    return {
        "style": np.array([type_ == MemoryType.STYLE for type_ in types], dtype=np.float64) * by_people,
        "preference_for_help": np.array([type_ == MemoryType.PREFERENCE for type_ in types], dtype=np.float64)
        * by_people
        * parsed.asks_for_help,
    }


def _answered(pool: Pool) -> Column:
    """Return 1 for messages of an assistant, else 0."""
    return _said_by(pool, {ASSISTANT})


def _tells_who(pool: Pool, parsed: ParsedQuery) -> Column:
    """Return 1 for candidates with a name that is not in the query, if it requests a person or a place, else 0."""
    if not parsed.asks_who:
        return np.zeros(len(pool.candidates))
    return np.array([not names <= parsed.all_words for names in pool.values("names")], dtype=np.float64)


def _coverage_features(pool: Pool, parsed: ParsedQuery, sessions: _Sessions) -> dict[str, Column]:
    """Return the shares of the query's stems, weighted by rarity, in a memory and in its whole session."""
    names = {stem(word) for person in people_of(pool) for word in words(person)}
    stems = [stem_ for stem_ in parsed.stems if stem_ not in names]
    holds = pool.holding(stems)
    if not stems or not len(holds):
        zeros = np.zeros(len(pool.candidates))
        return {"coverage": zeros, "coverage_of_focus": zeros, "coverage_in_session": zeros}
    n, found = len(holds), holds.sum(axis=0)
    rarity = np.log1p((n - found + 0.5) / (found + 0.5))  # BM25's idf, over the pool
    focus = rarity * np.array([stem_ in parsed.focus_stems for stem_ in stems])
    return {
        "coverage": holds @ rarity / rarity.sum(),
        "coverage_of_focus": holds @ focus / (focus.sum() or 1.0),
        "coverage_in_session": sessions.union(holds) @ rarity / rarity.sum(),
    }


def _neighbour_features(pool: Pool, relevance: Column, asks: Column) -> dict[str, Column]:
    at = {id_: number for number, id_ in enumerate(pool.values("id"))}

    def rows_of(ids: Sequence[str | None]) -> NDArray[np.intp]:
        return np.array([at.get(id_ or "", -1) for id_ in ids], dtype=np.intp)

    def of(rows: NDArray[np.intp], values: Column) -> Column:
        return np.where(rows >= 0, values[rows], 0.0) if len(values) else values

    before = rows_of(pool.values("previous_id"))
    return {
        "next": of(rows_of(pool.values("next_id")), relevance),
        "answers": of(before, asks) * of(before, relevance),
    }


def _time_features(pool: Pool, parsed: ParsedQuery, short: Column) -> dict[str, Column]:
    in_month, on_day = np.zeros(len(pool.candidates)), np.zeros(len(pool.candidates))
    if (queried_date := parsed.date) is not None:
        moments = [datetime.fromtimestamp(at, UTC) for at in pool.values("at")]
        in_month = np.array([float(_is_in_month(moment, queried_date)) for moment in moments])
        on_day = np.array([float(_is_on_day(moment, queried_date)) for moment in moments])
    days = np.floor(_own(pool, "at") / _SECONDS_A_DAY)
    age = days.max(initial=0.0) - days if len(days) else days
    ramp = (parsed.length - _SHORTEST_SITUATION_WORDS) / (_FULL_SITUATION_WORDS - _SHORTEST_SITUATION_WORDS)
    share = min(max(ramp, 0.0), 1.0)
    return {"month": in_month, "day": on_day, "recent": np.exp(-age / _RECENT_DAYS) * (1 - short) * share}


def _is_in_month(moment: datetime, queried_date: QueryDate) -> bool:
    return moment.month == queried_date.month and queried_date.year in {None, moment.year}


def _is_on_day(moment: datetime, queried_date: QueryDate) -> bool:
    """Tell whether a time lies on the named day or up to two days later; a date without a year fits any year."""
    years = (moment.year, moment.year - 1) if queried_date.year is None else (queried_date.year,)
    named = (_day(year, queried_date) for year in years)
    return any(day is not None and 0 <= (moment.date() - day).days <= _DAYS_AFTER for day in named)


def _day(year: int, queried_date: QueryDate) -> date | None:
    """Return the named day in a year, or None if no day is named or the month is shorter."""
    if queried_date.day is None:
        return None
    try:
        return date(year, queried_date.month, queried_date.day)
    except ValueError:
        return None


def _own(pool: Pool, name: str) -> Column:
    """Return a property of each candidate."""
    return np.array(pool.values(name), dtype=np.float64)


def _found(pool: Pool, scores_: Mapping[str, float]) -> Column:
    """Return the score of each candidate in a list, or 0 if it is not in it."""
    return np.array([scores_.get(id_, 0.0) for id_ in pool.values("id")], dtype=np.float64)


def _cosines(pool: Pool, name: str) -> Column:
    """Return a cosine of each candidate; 0 without a vector."""
    return np.array([cosine or 0.0 for cosine in pool.values(name)], dtype=np.float64)


def _scaled(values: Column) -> Column:
    positive = np.maximum(values, 0.0)
    largest = positive.max(initial=0.0)
    return positive / largest if largest > 0 else positive


def _above_floor(cosines: Column) -> Column:
    """Scale cosines to 0..1, from the pool's floor to its maximum.

    The floor is needed because embedders differ in the cosines that they give to unrelated texts.
    """
    known = cosines[cosines > 0]
    if not known.size:
        return np.zeros(len(cosines))
    floor = np.quantile(known, _FLOOR_OF_MEANING) * known.size / (known.size + _HALF_FLOOR)
    largest = known.max()
    shares: Column = np.maximum((cosines - floor) / max(largest - floor, _LEAST_SPREAD), 0.0)
    return shares


# The logistic function maps the scale of the fit, about 2 to 18, to 0..1; only the order has a meaning.
_SCORE_SCALE = 3.0
_SCORE_OFFSET = 3.0

# Side signals are factors near 1, so that none of them outweighs relevance.
_IMPORTANCE_SPAN = 0.1  # importance 0 subtracts a tenth, 1 adds a tenth
_RECENCY_GAIN = 0.05
_RECENCY_DAYS = 30.0
_USE_GAIN = 0.05
_HALF_USED = 5.0
_SUPERSEDED_FACTOR = 0.5
_LEAST_ROOM = (
    0.01  # by how much a statement of the asked slot may lead although others have the highest score
)


@dataclass(frozen=True, slots=True)
class Ranked:
    """One candidate with its score in 0..1."""

    id: str
    score: float


def rank(
    pool: Pool,
    parsed: ParsedQuery,
    query: RecallQuery,
    *,
    rrf_k: float = DEFAULT_K,
    embedder: str | None = None,
    is_blind: bool = False,
) -> list[Ranked]:
    """Return the candidates, best first, without those below the query's minimum cosine.

    Relevance is the cosine for the strategy ``semantic``, reciprocal rank fusion if requested, and the fitted model
    otherwise. Importance, recency and use adjust it slightly, except for reciprocal rank fusion. A superseded memory
    ranks below its successor. The current value of a slot inherits the score of an older one, unless the query concerns
    the past. Statements of the slot that the query asks for come first, except for ``semantic`` and reciprocal rank
    fusion. If the embedder is blind for the script, the fitted model uses words alone.
    """
    if not pool.candidates:
        return []
    relevance = _relevance(pool, parsed, query, rrf_k, embedder=embedder, is_blind=is_blind)
    is_plain = _is_by_places(query, pool)
    bent = {
        c.id: relevance[c.id] * (1.0 if is_plain else _side_factor(c))
        for c in pool.candidates
        if c.id in relevance
    }
    cosines = {c.id: c.cosine for c in pool.candidates if c.cosine is not None}
    if parsed.asks_about_the_past:
        superseded_by = {c.id: () if c.closed_by else c.superseded_by for c in pool.candidates}
    else:
        bent, cosines = handed_on(bent, pool), handed_on(cosines, pool)
        superseded_by = {c.id: [*c.superseded_by, *c.closed_by] for c in pool.candidates}
    if not is_plain and query.strategy is not RecallStrategy.SEMANTIC:
        bent = _ahead(bent, pool.stating(parsed.asked_slot))
    bent = _behind_successors(bent, superseded_by)
    admitted = (id_ for id_ in bent if _clears(cosines.get(id_), query.min_score))
    ordered = sorted(admitted, key=lambda id_: (-bent[id_], id_))
    return [Ranked(id=id_, score=bent[id_] if is_plain else min(bent[id_], 1.0)) for id_ in ordered]


def _ahead(scores: Mapping[str, float], first: Collection[str]) -> dict[str, float]:
    """Raise the scores of some memories above those of all others, in their order; they may exceed 1."""
    best = max(scores.values(), default=0.0)
    room = max(1 - best, _LEAST_ROOM)
    return {id_: best + room * score if id_ in first else score for id_, score in scores.items()}


def handed_on(scores: Mapping[str, float], pool: Pool) -> dict[str, float]:
    """Raise the score of each memory to at least that of every older state of its slot that it closed."""
    ranked = dict(scores)
    closed_by = {c.id: c.closed_by for c in pool.candidates if c.closed_by}
    for id_, score in scores.items():
        seen, later = {id_}, list(closed_by.get(id_, ()))
        while later:
            successor = later.pop()
            if successor in seen:
                continue
            seen.add(successor)
            if successor in ranked:
                ranked[successor] = max(ranked[successor], score)
            later += closed_by.get(successor, ())
    return ranked


def _behind_successors(
    scores: Mapping[str, float], superseded_by: Mapping[str, Sequence[str]]
) -> dict[str, float]:
    """Halve the scores of superseded memories, and keep each below its successors."""
    ranked: dict[str, float] = {}

    def settle(id_: str, later: frozenset[str]) -> float:
        if id_ not in ranked:
            successors = [each for each in superseded_by[id_] if each in scores and each not in later]
            after = [settle(each, later | {id_}) for each in successors]
            score = scores[id_] * (_SUPERSEDED_FACTOR if superseded_by[id_] else 1.0)
            ranked[id_] = min([score, *(math.nextafter(each, 0.0) for each in after)])
        return ranked[id_]

    for id_ in scores:
        settle(id_, frozenset())
    return ranked


def _relevance(
    pool: Pool,
    parsed: ParsedQuery,
    query: RecallQuery,
    rrf_k: float,
    *,
    embedder: str | None,
    is_blind: bool,
) -> dict[str, float]:
    if query.strategy is RecallStrategy.SEMANTIC and pool.vector_ids:
        return {c.id: (1 + c.cosine) / 2 for c in pool.candidates if c.cosine is not None}
    if _is_by_places(query, pool):
        return reciprocal_rank_fusion([list(pool.text_scores), pool.vector_ids], rrf_k)
    raw = scores(pool, parsed, embedder=embedder, is_blind=is_blind)
    shown = 1 / (1 + np.exp(_SCORE_OFFSET - raw / _SCORE_SCALE))
    return {c.id: float(score) for c, score in zip(pool.candidates, shown, strict=True)}


def _is_by_places(query: RecallQuery, pool: Pool) -> bool:
    by_meaning_alone = query.strategy is RecallStrategy.SEMANTIC and bool(pool.vector_ids)
    return query.fusion is Fusion.RRF and not by_meaning_alone


def _side_factor(candidate: Candidate) -> float:
    importance = 1 + _IMPORTANCE_SPAN * (2 * candidate.importance - 1)
    recency = 1 + _RECENCY_GAIN * math.exp(-max(candidate.age_days, 0) / _RECENCY_DAYS)
    use = 1 + _USE_GAIN * candidate.usage_count / (candidate.usage_count + _HALF_USED)
    return importance * recency * use


def _clears(cosine: float | None, threshold: float | None) -> bool:
    return threshold is None or (cosine is not None and cosine >= threshold)


Pair = frozenset[str]


def diversified(
    ranked: Sequence[Ranked], similarities: Mapping[Pair, float], diversity: float
) -> list[Ranked]:
    """Reorder memories by relevance minus redundancy (Carbonell and Goldstein, SIGIR 1998).

    Args:
        ranked: Memories, best first, with scores in 0..1.
        similarities: Cosines of pairs of ids; a missing pair counts as 0.
        diversity: Weight of novelty: 0 keeps the order, 1 ignores relevance after the first.
    """
    left = list(ranked)
    chosen: list[Ranked] = []
    nearest = dict.fromkeys((candidate.id for candidate in left), 0.0)
    while left:
        best = max(left, key=lambda c: (1 - diversity) * c.score - diversity * nearest[c.id])
        left.remove(best)
        chosen.append(best)
        for candidate in left:
            alike = similarities.get(frozenset((best.id, candidate.id)), 0.0)
            nearest[candidate.id] = max(nearest[candidate.id], alike)
    return chosen
