"""Contradictions between two sentences in Chinese, which has no spaces.

They are compared in Simplified characters and without fillers, by the difference between their common beginning and
their common end.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from graph.core.text.scripts import simplified
from graph.memories.deduplication.attributes import is_known_place, may_be_one_place

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
# Of whom and what somebody may have several; "大儿子" is told from the others.
_ONE_OF_SEVERAL = re.compile(
    r"(?<![大小二三独有个只条位名])(?:儿子|女儿|孩子|哥哥|弟弟|姐姐|妹妹|兄弟|姐妹|朋友|同事|同学|室友|邻居|宠物|[猫狗])(?![们粮])"
)
# Where somebody works is a town and a firm.
_WORK = re.compile(r"(?:工作|上班|任职|实习)")
_NO_FIRMS = frozenset(("家", "家里", "公司"))
_DATE = re.compile(r"[年月日号]|周[一二三四五六日天]?$|(?:周|星期|礼拜)[一二三四五六日天]|[今明后]天")
# Behind a date, what there is one time of; what somebody else does on a day may be done on another as well.
_TIMETABLED = re.compile(
    r"^#*(?:$|出生|去世|结婚|离婚|起飞|出发|到期|截止|开始|结束|举行|召开|发布|上线|开业|开学|毕业|入职|交付|搬|[，,])"
)
_SHARED_END = 2  # characters: "in" alone says that one place is meant only where the rest is the same
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
    """Return the first character that counts; sentences with different ones never differ in one thing alone."""
    return _VALUE.sub("#", _bare(sentence).bare)[:1]


def differ_in_chinese(first: str, second: str) -> bool:
    """Tell whether two sentences differ in one value or name, or in whether it is so, and in nothing else."""
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
    """Tell whether the words before a value or a name concern one of several, without identifying it."""
    return _ONE_OF_SEVERAL.search(before) is not None


def _may_be_another_day(one: str, other: str) -> bool:
    """Tell whether texts with other values differ in the days only on which something is done or happened."""
    pairs = list(zip(_VALUE.finditer(one), _VALUE.finditer(other), strict=True))
    return all(
        _DATE.search(first[0]) is not None and not _TIMETABLED.match(_VALUE.sub("#", one[first.end() :]))
        for first, second in pairs
        if first[0] != second[0]
    )


def _names_differ(one: str, other: str) -> bool:
    """Tell whether the texts have one different name in the place where only one can stand."""
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
