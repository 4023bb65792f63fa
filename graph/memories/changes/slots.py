"""Model and canonical values of slots, for the readers of both languages."""

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
        words: Words of the text that state it.
        is_change: True for a change ("moved to"), False for a state ("lives in").
        of: Kind of the value, if known: the product of a version, the relationship of a spouse, landline or mobile.
        ended: Former value in canonical form, if the words name it.
        until: Last possible day of the change, if the words name a time.
        part: Number of the clause. Statements of one clause are one proposition, which ends with the first of them.
        is_weak: True if several states of this kind may be true at the same time; such a state ends no other.
        passage: The whole text, if it may end the slot's state without a listed wording; else empty. If
            ``words`` is empty, the text has no listed wording.
        where: Environment in which software runs, such as ``staging``; empty: none is named.
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
    where: str = ""


def canonical_value(slot: str, raw: str) -> str:
    """Return the canonical form of a value, for comparisons with other values of the slot."""
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
    """Return the known town at the beginning of a Chinese place's name, or else the place."""
    if not contains_cjk(place):
        return place
    return next((place[:length] for length in (4, 3, 2) if is_known_place(place[:length])), place)


def is_block(place: str) -> bool:
    """Tell whether a Chinese place is a residential compound or building instead of a town or district."""
    return place.endswith(_BLOCKS)


def known_place(name: str) -> bool:
    """Tell whether a name, or a part of it between commas, is a known place."""
    return any(is_known_place(part.strip()) for part in (name, *name.split(",")))


def may_be_one_home(newer: SlotStatement, value: str, former: str) -> bool:
    """Tell whether one of two places may lie in the other, so that both may be the same home.

    An unknown place may lie in a known one, unless the newer statement is a move. A compound may lie in any place.
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
    """Return the names of known places, in lower case, without those that are also ordinary words."""
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


def last_day(text: str, stated_on: date | None) -> date | None:
    """Return the last day of the time that a clause names, or None."""
    found = _ENGLISH_DATE.search(text) or _ISO.search(text) or _CHINESE_DATE.search(text)
    if found is not None:
        groups = found.groupdict()
        month = groups.get("month")
        number = _number_of_month(month) if month else len(_MONTHS)
        day = groups.get("day") or groups.get("day2")
        return _end(int(groups["year"]), number, int(day) if day and month else None)
    if stated_on is None:
        return None
    if _LAST_YEAR.search(text):
        return date(max(stated_on.year - 1, date.min.year), 12, 31)
    ago = _AGO.search(text)
    if ago is None:
        return None
    raw = (ago["count"] or ago["zh"]).casefold()
    count = int(raw) if raw.isdigit() else _COUNTS.get(raw, 1)
    months = count * (12 if (ago["unit"] or ago["zh_unit"]).casefold() in {"year", "年"} else 1)
    place = stated_on.year * 12 + stated_on.month - 1 - months
    return _end(place // 12, place % 12 + 1, None)


def _number_of_month(month: str) -> int:
    return int(month) if month.isdigit() else _MONTHS.index(month.casefold()) + 1


def _end(year: int, month: int, day: int | None) -> date | None:
    if not (1 <= month <= len(_MONTHS) and year > 0):
        return None
    last = monthrange(year, month)[1]
    return date(year, month, min(max(day or last, 1), last))
