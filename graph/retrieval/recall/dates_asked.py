"""Date that a query names: a month, with a day and a year beside it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graph.memories.deduplication.dates import MONTHS

_MOST_CHARS = 400  # in a longer text a month is seldom what is asked for
_MOST_MONTH = 12
_MOST_DAY = 31
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"((?:19|20)\d\d)"
_NAMED = re.compile(
    rf"(?:\b{_DAY}\s+(?:of\s+)?)?\b({'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?"
    rf"(?:\s+{_DAY}\b(?!\d))?(?:,?\s+(?:of\s+|in\s+)?{_YEAR}\b)?",
    re.IGNORECASE,
)
_NUMBERED = re.compile(
    rf"\b{_YEAR}-(\d\d?)(?:-(\d\d?))?\b|{_YEAR}\s*年\s*(\d\d?)\s*月(?:\s*(\d\d?)\s*[日号號])?"
)
_ANY_YEAR = re.compile(rf"\b{_YEAR}\b")

_ALSO_NO_MONTHS = frozenset({"march", "april", "may", "june", "august"})
_LEADS_TO_MONTH = re.compile(
    r"(?:\b(?:in|of|since|until|till|by|during|before|after|early|mid|late|last|next|this|each|every|through|throughout"
    r"|for|around|between)[ -]|\d(?:st|nd|rd|th)?[ ,.-]{1,2})\Z",
    re.IGNORECASE,
)
_NUMBER_FOLLOWS = re.compile(r"\W{0,3}\d")
_LONGEST_LEAD = 20


@dataclass(frozen=True)
class DateAsked:
    """A month of a query.

    Attributes:
        month: 1 to 12.
        day: 1 to 31; None where only the month is named.
        year: None where none is named.
    """

    month: int
    day: int | None = None
    year: int | None = None


def date_asked(text: str) -> DateAsked | None:
    """Return the first date of a text that has a day, else its first month; None for a text of over 400 characters.

    Without a year beside it, it is of the first that another month has, else of the first in the text.

    >>> date_asked("In June, what happened on May 5?")
    DateAsked(month=5, day=5, year=None)
    """
    found = list(_dates(text)) if len(text) <= _MOST_CHARS else []
    if not found:
        return None
    best = next((each for each in found if each.day is not None), found[0])
    years = [each.year for each in (best, *found) if each.year is not None]
    years += [int(year) for year in _ANY_YEAR.findall(text)]
    return DateAsked(best.month, best.day, years[0] if years else None)


def _dates(text: str) -> Iterator[DateAsked]:
    for match in _NUMBERED.finditer(text):
        year, month, day = match.groups()[:3] if match[1] else match.groups()[3:]
        if 1 <= int(month) <= _MOST_MONTH:
            yield DateAsked(int(month), _day(day), int(year))
    for match in _NAMED.finditer(text):
        if _is_month(text, match):
            before, name, after, year = match.groups()
            yield DateAsked(MONTHS[name.lower()], _day(before) or _day(after), int(year) if year else None)


def _day(digits: str | None) -> int | None:
    return int(digits) if digits and 1 <= int(digits) <= _MOST_DAY else None


def _is_month(text: str, match: re.Match[str]) -> bool:
    """Tell whether a word is a month: an ambiguous or abbreviated one only after a preposition of time."""
    name = match[2].lower()
    if len(name) < len("june") and name != "may":
        return match[1] is not None or match[3] is not None or match[4] is not None
    before = text[max(0, match.start(2) - _LONGEST_LEAD) : match.start(2)]
    return (
        name not in _ALSO_NO_MONTHS
        or _LEADS_TO_MONTH.search(before) is not None
        or _NUMBER_FOLLOWS.match(text, match.end(2)) is not None
    )
