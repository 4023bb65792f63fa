"""Whether two sentences in Chinese, which has no spaces, say of the same thing what cannot both hold.

They are compared without fillers, by what differs between their common beginning and their common end.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

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
    text = _HATRED.sub("不喜欢", sentence.casefold())
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
        return frame == _VALUE.sub("#", other.bare) and len(frame.replace("#", "")) >= _FEWEST_SHARED
    if values or others:
        return False
    return _names_differ(one.bare, other.bare)


def _names_differ(one: str, other: str) -> bool:
    """Tell whether the texts have one different name in the place where only one can stand."""
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if start is None:
        return False
    shortest = min(len(one), len(other)) - start
    end = next((i for i in range(shortest) if one[-1 - i] != other[-1 - i]), shortest)
    spans = one[start : len(one) - end], other[start : len(other) - end]
    is_place = one[:start].endswith("在") and end >= _SHARED_END
    return (is_place or _NAMED_BY.search(one[:start]) is not None) and all(
        1 <= len(span) <= _LONGEST_NAME for span in spans
    )
