"""Brings statements into a usual wording, so that two wordings of one statement have the same words.

``rewordings.toml`` lists the wordings: "I have a cat called Biscuit" and "My cat's name is Biscuit" both become
"user cat is Biscuit". Words that the list does not know stay, so another value never becomes the same.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from graph.core.tables import read_table
from graph.core.text.normal_forms import simplified, undressed

_TABLE: Final[Mapping[str, Any]] = read_table("graph.memories.deduplication", "rewordings.toml")
_ENGLISH, _CHINESE = _TABLE["english"], _TABLE["chinese"]
_PART = re.compile(r"<([A-Z]+)>")
_LONGEST = 300  # characters; a longer text is no single statement
_NAME = re.compile(r"(?!(?:The|A|An)\b)[A-Z][\w.'-]*(?<!s)(?: [A-Z\d][\w.'-]*){0,3}")
_GAPS = re.compile(r"\s+")
_SIGNS_AT_END = re.compile(r"[.,;!\u2026\s]++$")
_IS = re.compile(r"\s(?:is|are)\s", re.IGNORECASE)
_SAYS_MORE = re.compile(r"\b(?:not|who|which|that|because|if|when|but|than|more|less)\b|[,;:]", re.IGNORECASE)
_IS_IN_CHINESE = re.compile("[是叫]")
_OF_USER = re.compile("用户[^不没]{1,8}")
_NAME_IN_CHINESE = re.compile(
    "(?!.*(?:[师生长员工板东理]|护士|警察|师傅|外卖|车|布偶|金毛|英短|柯基)$)[^不没用]{2,4}"
)
# Words beside which the place of an adverb may tell something.
_TWO_VERBS = frozenset(
    "not and but or to that because said says told thinks if when who which while before after where used knows heard "
    "hopes helps assist asks wants want let lets makes".split()
)
_REPORTS_IN_CHINESE = re.compile(
    "[不没别说想让约教的订写怕只叫劝逼忘]|讨厌|开始|停止|监督|支持|决定|担心|后悔|推迟|改到|答应|告诉|通知|打算|觉得|希望|要求|同意|建议|宣布|承诺|准备|申请|考虑|提醒|鼓励|计划|取消"
)
_USER_IN_CHINESE = "用户"
_KANA_OR_HANGUL = re.compile(r"[\u3040-\u30ff\uac00-\ud7a3]")
_ONES = "零一二三四五六七八九"
_DIGIT_BY_DIGIT = re.compile("[零一二三四五六七八九]{3,}")
_ABOUT = re.compile("[一二两三四五六七八九]{2}")
_WITHOUT_LAST_UNIT = re.compile("(.*[百千])([一二三四五六七八九])")
_NEXT_UNIT = {"千": "百", "百": "十"}
_POWERS = {"十": 10, "百": 100, "千": 1000}


def _written_out(pattern: str, parts: Mapping[str, str]) -> str:
    """Replace the names of parts, which may name others."""
    while _PART.search(pattern):
        pattern = _PART.sub(lambda found: f"(?:{parts[found[1]]})", pattern)
    return pattern


def _in_digits(found: re.Match[str]) -> str:
    """Return a Chinese number below 10,000 in digits: 二十六 as 26, 两千三 as 2300; 两三, two or three, stays."""
    if _DIGIT_BY_DIGIT.fullmatch(found[0]):
        return "".join(str(_ONES.index(character)) for character in found[0])
    if _ABOUT.search(found[0]):
        return found[0]
    if short := _WITHOUT_LAST_UNIT.fullmatch(found[0]):
        return _digits(f"{short[1]}{short[2]}{_NEXT_UNIT[short[1][-1]]}")
    return _digits(found[0])


def _digits(number: str) -> str:
    total, digit = 0, 0
    for character in number:
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


def _in_ones(found: re.Match[str]) -> str:
    """Return a number of ten thousands as a whole number: 3.5 as 35000."""
    return f"{(Decimal(found[1]) * 10_000).normalize():f}"


# Replacements that are computed: a number in digits or in ones, a time on the 24-hour clock.
_COMPUTED: Mapping[str, Callable[[re.Match[str]], str]] = {
    "<DIGITS>": _in_digits,
    "<ONES>": _in_ones,
    "<CLOCK>": _on_24_hours,
}


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
_BEHIND_USER = frozenset(_ENGLISH["behind_user"].split())
_TIMES, _REPEATED = (
    re.compile(f"(?:{_written_out(_CHINESE[name], _CHINESE['parts'])})+") for name in ("time", "repeated")
)
_BETWEEN_CLAUSES, _ONLY_A_PAUSE = re.compile(_CHINESE["between_clauses"]), re.compile(_CHINESE["pause"])
_USER_AT_START = re.compile(_written_out("^用户(?!<USERNOUN>)", _CHINESE["parts"]))
INTENDING: Final = re.compile(_written_out(r"\b<INTENDS>\b", _ENGLISH["parts"]), re.IGNORECASE)
"""Pattern of verbs beside another verb, to which a time may belong: "decided to move in May"."""
_AFTERNOON = re.compile(r"<PM>(\d+)点")


@lru_cache(maxsize=2_000)
def usual_wording(text: str) -> str:
    """Return an English statement in its usual wording.

    Args:
        text: Statement with expanded contractions.

    >>> usual_wording("I have a cat called Biscuit."), usual_wording("The user does not have any siblings")
    ('user cat is Biscuit', 'user not have siblings')
    """
    if len(text) > _LONGEST:
        return text
    said = _SIGNS_AT_END.sub("", text)
    for pattern, usual in _IN_ENGLISH:
        said = _GAPS.sub(" ", pattern.sub(usual, said)).strip()
    words = [_usual_word(word) for word in said.split()]
    adverbs = [word for word in words if word in _ADVERBS]
    if len(adverbs) == 1 and _TWO_VERBS.isdisjoint(words):
        words.remove(adverbs[0])
        words += adverbs
    return " ".join(words)


def _usual_word(word: str) -> str:
    low = word.casefold()
    return _USUAL_WORD.get(low) or _USUAL_WORD.get(low.removesuffix("s")) or word


def without_user(statement: str) -> str:
    """Return a statement without the user before a verb, as agents also write it: "likes tea"."""
    said = statement.removeprefix("user ")
    verb, _, rest = said.partition(" ")
    is_noun = rest.partition(" ")[0] in {"is", "are", "was", "were"}  # "user watch is broken"
    return said if verb.casefold() in _BEHIND_USER and not is_noun else statement


def turned_around(statement: str) -> Iterator[str]:
    """Yield a statement with both sides of its "is" swapped, if one is a name: "Dr. Feldman is the user's dentist"."""
    match _IS.split(statement):
        case [one, other] if not _SAYS_MORE.search(statement) and _is_named(one, other):
            yield f"{other} is {one}"


def _is_named(one: str, other: str) -> bool:
    """Tell whether one side is a name, and the other begins with "the" or "user"."""
    return any(
        _NAME.fullmatch(name) is not None and what.partition(" ")[0].casefold() in {"the", "user"}
        for name, what in ((one, other), (other, one))
    )


def usual_wording_in_chinese(text: str) -> str:
    """Return a Chinese statement in its usual wording, without punctuation and without the user at its beginning.

    If it has one clause and one verb, a time behind the user comes first, and a time of repetition from anywhere.

    >>> usual_wording_in_chinese("我每天早上跑步。"), usual_wording_in_chinese("用户每天早晨都跑步")
    ('每早跑步', '每早跑步')
    """
    said = _with_usual_words(text)
    if _BETWEEN_CLAUSES.search(said) is None and _REPORTS_IN_CHINESE.search(said) is None:
        said = _with_time_first(said)
    return _ONLY_A_PAUSE.sub("", _USER_AT_START.sub("", said))


def _with_time_first(said: str) -> str:
    match list(_TIMES.finditer(said)):
        case [time] if _REPEATED.fullmatch(time[0]) or said[: time.start()] in {"", _USER_IN_CHINESE}:
            return time[0] + _USER_AT_START.sub("", said[: time.start()] + said[time.end() :])
        case _:
            return said


@lru_cache(maxsize=2_000)
def _with_usual_words(text: str) -> str:
    if len(text) > _LONGEST or _KANA_OR_HANGUL.search(text):
        return text
    said = simplified(undressed(text))
    for pattern, usual in _IN_CHINESE:
        said = pattern.sub(usual, said)
    return _AFTERNOON.sub(lambda found: f"{int(found[1]) % 12 + 12}点", said)


def turned_around_in_chinese(text: str) -> Iterator[str]:
    """Yield a statement about something of the user's with its sides swapped: 用户的妹妹叫林晓雨 as 林晓雨是用户妹."""
    match _IS_IN_CHINESE.split(_with_usual_words(text)):
        case [one, other] if _OF_USER.fullmatch(one) and _NAME_IN_CHINESE.fullmatch(other):
            yield f"{other}是{one}"
