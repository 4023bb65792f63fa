"""Brings statements into a usual wording, so that two wordings of one statement have the same words.

``rewordings.toml`` lists the wordings: "I have a cat called Biscuit" and "My cat's name is Biscuit" both become "cat
named Biscuit". Words that the list does not know stay, so another value never becomes the same.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from graph.core.tables import read_table
from graph.core.text.normal_forms import simplified, undressed

USER_IN_CHINESE: Final = "用户"
_TABLE: Final[Mapping[str, Any]] = read_table("graph.memories.deduplication", "rewordings.toml")
_ENGLISH, _CHINESE = _TABLE["english"], _TABLE["chinese"]
_PART = re.compile(r"<([A-Z]+)>")
_LONGEST = 300  # characters; a longer text is no single statement
_SUBJECTS = frozenset(("user", "we"))
_GAPS = re.compile(r"\s+")
_SIGNS_AT_END = re.compile(r"[.,;!\u2026\s]++$")
_IS = re.compile(r"\s(?:is|are)\s", re.IGNORECASE)
_SAYS_MORE = re.compile(r"\b(?:not|who|which|that|because|if|when|but|than|more|less)\b|[,;:]", re.IGNORECASE)
_IS_IN_CHINESE = re.compile("[是叫]")
_DENIES_IN_CHINESE = re.compile("[不没]")
_ADVERB = re.compile(r"[a-z]{3,}ly")
_ONES = "零一二三四五六七八九"
_POWERS = {"十": 10, "百": 100, "千": 1000}


def _written_out(pattern: str, parts: Mapping[str, str]) -> str:
    return _PART.sub(lambda found: f"(?:{parts[found[1]]})", pattern)


def _in_digits(found: re.Match[str]) -> str:
    """Return a Chinese number below 10,000 in digits: 二十六 as 26."""
    total, digit = 0, 0
    for character in found[0]:
        if character in _POWERS:
            total, digit = total + (digit or 1) * _POWERS[character], 0
        else:
            digit = 2 if character == "两" else _ONES.index(character)
    return str(total + digit)


def _on_24_hours(found: re.Match[str]) -> str:
    """Return a time of twelve hours on the 24-hour clock: "3 pm" as "15:00"."""
    *_, hours, minutes, half, part = found.groups()
    is_late = half in {"p", "P"} or (part or "").casefold() in {"afternoon", "evening"}
    return f"{int(hours) % 12 + 12 * is_late}:{minutes or '00'}"


# Replacements that are computed: a number in digits, a time on the 24-hour clock.
_COMPUTED: Mapping[str, Callable[[re.Match[str]], str]] = {"<DIGITS>": _in_digits, "<CLOCK>": _on_24_hours}


def _replacements(
    entries: Sequence[Sequence[str]], parts: Mapping[str, str], frame: str
) -> tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...]:
    return tuple(
        (re.compile(frame.format(_written_out(pattern, parts)), re.IGNORECASE), _COMPUTED.get(usual, usual))
        for pattern, usual in entries
    )


_IN_ENGLISH = _replacements(_ENGLISH["patterns"], _ENGLISH["parts"], r"(?<![\w-])(?:{})(?![\w-])")
_IN_CHINESE = _replacements(_CHINESE["patterns"], _CHINESE["parts"], "{}")
_USUAL_WORD = {word: group.split()[0] for group in _ENGLISH["words"] for word in group.split()[1:]}
_ADVERBS = frozenset(_ENGLISH["adverbs"].split())
_NO_ADVERBS = frozenset(_ENGLISH["no_adverbs"].split())
_TIMES = re.compile(_CHINESE["time"])
_AFTERNOON = re.compile(r"<PM>(\d+)点")


@lru_cache(maxsize=2_000)
def usual_wording(text: str) -> str:
    """Return an English statement in its usual wording.

    Args:
        text: Statement with expanded contractions.

    >>> usual_wording("I have a cat called Biscuit."), usual_wording("The user does not have any siblings")
    ('user cat named Biscuit', 'user not have siblings')
    """
    if len(text) > _LONGEST:
        return text
    said = _SIGNS_AT_END.sub("", text)
    for pattern, usual in _IN_ENGLISH:
        said = _GAPS.sub(" ", pattern.sub(usual, said)).strip()
    words = [_usual_word(word) for word in said.split()]
    adverbs = [word for word in words if _is_adverb(word)]
    return " ".join([*(word for word in words if not _is_adverb(word)), *sorted(adverbs)])


def _usual_word(word: str) -> str:
    low = word.casefold()
    return _USUAL_WORD.get(low) or _USUAL_WORD.get(low.removesuffix("s")) or word


def _is_adverb(word: str) -> bool:
    """Tell whether a word may stand anywhere in a statement."""
    return word in _ADVERBS or (_ADVERB.fullmatch(word) is not None and word not in _NO_ADVERBS)


def without_subject(statement: str, *, beside: str) -> str:
    """Return a statement without "user" or "we" at its beginning, as agents also write it: "likes tea".

    The subject stays if the other statement has another one.
    """
    subject, others = (text.partition(" ")[0] for text in (statement, beside))
    if subject not in _SUBJECTS or (others in _SUBJECTS and others != subject):
        return statement
    return statement[len(subject) + 1 :]


def turned_around(statement: str) -> Iterator[str]:
    """Yield a statement with both sides of its "is" swapped: "Dr. Feldman is the user's dentist"."""
    match _IS.split(statement):
        case [one, other] if not _SAYS_MORE.search(statement):
            yield f"{other} is {one}"


@lru_cache(maxsize=2_000)
def usual_wording_in_chinese(text: str) -> str:
    """Return a Chinese statement in its usual wording, without punctuation, with its times first.

    >>> usual_wording_in_chinese("我每天早上跑步。"), usual_wording_in_chinese("用户每天早晨都跑步")
    ('每早用户跑步', '每早用户跑步')
    """
    if len(text) > _LONGEST:
        return text
    said = simplified(undressed(text))
    for pattern, usual in _IN_CHINESE:
        said = pattern.sub(usual, said)
    said = _AFTERNOON.sub(lambda found: f"{int(found[1]) % 12 + 12}点", said)
    return "".join([*_TIMES.findall(said), _TIMES.sub("", said)])


def turned_around_in_chinese(statement: str) -> Iterator[str]:
    """Yield a statement with both sides of its 是 or 叫 swapped: 用户妹叫林晓雨, 林晓雨是用户妹."""
    match _IS_IN_CHINESE.split(statement):
        case [one, other] if one and other and not _DENIES_IN_CHINESE.search(statement):
            yield f"{other}是{one}"
