"""Resolves months, days of the month, seasons and holidays that English texts name without a year."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from graph.memories.changes.english_dates import (
    AHEAD,
    BEGINS,
    ENDS,
    MONTHS,
    NAMED_MONTH,
    NO_DATE,
    NO_TIME,
    OF_A_DAY,
    TABLE,
    WEEK,
    WEEKDAYS,
    Clause,
    Meaning,
    any_of,
    has_happened,
    is_in_past,
    will_happen,
)
from graph.memories.changes.time_spans import Granularity, Span, day_of, month_of, months_of

_RECURRING = frozenset(TABLE["recurring"].split())
_ONCE, _OF_SOMEBODY = frozenset(TABLE["once"].split()), frozenset(TABLE["of_somebody"].split())
_ORDINALS = {word: number for number, word in enumerate(TABLE["ordinals"].split(), 1)}
_HOLIDAYS: Final[Mapping[str, Sequence[int]]] = TABLE["holidays"]
_IS = frozenset("is are it's that's there's".split())
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_FAR = 400  # characters around a month in which its year may stand
_MARCH, _JUNE, _AUGUST, _DECEMBER = 3, 6, 8, 12


def _any_holiday() -> str:
    return "|".join(
        re.escape(name).replace("'", "['\u2019]").replace("\\ ", r"\s+")
        for name in sorted(_HOLIDAYS, key=len, reverse=True)
    )


_BARE_MONTH = (
    rf"{BEGINS}(?P<before>in\s+)(?P<words>(?P<month>{NAMED_MONTH})){ENDS}{NO_DATE}{OF_A_DAY}(?!\s+of\b)"
)
_NTH = r"(?P<date>\d{1,2})(?:st|nd|rd|th)"
_ORDINAL = rf"(?:{_NTH}|(?P<ordinal>{any_of(_ORDINALS)}))"
_SHIFTED_MONTH = rf"(?P<shift>{any_of(TABLE['shifts'])})\s+month"
_DAY_OF_SHIFTED_MONTH = (
    rf"{BEGINS}(?P<words>the\s+(?:{_ORDINAL}|(?P<last>last))(?:\s+(?P<weekday>{any_of(WEEKDAYS)}))?"
    rf"\s+(?:of|in)\s+{_SHIFTED_MONTH}){ENDS}"
)
_DAY_OF_MONTH = (
    rf"{BEGINS}(?P<before>(?:on|by|until|till|since|before|from|to|week(?:end)?\s+of)\s+)(?P<words>the\s+{_NTH}){ENDS}{NO_DATE}{OF_A_DAY}"
    rf"(?!\s+of\b|\s+(?:to|and|or|until)\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)(?!{OF_A_DAY}))"
)
_DATE = (
    rf"{BEGINS}(?P<before>(?:on|by|until|till|since|before|from)\s+)(?P<words>(?:the\s+)?(?:{_ORDINAL}|(?P<number>\d{{1,2}}))"
    rf"\s+(?:of\s+)?(?P<month>{NAMED_MONTH})|(?P<month_before>{NAMED_MONTH})\s+(?P<number_behind>\d{{1,2}})(?:st|nd|rd|th)?"
    rf"(?![\d:]|[./-]\d|\s*[ap]\.?m\b)){ENDS}(?!,?\s+(?:of\s+)?\d{{4}})"
)
_MONTH_AT = (
    rf"{BEGINS}(?:(?P<within>(?:early|late|mid)[-\s]+)"
    rf"|(?P<part_of>(?:start|beginning|middle|end|half|week|weekend|days|part)\s+of\s+)"
    rf"|(?P<before>(?:since|from|until|till|by)\s+))(?P<words>(?P<month>{NAMED_MONTH})){ENDS}{NO_DATE}{OF_A_DAY}"
)
_MONTH_OF_YEAR = (
    rf"{BEGINS}(?:in|since|from|until|till|by|of|early|late|before|after)\s+(?P<words>(?P<month>{NAMED_MONTH})"
    rf"(?:\s+of)?\s+(?P<shift>{any_of(TABLE['shifts'])})\s+year){ENDS}"
)
_SEASON = (
    rf"{BEGINS}(?P<before>(?:in|since|over|during|until|till|by)\s+)(?P<words>(?:the\s+)?(?P<season>{any_of(TABLE['seasons'])}))"
    rf"{ENDS}{NO_DATE}{OF_A_DAY}(?!\s+(?:of|in)\b)"
)
_NAMED_QUARTER = (
    rf"{BEGINS}(?P<before>(?:in|by|during|since|until|till|for|from)\s+)(?P<words>Q(?P<quarter>[1-4]))"
    rf"{ENDS}{NO_DATE}(?!\s+of\b|\s+FY)"
)
_HOLIDAY = (
    rf"{BEGINS}(?P<before>(?:at|on|over|since|before|after|until|till|by|around|for)\s+)?"
    rf"(?P<words>(?:(?P<shift>{any_of(TABLE['shifts'])})\s+)?(?P<holiday>{_any_holiday()})"
    rf"(?:\s+(?P<year>{any_of(TABLE['shifts'])})\s+year)?){ENDS}{NO_DATE}{OF_A_DAY}"
)


def _of_bare_month(found: re.Match[str], clause: Clause) -> Span | None:
    """Return the last or next month of that name, by the tense; skip a birthday "in May", which recurs."""
    sign = _sign_of_tense(clause)
    return (
        NO_TIME
        if not sign or _YEAR.search(found.string)
        else _nearest_month(found["month"], clause.stated_on, sign)
    )


def _of_month_at(found: re.Match[str], clause: Clause) -> Span | None:
    """Return the month of "mid-March", "the end of May" and "since April"."""
    sign = _sign_of_tense(clause)
    before = (found["before"] or "").strip().lower()
    if before == "since":
        sign = -1
    elif before in ("from", "by", "until", "till"):
        sign = 0 if is_in_past(clause) else 1
    elif found["within"] and not sign and not AHEAD.isdisjoint(clause.words):
        sign = 1
    if not sign or _YEAR.search(clause.clause):
        return NO_TIME
    is_this = sign > 0 and not before and MONTHS.index(found["month"]) + 1 == clause.stated_on.month
    return (
        month_of(clause.stated_on, 0) if is_this else _nearest_month(found["month"], clause.stated_on, sign)
    )


def _nearest_month(name: str, stated_on: date, sign: int) -> Span | None:
    """Return the last or next month of a name; None for the current month, which may mean this year's or another."""
    month = MONTHS.index(name) + 1
    if month == stated_on.month:
        return None
    return months_of(
        Granularity.MONTH, stated_on.year + (sign if (month - stated_on.month) * sign < 0 else 0), month, 1
    )


