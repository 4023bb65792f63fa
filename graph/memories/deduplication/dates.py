"""Dates as sentences write them, and whether two of them can be one day."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_FIRST_OF_MONTHS = (
    "january february march april may june july august september october november december".split()
)
MONTHS = {
    form: number
    for number, month in enumerate(_FIRST_OF_MONTHS, start=1)
    for form in {month, month[:3], *(["sept"] if month == "september" else [])}
}
WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_ISO_DATE = re.compile(r"(\d{4})-(\d{1,2})(?:-(\d{1,2}))?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_DAY = re.compile(r"[1-9]|[12]\d|3[01]")
_BEFORE_A_YEAR = frozenset("in since until of".split())
_ALSO_WORDS = frozenset(("may", "mar", "march"))
_BEFORE_A_MONTH = frozenset("in since until of from last next early late mid".split())


@dataclass(frozen=True)
class StatedDate:
    """A date with its given parts; missing parts are None."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: str | None = None

    def contradicts(self, other: "StatedDate") -> bool:
        """Tell whether no day is both."""
        pairs = zip(self._fields(), other._fields(), strict=True)
        return any(one is not None and two is not None and one != two for one, two in pairs)

    def _fields(self) -> tuple[object, ...]:
        return self.year, self.month, self.day, self.weekday


def date_at(lowered: Sequence[str], place: int) -> tuple[StatedDate | None, int]:
    """Return the date that begins at a word, and the place of its last word."""
    word, after = lowered[place], [each.rstrip(".,") for each in lowered[place + 1 : place + 4]]
    if iso := _ISO_DATE.fullmatch(word):
        return StatedDate(int(iso[1]), int(iso[2]), int(iso[3]) if iso[3] else None), place
    if word in WEEKDAYS:
        return StatedDate(weekday=word), place
    before = lowered[place - 1] if place else ""
    if _YEAR.fullmatch(word) and before in _BEFORE_A_YEAR:
        return StatedDate(int(word)), place
    of = after[:1] == ["of"]
    if _day(word) is not None and after[of : of + 1] and after[of] in MONTHS:
        return _with_year(MONTHS[after[of]], _day(word), after[of + 1 :], place + 1 + of)
    if word not in MONTHS or (word in _ALSO_WORDS and not _is_month(before, " ".join(after[:1]))):
        return None, place
    day = _day(" ".join(after[:1]))
    return _with_year(MONTHS[word], day, after[day is not None :], place + (day is not None))


def _is_month(before: str, after: str) -> bool:
    """Tell whether an ambiguous word is a month, by its neighbours."""
    return _day(after) is not None or _YEAR.fullmatch(after) is not None or before in _BEFORE_A_MONTH


def _with_year(month: int, day: int | None, after: list[str], last: int) -> tuple[StatedDate, int]:
    if after and _YEAR.fullmatch(after[0]):
        return StatedDate(int(after[0]), month, day), last + 1
    return StatedDate(None, month, day), last


def _day(word: str) -> int | None:
    bare = re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", word)
    return int(bare) if _DAY.fullmatch(bare) else None
