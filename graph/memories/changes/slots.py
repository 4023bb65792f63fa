"""The model and values of slots, shared by the readers of both languages."""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date

from graph.core.text.language import contains_cjk
from graph.memories.deduplication.attributes import (
    is_known_place,
    known_name,
    known_places,
    lies_elsewhere,
    may_be_one_place,
)

SELF = "~self"
"""Canonical form of the user."""

_DIGITS = re.compile(r"\D+")
_WORDS = re.compile(r"[^\W_]+(?:[.+#'&-][^\W_]+)*[+#]*")
_ALSO_WORDS = frozenset(
    "nice split mesa cork lund fez goa bath reading providence buffalo mobile us la".split()
)
_BLOCKS = ("小区", "社区", "花园", "公寓", "宿舍", "新村", "苑", "家园", "大厦")
_EMPTY = frozenset("the a an of my our his her their team squad group crew project new own and".split())


@dataclass(frozen=True)
class SlotStatement:
    """A clause that states the value of a slot, or that a value has ended.

    Attributes:
        slot: Name of the slot: ``home``, ``employer``, ``port`` …
        subject: Person or thing that has the value, in canonical form; ``~self`` is the user.
        value: The value in canonical form; None if the state ended without a successor.
        words: The words of the text that say so.
        is_change: Whether the words tell a change ("moved to") rather than a state ("lives in").
        of: Kind of the value, where known: the product of a version, the relationship of a spouse, a landline.
        ended: The former value in canonical form, where the words name it.
        until: Last day on which the change can have happened, where the words tell it.
        part: Number of the clause. Statements of one part are one proposition: it is over once one of them is.
        is_weak: Whether the state may hold beside others of its kind, so that it ends none.
        passage: The whole text, where it may end the slot's state in words that no wording lists; else empty.
            Without ``words`` nothing else was read of it.
    """

    slot: str
    subject: str
    value: str | None
    words: str
    is_change: bool
    of: str = ""
    ended: str | None = None
    until: date | None = None
    part: int = 0
    is_weak: bool = False
    passage: str = ""


def canonical_value(slot: str, raw: str) -> str:
    """Return a value in the form in which values of its slot are compared."""
    if slot == "phone":
        return _DIGITS.sub("", raw)
    if slot == "port":
        return raw
    text = raw.strip().casefold()
    if slot == "e-mail":
        return text
    if slot == "version":
        return text.removeprefix("v").removesuffix(" lts").rstrip(".")
    if slot == "home":
        return known_name(text.removeprefix("the "))
    found = [word.removesuffix("'s") for word in _WORDS.findall(text)]
    return " ".join(word for word in found if word not in _EMPTY) or text


def town_of(place: str) -> str:
    """Return the known town that the name of a Chinese place begins with; else the place."""
    if not contains_cjk(place):
        return place
    return next((place[:length] for length in (4, 3, 2) if is_known_place(place[:length])), place)


def is_block(place: str) -> bool:
    """Return whether a place is a block of flats or a hall rather than a town or a part of one."""
    return place.endswith(_BLOCKS)


def known_place(name: str) -> bool:
    """Return whether a name, or the last part of it, is a known place."""
    return any(is_known_place(part.strip()) for part in (name, *name.split(",")))


def may_be_one_home(newer: SlotStatement, value: str, former: str) -> bool:
    """Return whether one of two places may lie in the other.

    A place that is not known may lie in one that is, unless somebody moves there; a block of flats lies in any.
    """
    place, before = town_of(value), town_of(former)
    is_known = is_known_place(place) and not is_block(place)
    was_known = is_known_place(before) and not is_block(before)
    if newer.ended is not None or newer.of == "abroad":
        return place == before
    if is_known and was_known:
        return may_be_one_place(place, before) and not lies_elsewhere(place, before)
    return (is_block(value) or not newer.is_change) and is_known != was_known


def lower_case_places() -> tuple[str, ...]:
    """Return the names of places that are no words in small letters."""
    return tuple(name for name in known_places() if name.isascii() and name not in _ALSO_WORDS)


_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = "|".join(_MONTHS)
_ENGLISH_DATE = re.compile(
    rf"\b(?:in|since|on|back in|during|until|of)\s(?:early |late |mid-? ?)?(?:(?P<day>\d{{1,2}}) )?"
    rf"(?:(?P<month>{_MONTH})(?: (?P<day2>\d{{1,2}}),?)? )?(?P<year>(?:19|20)\d\d)\b(?![.\d-])",
    re.IGNORECASE,
)
_ISO = re.compile(r"(?<![\d-])(?P<year>(?:19|20)\d\d)-(?P<month>\d\d)(?:-(?P<day>\d\d))?(?![\d-])")
_CHINESE_DATE = re.compile(r"(?P<year>(?:19|20)\d\d)年(?:(?P<month>\d{1,2})月)?(?:(?P<day>\d{1,2})[日号])?")
_AGO = re.compile(
    r"\b(?P<count>an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|a couple of|several|a few)"
    r" (?P<unit>year|month)s? ago\b"
    r"|(?P<zh>[一两二三四五六七八九十几]|\d{1,2})个?(?P<zh_unit>年|月)(?:以)?前",
    re.IGNORECASE,
)
_LAST_YEAR = re.compile(r"\blast year\b|去年", re.IGNORECASE)
_COUNTS = (
    {
        word: number
        for number, word in enumerate("zero one two three four five six seven eight nine ten".split())
    }
    | {
        "a": 1,
        "an": 1,
        "a couple of": 2,
        "several": 3,
        "a few": 3,
        "几": 3,
        "两": 2,
    }
    | {sign: number for number, sign in enumerate("零一二三四五六七八九十")}
)


def last_day(text: str, said_on: date | None) -> date | None:
    """Return the last day of the time that a clause names; None if it names none."""
    found = _ENGLISH_DATE.search(text) or _ISO.search(text) or _CHINESE_DATE.search(text)
    if found is not None:
        groups = found.groupdict()
        month = groups.get("month")
        number = _number_of_month(month) if month else len(_MONTHS)
        day = groups.get("day") or groups.get("day2")
        return _end(int(groups["year"]), number, int(day) if day and month else None)
    if said_on is None:
        return None
    if _LAST_YEAR.search(text):
        return date(max(said_on.year - 1, date.min.year), 12, 31)
    ago = _AGO.search(text)
    if ago is None:
        return None
    raw = (ago["count"] or ago["zh"]).casefold()
    count = int(raw) if raw.isdigit() else _COUNTS.get(raw, 1)
    months = count * (12 if (ago["unit"] or ago["zh_unit"]).casefold() in {"year", "年"} else 1)
    place = said_on.year * 12 + said_on.month - 1 - months
    return _end(place // 12, place % 12 + 1, None)


def _number_of_month(month: str) -> int:
    return int(month) if month.isdigit() else _MONTHS.index(month.casefold()) + 1


def _end(year: int, month: int, day: int | None) -> date | None:
    if not (1 <= month <= len(_MONTHS) and year > 0):
        return None
    last = monthrange(year, month)[1]
    return date(year, month, min(max(day or last, 1), last))