def _of_month_of_year(found: re.Match[str], clause: Clause) -> Span | None:
    year = clause.stated_on.year + TABLE["shifts"][found["shift"].lower()]
    return months_of(Granularity.MONTH, year, MONTHS.index(found["month"]) + 1, 1)


def _of_day_of_shifted_month(found: re.Match[str], clause: Clause) -> Span | None:
    """Return the day of "the 3rd of this month" and "the first Monday of next month"."""
    month = month_of(clause.stated_on, TABLE["shifts"][found["shift"].lower()])
    count = _nth(found)
    if not found["weekday"]:
        return day_of(month.last if found["last"] else month.first.replace(day=count), 0)
    if found["last"]:
        return day_of(month.last, -((month.last.weekday() - WEEKDAYS.index(found["weekday"].lower())) % WEEK))
    day = _nth_weekday(month.first, WEEKDAYS.index(found["weekday"].lower()), count)
    return day_of(day, 0) if day <= month.last else NO_TIME


def _nth(found: re.Match[str]) -> int:
    return (
        int(found["date"])
        if found["date"]
        else _ORDINALS[found["ordinal"].lower()]
        if found["ordinal"]
        else 0
    )


def _nth_weekday(first: date, weekday: int, count: int) -> date:
    return first + timedelta(days=(weekday - first.weekday()) % WEEK + WEEK * (count - 1))


def _of_day_of_month(found: re.Match[str], clause: Clause) -> Span | None:
    """Return the last or next 15th, by the tense; "is on the 15th" means the next."""
    before = found["before"].strip().lower()
    is_to_come = before != "since" and not is_in_past(clause) and not AHEAD.isdisjoint(clause.words)
    sign = -1 if before == "since" else _sign_of_tense(clause) or int(is_to_come)
    if not sign or _is_recurring(clause):
        return None
    for shift in (0, sign, 2 * sign):
        month = month_of(clause.stated_on, shift)
        if int(found["date"]) <= month.last.day:
            day = month.first.replace(day=int(found["date"]))
            if (day - clause.stated_on).days * sign >= 0:
                return day_of(day, 0)
    return None


