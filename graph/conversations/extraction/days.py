"""Relative times of facts as the dates that they mean: "tomorrow" of what was said on 2026-03-04 is 2026-03-05."""

import re
from dataclasses import replace
from datetime import date, timedelta
from functools import partial

from graph.conversations.extraction.facts import Category, Fact, Subject, fact_key, statement_of

_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTHS = "january february march april may june july august september october november december".split()
_NAMES_OF_MONTHS = f"(?-i:{'|'.join(map(str.title, _MONTHS))})"
_WEEKDAYS_ZH = "一二三四五六日"
_WEEK = 7
# A day on which all is resolved that can be, and how a text tells the day on which it was said.
_SOME_DAY = date(2026, 3, 4)
# One of these is in all that speaks of such a time: a text without them need not be looked through.
_HINTS = "day night morrow next this last coming week month year 天 年 晚 夜 早 日 周 週 期 拜 月".split()
_TELLS_ITS_DAY = re.compile(r"\(said on \d{4}-|\uff08\d{4}-\d\d-\d\d说")
# What is done each time is of no day, nor is what somebody likes or asks for.
_LASTING = frozenset({Category.PATTERN, Category.PREFERENCE})
_EACH_TIME = re.compile(
    r"\b(?:every|each|usually|always|often|never)\b|每|总是|經常|经常|通常", re.IGNORECASE
)
_DAYS = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1}
_SHIFTS = {"last": -1, "this": 0, "next": 1}
_BEFORE = (
    r"(?P<before>\b(?:on|by|until|till|since|for|from|before|after|of|in|than|and|or|to|around|about|through|at)"
    r"\s+)?"
)
# "The user's last year at school" and "their last night in Rome" are none that somebody counts from a day.
_NOT_OF_MANY = r"(?<!['\u2019]s\s)" + "".join(
    rf"(?<!\b{word}\s)" for word in "the my our your his her their very".split()
)
_DAY = re.compile(
    rf"{_BEFORE}(?<![\w-])(?:(?P<far>the\s+day\s+(?:after|before)\s+)?(?P<day>today|tomorrow|yesterday)"
    r"(?:\s+(?P<part>morning|afternoon|evening|night))?|(?P<tonight>tonight)"
    rf"|{_NOT_OF_MANY}(?:(?P<last_night>(?-i:[Ll]ast\s+night)(?!\s+shift))|this\s+(?P<this>morning|afternoon|evening)))(?!['\u2019\w-])",
    re.IGNORECASE,
)
_WEEKDAY = re.compile(
    rf"{_BEFORE}\b(?P<shift>next|this|last)\s+(?P<weekday>{'|'.join(_WEEKDAYS)})\b(?!['\u2019])",
    re.IGNORECASE,
)
_MONTH = re.compile(
    rf"{_BEFORE}{_NOT_OF_MANY}\b(?P<shift>next|this|last)\s+(?:(?P<unit>month|year)|(?P<month>{_NAMES_OF_MONTHS}))\b"
    r"(?!['\u2019]|\s+and\s+a\s+half\b|\s+or\s+(?:so|two)\b|\s+(?-i:[A-Z]))",
    re.IGNORECASE,
)
# What means no certain day even to whoever knows when it was said.
_UNCERTAIN = re.compile(
    r"\b(?-i:today|tonight|tomorrow|yesterday)\b"
    rf"|{_NOT_OF_MANY}\b(?:next|this|last|coming)\s+(?:week|weekend|month|year|spring|summer|autumn|fall|winter|{'|'.join(_WEEKDAYS)}"
    rf"|{_NAMES_OF_MONTHS})\b"
    r"|\b(?:in|within)\s+(?:about\s+)?(?:an?|a\s+few|a\s+couple\s+of|\d+|one|two|three|four|five|six|seven|eight|nine|ten)\s+"
    r"(?:days?|weeks?|months?|years?)\b(?!\s+of\b)|\b(?:day|week|month|year)s?\s+ago\b"
    rf"|\b(?:on|by|until|till|since|before)\s+(?:{'|'.join(_WEEKDAYS)})\b"
    r"(?!['\u2019]|\s+(?:morning|afternoon|evening|night)s\b|,?\s+(?:the\s+)?(?:\d{1,2}(?![\d:]|\s*[ap]\.?m\b)|\d{4}-)"
    rf"|,?\s+(?:{'|'.join(_MONTHS)})\b)",
    re.IGNORECASE,
)
_DAYS_ZH = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "後": 2, "大后": 3, "大後": 3}
# Letters that end one word and begin the next are no day: 目前|天气, 之后|天天, 如今|天气, 聪明|天真, 后天性.
_DAY_ZH = re.compile(
    r"(?P<day>(?<![目以之最然今隨随往此事雨午饭飯课課睡])大?[前后後](?=天)|昨|(?<![如现現迄古而])今"
    r"|(?<![聪聰透文声聲证證表发發光分英鲜鮮阐闡黎昆])明)"
    r"(?:天(?!天(?![气氣亮黑一])|(?<=[后後]天)(?:性|生(?!日))|(?<=[前后後]天)[黑亮])|(?<=昨)日|(?=早(?![已就])|[晚夜]))"
)
_WEEKDAY_ZH = re.compile(
    r"(?P<shift>[上这這本下])[个個]?(?:周|週|星期|[礼禮]拜)(?P<weekday>[一二三四五六日天])"
)
_YEAR_ZH = re.compile(
    r"(?P<year>(?<![过過])去|(?<![如现現迄古而])今|(?<![聪聰透文声聲证證表发發])明"
    r"|(?<![目以之稅税最然今年婚产產术術情休业業])大?[前后後])年(?!年(?![底初中末])|[份轻輕龄齡纪紀级級薪收均终終化利])"
)
_UNCERTAIN_ZH = re.compile(
    r"[上这這本下][个個]?(?:周末|週末|周|週|月|星期|[礼禮]拜|[学學]期)|[两兩几幾\d一二三四五六七八九十][个個]?(?:天|周|週|月|年)(?:之?[后後前])"
    r"|(?<![每上下这這本个個到至])(?:周|週|星期|[礼禮]拜)[一二三四五六日天](?![到至])"
)
_SHIFTS_ZH = {"上": -1, "下": 1}
_YEARS_ZH = {"大前": -3, "前": -2, "去": -1, "今": 0, "明": 1, "后": 2, "後": 2, "大后": 3, "大後": 3}


