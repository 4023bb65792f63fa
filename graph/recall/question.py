"""What a query asks, read once per recall."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from graph.recall.language import content_words, stems

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(20\d\d)\b")
_WHEN = re.compile(
    r"\bwhen\b|\bwhat (?:date|day|month|year|time)\b|\bwhich (?:date|day|month|year)\b|\bhow long\b",
    re.IGNORECASE,
)
_LONGEST_DATED_QUERY = 400  # in a longer text a month is seldom what is asked for
_MOST_STEMS = 60


@dataclass(frozen=True)
class Question:
    """A query and what can be told of it without a model."""

    text: str

    @cached_property
    def words(self) -> list[str]:
        """The words searched for, in lower case."""
        return content_words(self.text)

    @cached_property
    def stems(self) -> list[str]:
        """Their distinct stems."""
        return stems(self.words)[:_MOST_STEMS]

    @cached_property
    def asks_when(self) -> bool:
        """Whether a date or a duration is asked for."""
        return _WHEN.search(self.text) is not None

    @cached_property
    def month(self) -> int | None:
        """The month named, 1 to 12; ``may`` and ``march`` only with a capital."""
        if len(self.text) > _LONGEST_DATED_QUERY:
            return None
        for found in _MONTH.finditer(self.text):
            if found[1] not in {"may", "march"}:
                return _MONTHS.index(found[1].lower()) + 1
        return None

    @cached_property
    def year(self) -> int | None:
        """The year named together with a month."""
        found = _YEAR.search(self.text)
        return int(found[1]) if found and self.month is not None else None

    def speaker_named(self, speakers: Sequence[str]) -> str | None:
        """Return the one speaker whose first name the query holds, or None if it holds none or several."""
        asked = set(self.words) | {word.lower() for word in re.findall(r"\w+", self.text)}
        named = [speaker for speaker in speakers if _first_name(speaker) in asked]
        return named[0] if len(named) == 1 else None


def _first_name(speaker: str) -> str:
    return speaker.split(maxsplit=1)[0].lower() if speaker.split() else ""
