"""Relative times in English texts."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from graph.memories.changes.english_dates import (
    MONTHS,
    PAST,
    SENTENCE_START,
    TABLE,
    WINDOW,
    WORD,
    any_of,
    is_past_form,
    written,
)
from graph.memories.changes.time_spans import (
    Granularity,
    RelativeTime,
    Span,
    day_of,
    month_of,
    months_of,
    quarter_of,
    week_of,
    weekday_of,
    weekend_of,
    year_of,
)

_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_SHIFTED = {
    "week": week_of, "weekend": weekend_of, "month": month_of, "quarter": quarter_of, "year": year_of,
}  # fmt: skip
_AHEAD, _HOW_LONG = frozenset(TABLE["ahead"].split()), frozenset(TABLE["how_long"].split())
_HABITUAL = frozenset(TABLE["habitual"].split())
_NUMBERS = {word: number for number, word in enumerate(TABLE["numbers"].split())}
_BEGINS = r"(?<![\w/=@#$-])(?<!\w[.'\u2019])"
_ENDS = r"(?![\w/=@(]|-\w)"
_OF_SEVERAL = re.compile(rf"\b(?:{any_of(TABLE['of_several'])})\s$", re.IGNORECASE)
_OWNER = re.compile(
    r"(?:(?<!\bit)(?<!\bthat)(?<!\bhe)(?<!\bshe)(?<!\bthere)(?<!\bwhat)['\u2019]s|(?P<verb>[a-z]+\s+|^\s*)her)\s$",
    re.IGNORECASE,
)
_OWNER_CHARS = 20
_NAMED_MONTH = f"(?-i:{any_of(MONTHS)})"
_UNIT = f"(?P<unit>{any_of(TABLE['units'])})s?"
_COUNT = rf"(?P<count>an?|{any_of(_NUMBERS)}|\d{{1,4}})(?P<half>\s+and\s+a\s+half)?"
_PARTS = any_of(TABLE["day_parts"])
_DAY = (
    rf"{_BEGINS}(?P<words>(?P<far>the\s+day\s+(?:after|before)\s+)?(?P<day>{any_of(TABLE['days'])})"
    rf"(?:\s+(?P<part>{_PARTS}))?|(?P<tonight>tonight)"
    rf"|(?P<last_night>last\s+night)(?!\s+shift)|this\s+(?P<this>morning|afternoon|evening)){_ENDS}"
)
_SHIFTED_UNIT = (
    rf"{_BEGINS}(?P<words>(?P<shift>{any_of(TABLE['shifts'])})\s+(?:(?P<near>past|coming)\s+)?"
    rf"(?:(?P<unit>{any_of(_SHIFTED)})|(?P<weekday>{any_of(_WEEKDAYS)})|(?P<month>{_NAMED_MONTH})"
    rf"|(?P<season>{any_of(TABLE['seasons'])}))(?P<open>\s+and\s+a\s+half|\s+or\s+(?:so|two))?){_ENDS}(?!\s+of\b)"
)
_FAR_UNIT = (
    rf"{_BEGINS}(?P<words>the\s+(?P<unit>{any_of(_SHIFTED)})\s+(?P<far>before\s+last|after\s+next))"
    rf"{_ENDS}"
)
_WEEKDAY_OF_WEEK = (
    rf"{_BEGINS}(?P<words>(?P<weekday>{any_of(_WEEKDAYS)})\s+(?:of\s+)?"
    rf"(?P<shift>{any_of(TABLE['shifts'])})\s+week){_ENDS}"
)
_AGO = (
    rf"{_BEGINS}(?P<words>(?P<open>(?:{TABLE['open_ended']})\s+)?(?:(?P<half_of>half\s+an?)|{_COUNT}"
    rf"|(?P<vague>{TABLE['vague']}))\s+{_UNIT}(?P<and_half>\s+and\s+a\s+half)?\s+(?:ago|back(?=\s*(?:[.,;!?)]|$)))"
    rf"(?P<today>\s+today)?){_ENDS}"
)
_IN = (
    rf"{_BEGINS}(?P<words>in\s+(?:(?:about|around|roughly)\s+)?(?:(?P<half_of>half\s+an?)|{_COUNT}|(?P<vague>{TABLE['vague']}))"
    rf"\s+{_UNIT}(?P<and_half>\s+and\s+a\s+half)?(?:['\u2019]?s?['\u2019]?\s+time)?){_ENDS}(?!\s+(?:of|flat|total|or)\b|['\u2019])"
)
_FROM_NOW = (
    rf"{_BEGINS}(?P<words>(?:(?P<half_of>half\s+an?)|{_COUNT}|(?P<vague>{TABLE['vague']}))\s+{_UNIT}"
    rf"(?P<and_half>\s+and\s+a\s+half)?\s+from\s+(?:now|today)){_ENDS}"
)
_OF_A_DAY = rf"(?=\s*(?:$|[.,;:!?)\u2026]|(?:at\s+\d|{TABLE['follows']})\b|{_PARTS}\b(?!s)))"
_NO_DATE = (
    rf"(?!['\u2019]|\s+(?:{_PARTS})s\b|,?\s+(?:the\s+)?(?:\d{{1,2}}(?![\d:]|\s*[ap]\.?m\b)|\d{{4}})"
    rf"|,?\s+{_NAMED_MONTH}\b)"
)
_BARE_WEEKDAY = (
    rf"{_BEGINS}(?P<before>(?:on|by|until|till|since|before)\s+)(?P<words>(?P<weekday>{any_of(_WEEKDAYS)}))"
    rf"{_ENDS}{_NO_DATE}"
)
_BARE_MONTH = (
    rf"{_BEGINS}(?P<before>in\s+)(?P<words>(?P<month>{_NAMED_MONTH})){_ENDS}{_NO_DATE}{_OF_A_DAY}(?!\s+of\b)"
)
_SPAN = (
    rf"{_BEGINS}(?P<words>(?:in|over|for|during|within|throughout|of)\s+(?:the|these)\s+(?:last|past|next|coming)\s+"
    rf"(?:(?:{any_of(_NUMBERS)}|\d{{1,4}}|few|couple\s+of|{TABLE['vague']})\s+)?(?:{any_of(TABLE['units'])}|quarter)s?){_ENDS}(?!\s+of\b)"
)
_INDEFINITE = rf"{_BEGINS}(?P<words>{TABLE['indefinite']}){_ENDS}"
_ONE_DAY = re.compile(_OF_A_DAY, re.IGNORECASE)
_CLAUSE_ENDS = re.compile(r"[.!?;:,\n]|\b(?:and|but|because|so|while|although|though|then)\b", re.IGNORECASE)
_QUOTES = frozenset("\"'`\u2018\u2019\u201c\u201d*_")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_UNDER_WAY = re.compile(r"\b(?:am|is|are)\s+\w+ing\b|\w['\u2019](?:m|re)\s+\w+ing\b")
_INFINITIVE = re.compile(r"\bto\s+[a-z]")
_FUTURE = frozenset(
    "will won't shall going gonna gets i'll we'll you'll he'll she'll it'll they'll that'll".split()
)
_COUNTED = frozenset("once twice times time days hours minutes weeks months seconds much many".split())


@dataclass(frozen=True)
class _Clause:
    """The clause around a relative time, its words in lower case, and the day of the text."""

    clause: str
    words: frozenset[str]
    said: date


def english_times(text: str, said: date) -> Iterator[RelativeTime]:
    """Yield the relative times of a text, in any order; some may overlap."""
    lowered = text.lower()
    for pattern, meaning, hints in _PATTERNS:
        if not any(hint in lowered for hint in hints):
            continue
        for found in pattern.finditer(text):
            if (time := _time_of(text, found, meaning, said)) is not None:
                yield time


def _time_of(text: str, found: re.Match[str], meaning: "_Meaning", said: date) -> RelativeTime | None:
    start = found.start("words")
    before = text[max(0, start - _OWNER_CHARS) : start]
    if (meaning in _OF_ONE and _is_of_several(before, found)) or _is_name(text, found):
        return None
    clause = _clause_around(text, start, found.end())
    told = _Clause(clause, frozenset(WORD.findall(clause.replace("\u2019", "'").lower())), said)
    is_habitual = not _HABITUAL.isdisjoint(told.words)
    try:
        span = meaning(found, told)
    except (OverflowError, ValueError):  # before the year 1, or behind the year 9999
        span = None
    if span is _NONE or (is_habitual and meaning in _OF_HABITS):
        return None
    if span is None or is_habitual:
        return RelativeTime(start, found.end("words"), found["words"], None, found["words"])
    return written(text, found, span)


_NONE: Final = Span(Granularity.DAY, date.max, date.max)
"""Result for words that only look like a relative time."""


def _of_day(found: re.Match[str], told: _Clause) -> Span | None:
    if found["last_night"]:
        return day_of(told.said, -1)
    if found["this"] or found["tonight"]:
        return day_of(told.said, 0)
    shift = TABLE["days"][found["day"].lower()]
    if found["far"]:
        if ("after" in found["far"].lower()) is not (shift == 1) or shift == 0:
            return _NONE
        shift *= 2
    return day_of(told.said, shift)


def _of_unit(found: re.Match[str], told: _Clause) -> Span | None:
    shift = TABLE["shifts"][found["shift"].lower()]
    if found["near"]:
        return _nearest(found, told.said) if shift == 0 else _NONE
    if found["open"]:
        return None
    if found["weekday"]:
        return _of_shifted_weekday(found["weekday"], told.said, shift)
    if found["unit"]:
        unit = found["unit"].lower()
        is_weekend = told.said.weekday() > _WEEKDAYS.index("friday")
        is_in_doubt = unit == "weekend" and (shift == 1 or (shift == -1 and is_weekend))
        return None if is_in_doubt else _SHIFTED[unit](told.said, shift)
    return _of_named_months(found, told.said, shift)


def _of_named_months(found: re.Match[str], said: date, shift: int) -> Span | None:
    """Return the month or season where all read it alike: "last May" is in doubt once May of this year has been."""
    months = (
        [MONTHS.index(found["month"]) + 1] * 2
        if found["month"]
        else TABLE["seasons"][found["season"].lower()]
    )
    if not months or (shift > 0 and months[1] > said.month) or (shift < 0 and months[0] < said.month):
        return None
    granularity = Granularity.MONTH if found["month"] else Granularity.SEASON
    return months_of(granularity, said.year + shift, months[0], months[1] - months[0] + 1)


def _nearest(found: re.Match[str], said: date) -> Span | None:
    """Return the day of "this past Friday" and "this coming Friday"."""
    if not found["weekday"]:
        return None
    ahead = (_WEEKDAYS.index(found["weekday"].lower()) - said.weekday()) % 7
    is_past = found["near"].lower() == "past"
    return day_of(said, ahead - 7 if is_past else ahead or 7)


def _of_shifted_weekday(weekday: str, said: date, shift: int) -> Span | None:
    """Return the day where all read it alike: "next Friday" is that of next week and the coming one."""
    place = _WEEKDAYS.index(weekday.lower())
    ahead = place - said.weekday()
    is_certain = {1: ahead <= 0, 0: ahead >= 0, -1: ahead >= 0}[shift]
    return weekday_of(said, place, shift) if is_certain else None


def _of_far_unit(found: re.Match[str], told: _Clause) -> Span | None:
    shift = -2 if "before" in found["far"].lower() else 2
    return _SHIFTED[found["unit"].lower()](told.said, shift)


def _of_week(found: re.Match[str], told: _Clause) -> Span | None:
    place = _WEEKDAYS.index(found["weekday"].lower())
    return weekday_of(told.said, place, TABLE["shifts"][found["shift"].lower()])


def _of_ago(found: re.Match[str], told: _Clause) -> Span | None:
    span = None if found["open"] else _counted(found, told.said, -1)
    if span is None or not found["today"]:
        return span
    return (
        day_of(told.said.replace(year=span.first.year), 0) if span.granularity is Granularity.YEAR else None
    )


def _of_in(found: re.Match[str], told: _Clause) -> Span | None:
    """Resolve "in two months" unless it is a duration."""
    before = WORD.findall(told.clause[: told.clause.lower().rfind(found["words"].lower())].lower())
    is_over = any(map(is_past_form, told.words)) and _FUTURE.isdisjoint(told.words)
    is_duration = (before and before[-1] in _COUNTED) or not _HOW_LONG.isdisjoint(told.words) or is_over
    if is_duration:
        return _NONE
    return None if _AHEAD.isdisjoint(told.words) else _counted(found, told.said, 1)


def _of_from_now(found: re.Match[str], told: _Clause) -> Span | None:
    return _counted(found, told.said, 1)


def _counted(found: re.Match[str], said: date, sign: int) -> Span | None:
    each, granularity = TABLE["units"][found["unit"].lower()]
    if found["vague"] or not granularity:
        return None
    is_half_more = bool(found["half"] or found["and_half"])
    if found["half_of"] or is_half_more:
        if each % 12:
            return None
        count = 0 if found["half_of"] else _number(found["count"])
        return month_of(said, sign * (each * count + each // 2))
    shift = sign * each * _number(found["count"])
    if granularity == Granularity.DAY:
        return day_of(said, shift)
    if granularity == Granularity.WEEK:
        return week_of(said, shift // 7)
    return year_of(said, shift // 12) if granularity != Granularity.MONTH else month_of(said, shift)


def _number(word: str) -> int:
    said = word.lower()
    return int(said) if said.isdecimal() else 1 if said in ("a", "an") else _NUMBERS[said]


def _of_bare_weekday(found: re.Match[str], told: _Clause) -> Span | None:
    """Return the last or the coming day of that name, by the tense of the clause."""
    ahead = (_WEEKDAYS.index(found["weekday"].lower()) - told.said.weekday()) % 7
    before = found["before"].strip().lower()
    if ahead == 0 or not _ONE_DAY.match(found.string, found.end()):
        return None
    if before in ("on", "since") and _has_happened(told):
        return day_of(told.said, ahead - 7)
    return day_of(told.said, ahead) if before != "since" and _will_happen(told) else None


def _of_bare_month(found: re.Match[str], told: _Clause) -> Span | None:
    """Return the last month of that name in a clause about the past; skip a birthday "in May", which recurs."""
    if not _has_happened(told) or _YEAR.search(found.string):
        return _NONE
    month = MONTHS.index(found["month"]) + 1
    if month == told.said.month:
        return None
    return months_of(Granularity.MONTH, told.said.year - (month > told.said.month), month, 1)


def _of_no_day(_found: re.Match[str], _told: _Clause) -> Span | None:
    return None


def _has_happened(told: _Clause) -> bool:
    """Tell whether a clause is about the past alone: "decided to go on Friday" is in doubt."""
    is_else = (
        not _AHEAD.isdisjoint(told.words - PAST)
        or _INFINITIVE.search(told.clause) is not None
        or "would" in told.words
    )
    return any(map(is_past_form, told.words)) and not is_else


def _will_happen(told: _Clause) -> bool:
    is_ahead = not _FUTURE.isdisjoint(told.words)
    is_under_way = _UNDER_WAY.search(told.clause) is not None
    return not any(map(is_past_form, told.words)) and (is_ahead or is_under_way)


_Meaning = Callable[[re.Match[str], _Clause], Span | None]
_PATTERNS: Final[Sequence[tuple[re.Pattern[str], _Meaning, Sequence[str]]]] = [
    (re.compile(pattern, re.IGNORECASE), meaning, hints.split())
    for pattern, meaning, hints in (
        (_DAY, _of_day, "day morrow tmrw night morning afternoon evening"),
        (_SHIFTED_UNIT, _of_unit, "last this next"),
        (_FAR_UNIT, _of_far_unit, "last next"),
        (_WEEKDAY_OF_WEEK, _of_week, "week"),
        (_AGO, _of_ago, "ago back"),
        (_IN, _of_in, "day night week fortnight month year decade hour minute"),
        (_FROM_NOW, _of_from_now, "from"),
        (_BARE_WEEKDAY, _of_bare_weekday, "day"),
        (_BARE_MONTH, _of_bare_month, " ".join(MONTHS).lower()),
        (_SPAN, _of_no_day, "last past next coming"),
        (_INDEFINITE, _of_no_day, "recently lately day ago while time the"),
    )
]
"""Each pattern, its resolver, and substrings; a text without any of these has no match."""
_OF_ONE = (_of_day, _of_unit)
"""Resolvers of times that "the" or "their" before them rules out: their last year at school."""
_OF_HABITS = (_of_day, _of_in, _of_bare_weekday, _of_bare_month, _of_no_day)
"""Resolvers of times that are no dates in a clause about a habit."""


def _is_of_several(before: str, found: re.Match[str]) -> bool:
    """Tell whether a determiner or an owner makes a time the last of several: "her last year at school"."""
    if _OF_SEVERAL.search(before):
        return True
    owner = _OWNER.search(before) if found["words"].lower().startswith("last") else None
    verb = ((owner and owner["verb"]) or "").strip().lower()
    return owner is not None and not (is_past_form(verb))


def _is_name(text: str, found: re.Match[str]) -> bool:
    """Tell whether capitals or quotation marks make a name of words: the song "Yesterday", This Week in Rust."""
    start, end = found.span("words")
    is_quoted = text[max(0, start - 1) : start] in _QUOTES and text[end : end + 1] in _QUOTES
    if start > 0 and is_quoted:
        return True
    words = [word for word in text[start:end].split() if word not in MONTHS and word.lower() not in _WEEKDAYS]
    if text[start:end].isupper():
        return False
    if any(word[0].isupper() for word in words[1:]):
        return True
    if not words or not words[0][0].isupper():
        return False
    return SENTENCE_START.search(text[max(0, start - WINDOW) : start]) is None


def _clause_around(text: str, start: int, end: int) -> str:
    """Return the clause around a time; for a time in front of a comma, the clause after the comma."""
    before = text[max(0, start - WINDOW) : start]
    begin = max((each.end() for each in _CLAUSE_ENDS.finditer(before)), default=0)
    after = text[end : end + WINDOW]
    skipped = len(after) - len(after.lstrip(" ,")) if not before[begin:].strip(" \"'on") else 0
    stop = _CLAUSE_ENDS.search(after, skipped)
    return f"{before[begin:]}{text[start:end]}{after[: stop.start()] if stop else after}"
