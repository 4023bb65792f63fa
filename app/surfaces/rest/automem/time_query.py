"""The spans of time that AutoMem's clients name in words, such as ``last week``; all in UTC."""

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final

from graph.core.errors import InvalidInput

Span = tuple[datetime, datetime]

_DAY: Final = timedelta(days=1)
_WEEK: Final = timedelta(days=7)
_MOST_UNITS: Final = 10_000
_UNITS: Final[Mapping[str, timedelta]] = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": _DAY,
    "week": _WEEK,
    "month": timedelta(days=30),
    "year": timedelta(days=365),
}
_LAST_UNITS: Final = re.compile(rf"(?:the )?(?:last|past) (\d{{1,5}}) ({'|'.join(_UNITS)})s?")
SPAN_PATTERN: Final = (
    "^(today|yesterday|(this|last|past) (week|month|year)"
    f"|(the )?(last|past) [1-9][0-9]{{0,3}} ({'|'.join(each for each in _UNITS if each != 'year')})s?"
    "|(the )?(last|past) [1-9][0-9]{0,2} years?)$"
)
"""Usual form of a span, for the OpenAPI document; :func:`span_of` accepts other case and spaces too."""
_EXPECTED: Final = (
    "time_query must be 'today', 'yesterday', 'this' or 'last' with 'week', 'month' or 'year', or 'last N' with "
    "'minutes', 'hours', 'days', 'weeks', 'months' or 'years'"
)


def span_of(text: str, now: datetime) -> Span:
    """Return the first moment of a span and the one after its last.

    A last week is the one from Monday to Sunday before this one, as a last month and a last year are those of the
    calendar; the last N of something end now, with months of 30 days and years of 365.

    >>> from datetime import UTC
    >>> [moment.isoformat() for moment in span_of("yesterday", datetime(2026, 3, 4, 5, tzinfo=UTC))]
    ['2026-03-03T00:00:00+00:00', '2026-03-04T00:00:00+00:00']

    Raises:
        InvalidInput: The words name no span that is known.
    """
    words = " ".join(text.lower().split()).replace("past ", "last ", 1)
    if named := _NAMED.get(words):
        return named(now)
    found = _LAST_UNITS.fullmatch(words)
    if found is None or not 1 <= int(found[1]) <= _MOST_UNITS:
        raise InvalidInput("time_query", f"{_EXPECTED}; got {text[:60]!r}")
    try:
        return now - int(found[1]) * _UNITS[found[2]], now
    except OverflowError:
        raise InvalidInput("time_query", f"time_query begins before the year 1; got {text[:60]!r}") from None


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _month(moment: datetime) -> datetime:
    return _midnight(moment).replace(day=1)


def _year(moment: datetime) -> datetime:
    return _month(moment).replace(month=1)


def _week(moment: datetime) -> datetime:
    return _midnight(moment) - moment.weekday() * _DAY


_NAMED: Final[Mapping[str, Callable[[datetime], Span]]] = {
    "today": lambda now: (_midnight(now), _midnight(now) + _DAY),
    "yesterday": lambda now: (_midnight(now) - _DAY, _midnight(now)),
    "this week": lambda now: (_week(now), _week(now) + _WEEK),
    "last week": lambda now: (_week(now) - _WEEK, _week(now)),
    "this month": lambda now: (_month(now), _month(_month(now) + 32 * _DAY)),
    "last month": lambda now: (_month(_month(now) - _DAY), _month(now)),
    "this year": lambda now: (_year(now), _year(_year(now) + 367 * _DAY)),
    "last year": lambda now: (_year(_year(now) - _DAY), _year(now)),
}
