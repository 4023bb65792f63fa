"""Rules for contradictions between two texts: another number, date or name, or the opposite.

They compare sentences word by word. Unrelated sentences must never count as a contradiction, so the rules require the
same beginning, the same informative words, and one difference of one kind. They ignore sentences with different
wordings, except those that :mod:`graph.memories.deduplication.attributes` knows. Names count in English and Chinese
only: for other languages there is no list of verbs that allow several names, and German nouns look like names.
"""

from functools import lru_cache
from itertools import product

from graph.core.text.detection import is_english
from graph.core.text.language import contains_cjk, is_question, sentences
from graph.memories.deduplication.attributes import attributes_differ, may_be_one_place
from graph.memories.deduplication.chinese import beginning_in_chinese, differ_in_chinese
from graph.memories.deduplication.dates import StatedDate
from graph.memories.deduplication.occasions import Occasion
from graph.memories.deduplication.sameness import say_the_same
from graph.memories.deduplication.statements import Statement, taken_apart

_MOST_SENTENCES = 4  # what has more is no statement
_MOST_CHARS = 400
_FEWEST_WORDS_FOR_ONE_MORE = 4


def disagree(one: str, other: str) -> bool:
    """Tell whether two texts differ about the same thing in a number, a date, a name or in whether it is so.

    >>> disagree("Ada is allergic to peanuts", "Ada is not allergic to peanuts")
    True
    >>> disagree("The launch is on March 15", "The launch was moved to April 1")
    True
    >>> disagree("Ada likes tea", "Bob likes tea")
    False
    """
    return not _subjects(one).isdisjoint(_subjects(other)) and any(
        _differ(first, second) for first, second in product(sentences(one), sentences(other))
    )


@lru_cache(maxsize=2048)
def _subjects(text: str) -> frozenset[str]:
    """Return the beginnings of a text's sentences; none for a question or a text too long for a statement.

    The result is cached, so that each of many texts can be compared with each other.
    """
    found = sentences(text) if len(text) <= _MOST_CHARS and not is_question(text) else []
    if len(found) > _MOST_SENTENCES:
        return frozenset()
    return frozenset(
        beginning_in_chinese(sentence) if contains_cjk(sentence) else taken_apart(sentence).first
        for sentence in found
    )


def _differ(one: str, other: str) -> bool:
    if contains_cjk(one) != contains_cjk(other):
        return False
    if contains_cjk(one):
        differ = differ_in_chinese(one, other) or attributes_differ(one, other)
        return differ and not say_the_same(one, other)
    is_conflict = _conflict(taken_apart(one), taken_apart(other)) or attributes_differ(one, other)
    return is_conflict and not say_the_same(one, other)


def _conflict(one: Statement, other: Statement) -> bool:
    if (
        not one.first
        or one.first != other.first
        or one.one_of_several != other.one_of_several
        or _differ_properly(one.qualifiers, other.qualifiers)
        or not _are_alike(one.words, other.words)
    ):
        return False
    places = [(place, other.places.get(name)) for name, place in one.places.items()]
    if any("from" in pair and _lie_apart(*pair) for pair in places):
        return False  # the flight to Rome, and the one from there
    dates = _contradict(one.dates, other.dates)
    numbers = _differ_properly(one.numbers, other.numbers)
    say_something = one.says_something and other.says_something
    if one.names != other.names:
        return (
            say_something
            and _is_one_other_name(one, other)
            and not (one.holds_of_many or other.holds_of_many or numbers or dates)
            and one.is_negated == other.is_negated is False
            and is_english(one.sentence)
            and is_english(other.sentence)
        )
    if one.is_negated != other.is_negated:
        return say_something and not (numbers or dates)
    return not one.is_negated and _have_other_values(one, other, dates=dates, numbers=numbers)


def _have_other_values(one: Statement, other: Statement, *, dates: bool, numbers: bool) -> bool:
    """Tell whether other dates or numbers than those of a statement cannot be of the same thing as well."""
    if one.is_of_one_of_several or other.is_of_one_of_several:
        return False
    if numbers and dates and "~past" in one.words | other.words:
        return False  # what something was at one time, and at another
    occasions = {one.occasion, other.occasion}
    if numbers and Occasion.HAPPENED not in occasions:
        return True
    return dates and occasions == {Occasion.ONCE}


def _is_one_other_name(one: Statement, other: Statement) -> bool:
    """Tell whether one name replaces another, and neither is a part of the other ("Liz", "Liz Smith").

    Two places can both be correct if one contains the other.
    """
    own, theirs = one.names - other.names, other.names - one.names
    if not len(own) == len(theirs) == 1:
        return False
    (first,), (second,) = own, theirs
    first_words, second_words = {*first.split()}, {*second.split()}
    is_part = first_words <= second_words or second_words <= first_words
    are_places = first in one.places and second in other.places
    if are_places and _lie_apart(one.places[first], other.places[second]):
        return False
    return not (is_part or (are_places and may_be_one_place(first, second)))


def _lie_apart(one: str, other: str | None) -> bool:
    """Tell whether two words before names tell different things: whence and whither, a firm and its town."""
    return other is not None and one != other and ("from" in (one, other) or {one, other} == {"in", "at"})


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    if one == other:
        return True
    return len(one ^ other) == 1 and min(len(one), len(other)) >= _FEWEST_WORDS_FOR_ONE_MORE


def _differ_properly(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether both have values, and each one that the other has not."""
    return bool(one - other) and bool(other - one)


def _contradict(ones: tuple[StatedDate, ...], others: tuple[StatedDate, ...]) -> bool:
    return len(ones) == len(others) and any(
        one.contradicts(other) for one, other in zip(ones, others, strict=True)
    )
