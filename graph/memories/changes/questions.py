"""Recognises questions for slots: "Where do I live?" asks for the user's home, in English and Chinese."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from graph.core.tables import read_table
from graph.core.text.language import contains_cjk, is_chinese, sentences
from graph.core.text.normal_forms import simplified
from graph.memories.changes.chinese import person_at_start
from graph.memories.changes.slots import SELF, SlotStatement
from graph.memories.changes.subjects import Subjects

_TABLE: Final[Any] = read_table("graph.memories.changes", "questions.toml")
_PART = re.compile(r"<([A-Z_]+)>")
_CLAUSE = re.compile(r"[,\uff0c]\s?(?:and )?")
_MOST_CHARS = 1000  # a longer text is seldom a question
_LONGEST_QUESTION = 120  # in characters
_OF_THE_USER = re.compile(r"^(?:the )?user's (?=\w)", re.IGNORECASE)
_SELVES = frozenset("i we my our me us user".split())
_LEAD_CHINESE = re.compile(
    r"^(?:请问|你?(?:还)?(?:知道|记得)|告诉我|提醒我一?下?|帮我(?:查|看)一?下?|那么?|对了|话说|[\s，,、：:])+"
)
_NOW_CHINESE = re.compile(_TABLE["chinese"]["now"].removesuffix("*") + r"+|[从自].{1,6}起|[\s，,的]+$")
_MYSELF_CHINESE = frozenset(
    ("", "我", "我们", "咱", "咱们", "俺", "本人", "我自己", "我人", "用户", "我本人", "我家")
)


@dataclass(frozen=True)
class AskedSlot:
    """A slot that a question asks for.

    Attributes:
        slot: Name of the slot, such as ``home``.
        subject: Person in canonical form; ``~self`` is the user.
        spouse: ``husband`` or ``wife`` if it asks for one of them; else empty.
    """

    slot: str
    subject: str
    spouse: str = ""

    def is_answered_by(self, stated: SlotStatement) -> bool:
        """Tell whether a statement has the value in question; one about a wife does not tell who the husband is."""
        if stated.value is None or (stated.slot, stated.subject) != (self.slot, self.subject):
            return False
        named = _spouse_in(f"{stated.words} {stated.of}")
        return not (self.spouse and named and named != self.spouse)


@lru_cache(maxsize=1024)
def asked_slot(text: str) -> AskedSlot | None:
    """Return the slot that the last question of a text asks for, or None.

    >>> asked_slot("Do you remember where my sister lives?")
    AskedSlot(slot='home', subject='sister', spouse='')
    >>> asked_slot("我现在在哪家公司上班").slot
    'employer'
    """
    if len(text) > _MOST_CHARS or (contains_cjk(text) and not is_chinese(text)):
        return None
    cues, read = (_CUES_CHINESE, _in_chinese) if contains_cjk(text) else (_CUES, _in_english)
    plain = simplified(text).replace("\u2019", "'")
    parts = [part for sentence in reversed(sentences(plain)) for part in (sentence, *_CLAUSE.split(sentence))]
    possible = (part.strip(" \"'") for part in parts if len(part) <= _LONGEST_QUESTION and cues.search(part))
    return next(filter(None, map(read, possible)), None)


def _in_english(sentence: str) -> AskedSlot | None:
    for slot, patterns in _ENGLISH.items():
        for pattern in patterns:
            if (found := pattern.search(sentence)) is not None:
                return AskedSlot(slot, _subject(found.groupdict().get("who") or "I"), _spouse_in(found[0]))
    return None


def _subject(who: str) -> str:
    who = _OF_THE_USER.sub("my ", who)
    low = who.casefold().removeprefix("the ").removesuffix("'s")
    if low in _SELVES:
        return SELF
    named = Subjects().named(who)
    return named[0] if named else low


def _in_chinese(sentence: str) -> AskedSlot | None:
    for slot, patterns in _CHINESE.items():
        for pattern in patterns:
            if (found := pattern.search(sentence)) is None:
                continue
            if subject := _subject_in_chinese(sentence[: found.start()]):
                return AskedSlot(slot, subject, _spouse_in(found[0]))
    return None


def _subject_in_chinese(before: str) -> str | None:
    who = _NOW_CHINESE.sub("", _LEAD_CHINESE.sub("", before))
    return SELF if who in _MYSELF_CHINESE else person_at_start(who)


def _spouse_in(text: str) -> str:
    return next((name for name, words in _SPOUSES.items() if words.search(text)), "")


def _patterns(language: str, *, end: str) -> dict[str, tuple[re.Pattern[str], ...]]:
    table = _TABLE[language]

    def written_out(wording: str) -> str:
        return _PART.sub(lambda found: str(table[found[1].lower()]), wording)

    return {
        slot: tuple(re.compile(f"(?:{written_out(wording)}){end}", re.IGNORECASE) for wording in wordings)
        for slot, wordings in table["slots"].items()
    }


_SPOUSES: Final = {name: re.compile(words, re.IGNORECASE) for name, words in _TABLE["spouses"].items()}
_CUES, _CUES_CHINESE = (re.compile(_TABLE[each]["cues"], re.IGNORECASE) for each in ("english", "chinese"))
_ENGLISH: Final = _patterns("english", end=_TABLE["english"]["end"])
_CHINESE: Final = _patterns("chinese", end=r"\W*$")
