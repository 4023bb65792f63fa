"""Resolves relative times in texts to dates, or adds the day of the text.

Extraction stores dates. Other texts keep their words, and get their day appended when a model reads them.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Final, Protocol

from graph.memories.changes.relative_chinese import chinese_times
from graph.memories.changes.relative_english import english_times
from graph.memories.changes.time_spans import RelativeTime
from graph.memories.models import Memory
from graph.memories.policy import SourceType

RELATIVE_TIMES: Final = "relativeTimes"
"""Metadata field for the result of :func:`words_of_times`."""
_SOME_DAY: Final = date(2026, 3, 4)  # an arbitrary day: recognising relative times does not depend on it
_LONGEST_END: Final = 40
_DATE_BEHIND: Final = re.compile(r"\s?[(\uff08]\d{4}-\d\d(?:-\d\d)?[)\uff09]")
_DATE_AT_LINE_END: Final = re.compile(
    r"(?:\s\((?:said on )?\d{4}-\d\d-\d\d\)|\uff08\d{4}-\d\d-\d\d说?\uff09)\.?\s*$"
)


@dataclass(frozen=True)
class AbsoluteText:
    """A text with dates instead of relative times, and the replaced times."""

    text: str
    times: tuple[RelativeTime, ...] = ()


def relative_times(text: str, day: date) -> list[RelativeTime]:
    """Return the relative times of a text, in order.

    Omits a time that has a date in parentheses directly after it or at the end of its line.

    >>> [time.text for time in relative_times("I moved last month, and start on Monday.", date(2026, 3, 5))]
    ['in February 2026', 'Monday']
    """
    # A datetime is also a date, but Python does not compare the two.
    stated_on = day.date() if isinstance(day, datetime) else day
    found = [*english_times(text, stated_on), *chinese_times(text, stated_on)]
    separate: list[RelativeTime] = []
    for time in sorted(found, key=lambda each: (each.start, -each.end)):
        if (not separate or time.start >= separate[-1].end) and not _is_dated(text, time.end):
            separate.append(time)
    return separate


def made_absolute(text: str, day: date) -> AbsoluteText:
    """Replace the relative times of a text by dates of the same granularity; ambiguous times stay.

    >>> made_absolute("I moved to Berlin last month.", date(2026, 3, 5)).text
    'I moved to Berlin in February 2026.'
    >>> made_absolute("我下个月搬家", date(2025, 12, 31)).text
    '我2026年1月搬家'
    """
    times = relative_times(text, day)
    parts, end = [], 0
    for time in times:
        parts += [text[end : time.start], time.text]
        end = time.end
    return AbsoluteText("".join([*parts, text[end:]]), tuple(times))


def _is_dated(text: str, end: int) -> bool:
    """Tell whether a date in parentheses follows a time that ends at an index, or ends its line."""
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    at_line_end = _DATE_AT_LINE_END.search(text[max(end, line_end - _LONGEST_END) : line_end])
    return at_line_end is not None or _DATE_BEHIND.match(text, end) is not None


def words_of_times(times: Iterable[RelativeTime]) -> dict[str, Any]:
    """Return the metadata of an absolute text: the words, first day and last day of each replaced time."""
    rows = [
        {"words": time.words, "from": str(time.span.first), "to": str(time.span.last)}
        for time in times
        if time.span is not None
    ]
    return {RELATIVE_TIMES: rows} if rows else {}


@lru_cache(maxsize=4096)
def is_relative(text: str) -> bool:
    """Tell whether a text has a relative time.

    >>> is_relative("The flight is tomorrow"), is_relative("The flight is tomorrow (2026-03-04)")
    (True, False)
    >>> is_relative("Always deploy by Friday")
    False
    """
    return bool(relative_times(text, _SOME_DAY))


def with_day(text: str, day: date | None) -> str:
    """Append the day of a text if the text has a relative time whose date it does not name.

    >>> with_day("The flight is tomorrow.", date(2026, 3, 4))
    'The flight is tomorrow. (2026-03-04)'
    >>> with_day("I moved last month, in February 2026.", date(2026, 3, 4))
    'I moved last month, in February 2026.'
    """
    if day is None or not is_relative(text):
        return text
    spans = [time.span for time in relative_times(text, day)]
    is_explained = bool(spans) and all(span is not None and span.is_named_in(text) for span in spans)
    return text if is_explained else f"{text} ({day:%Y-%m-%d})"


def ends_with_day(text: str) -> bool:
    """Tell whether a text ends with a date in parentheses, as :func:`with_day` appends it.

    >>> ends_with_day("The flight is tomorrow. (2026-03-04)"), ends_with_day("The flight is on 2026-03-04.")
    (True, False)
    """
    return _DATE_AT_LINE_END.search(text[-_LONGEST_END:]) is not None


class TimedText(Protocol):
    """A stored statement."""

    @property
    def timestamp(self) -> datetime:
        """Time of the statement."""
        ...

    @property
    def version(self) -> int:
        """Version of the text, from 1."""
        ...

    @property
    def source_type(self) -> str:
        """Source type."""
        ...


def text_time(memory: TimedText) -> datetime | None:
    """Return the time of a memory's text; None if the text was changed, because its time is unknown then."""
    is_changed = memory.version > 1 and memory.source_type != SourceType.EXTRACTED
    return None if is_changed else memory.timestamp


def dated_content(memory: Memory) -> str:
    """Return the content of a memory with its day; see :func:`with_day`."""
    return with_day(memory.content, text_time(memory))
