"""Events and habits that can repeat, so that another date is no contradiction.

"The launch is on Friday" gives the one date of a launch. A person who visited Rome in 2019 may have visited it again,
and a person who plays tennis on Monday may play on Friday as well.
"""

from collections.abc import Sequence
from enum import Enum, auto

from graph.core.text.language import stem
from graph.memories.deduplication.words import REGULAR_PAST, WORDS

_COPULAS = frozenset("is are am was were".split())
_PRONOUNS = frozenset("i we you they he she".split())
_ADVERBS = frozenset("now also not still currently already always usually often".split())
_OF_MANY = frozenset(WORDS["of_many"].split())
_DONE_OFTEN_STEMS = frozenset(stem(word) for word in f"{WORDS['of_many']} {WORDS['done_often']}".split())
_PASTS = frozenset(WORDS["pasts"].split())
_ONCE = frozenset(f"{WORDS['of_one']} {WORDS['once']}".split())
_TIMETABLED_STEMS = frozenset(stem(word) for word in WORDS["timetabled"].split())
_CLAUSES = frozenset(WORDS["clauses"].split())
_NO_PASTS = frozenset("hundred need speed feed seed weed breed bleed sacred naked".split())
_SHORTEST_VERB = 4


class Occasion(Enum):
    """When what a sentence says is so."""

    ONCE = auto()
    """Something is so, or has one time."""
    REPEATED = auto()
    """Somebody does or has it, as a habit or one of several."""
    HAPPENED = auto()
    """It happened, and may have happened another time as well."""


def occasion_of(lowered: Sequence[str]) -> Occasion:
    """Return when what the lower-case words of a sentence say is so, by the verb of its first clause."""
    words = _first_clause(lowered)
    for place, word in enumerate(words):
        if word in _PASTS and not (word == "been" and "since" in words):
            return Occasion.HAPPENED
        if word in _COPULAS:
            return _of_copula(word, next((each for each in words[place + 1 :] if each not in _ADVERBS), ""))
    if not _ONCE.isdisjoint(words) or "since" in words:
        return Occasion.ONCE
    if any(map(is_past, words)):
        return Occasion.HAPPENED
    if any(stem(word) in _TIMETABLED_STEMS for word in words[1:]):
        return Occasion.ONCE
    return Occasion.REPEATED if _has_verb(words) else Occasion.ONCE


def is_past(word: str) -> bool:
    """Tell whether a lower-case word is the past of a regular verb."""
    return REGULAR_PAST.fullmatch(word) is not None and word not in _NO_PASTS and stem(word) != word


def _of_copula(copula: str, following: str) -> Occasion:
    """Return the occasion of a sentence with "is" or "was": "was restarted" happened, "is booked" is a state."""
    if following.endswith("ing") and stem(following) in _DONE_OFTEN_STEMS and stem(following) != following:
        return Occasion.REPEATED
    if copula in {"was", "were"} and following not in _ONCE and (is_past(following) or following in _PASTS):
        return Occasion.HAPPENED
    return Occasion.ONCE


def _has_verb(words: Sequence[str]) -> bool:
    """Tell whether somebody does something: "plays", "I play"; a note as "Standup Monday" has no verb."""
    return not _PRONOUNS.isdisjoint(words) or any(
        word in _OF_MANY or (len(word) >= _SHORTEST_VERB and word.endswith("s") and not word.endswith("ss"))
        for word in words[1:]
    )


def _first_clause(lowered: Sequence[str]) -> Sequence[str]:
    end = next((place for place, word in enumerate(lowered) if place > 1 and word in _CLAUSES), len(lowered))
    return lowered[:end]
