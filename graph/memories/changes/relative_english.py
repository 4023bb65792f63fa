"""Relative times in English texts."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

from graph.memories.changes.english_calendar import CALENDAR_PATTERNS, OF_HABITS, OF_NAMES, of_named_months
from graph.memories.changes.english_dates import (
    AHEAD,
    BEGINS,
    ENDS,
    FUTURE,
    MONTHS,
    NAMED_MONTH,
    NO_DATE,
    NO_TIME,
    OF_A_DAY,
    PARTS,
    SENTENCE_START,
    TABLE,
    WEEK,
    WEEKDAYS,
    WINDOW,
    WORD,
    Clause,
    Meaning,
    any_of,
    has_happened,
    is_in_past,
    is_past_form,
    will_happen,
    written,
)
from graph.memories.changes.time_spans import (
    Granularity,
    RelativeTime,
    Span,
    day_of,
    month_of,
    quarter_of,
    week_of,
    weekday_of,
    weekend_of,
    year_of,
)

_SHIFTED = {
    "week": week_of, "weekend": weekend_of, "month": month_of, "quarter": quarter_of, "year": year_of,
}  # fmt: skip
_HOW_LONG, _HABITUAL = frozenset(TABLE["how_long"].split()), frozenset(TABLE["habitual"].split())
_NUMBERS = {word: number for number, word in enumerate(TABLE["numbers"].split())}
_OF_SEVERAL = re.compile(rf"\b(?:{any_of(TABLE['of_several'])})\s$", re.IGNORECASE)
_OWNER = re.compile(
    r"(?:(?<!\bit)(?<!\bthat)(?<!\bhe)(?<!\bshe)(?<!\bthere)(?<!\bwhat)['\u2019]s|(?P<verb>[a-z]+\s+|^\s*)her)\s$",
    re.IGNORECASE,
)
_OWNER_CHARS = 20
_UNIT = f"(?P<unit>{any_of(TABLE['units'])})s?"
_COUNT = rf"(?P<count>an?|{any_of(_NUMBERS)}|\d{{1,4}})(?P<half>\s+and\s+a\s+half)?"
_VAGUE = (
    rf"{TABLE['vague']}|(?:{any_of(_NUMBERS)}|\d{{1,3}})(?:\s+(?:or|to)\s+|-)(?:{any_of(_NUMBERS)}|\d{{1,3}})"
)
_DAY = (
    rf"{BEGINS}(?P<words>(?P<far>the\s+day\s+(?:after|before)\s+)?(?P<day>{any_of(TABLE['days'])})"
    rf"(?:\s+(?P<part>{PARTS}))?|(?P<tonight>tonight)"
    rf"|(?P<last_night>last\s+night)(?!\s+shift)|this\s+(?P<this>morning|afternoon|evening)){ENDS}"
)
_SHIFTED_UNIT = (
    rf"{BEGINS}(?P<words>(?P<shift>{any_of(TABLE['shifts'])})\s+(?:(?P<near>past|coming)\s+)?"
    rf"(?:(?P<unit>{any_of(_SHIFTED)})|(?P<weekday>{any_of(WEEKDAYS)})|(?P<month>{NAMED_MONTH})"
    rf"|(?P<season>{any_of(TABLE['seasons'])}))(?P<open>\s+and\s+a\s+half|\s+or\s+(?:so|two))?){ENDS}(?!\s+of\b)"
)
_FAR_UNIT = (
    rf"{BEGINS}(?P<words>the\s+(?:(?P<unit>{any_of(_SHIFTED)})|(?P<weekday>{any_of(WEEKDAYS)})|(?P<part>night))"
    rf"\s+(?P<far>before\s+last|after\s+next)){ENDS}"
)
_WEEKDAY_OF_WEEK = (
    rf"{BEGINS}(?P<words>(?P<weekday>{any_of(WEEKDAYS)})\s+(?:of\s+)?"
    rf"(?P<shift>{any_of(TABLE['shifts'])})\s+week){ENDS}"
)
_WEEKDAYS_AGO = (
    rf"{BEGINS}(?P<words>(?P<count>{any_of(_NUMBERS)}|\d{{1,2}})\s+"
    rf"(?:(?P<weekday>{any_of(WEEKDAYS)})|(?:{any_of(TABLE['seasons'])}))s\s+ago){ENDS}"
)
_AGO = (
    rf"{BEGINS}(?P<words>(?P<open>(?:{TABLE['open_ended']})\s+)?(?:(?P<half_of>half\s+an?)|{_COUNT}"
    rf"|(?P<vague>{_VAGUE}))\s+{_UNIT}(?P<and_half>\s+and\s+a\s+half)?\s+(?:ago|back(?=\s*(?:[.,;!?)]|$)))"
    rf"(?P<today>\s+today)?){ENDS}"
)
_IN = (
    rf"{BEGINS}(?P<words>in\s+(?:(?:about|around|roughly|exactly|another)\s+)?(?:(?P<half_of>half\s+an?)|{_COUNT}|(?P<vague>{_VAGUE}))"
    rf"\s+{_UNIT}(?P<and_half>\s+and\s+a\s+half)?(?:['\u2019]?s?['\u2019]?\s+time)?){ENDS}(?!\s+(?:of|flat|total|or)\b|['\u2019])"
)
_FROM_NOW = (
    rf"{BEGINS}(?P<words>(?:(?P<half_of>half\s+an?)|{_COUNT}|(?P<vague>{_VAGUE}))\s+{_UNIT}"
    rf"(?P<and_half>\s+and\s+a\s+half)?\s+from\s+now){ENDS}"
)
_FROM_DAY = (
    rf"{BEGINS}(?P<words>(?:(?P<half_of>half\s+an?)|{_COUNT}|(?P<vague>{_VAGUE}))\s+{_UNIT}"
    rf"(?P<and_half>\s+and\s+a\s+half)?\s+(?:(?P<side>from|after|before)\s+(?P<day>{any_of(TABLE['days'])})"
    rf"|(?:from|on)\s+(?P<weekday>{any_of(WEEKDAYS)}))){ENDS}"
)
_BARE_WEEKDAY = (
    rf"{BEGINS}(?P<before>(?:on|by|until|till|since|before)\s+)(?P<words>(?P<weekday>{any_of(WEEKDAYS)}))"
    rf"{ENDS}{NO_DATE}"
)
_WEEKDAY_WEEK = rf"{BEGINS}(?P<words>(?P<weekday>{any_of(WEEKDAYS)})\s+week){ENDS}{OF_A_DAY}"
_PART_OF_UNIT = (
    rf"{BEGINS}(?:(?P<by>by|before|until|till)\s+)?(?:(?:the\s+)?(?:start|beginning|middle|end|rest|remainder)\s+of"
    rf"|(?P<within>earlier|later)\s+in)\s+(?P<words>the\s+(?P<unit>week|month|quarter|year)){ENDS}"
)
_SPAN = (
    rf"{BEGINS}(?P<words>(?:in|over|for|during|within|throughout|of)\s+(?:the|these)\s+(?:last|past|next|coming)\s+"
    rf"(?:(?:{any_of(_NUMBERS)}|\d{{1,4}}|few|couple\s+of|{_VAGUE})\s+)?(?:{any_of(TABLE['units'])}|quarter)s?){ENDS}(?!\s+of\b)"
)
_INDEFINITE = rf"{BEGINS}(?P<words>{TABLE['indefinite']}){ENDS}"
_ONE_DAY = re.compile(OF_A_DAY, re.IGNORECASE)
_CLAUSE_ENDS = re.compile(r"[.!?;:,\n]|\b(?:and|but|because|so|while|although|though|then)\b", re.IGNORECASE)
_QUOTES = frozenset("\"'`\u2018\u2019\u201c\u201d*_")
_COUNTED = frozenset("once twice times time days hours minutes weeks months seconds much many".split())


def english_times(text: str, stated_on: date) -> Iterator[RelativeTime]:
    """Yield the relative times of a text, in any order; some may overlap."""
    lowered = text.lower()
    for pattern, meaning, hints in _PATTERNS:
        if not any(hint in lowered for hint in hints):
            continue
        for found in pattern.finditer(text):
            if (time := _time_of(text, found, meaning, stated_on)) is not None:
                yield time


def _time_of(text: str, found: re.Match[str], meaning: "Meaning", stated_on: date) -> RelativeTime | None:
    start = found.start("words")
    before = text[max(0, start - _OWNER_CHARS) : start]
    is_name = meaning not in OF_NAMES and _is_name(text, found)
    if (meaning in _OF_ONE and _is_of_several(before, found)) or is_name:
        return None
    wording = _clause_around(text, start, found.end())
    around = f"{wording.replace(found[0], ' ', 1)}".replace("\u2019", "'").lower()
    clause = Clause(wording, frozenset(WORD.findall(around)), stated_on)
    is_habitual = not _HABITUAL.isdisjoint(clause.words)
    try:
        span = meaning(found, clause)
    except (OverflowError, ValueError):  # before the year 1, or after the year 9999
        span = None
    if span is NO_TIME or (is_habitual and meaning in _OF_HABITS):
        return None
    is_one_of_many = is_habitual and not (meaning in _OF_SHIFTS and is_in_past(clause))
    if span is None or is_one_of_many:
        return RelativeTime(start, found.end("words"), found["words"], None, found["words"])
    return written(text, found, span)


def _of_day(found: re.Match[str], clause: Clause) -> Span | None:
    if found["last_night"]:
        return day_of(clause.stated_on, -1)
    if found["this"] or found["tonight"]:
        return day_of(clause.stated_on, 0)
    shift = TABLE["days"][found["day"].lower()]
    if found["far"]:
        if ("after" in found["far"].lower()) is not (shift == 1) or shift == 0:
            return NO_TIME
        shift *= 2
    return day_of(clause.stated_on, shift)


def _of_unit(found: re.Match[str], clause: Clause) -> Span | None:
    shift = TABLE["shifts"][found["shift"].lower()]
    if found["near"]:
        return _nearest(found, clause.stated_on) if shift == 0 else NO_TIME
    if found["open"]:
        return None
    if found["weekday"]:
        return _of_shifted_weekday(found["weekday"], clause.stated_on, shift)
    if found["unit"]:
        unit = found["unit"].lower()
        is_weekend = clause.stated_on.weekday() > WEEKDAYS.index("friday")
        is_in_doubt = unit == "weekend" and (shift == 1 or (shift == -1 and is_weekend))
        return None if is_in_doubt else _SHIFTED[unit](clause.stated_on, shift)
    return of_named_months(found, clause.stated_on, shift)


def _nearest(found: re.Match[str], stated_on: date) -> Span | None:
    """Return the day of "this past Friday" and "this coming Friday"."""
    if not found["weekday"]:
        return None
    ahead = (WEEKDAYS.index(found["weekday"].lower()) - stated_on.weekday()) % 7
    is_past = found["near"].lower() == "past"
    return day_of(stated_on, ahead - 7 if is_past else ahead or 7)


def _of_shifted_weekday(weekday: str, stated_on: date, shift: int) -> Span | None:
    """Return the day if it is unambiguous: if the next Friday is also the Friday of next week."""
    place = WEEKDAYS.index(weekday.lower())
    ahead = place - stated_on.weekday()
    is_certain = {1: ahead <= 0, 0: ahead >= 0, -1: ahead >= 0}[shift]
    return weekday_of(stated_on, place, shift) if is_certain else None


def _of_far_unit(found: re.Match[str], clause: Clause) -> Span | None:
    sign = -1 if "before" in found["far"].lower() else 1
    if found["part"]:
        return day_of(clause.stated_on, 2 * sign)
    if found["unit"]:
        return _SHIFTED[found["unit"].lower()](clause.stated_on, 2 * sign)
    nearer = _of_shifted_weekday(found["weekday"], clause.stated_on, sign)
    return day_of(nearer.first, sign * WEEK) if nearer else None


def _of_week(found: re.Match[str], clause: Clause) -> Span | None:
    place = WEEKDAYS.index(found["weekday"].lower())
    return weekday_of(clause.stated_on, place, TABLE["shifts"][found["shift"].lower()])


_MOST_CHARS = 20
_LARGER_UNIT = re.compile(r"\b(?:years?|months?|weeks?|days?|hours?)(?:,|,?\s+and)?\s+$", re.IGNORECASE)


def _of_ago(found: re.Match[str], clause: Clause) -> Span | None:
    is_rest = _LARGER_UNIT.search(
        found.string, max(0, found.start("words") - _MOST_CHARS), found.start("words")
    )
    span = None if found["open"] or is_rest else _counted(found, clause.stated_on, -1)
    if span is None or not found["today"]:
        return span
    return (
        day_of(clause.stated_on.replace(year=span.first.year), 0)
        if span.granularity is Granularity.YEAR
        else None
    )


def _of_in(found: re.Match[str], clause: Clause) -> Span | None:
    """Resolve "in two months" unless it is a duration."""
    before = WORD.findall(clause.clause[: clause.clause.lower().rfind(found["words"].lower())].lower())
    is_over = is_in_past(clause) and FUTURE.isdisjoint(clause.words)
    is_duration = (before and before[-1] in _COUNTED) or not _HOW_LONG.isdisjoint(clause.words) or is_over
    if is_duration:
        return NO_TIME
    return None if AHEAD.isdisjoint(clause.words) else _counted(found, clause.stated_on, 1)


def _of_from_now(found: re.Match[str], clause: Clause) -> Span | None:
    return _counted(found, clause.stated_on, 1)


def _of_from_day(found: re.Match[str], clause: Clause) -> Span | None:
    """Resolve "a week from today" and "three days before yesterday" to a day; a weekday is the next one."""
    if found["weekday"]:
        counted_from, sign = (
            day_of(clause.stated_on, _days_until(found["weekday"], clause.stated_on)).first,
            1,
        )
    else:
        counted_from = day_of(clause.stated_on, TABLE["days"][found["day"].lower()]).first
        sign = -1 if found["side"].lower() == "before" else 1
    each, granularity = TABLE["units"][found["unit"].lower()]
    is_whole = not (found["half"] or found["half_of"] or found["and_half"] or found["vague"])
    if is_whole and granularity in (Granularity.DAY, Granularity.WEEK):
        return day_of(counted_from, sign * each * _number(found["count"]))
    return _counted(found, counted_from, sign)


def _of_weekdays_ago(found: re.Match[str], clause: Clause) -> Span | None:
    """Return the day of "two Sundays ago"; "two summers ago" is ambiguous."""
    if not found["weekday"]:
        return None
    return day_of(
        clause.stated_on,
        _days_until(found["weekday"], clause.stated_on) % WEEK - WEEK * _number(found["count"]),
    )


def _of_weekday_week(found: re.Match[str], clause: Clause) -> Span | None:
    return day_of(clause.stated_on, _days_until(found["weekday"], clause.stated_on) + WEEK)


def _days_until(weekday: str, stated_on: date) -> int:
    """Return the number of days to the next day of that name, at least 1."""
    return (WEEKDAYS.index(weekday.lower()) - stated_on.weekday()) % WEEK or WEEK


def _counted(found: re.Match[str], stated_on: date, sign: int) -> Span | None:
    each, granularity = TABLE["units"][found["unit"].lower()]
    if found["vague"] or not granularity:
        return None
    is_half_more = bool(found["half"] or found["and_half"])
    if found["half_of"] or is_half_more:
        if each % 12:
            return None
        count = 0 if found["half_of"] else _number(found["count"])
        return month_of(stated_on, sign * (each * count + each // 2))
    shift = sign * each * _number(found["count"])
    if granularity == Granularity.DAY:
        return day_of(stated_on, shift)
    if granularity == Granularity.WEEK:
        return week_of(stated_on, shift // 7)
    return year_of(stated_on, shift // 12) if granularity != Granularity.MONTH else month_of(stated_on, shift)


def _number(word: str) -> int:
    spelled = word.lower()
    return int(spelled) if spelled.isdecimal() else 1 if spelled in ("a", "an") else _NUMBERS[spelled]


def _of_bare_weekday(found: re.Match[str], clause: Clause) -> Span | None:
    """Return the last or next day of that name, by the tense of the clause."""
    ahead = (WEEKDAYS.index(found["weekday"].lower()) - clause.stated_on.weekday()) % WEEK
    before = found["before"].strip().lower()
    if ahead == 0 or not _ONE_DAY.match(found.string, found.end()):
        return None
    if before == "since" or (before == "on" and has_happened(clause)):
        return day_of(clause.stated_on, ahead - WEEK)
    return day_of(clause.stated_on, ahead) if before != "since" and will_happen(clause) else None


def _of_part_of_unit(found: re.Match[str], clause: Clause) -> Span | None:
    """Return the week, month or year of "by the end of the year"; in the past tense it is ambiguous."""
    is_past = is_in_past(clause)
    is_this = found["within"] or ((found["by"] or will_happen(clause)) and not is_past)
    return _SHIFTED[found["unit"].lower()](clause.stated_on, 0) if is_this else None


def _of_no_day(_found: re.Match[str], _clause: Clause) -> Span | None:
    return None


_PATTERNS: Final[Sequence[tuple[re.Pattern[str], Meaning, Sequence[str]]]] = [
    (re.compile(pattern, re.IGNORECASE), meaning, hints.split())
    for pattern, meaning, hints in (
        (_DAY, _of_day, "day morrow tmrw night morning afternoon evening"),
        (_SHIFTED_UNIT, _of_unit, "last this next"),
        (_FAR_UNIT, _of_far_unit, "last next"),
        (_WEEKDAYS_AGO, _of_weekdays_ago, "ago"),
        (_WEEKDAY_OF_WEEK, _of_week, "week"),
        (_AGO, _of_ago, "ago back"),
        (_IN, _of_in, "day night week fortnight month year decade hour minute"),
        (_FROM_NOW, _of_from_now, "from"),
        (_FROM_DAY, _of_from_day, "day tomorrow tmrw"),
        (_WEEKDAY_WEEK, _of_weekday_week, "week"),
        (_PART_OF_UNIT, _of_part_of_unit, "week month quarter year"),
        (_BARE_WEEKDAY, _of_bare_weekday, "day"),
        (_SPAN, _of_no_day, "last past next coming"),
        *CALENDAR_PATTERNS,
        (_INDEFINITE, _of_no_day, "recently lately day ago while time the"),
    )
]
"""Each pattern, its resolver, and substrings; a text without any of these has no match."""
_OF_ONE = (_of_day, _of_unit)
"""Resolvers of times that are not relative after "the" or an owner: "their last year at school"."""
_OF_SHIFTS = (_of_unit, _of_far_unit)
"""Resolvers of times that keep their date in a clause about a past habit: "I swam every day last month"."""
_OF_HABITS = (_of_day, _of_in, _of_bare_weekday, _of_no_day, _of_weekday_week, _of_part_of_unit, *OF_HABITS)
"""Resolvers of times that do not mean one date in a clause about a habit."""


def _is_of_several(before: str, found: re.Match[str]) -> bool:
    """Tell whether a determiner or owner makes a time one of several instead of a date: "her last year at school"."""
    if _OF_SEVERAL.search(before):
        return True
    owner = _OWNER.search(before) if found["words"].lower().startswith("last") else None
    verb = ((owner and owner["verb"]) or "").strip().lower()
    return owner is not None and not (is_past_form(verb))


def _is_name(text: str, found: re.Match[str]) -> bool:
    """Tell whether capitals or quotation marks make words a name: the song "Yesterday", This Week in Rust."""
    start, end = found.span("words")
    is_quoted = text[max(0, start - 1) : start] in _QUOTES and text[end : end + 1] in _QUOTES
    if start > 0 and is_quoted:
        return True
    words = [
        word
        for word in text[start:end].split()
        if word not in MONTHS and word.lower().removesuffix("s") not in WEEKDAYS
    ]
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