def on_its_day(fact: Fact, day: date) -> Fact:
    """Return a fact with the dates that its relative times mean, in its key as well.

    Where no certain date is meant, the day is told on which it was said. Habits and likes are returned as they are.

    >>> on_its_day(statement_of(Category.PLAN, "The user's flight is tomorrow at 6"), date(2026, 3, 4)).content
    "The user's flight is on 2026-03-05 at 6"
    """
    is_lasting = fact.category in _LASTING or fact.subject is Subject.ASSISTANT or fact.is_standing
    if is_lasting or _EACH_TIME.search(fact.content):
        return fact
    content = dated(fact.content, day)
    if content == fact.content:
        return fact
    if fact.object is None:
        key = statement_of(fact.category, content).key
        return replace(fact, content=content, key=key)
    about = dated(fact.object, day)
    return replace(fact, content=content, object=about, key=fact_key(fact.category, about))


def dated(text: str, day: date) -> str:
    """Return a text with dates for its relative times, or with the day it was said on behind it."""
    told = text
    try:
        for pattern, resolved in _RESOLVERS:
            told = pattern.sub(partial(resolved, said=day), told)
    except (OverflowError, ValueError):  # before the year 1, or behind the year 9999
        return text
    if _UNCERTAIN_ZH.search(told):
        return f"{told}\uff08{day}说\uff09"
    return f"{told} (said on {day})" if _UNCERTAIN.search(told) else told


