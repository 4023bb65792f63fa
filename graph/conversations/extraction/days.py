"""Dates for the relative times of facts: "tomorrow" in a message of 2026-03-04 is 2026-03-05."""

from dataclasses import replace
from datetime import date

from graph.conversations.extraction.facts import Category, Fact, Subject, fact_key, statement_of
from graph.core.text.language import contains_cjk
from graph.memories.changes.relative_times import made_absolute

# What is done each time is of no day, nor is what somebody likes or asks for.
_LASTING = frozenset({Category.PATTERN, Category.PREFERENCE})


def on_its_day(fact: Fact, day: date) -> Fact:
    """Return a fact with dates for its relative times, in its key as well.

    Of a time in doubt only the key has the day of the message. Habits and likes stay as they are.

    >>> on_its_day(statement_of(Category.PLAN, "The user's flight is tomorrow at 6"), date(2026, 3, 4)).content
    "The user's flight is on 2026-03-05 at 6"
    """
    is_lasting = fact.category in _LASTING or fact.subject is Subject.ASSISTANT or fact.is_standing
    absolute = made_absolute(fact.content, day)
    if is_lasting or not absolute.times:
        return fact
    if fact.object is None:
        key = statement_of(fact.category, _of_its_day(absolute.text, day)).key
        return replace(fact, content=absolute.text, key=key, times=absolute.times)
    about = made_absolute(fact.object, day).text
    key = fact_key(fact.category, _of_its_day(about, day))
    return replace(fact, content=absolute.text, object=about, key=key, times=absolute.times)


def _of_its_day(text: str, day: date) -> str:
    """Return a text for the key, which tells an occasion from the next one in the same words."""
    if all(time.span for time in made_absolute(text, day).times):
        return text
    return f"{text}\uff08{day}说\uff09" if contains_cjk(text) else f"{text} (said on {day})"
