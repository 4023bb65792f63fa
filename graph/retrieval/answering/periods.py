"""Reads the period of a question about the past, and selects the states that were true in it.

"I live in Munich" has no word of "in 2025". It answers the question without the period, if it was true in 2025.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from graph.core.text.language import contains_cjk
from graph.memories.changes.english_dates import TABLE, any_of
from graph.memories.changes.relative_times import made_absolute
from graph.memories.changes.statements import slot_statements
from graph.memories.changes.time_spans import Granularity, Span, day_of, months_of
from graph.memories.deduplication.statements import MONTHS
from graph.retrieval.answering.models import Evidence, SupportingFact
from graph.retrieval.answering.support import Support, best_first, later_states

_SEASONS: Final = TABLE["seasons"]
_CHINESE_SEASONS: Final = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_MONTHS_OF_YEAR = 12
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_ISO = rf"{_YEAR}-(?P<month>\d\d)(?:-(?P<day>\d\d))?"
_NAMED_MONTH = any_of(sorted(MONTHS, key=len, reverse=True))
_NAMED = (
    rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?)?"
    rf"(?:(?P<month>{_NAMED_MONTH})\b\.?(?:\s(?P<later_day>\d{{1,2}})(?:st|nd|rd|th)?)?,?\s(?:of\s)?"
    rf"|(?P<season>{any_of(_SEASONS)})\s(?:of\s)?)?{_YEAR}"
)
_PART = (
    r"(?:(?:start|beginning|middle|end|course|(?:first|second|last) (?:half|months?|part)|year|month)\s"
    r"(?:of\s)?(?:the\s)?)?"
    r"(?:early[ -]|late[ -]|mid[ -]?)?"
)
_PREPOSITION = rf"\b(?:back\s)?(?:in|on|at|during|throughout|around)\s(?:the\s)?{_PART}"
_NO_STREET = r"(?!\s\w+\s(?:street|st|road|rd|avenue|ave|lane|drive|boulevard|court)\b)"
# Before 2020, since 2020, from 2018 to 2020; the decade; a car of 2020.
_OPEN_IN_CHINESE = (
    r"\s?年的?(?:\d{1,2}\s?月份?)?(?:\d{1,2}\s?[日号號])?\s?"
    r"(?:[以之]?前|[以之]?[后後](?!半)|起|到|至|[-—~]|代|款|级|級|届|屆)"
)
_PATTERNS: Final = (
    re.compile(rf"{_PREPOSITION}{_ISO}(?![\d.-])", re.IGNORECASE),
    re.compile(rf"{_PREPOSITION}{_NAMED}(?:/\d\d)?(?![\d.-]){_NO_STREET}", re.IGNORECASE),
    re.compile(
        rf"(?<![从自到至從])在?{_YEAR}(?!{_OPEN_IN_CHINESE})\s?年的?(?:(?P<month>\d{{1,2}})\s?月份?)?(?:(?P<day>\d{{1,2}})\s?[日号號])?"
        "(?:(?P<season>[春夏秋冬])[天季])?(?:年?[初底末中]|上半年|下半年)?(?:的?(?:时候|時候|期间|期間|那时|那時|那年))?[，,]?"
    ),
)


@dataclass(frozen=True)
class AskedPeriod:
    """The days that a question names, both ends included, and the question without them."""

    span: Span
    question: str

    def includes(self, fact: SupportingFact) -> bool:
        """Tell whether a state was true on a day of the period."""
        begins, ends = fact.effective_at, fact.t_invalid
        if begins is None or (fact.replaced_by and ends is None):
            return False
        if (named := _named(fact.text)) and not _is_change(fact.text):  # "I lived in Porto in 2020"
            return named[1].first <= self.span.last and self.span.first <= named[1].last
        return begins < _midnight(self.span.last + timedelta(days=1)) and not self.is_after(ends)

    def is_after(self, end: datetime | None) -> bool:
        """Tell whether a time lies before the period; None is a state that has not ended."""
        return end is not None and end <= _midnight(self.span.first)


def asked_period(question: str, today: date) -> AskedPeriod | None:
    """Return the first period of a question that began before today, or None.

    >>> asked_period("Where did I live in May 2025?", date(2026, 3, 5)).question
    'Where did I live?'
    >>> asked_period("我去年住在哪里", date(2026, 3, 5)).span.first
    datetime.date(2025, 1, 1)
    >>> asked_period("Who won the 2025 regatta?", date(2026, 3, 5)) is None
    True
    """
    absolute = made_absolute(question, today).text
    if (named := _named(absolute)) is None or named[1].first > today:
        return None
    found, span = named
    between = "" if contains_cjk(absolute) else " "
    left = f"{absolute[: found.start()].rstrip()}{between}{absolute[found.end() :].lstrip(' ,')}"
    return AskedPeriod(span, re.sub(r"\s+(?=\W*$)", "", left).strip())


def with_states_of(support: Support, of_states: Support, period: AskedPeriod) -> Support:
    """Put the states that were true in a period before the other support of a question about it.

    Removes states that had ended before the period, unless they name its year.

    Args:
        support: Support of the question.
        of_states: Support of the question without its period.
        period: The period.
    """
    best = {each.fact.id: each for each in reversed(of_states.ranked)}
    states: dict[str, Evidence] = {}
    for each in of_states.supporting:
        later = [best[id_] for id_ in later_states(each.fact, best)]
        for state in (each, *later) if later or _is_state(each.fact) else ():
            if period.includes(state.fact) and state.fact.id not in states:
                is_open = state.fact.validity is None
                fact = state.fact.model_copy(update={"is_new_state": is_open})
                score = max(state.score, each.score)
                states[fact.id] = state.model_copy(update={"fact": fact, "score": score})
    year = str(period.span.first.year)
    others = (
        each
        for each in support.supporting
        if each.fact.id not in states and (year in each.fact.text or not period.is_after(each.fact.t_invalid))
    )
    rest = (each for each in support.ranked if each.fact.id not in states)
    return Support([*best_first(states.values()), *rest], [*best_first(states.values()), *others])


def _named(text: str) -> tuple[re.Match[str], Span] | None:
    """Return the words and the days of the first period that a text names."""
    found = next(filter(None, (pattern.search(text) for pattern in _PATTERNS)), None)
    span = _span_of(found) if found else None
    return (found, span) if found and span else None


def _is_change(text: str) -> bool:
    return any(each.is_change for each in slot_statements(text))


def _is_state(fact: SupportingFact) -> bool:
    """Tell whether a fact has a known validity, or states the value of a slot."""
    is_timed = fact.replaced_by or fact.t_valid or fact.t_invalid
    return bool(is_timed) or any(each.value for each in slot_statements(fact.text))


def _span_of(found: re.Match[str]) -> Span | None:
    groups = found.groupdict()
    year, month, season = int(groups["year"]), groups.get("month"), groups.get("season")
    day = groups.get("day") or groups.get("later_day")
    try:
        if season:
            first, last = _SEASONS[_CHINESE_SEASONS.get(season, season.lower())]
            return months_of(Granularity.SEASON, year, first, last - first + 1)
        if not month:
            return months_of(Granularity.YEAR, year, 1, _MONTHS_OF_YEAR)
        number = int(month) if month.isdigit() else MONTHS[month.lower()]
        if day:
            return day_of(date(year, number, int(day)), 0)
        return months_of(Granularity.MONTH, year, number, 1) if 1 <= number <= _MONTHS_OF_YEAR else None
    except ValueError:
        return None  # no such day


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)