def is_relative(text: str) -> bool:
    """Tell whether only who knows when a text was said knows what day it speaks of.

    >>> is_relative("The flight is tomorrow"), is_relative("The flight is in two days (said on 2026-03-04)")
    (True, False)
    >>> is_relative("Always deploy by Friday")
    False
    """
    said = text.lower()
    is_possible = any(hint in said for hint in _HINTS) and not any(
        clear.search(text) for clear in (_TELLS_ITS_DAY, _EACH_TIME)
    )
    return is_possible and dated(text, _SOME_DAY) != text


def _of_day(found: re.Match[str], said: date) -> str:
    part = (
        "night" if found["tonight"] or found["last_night"] else (found["part"] or found["this"] or "").lower()
    )
    at = {"": "", "night": " at night"}.get(part, f" in the {part}")
    if found["last_night"] or found["this"]:
        day = said - timedelta(days=bool(found["last_night"]))
        return f"{found['before'] or 'on '}{day}{at}"
    named = found["day"] or found["tonight"]
    if named.istitle() and max(found.start("day"), found.start("tonight")) > 0:
        return found[0]  # within a sentence it is a name
    word = named.lower()
    far = 1 + bool(found["far"])
    if found["far"] and ("after" in found["far"].lower()) is not (word == "tomorrow"):
        return found[0]
    return f"{found['before'] or 'on '}{said + timedelta(days=_DAYS[word] * far)}{at}"


def _of_weekday(found: re.Match[str], said: date) -> str:
    """Return the date where all read it alike: "next Friday" is that of next week and the coming one."""
    ahead = _WEEKDAYS.index(found["weekday"].lower()) - said.weekday()
    shift = _SHIFTS[found["shift"].lower()]
    is_certain = {1: ahead <= 0, 0: ahead >= 0, -1: ahead >= 0}[shift]
    if not is_certain:
        return found[0]
    return f"{found['before'] or 'on '}{said + timedelta(days=ahead + shift * _WEEK)}"


def _of_month(found: re.Match[str], said: date) -> str:
    shift, before = _SHIFTS[found["shift"].lower()], found["before"] or "in "
    if found["month"]:
        return _of_named_month(found, said)
    if found["unit"].lower() == "year":
        return f"{before}{_year(said, shift)}"
    year, month = divmod(said.year * 12 + said.month - 1 + shift, 12)
    return f"{before}{date(year, month + 1, 1).isoformat()[:-3]}"


def _of_named_month(found: re.Match[str], said: date) -> str:
    """Return the month where all read it alike: "last May" is in doubt once May of this year has been."""
    month = _MONTHS.index(found["month"].lower()) + 1
    shift = _SHIFTS[found["shift"].lower()]
    if (shift > 0 and month > said.month) or (shift < 0 and month < said.month):
        return found[0]
    return f"{found['before'] or 'in '}{date(said.year + shift, month, 1).isoformat()[:-3]}"


def _of_day_zh(found: re.Match[str], said: date) -> str:
    return f"{said + timedelta(days=_DAYS_ZH[found['day']])}"


def _of_weekday_zh(found: re.Match[str], said: date) -> str:
    place = _WEEKDAYS_ZH.index(found["weekday"].replace("天", "日"))
    weeks = _SHIFTS_ZH.get(found["shift"], 0)
    return f"{said + timedelta(days=place - said.weekday() + weeks * _WEEK)}"


def _of_year_zh(found: re.Match[str], said: date) -> str:
    return f"{_year(said, _YEARS_ZH[found['year']])}年"


def _year(said: date, shift: int) -> int:
    return date(said.year + shift, 1, 1).year


_RESOLVERS = (
    (_DAY, _of_day),
    (_WEEKDAY, _of_weekday),
    (_MONTH, _of_month),
    (_DAY_ZH, _of_day_zh),
    (_WEEKDAY_ZH, _of_weekday_zh),
    (_YEAR_ZH, _of_year_zh),
)