def _of_date(found: re.Match[str], clause: Clause) -> Span | None:
    """Return the day of a date without a year, by the tense; skip "is on May 3", which may recur every year."""
    if _YEAR.search(clause.clause) or _is_recurring(clause):
        return NO_TIME
    month = MONTHS.index(found["month"] or found["month_before"]) + 1
    day = int(found["number"] or found["number_behind"] or 0) or _nth(found)
    before = found["before"].strip().lower()
    sign = -1 if before == "since" else _sign_of_tense(clause)
    return _nearest_of_years(lambda year: date(year, month, day), clause.stated_on, sign) if sign else NO_TIME


def _nearest_of_years(day_in: Callable[[int], date], stated_on: date, sign: int) -> Span:
    """Return the last or next occurrence of an annual day."""
    of_year = day_in(stated_on.year)
    return day_of(of_year if (of_year - stated_on).days * sign >= 0 else day_in(stated_on.year + sign), 0)


def of_named_months(found: re.Match[str], stated_on: date, shift: int) -> Span | None:
    """Return the month or season if it is unambiguous: "last May" is ambiguous after May of the current year."""
    if found["season"]:
        return _of_shifted_season(found["season"].lower(), stated_on, shift)
    month = MONTHS.index(found["month"]) + 1
    if (shift > 0 and month > stated_on.month) or (shift < 0 and month < stated_on.month):
        return None
    return months_of(Granularity.MONTH, stated_on.year + shift, month, 1)


def _of_shifted_season(season: str, stated_on: date, shift: int) -> Span | None:
    """Return the season if it is unambiguous; the year of a winter is the one in which it begins."""
    first, last = TABLE["seasons"][season]
    if last > _DECEMBER:
        months = {1: range(_MARCH, _AUGUST + 1), 0: range(_JUNE, _DECEMBER), -1: range(_MARCH, _DECEMBER)}
        is_certain = stated_on.month in months[shift]
        return _season(stated_on.year - (shift < 0), season) if is_certain else None
    if (shift > 0 and last > stated_on.month) or (shift < 0 and first < stated_on.month):
        return None
    return _season(stated_on.year + shift, season)


def _season(year: int, season: str) -> Span:
    first, last = TABLE["seasons"][season]
    return months_of(Granularity.SEASON, year, first, last - first + 1)


def _of_season(found: re.Match[str], clause: Clause) -> Span | None:
    """Return the last or next season; None during that season, because the text may mean this one or another."""
    season, before = found["season"].lower(), found["before"].strip().lower()
    sign = -1 if before == "since" else _sign_of_tense(clause)
    is_any = sign < 0 and before == "in" and found["words"].lower() == season  # "closed in winter": each one
    if not sign or is_any or _YEAR.search(clause.clause):
        return NO_TIME
    if (season == "fall" and sign < 0) or (clause.stated_on.month - _DECEMBER) % 12 + _DECEMBER in range(
        TABLE["seasons"][season][0], TABLE["seasons"][season][1] + 1
    ):
        return None
    spans = [_season(clause.stated_on.year + shift, season) for shift in (-1, 0, 1)]
    return (
        next(span for span in reversed(spans) if span.last < clause.stated_on)
        if sign < 0
        else next(span for span in spans if span.first > clause.stated_on)
    )


def _of_named_quarter(found: re.Match[str], clause: Clause) -> Span | None:
    """Return a quarter such as Q3 of the year that the tense implies; in the present tense, this year's unless over."""
    before, sign = found["before"].strip().lower(), _sign_of_tense(clause)
    if _YEAR.search(clause.clause):
        return NO_TIME
    span = months_of(Granularity.QUARTER, clause.stated_on.year, 3 * int(found["quarter"]) - 2, 3)
    if (sign < 0 or before == "since") and span.first > clause.stated_on:
        return months_of(Granularity.QUARTER, clause.stated_on.year - 1, span.first.month, 3)
    if sign < 0 or before == "since" or span.last >= clause.stated_on:
        return span
    return (
        months_of(Granularity.QUARTER, clause.stated_on.year + 1, span.first.month, 3) if sign > 0 else None
    )


