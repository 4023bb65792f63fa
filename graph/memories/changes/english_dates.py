"""Dates as English sentences write them in the place of relative times."""

import re
from collections.abc import Iterable, Mapping
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
    """Return a pattern of words, each as it is."""
    return "|".join(re.escape(word) for word in (words.split() if isinstance(words, str) else words))


WORD = re.compile(r"[a-z]+(?:['\u2019][a-z]+)?")
_BEFORE = re.compile(rf"(?<!\w)(?:{any_of(TABLE['prepositions'])})\s+$", re.IGNORECASE)
_LONGEST_BEFORE = 20
_SUBJECT_OF = re.compile(rf"\s+(?:{any_of(TABLE['of_subject'])})\b", re.IGNORECASE)
SENTENCE_START = re.compile(
    r"(?:^|[.!?:;\n\u2014\u3002\uff01\uff1f\uff0c\u201d\"]|[-*\u2022]\s)[\s\"'\u2018\u201c(*_-]*$"
)


def is_past_form(word: str) -> bool:
    """Tell whether a lower-case word is the past of a verb."""
    return word in PAST or is_past(word)


def written(text: str, found: re.Match[str], span: Span) -> RelativeTime:
    """Return a time with its date behind the preposition that fits it."""
    groups = found.groupdict()
    said_before = _preposition(text, found.start("words"))
    start = found.start("words") - len(said_before)
    is_day = span.granularity in (Granularity.DAY, Granularity.WEEKEND)
    is_governed = said_before and not _is_particle(
        text[max(0, start - WINDOW) : start], said_before, is_day=is_day
    )
    needs_none = is_governed or _needs_none(text, found)
    preposition = "" if needs_none else "on " if is_day else "in "
    told = f"{said_before}{preposition}{_date_words(span, groups)}{_part(groups)}"
    starts_sentence = text[start].isdecimal() and SENTENCE_START.search(text[max(0, start - WINDOW) : start])
    if text[start].isupper() or starts_sentence:
        told = f"{told[0].upper()}{told[1:]}"
    return RelativeTime(start, found.end("words"), found["words"], span, told)


def _preposition(text: str, start: int) -> str:
    found = _BEFORE.search(text[max(0, start - _LONGEST_BEFORE) : start])
    return found[0] if found else ""


def _is_particle(before: str, word: str, *, is_day: bool) -> bool:
    """Tell whether a preposition belongs to the verb before it: "moved in yesterday", "came over last month"."""
    said = word.strip().lower()
    if said in ("on", "in"):
        return (said == "on") is not is_day
    verb = WORD.findall(before.lower())[-1:]
    return said in TABLE["particles"].split() and any(map(is_past_form, verb))


def _needs_none(text: str, found: re.Match[str]) -> bool:
    """Tell whether a time is the subject, the object or the owner of something: "next month is busy"."""
    start, end = found.span("words")
    before = text[max(0, start - WINDOW) : start]
    is_subject = SENTENCE_START.search(before) is not None and _SUBJECT_OF.match(text, end) is not None
    last = WORD.findall(before.lower())[-1:] if before[-1:].isspace() else []
    return is_subject or text[end : end + 2] in ("'s", "\u2019s") or not _TAKES_TIME.isdisjoint(last)


def _date_words(span: Span, groups: Mapping[str, str | None]) -> str:
    first = span.first
    return {
        Granularity.DAY: f"{first}",
        Granularity.WEEKEND: f"the weekend of {first}",
        Granularity.WEEK: f"the week of {first}",
        Granularity.MONTH: f"{MONTHS[first.month - 1]} {first.year}",
        Granularity.QUARTER: f"Q{quarter_number(span)} {first.year}",
        Granularity.SEASON: f"{(groups.get('season') or '').lower()} {first.year}",
        Granularity.YEAR: f"{first.year}",
    }[span.granularity]


def _part(groups: Mapping[str, str | None]) -> str:
    part = groups.get("part") or groups.get("this") or ""
    if groups.get("tonight") or groups.get("last_night") or part.lower() == "night":
        return " at night"
    return f" in the {part.lower()}" if part else ""
