"""Calendar spans of relative times: days, weeks, months, quarters and years."""

from calendar import month_name, monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

_WEEK = 7
_MONTHS_OF_QUARTER = 3
_MONTHS_OF_YEAR = 12


class Granularity(StrEnum):
    """Granularity of a relative time."""

    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    SEASON = "season"
    YEAR = "year"


@dataclass(frozen=True)
class Span:
    """The days of a relative time, both ends included."""

    granularity: Granularity
    first: date
    last: date

    def is_named_in(self, text: str) -> bool:
        """Tell whether a text names the span as a date: 2026-02, February 2026, 2026年2月 or 5 February 2026."""
        first = self.first
        month = month_name[first.month]
        names = {
            Granularity.DAY: (
                f"{first}",
                f"{first.day} {month} {first.year}",
                f"{month} {first.day}, {first.year}",
                f"{first.year}年{first.month}月{first.day}日",
            ),
            Granularity.MONTH: (
                f"{first:%Y-%m}",
                f"{month} {first.year}",
                f"{first.year}年{first.month}月",
            ),
            Granularity.QUARTER: (f"Q{quarter_number(self)} {first.year}",),
            Granularity.YEAR: (f"{first.year}",),
        }.get(self.granularity, (f"{first}",))
        return any(name in text for name in names)


def day_of(stated_on: date, shift: int) -> Span:
    """Return the day ``shift`` days later."""
    day = stated_on + timedelta(days=shift)
    return Span(Granularity.DAY, day, day)


def weekday_of(stated_on: date, weekday: int, weeks: int) -> Span:
    """Return a weekday, 0 for Monday, of the week ``weeks`` weeks later."""
    return day_of(stated_on, weekday - stated_on.weekday() + weeks * _WEEK)


def week_of(stated_on: date, shift: int) -> Span:
    """Return the week, Monday to Sunday, ``shift`` weeks later."""
    monday = stated_on + timedelta(days=shift * _WEEK - stated_on.weekday())
    return Span(Granularity.WEEK, monday, monday + timedelta(days=_WEEK - 1))


def weekend_of(stated_on: date, shift: int) -> Span:
    """Return Saturday and Sunday of the week ``shift`` weeks later."""
    sunday = week_of(stated_on, shift).last
    return Span(Granularity.WEEKEND, sunday - timedelta(days=1), sunday)


def month_of(stated_on: date, shift: int) -> Span:
    """Return the month ``shift`` months later."""
    return months_of(Granularity.MONTH, stated_on.year, stated_on.month + shift, 1)


def quarter_of(stated_on: date, shift: int) -> Span:
    """Return the calendar quarter ``shift`` quarters later."""
    quarter = (stated_on.month - 1) // _MONTHS_OF_QUARTER + shift
    return months_of(
        Granularity.QUARTER, stated_on.year, quarter * _MONTHS_OF_QUARTER + 1, _MONTHS_OF_QUARTER
    )


def year_of(stated_on: date, shift: int) -> Span:
    """Return the year ``shift`` years later."""
    return months_of(Granularity.YEAR, stated_on.year + shift, 1, _MONTHS_OF_YEAR)


def months_of(granularity: Granularity, year: int, month: int, count: int) -> Span:
    """Return a span of ``count`` months from a given one; a month outside 1 to 12 belongs to another year.

    Raises:
        ValueError: The year is outside 1 to 9999.
    """
    first, last = _month(year, month), _month(year, month + count - 1)
    return Span(granularity, first, last.replace(day=monthrange(last.year, last.month)[1]))


def _month(year: int, month: int) -> date:
    years, place = divmod(month - 1, _MONTHS_OF_YEAR)
    return date(year + years, place + 1, 1)


def quarter_number(span: Span) -> int:
    """Return the number of the quarter in which a span begins, from 1."""
    return (span.first.month - 1) // _MONTHS_OF_QUARTER + 1


@dataclass(frozen=True)
class RelativeTime:
    """A relative time in a text.

    Attributes:
        start: Index of the first character that ``text`` replaces.
        end: Index after the last replaced character.
        words: Words of the time.
        span: Days of the time; None if ambiguous, such as "recently".
        text: Replacement with a date; the words themselves if there is no span.
    """

    start: int
    end: int
    words: str
    span: Span | None
    text: str