def _of_holiday(found: re.Match[str], clause: Clause) -> Span | None:
    """Return the last or next holiday, by the words before it and the tense."""
    if not (found["before"] or found["shift"] or found["year"]):
        return NO_TIME
    name = found["holiday"].lower().replace("\u2019", "'")
    before = (found["before"] or "").strip().lower()

    def day_in(year: int) -> date:
        return _holiday_of(_HOLIDAYS[" ".join(name.split())], year)

    if found["year"]:
        return day_of(day_in(clause.stated_on.year + TABLE["shifts"][found["year"].lower()]), 0)
    if found["shift"]:
        shift = TABLE["shifts"][found["shift"].lower()]
        is_over = day_in(clause.stated_on.year) < clause.stated_on
        is_in_doubt = is_over if shift == 0 else shift > 0 and not is_over
        return None if is_in_doubt else _nearest_of_years(day_in, clause.stated_on, shift or 1)
    sign = -1 if before == "since" else _sign_of_tense(clause)
    if not sign and not is_in_past(clause):
        is_one = before in ("before", "until", "till", "by") or not _IS.isdisjoint(clause.words)
        sign = int(is_one and _RECURRING.isdisjoint(clause.words))
    return _nearest_of_years(day_in, clause.stated_on, sign) if sign else NO_TIME


def _holiday_of(rule: Sequence[int], year: int) -> date:
    """Return the day of a holiday: days from Easter, month and day, or the nth weekday of a month and days from it."""
    if len(rule) == 1:
        return _easter(year) + timedelta(days=rule[0])
    if len(rule) == 2:  # noqa: PLR2004
        return date(year, rule[0], rule[1])
    return _nth_weekday(date(year, rule[0], 1), rule[1], rule[2]) + timedelta(days=sum(rule[3:]))


def _easter(year: int) -> date:
    """Return Easter Sunday of the Gregorian calendar, by the anonymous algorithm."""
    a, (b, c) = year % 19, divmod(year, 100)
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


def _is_recurring(clause: Clause) -> bool:
    """Tell whether a clause is about a recurring day, such as a birthday, and not about one event."""
    return not _RECURRING.isdisjoint(clause.words) and ("born" in clause.words or not has_happened(clause))


def _sign_of_tense(clause: Clause) -> int:
    """Return -1 for a clause about the past alone, 1 for one about the future, else 0."""
    if has_happened(clause):
        return -1
    is_past = is_in_past(clause)
    is_of_somebody = not _ONCE.isdisjoint(clause.words) and not _OF_SOMEBODY.isdisjoint(clause.words)
    return int(
        will_happen(clause) or (not is_past and is_of_somebody and _RECURRING.isdisjoint(clause.words))
    )


_IN_MONTHS: Final = " ".join(MONTHS).lower()
OF_NAMES: Final = (_of_holiday, _of_named_quarter)
"""Resolvers of times that are spelled with a capital."""
OF_HABITS: Final = (
    _of_bare_month, _of_day_of_month, _of_date, _of_month_at, _of_season, _of_named_quarter, _of_holiday,
)  # fmt: skip
"""Resolvers of times that do not mean one date in a clause about a habit."""
CALENDAR_PATTERNS: Final[Sequence[tuple[str, Meaning, str]]] = (
    (_BARE_MONTH, _of_bare_month, _IN_MONTHS),
    (_DAY_OF_SHIFTED_MONTH, _of_day_of_shifted_month, "month"),
    (_DAY_OF_MONTH, _of_day_of_month, "st nd rd th"),
    (_DATE, _of_date, _IN_MONTHS),
    (_MONTH_AT, _of_month_at, _IN_MONTHS),
    (_MONTH_OF_YEAR, _of_month_of_year, "year"),
    (_SEASON, _of_season, " ".join(TABLE["seasons"])),
    (_NAMED_QUARTER, _of_named_quarter, "q1 q2 q3 q4"),
    (_HOLIDAY, _of_holiday, " ".join(_HOLIDAYS)),
)
"""Each pattern, its resolver, and substrings; a text without any of these has no match."""
