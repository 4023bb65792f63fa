"""Ranks candidates with a linear model over features that need no language model.

The features and how much each is worth were measured on several kinds of conversation; ``weights.json`` is written by
``recollect bench fit``. A weight under ``short`` counts for turns of a few words and fades with their length, since
short chat turns and long messages are found by different signs.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from graph.recall.candidates import Candidate, Pool
from graph.recall.question import Question

Column = NDArray[np.float64]

_SHORT_TURN_WORDS = 120.0  # where the weight of short turns has fallen to 1/e
_SESSION_TOP = 3
_SESSION_DAMPING = 40.0  # turns; a long session has good turns by chance
_LONG_WORDS_SCALE = 6.0


@cache
def weights() -> Mapping[str, Mapping[str, float]]:
    """Return the fitted weights: ``always`` and ``short``, by feature name."""
    text = files("graph.recall").joinpath("weights.json").read_text(encoding="utf-8")
    loaded: dict[str, dict[str, float]] = json.loads(text)
    return loaded


def scores(pool: Pool, question: Question) -> Column:
    """Return one score per candidate; higher is better, the scale is that of the fit."""
    columns = features(pool, question)
    short = np.exp(-_column(pool, lambda c: c.words) / _SHORT_TURN_WORDS)
    total = np.zeros(len(pool.candidates))
    for name, weight in weights()["always"].items():
        total += weight * columns[name]
    for name, weight in weights()["short"].items():
        total += weight * short * columns[name]
    return total


def features(pool: Pool, question: Question) -> dict[str, Column]:
    """Return every feature of every candidate, one column per feature."""
    text = _scaled(np.array([pool.text_scores.get(c.id, 0.0) for c in pool.candidates]))
    dense = _scaled(np.array([max(c.cosine or 0.0, 0.0) for c in pool.candidates]))
    both = (text + dense) / 2
    sessions = _Sessions(pool)
    return {
        "text": text,
        "dense": dense,
        **_speaker_features(pool, question),
        **_coverage_features(pool, question, sessions),
        **_neighbour_features(pool, both),
        "session_dense": sessions.best(dense),
        "session_top": sessions.top_mean(both),
        "month": _in_month(pool, question),
        "when_has_time": _column(pool, lambda c: c.has_time) * question.asks_when,
        "log_words": np.log1p(_column(pool, lambda c: c.words)) / _LONG_WORDS_SCALE,
        "is_question": _column(pool, lambda c: c.is_question),
    }


class _Sessions:
    """The candidates grouped by the session they stand in; a memory that is no turn is a session of its own."""

    def __init__(self, pool: Pool) -> None:
        keys = [candidate.turn_scope or candidate.id for candidate in pool.candidates]
        index = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self.of = np.array([index[key] for key in keys], dtype=np.intp)
        self.count = len(index)
        self.sizes = np.array([pool.turn_counts.get(key, 1) for key in index], dtype=np.float64)

    def best(self, values: Column) -> Column:
        """Return for each candidate the largest value of its session."""
        result = np.zeros(self.count)
        np.maximum.at(result, self.of, values)
        return result[self.of]

    def top_mean(self, values: Column) -> Column:
        """Return for each candidate the mean of its session's three best values, damped by the session's length."""
        result = np.zeros(self.count)
        for number in range(self.count):
            members = np.sort(values[self.of == number])[::-1]
            result[number] = members[:_SESSION_TOP].sum() / _SESSION_TOP
        return (result / (1 + self.sizes / _SESSION_DAMPING))[self.of]


def _speaker_features(pool: Pool, question: Question) -> dict[str, Column]:
    speakers = sorted({c.speaker for c in pool.candidates if c.speaker})
    named = question.speaker_named(speakers)
    said_by_named = _column(pool, lambda c: named is not None and c.speaker == named)
    return {
        "speaker": said_by_named,
        "first_person": said_by_named * _column(pool, lambda c: c.first_person),
    }


def _coverage_features(pool: Pool, question: Question, sessions: _Sessions) -> dict[str, Column]:
    """Return how much of the query's weight in rare words a memory, and its whole session, holds."""
    terms = [f" {stem} " for stem in question.stems]
    holds = np.array([[term in c.matched for term in terms] for c in pool.candidates], dtype=np.float64)
    if not terms or not len(holds):
        zeros = np.zeros(len(pool.candidates))
        return {"coverage": zeros, "session_coverage": zeros}
    n, found = len(holds), holds.sum(axis=0)
    rarity = np.log1p((n - found + 0.5) / (found + 0.5))  # BM25's idf, over the pool
    session_holds = np.zeros((sessions.count, len(terms)))
    np.maximum.at(session_holds, sessions.of, holds)
    total = rarity.sum()
    return {
        "coverage": holds @ rarity / total,
        "session_coverage": (session_holds @ rarity / total)[sessions.of],
    }


def _neighbour_features(pool: Pool, both: Column) -> dict[str, Column]:
    at = {candidate.id: number for number, candidate in enumerate(pool.candidates)}

    def neighbour(ids: Sequence[str | None]) -> NDArray[np.intp]:
        return np.array([at.get(id_ or "", -1) for id_ in ids], dtype=np.intp)

    previous = neighbour([c.previous_id for c in pool.candidates])
    following = neighbour([c.next_id for c in pool.candidates])
    asks = _column(pool, lambda c: c.is_question)
    previous_score = np.where(previous >= 0, both[previous], 0.0)
    return {
        "previous": previous_score,
        "next": np.where(following >= 0, both[following], 0.0),
        "answers": np.where(previous >= 0, asks[previous], 0.0) * previous_score,
    }


def _in_month(pool: Pool, question: Question) -> Column:
    if question.month is None:
        return np.zeros(len(pool.candidates))

    def matches(candidate: Candidate) -> bool:
        moment = datetime.fromtimestamp(candidate.at, UTC)
        return moment.month == question.month and question.year in {None, moment.year}

    return _column(pool, matches)


def _column(pool: Pool, value: object) -> Column:
    return np.array([float(value(candidate)) for candidate in pool.candidates])  # type: ignore[operator]


def _scaled(values: Column) -> Column:
    largest = values.max(initial=0.0)
    return values / largest if largest > 0 else values
