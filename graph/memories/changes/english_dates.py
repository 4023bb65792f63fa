"""Words of English times, the tense of their clause, and their replacement by dates."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from graph.core.tables import read_table
from graph.memories.changes.time_spans import Granularity, RelativeTime, Span, quarter_number
from graph.memories.deduplication.sameness import WORDS
from graph.memories.deduplication.statements import is_past

TABLE: Final[Mapping[str, Any]] = read_table("graph.memories.changes", "english.toml")["deictic"]
MONTHS: Final = (
    "January February March April May June July August September October November December".split()
)
PAST: Final = frozenset(f"{WORDS['pasts']} {TABLE['also_past']}".split())
WINDOW: Final = 200
"""Characters of a clause that are read on either side."""
_TAKES_TIME = frozenset(TABLE["takes_time"].split())


def any_of(words: Iterable[str] | str) -> str:
    """Return a pattern that matches any of the words literally."""
    return "|".join(re.escape(word) for word in (words.split() if isinstance(words, str) else words))


WORD = re.compile(r"[a-z]+(?:['\u2019][a-z]+)?")
_BEFORE = re.compile(rf"(?<!\w)(?:{any_of(TABLE['prepositions'])})\s+$", re.IGNORECASE)
_LONGEST_BEFORE = 20
_SUBJECT_OF = re.compile(rf"\s+(?:{any_of(TABLE['of_subject'])})\b", re.IGNORECASE)
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
WEEK = 7
AHEAD = frozenset(TABLE["ahead"].split())
_INTENDED = frozenset(TABLE["intended"].split())
_UNDER_WAY = re.compile(r"\b(?:am|is|are)\s+\w+ing\b|\w['\u2019](?:m|re)\s+\w+ing\b")
# A participle after one of these is not a past tense: "will be closed", "is getting married".
_PARTICIPLE = re.compile(r"\b(?:am|is|are|be|being|get|gets|getting|stays?|remains?|keeps?)\s+(?=([a-z]+))")
_INFINITIVE = re.compile(r"\bto\s+[a-z]")
FUTURE = frozenset(
    "will won't shall must should going gonna gets i'll we'll you'll he'll she'll it'll they'll that'll".split()
)
BEGINS = r"(?<!\d,)(?<![\w/=@#$-])(?<!\w[.'\u2019])"
ENDS = r"(?![\w/=@(]|-\w)"
PARTS = any_of(TABLE["day_parts"])
NAMED_MONTH = f"(?-i:{any_of(MONTHS)})"
OF_A_DAY = rf"(?=\s*(?:$|[.,;:!?)\u2026]|(?:at\s+\d|{TABLE['follows']})\b|{PARTS}\b(?!s)))"
NO_DATE = (
    rf"(?!['\u2019]|\s+(?:{PARTS})s\b|,?\s+(?:the\s+)?(?:\d{{1,2}}(?![\d:]|\s*[ap]\.?m\b)|\d{{4}})"
    rf"|,?\s+{NAMED_MONTH}\b)"
)
SENTENCE_START = re.compile(
    r"(?:^|[.!?:;\n\u2014\u3002\uff01\uff1f\uff0c\u201d\"]|[-*\u2022]\s)[\s\"'\u2018\u201c(*_-]*$"
)


def is_past_form(word: str) -> bool:
    """Tell whether a lower-case word is a past form of a verb."""
    return word in PAST or is_past(word)


NO_TIME: Final = Span(Granularity.DAY, date.max, date.max)
"""Result for words that only look like a relative time."""


@dataclass(frozen=True)
class Clause:
    """The clause around a relative time, its words in lower case, and the day of the text."""

    clause: str
    words: frozenset[str]
    stated_on: date


Meaning = Callable[[re.Match[str], Clause], Span | None]


def is_in_past(clause: Clause) -> bool:
    """Tell whether a clause has a past form of a verb."""
    participles = _PARTICIPLE.findall(clause.clause.lower())
    return any(is_past_form(word) for word in clause.words.difference(participles))


def has_happened(clause: Clause) -> bool:
    """Tell whether a clause is about the past alone; "decided to go on Friday" is ambiguous."""
    is_else = (
        not AHEAD.isdisjoint(clause.words - PAST)
        or _INFINITIVE.search(clause.clause) is not None
        or "would" in clause.words
    )
    return is_in_past(clause) and not is_else


def will_happen(clause: Clause) -> bool:
    """Tell whether a clause is about the future: it has "will", "are going" or "want to"."""
    is_ahead = not FUTURE.isdisjoint(clause.words)
    is_under_way = _UNDER_WAY.search(clause.clause) is not None
    is_intended = not _INTENDED.isdisjoint(clause.words) and _INFINITIVE.search(clause.clause) is not None
    return not is_in_past(clause) and (is_ahead or is_under_way or is_intended)


def written(text: str, found: re.Match[str], span: Span) -> RelativeTime:
    """Return a time with its date after the matching preposition."""
    groups = found.groupdict()
    preceding = _preposition(text, found.start("words"))
    start = found.start("words") - len(preceding)
    is_day = span.granularity in (Granularity.DAY, Granularity.WEEKEND)
    is_governed = preceding and not _is_particle(
        text[max(0, start - WINDOW) : start], preceding, is_day=is_day
    )
    needs_none = is_governed or bool(groups.get("within")) or _needs_none(text, found)
    preposition = "" if needs_none else "on " if is_day else "in "
    clause = f"{preceding}{preposition}{_date_words(span, groups)}{_part(groups)}"
    starts_sentence = SENTENCE_START.search(text[max(0, start - WINDOW) : start]) is not None
    if starts_sentence and not text[start].islower():
        clause = f"{clause[0].upper()}{clause[1:]}"
    return RelativeTime(start, found.end("words"), found["words"], span, clause)


def _preposition(text: str, start: int) -> str:
    found = _BEFORE.search(text[max(0, start - _LONGEST_BEFORE) : start])
    return found[0] if found else ""


def _is_particle(before: str, word: str, *, is_day: bool) -> bool:
    """Tell whether a preposition belongs to the verb before it: "moved in yesterday", "came over last month"."""
    spelled = word.strip().lower()
    if spelled in ("on", "in"):
        return (spelled == "on") is not is_day
    verb = WORD.findall(before.lower())[-1:]
    return spelled in TABLE["particles"].split() and any(map(is_past_form, verb))


def _needs_none(text: str, found: re.Match[str]) -> bool:
    """Tell whether a time takes no preposition, as a subject, object or possessor: "next month is busy"."""
    start, end = found.span("words")
    before = text[max(0, start - WINDOW) : start]
    is_subject = SENTENCE_START.search(before) is not None and _SUBJECT_OF.match(text, end) is not None
    last = WORD.findall(before.lower())[-1:] if before[-1:].isspace() else []
    return is_subject or text[end : end + 2] in ("'s", "\u2019s") or not _TAKES_TIME.isdisjoint(last)


def _date_words(span: Span, groups: Mapping[str, str | None]) -> str:
    first = span.first
    return {
        Granularity.DAY: f"{groups['holiday']} {first.year}" if groups.get("holiday") else f"{first}",
        Granularity.WEEKEND: f"the weekend of {first}",
        Granularity.WEEK: f"the week of {first}",
        Granularity.MONTH: f"{MONTHS[first.month - 1]} {first.year}",
        Granularity.QUARTER: f"Q{quarter_number(span)} {first.year}",
        Granularity.SEASON: f"{(groups.get('season') or '').lower()} {first.year}{_second_year(span)}",
        Granularity.YEAR: f"{first.year}",
    }[span.granularity]


def _second_year(span: Span) -> str:
    """Return the second year of a winter: "/26" in "winter 2025/26"."""
    return "" if span.last.year == span.first.year else f"/{span.last.year % 100:02}"


def _part(groups: Mapping[str, str | None]) -> str:
    part = groups.get("part") or groups.get("this") or ""
    if groups.get("tonight") or groups.get("last_night") or part.lower() == "night":
        return " at night"
    return f" in the {part.lower()}" if part else ""
