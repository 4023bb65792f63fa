"""Rules for contradictions between two texts: another number, date or name, or the opposite.

They compare sentences word by word. Unrelated sentences must never count as a contradiction, so the rules require the
same beginning, the same informative words, and one difference of one kind. Sentences in different wordings are compared
only by :mod:`graph.memories.deduplication.attributes`. Different names count in English and Chinese only: other
languages have no list of verbs that allow several names, and German nouns look like names.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import product
from typing import Protocol

from graph.core.text.detection import is_english
from graph.core.text.language import contains_cjk, is_question, sentences
from graph.core.text.normal_forms import simplified
from graph.memories.deduplication.attributes import attributes_differ, is_known_place, may_be_one_place
from graph.memories.deduplication.sameness import say_the_same
from graph.memories.deduplication.statements import Occasion, StatedDate, Statement, taken_apart
from graph.memories.models import Memory

# Chinese sentences are compared in Simplified characters and without fillers, by the part between their common
# beginning and their common end.


_FILLERS = re.compile(
    r"[\s\uff0c。\uff01!、\uff1b;\uff1a:,.“”\"'\uff08\uff09()]+(?!\d)|现在|目前|已经|一直|其实|非常|特别|真的|[很也都了的地得就还又将会要]"
)
_SELF = re.compile(r"^(?:用户|我们|我|他|她)")
_NOT = re.compile(r"不再|不是|没有|从不|从来不|并不|并非|不|没|未|非|别|无")
_NUMERAL = r"\d\uff10-\uff19零一二三四五六七八九十百千万亿两半"
_VALUE = re.compile(
    rf"(?:[{_NUMERAL}][{_NUMERAL}.:\uff1a/\-年月日号点分时周]*)|(?:周|星期|礼拜)[一二三四五六日天]|[上下]午|今天|明天|后天"
)
_NAMED_BY = re.compile(
    r"(?:住在|搬到|搬去|来自|出生于|出生在|(?:叫|名字是)\S?|姓|任职于|就职于|供职于|工作在|部署在|位于"
    r"|(?:老板|首都|地址|密码|负责人|经理|语言|城市)是)$"
)
_WHERE = re.compile(r"(?:[在到去于]|来自)$")
# Relatives and pets of which somebody may have several; "大儿子" identifies one.
_ONE_OF_SEVERAL = re.compile(
    r"(?<![大小二三独有个只条位名])(?:儿子|女儿|孩子|哥哥|弟弟|姐姐|妹妹|兄弟|姐妹|朋友|同事|同学|室友|邻居|宠物|[猫狗])(?![们粮])"
)
# A place of work may be a town or a company.
_WORK = re.compile(r"(?:工作|上班|任职|实习)")
_NO_FIRMS = frozenset(("家", "家里", "公司"))
_DATE = re.compile(r"[年月日号]|周[一二三四五六日天]?$|(?:周|星期|礼拜)[一二三四五六日天]|[今明后]天")
# Words behind a date for events with a single time; other activities may also take place on other days.
_TIMETABLED = re.compile(
    r"^#*(?:$|出生|去世|结婚|离婚|起飞|出发|到期|截止|开始|结束|举行|召开|发布|上线|开业|开学|毕业|入职|交付|搬|[，,])"
)
_SHARED_END = 2  # common characters behind a place after "在" from which only one place is possible
_HATRED = re.compile("讨厌|厌恶|反感|不爱|不喜爱|不喜欢")
_LIKING = re.compile("喜爱|热爱|爱(?=[吃喝看听玩])")
_FEWEST_SHARED = 2
_LONGEST_NAME = 8


@dataclass(frozen=True)
class _Bare:
    """A Chinese sentence without fillers; ``bare`` has no negations either."""

    bare: str
    is_negated: bool


@lru_cache(maxsize=2048)
def _bare(sentence: str) -> _Bare:
    text = _HATRED.sub("不喜欢", simplified(sentence).casefold())
    text = _LIKING.sub("喜欢", text)
    text = _FILLERS.sub("", text)
    text = _SELF.sub("我", text)
    denials = _NOT.findall(text)
    bare = _NOT.sub(
        lambda found: "是" if found[0] in {"不是", "并非"} else "有" if found[0] == "没有" else "", text
    )
    return _Bare(bare, len(denials) % 2 == 1)


def beginning_in_chinese(sentence: str) -> str:
    """Return the first character without fillers; sentences that differ in it are never compared."""
    return _VALUE.sub("#", _bare(sentence).bare)[:1]


def differ_in_chinese(first: str, second: str) -> bool:
    """Tell whether two sentences differ only in their values, in one name, or in a negation."""
    one, other = _bare(first), _bare(second)
    if one.is_negated != other.is_negated:
        return one.bare == other.bare and len(one.bare) >= _FEWEST_SHARED
    if one.is_negated:
        return False
    values, others = _VALUE.findall(one.bare), _VALUE.findall(other.bare)
    if values and len(values) == len(others) and values != others:
        frame = _VALUE.sub("#", one.bare)
        return (
            frame == _VALUE.sub("#", other.bare)
            and len(frame.replace("#", "")) >= _FEWEST_SHARED
            and not _is_of_one_of_several(frame[: frame.index("#")])
            and not _may_be_another_day(one.bare, other.bare)
        )
    if values or others:
        return False
    return _names_differ(one.bare, other.bare)


def _is_of_one_of_several(before: str) -> bool:
    """Tell whether the text before a value or a name is about one of several without identifying it."""
    return _ONE_OF_SEVERAL.search(before) is not None


def _may_be_another_day(one: str, other: str) -> bool:
    """Tell whether texts differ only in the days of something that may happen on several days."""
    pairs = list(zip(_VALUE.finditer(one), _VALUE.finditer(other), strict=True))
    return all(
        _DATE.search(first[0]) is not None and not _TIMETABLED.match(_VALUE.sub("#", one[first.end() :]))
        for first, second in pairs
        if first[0] != second[0]
    )


def _names_differ(one: str, other: str) -> bool:
    """Tell whether two texts differ in one name at a place where only one name is possible."""
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if start is None:
        return False
    shortest = min(len(one), len(other)) - start
    end = next((i for i in range(shortest) if one[-1 - i] != other[-1 - i]), shortest)
    spans = one[start : len(one) - end], other[start : len(other) - end]
    are_places = _WHERE.search(one[:start]) is not None
    if _is_of_one_of_several(one[:start]) or (are_places and may_be_one_place(*spans)):
        return False
    if _WORK.match(one[len(one) - end :]) and _is_no_firm(spans[0]) != _is_no_firm(spans[1]):
        return False
    is_place = one[:start].endswith("在") and end >= _SHARED_END
    return (is_place or _NAMED_BY.search(one[:start]) is not None) and all(
        1 <= len(span) <= _LONGEST_NAME for span in spans
    )


def _is_no_firm(name: str) -> bool:
    return name in _NO_FIRMS or is_known_place(name)


_MOST_SENTENCES = 4  # a longer text is not a single statement
_MOST_CHARS = 400
_FEWEST_WORDS_FOR_ONE_MORE = 4


def disagree(one: str, other: str) -> bool:
    """Tell whether two texts contradict each other in a number, a date, a name or a negation.

    >>> disagree("Ada is allergic to peanuts", "Ada is not allergic to peanuts")
    True
    >>> disagree("The launch is on March 15", "The launch was moved to April 1")
    True
    >>> disagree("Ada likes tea", "Bob likes tea")
    False
    """
    return not _subjects(one).isdisjoint(_subjects(other)) and any(
        _differ(first, second) for first, second in product(sentences(one), sentences(other))
    )


@lru_cache(maxsize=2048)
def _subjects(text: str) -> frozenset[str]:
    """Return the subjects of a text's sentences; none for a question or a text too long for a statement.

    The result is cached, because each of many texts is compared with all others.
    """
    found = sentences(text) if len(text) <= _MOST_CHARS and not is_question(text) else []
    if len(found) > _MOST_SENTENCES:
        return frozenset()
    return frozenset(
        beginning_in_chinese(sentence) if contains_cjk(sentence) else taken_apart(sentence).first
        for sentence in found
    )


def _differ(one: str, other: str) -> bool:
    if contains_cjk(one) != contains_cjk(other):
        return False
    if contains_cjk(one):
        differ = differ_in_chinese(one, other) or attributes_differ(one, other)
        return differ and not say_the_same(one, other)
    is_conflict = _conflict(taken_apart(one), taken_apart(other)) or attributes_differ(one, other)
    return is_conflict and not say_the_same(one, other)


def _conflict(one: Statement, other: Statement) -> bool:
    if (
        not one.first
        or one.first != other.first
        or one.one_of_several != other.one_of_several
        or _differ_properly(one.qualifiers, other.qualifiers)
        or not _are_alike(one.words, other.words)
    ):
        return False
    places = [(place, other.places.get(name)) for name, place in one.places.items()]
    if any("from" in pair and _lie_apart(*pair) for pair in places):
        return False  # the flight to Rome, and the flight from Rome
    dates = _contradict(one.dates, other.dates)
    numbers = _differ_properly(one.numbers, other.numbers)
    say_something = one.says_something and other.says_something
    if one.names != other.names:
        return (
            say_something
            and _is_one_other_name(one, other)
            and not (one.holds_of_many or other.holds_of_many or numbers or dates)
            and one.is_negated == other.is_negated is False
            and is_english(one.sentence)
            and is_english(other.sentence)
        )
    if one.is_negated != other.is_negated:
        return say_something and not (numbers or dates)
    return not one.is_negated and _have_other_values(one, other, dates=dates, numbers=numbers)


def _have_other_values(one: Statement, other: Statement, *, dates: bool, numbers: bool) -> bool:
    """Tell whether different dates or numbers of two statements cannot both be true."""
    if one.is_of_one_of_several or other.is_of_one_of_several:
        return False
    if numbers and dates and "~past" in one.words | other.words:
        return False  # past values at different times
    occasions = {one.occasion, other.occasion}
    if numbers and Occasion.HAPPENED not in occasions:
        return True
    return dates and occasions == {Occasion.ONCE}


def _is_one_other_name(one: Statement, other: Statement) -> bool:
    """Tell whether one name replaces another, and neither is part of the other ("Liz", "Liz Smith").

    Two places can both be true if one may contain the other.
    """
    own, theirs = one.names - other.names, other.names - one.names
    if not len(own) == len(theirs) == 1:
        return False
    (first,), (second,) = own, theirs
    first_words, second_words = {*first.split()}, {*second.split()}
    is_part = first_words <= second_words or second_words <= first_words
    are_places = first in one.places and second in other.places
    if are_places and _lie_apart(one.places[first], other.places[second]):
        return False
    return not (is_part or (are_places and may_be_one_place(first, second)))


def _lie_apart(one: str, other: str | None) -> bool:
    """Tell whether two prepositions give places different roles: origin and target, or company and town."""
    return other is not None and one != other and ("from" in (one, other) or {one, other} == {"in", "at"})


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    if one == other:
        return True
    return len(one ^ other) == 1 and min(len(one), len(other)) >= _FEWEST_WORDS_FOR_ONE_MORE


def _differ_properly(one: frozenset[str], other: frozenset[str]) -> bool:
    """Tell whether each of two sets has an element that the other lacks."""
    return bool(one - other) and bool(other - one)


def _contradict(ones: tuple[StatedDate, ...], others: tuple[StatedDate, ...]) -> bool:
    return len(ones) == len(others) and any(
        one.contradicts(other) for one, other in zip(ones, others, strict=True)
    )


class HoldsFor(Protocol):
    """A statement with a validity period; unknown bounds are None."""

    @property
    def holds_since(self) -> datetime | None:
        """Start of its validity, or else the time of the statement."""

    @property
    def t_invalid(self) -> datetime | None:
        """End of its validity."""


def contradicts(one: Memory, other: Memory) -> bool:
    """Tell whether two memories cannot both be true.

    Memories of different owners or speakers never contradict each other, nor do memories valid one after the other.
    """
    return (
        owner_of(one) == owner_of(other)
        and not held_in_turn(one, other)
        and disagree(one.content, other.content)
    )


def held_in_turn(one: HoldsFor, other: HoldsFor) -> bool:
    """Tell whether one of two statements ended before the other began."""
    return _ends_before(one, other) or _ends_before(other, one)


def _ends_before(one: HoldsFor, other: HoldsFor) -> bool:
    return one.t_invalid is not None and other.holds_since is not None and one.t_invalid <= other.holds_since


def owner_of(memory: Memory) -> tuple[str | None, ...]:
    """Return the speaker, user and agent of a memory."""
    return memory.speaker, memory.user_id, memory.agent_id
