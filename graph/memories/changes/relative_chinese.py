"""Relative times in Chinese texts."""

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Any, Final

from graph.core.tables import read_table
from graph.core.text.normal_forms import simplified
from graph.memories.changes.time_spans import (
    Granularity,
    RelativeTime,
    Span,
    day_of,
    month_of,
    months_of,
    quarter_number,
    quarter_of,
    week_of,
    weekday_of,
    weekend_of,
    year_of,
)

_TABLE: Final[Mapping[str, Any]] = read_table("graph.memories.changes", "chinese.toml")["deictic"]
_SHIFTS: Final[Mapping[str, int]] = _TABLE["shifts"]
_DAYS = {each["day"]: each["shift"] for each in _TABLE["days"]}
_YEARS = {each["day"]: each["shift"] for each in _TABLE["years"]}
_HALF_A_YEAR = 6
_MONTHS_OF_SEASON = 3
_SEASONS: Final[Mapping[str, int]] = _TABLE["seasons"]
_COUNTED_BY = {"day": day_of, "week": week_of, "month": month_of, "year": year_of}
_LONGEST_TITLE = 40
_WINDOW = 100  # characters of a clause that are read on either side


def _worded(entries: list[Mapping[str, Any]]) -> str:
    return "|".join(
        f"(?<![{each['not_after']}]){each['day']}" if each["not_after"] else each["day"] for each in entries
    )


def _shifted() -> str:
    guards = _TABLE["not_after"]
    worded = (
        f"(?<![{guards[shift[0]]}]){shift}" if guards[shift[0]] else shift
        for shift in sorted(_SHIFTS, key=len, reverse=True)
    )
    return f"(?P<shift>{'|'.join(worded)})"


_NUMBER = f"[{_TABLE['numbers']}两十]{{1,3}}"
_MONTH_NAME = r"(?P<month>十[一二]?|[一二三四五六七八九]|1[0-2]|[1-9])"
_DAY = re.compile(
    rf"(?P<words>(?P<day>{_worded(_TABLE['days'])})"
    rf"(?:天(?!{_TABLE['not_before']})(?!(?<=后天)(?:性|生(?!日)))(?!(?<=[前后]天)[黑亮])|(?<=[昨今明])日(?![头方报新])|(?<=[昨今明])儿(?![童子女歌科媳])|(?<=[昨今明])个儿|(?<=[昨今明前后])(?:(?=[晚夜晨])|(?=早(?![已就])))))"
)
_WEEK = re.compile(
    rf"(?P<words>{_shifted()}一?个?(?:周(?![期边岁年刊目])|星期|礼拜)(?P<weekday>[{_TABLE['weekdays']}天]|末)?)"
)
_MONTH = re.compile(
    rf"(?P<words>{_shifted()}一?个?月(?![亮球饼光经台季薪])(?:的?(?P<date>{_NUMBER}|[1-3]?\d)(?:号|日(?!元)))?)"
)
_QUARTER = re.compile(rf"(?P<words>{_shifted()}一?个?季度)")
_YEAR = re.compile(
    rf"(?P<words>(?P<year>{_worded(_TABLE['years'])})年(?!年(?![底初中末])|[份轻龄纪级薪收均终化利货]|会(?!议))(?:的?{_MONTH_NAME}月|的?(?P<season>[{''.join(_SEASONS)}](?:天|季(?!度)))"
    rf"|的?(?P<holiday>{'|'.join(_TABLE['holidays'])})(?:{_TABLE['holiday_ends']})?|(?P<same_day>的今天)|(?P<same_month>的?(?:这个?时候|此时)))?)"
)
_COUNT = (
    rf"(?:(?P<half>半)|(?P<count>{_NUMBER}|(?<!\d)\d{{1,3}})|(?P<vague>好?几|数|多|若干))(?P<more>[多来几])?"
    rf"(?P<measure>个)?(?P<and_half>半)?(?P<unit>{'|'.join(_TABLE['units'])})(?P<half_more>半)?(?P<also_more>多)?"
)
# The count goes on before its last digits or its last unit: 一百二十年前, 3.5年前, 一年两个月前.
_LARGER = "(?P<larger>[\\d零一二三四五六七八九十两]{0,4}(?:[百千万点.]|[\\d一二三四五六七八九十]年)零?)?"
_COUNTED = re.compile(
    rf"(?P<open>(?:{_TABLE['open_ended']}))?(?<![第每])(?P<words>{_LARGER}{_COUNT}[之以]?"
    rf"(?:(?P<ago>前(?!{_TABLE['not_before_ago']}))|后(?!{_TABLE['not_before_in']}))(?P<same_day>的今天)?)"
)
_SEVERAL = re.compile("[零一二两三四五六七八九]{2,}")  # 两三年 is two or three years
_STILL_TO_PASS = re.compile(rf"(?P<words>再过(?P<open>)(?P<larger>)(?P<ago>)(?P<same_day>){_COUNT}后?)")
_BARE_WEEKDAY = re.compile(
    rf"(?<![每上下这本个到至\d])(?P<words>(?:周|星期|礼拜)[{_TABLE['weekdays']}天])(?![到至])"
)
_DATE_OF_MONTH = re.compile(
    rf"{_TABLE['not_before_day']}(?P<words>(?:{_MONTH_NAME}月份?)?(?P<date>[一二]?十[一二三四五六七八九]?|三十一?|[一二三四五六七八九]"
    rf"|[12]\d|3[01]|[1-9])[号日]){_TABLE['day_ends']}"
)
_BARE_MONTH = re.compile(
    rf"(?<![\d年第个十一二三四五六七八九两几])(?P<words>{_MONTH_NAME}月)(?:份(?!额)|(?P<part>[初中底末]|[上中下]旬)|(?=[就我要会开起去来毕入搬结出到]|上(?!面|旬)))"
)
_PART_OF_UNIT = re.compile(r"(?<![年月每个\d一二三四五六七八九十])(?P<words>(?P<unit>[年月]))[底初末]")
_HOLIDAY = re.compile(
    rf"(?<![年每过])(?P<words>(?P<holiday>{'|'.join(_TABLE['holidays'])}))(?!路|街|广场|卡|树|老人|晚会|快乐)"
    r"(?P<is_theirs>(?:节|那天|期间|假期)?[我他她咱爸妈])?"
)
_PAST, _AHEAD, _TURNING, _RECURRING, _DOER = (
    re.compile(_TABLE[name]) for name in ("past", "ahead", "turning", "recurring", "doer")
)
_INDEFINITE = re.compile(f"(?P<words>{_TABLE['indefinite']})")
_CLAUSE_ENDS = re.compile("[\u3002\uff01\uff1f\uff1b\uff0c,.!?;\n]")
_HABITUAL = re.compile(_TABLE["habitual"])
_HAPPENED = re.compile("[了过]")
_QUOTES = ("\u201c\u201d", "\u300a\u300b", "\u300c\u300d", "\u2018\u2019", '""')
# Every relative time has one of these characters, in Simplified or Traditional script.
_HINT = re.compile("[天日儿兒周週月年季期拜晚夜早晨近前后後号號旦节節庆慶诞誕五]")


def chinese_times(text: str, stated_on: date) -> Iterator[RelativeTime]:
    """Yield the relative times of a text, in any order; some may overlap."""
    if not _HINT.search(text):
        return
    read = simplified(text)
    for pattern, meaning in _PATTERNS:
        for found in pattern.finditer(read):
            start, end = found.span("words")
            clause = _clause_around(read, start, end)
            is_quoted = read[start - 1 : start] + read[end : end + 1] in _QUOTES
            if _HABITUAL.search(clause) or is_quoted or _is_in_title(read, start):
                continue
            try:
                span = meaning(found, stated_on)
            except (OverflowError, ValueError):  # before the year 1, or after the year 9999
                span = None
            if span is not _NONE:
                words = text[start:end]
                yield RelativeTime(start, end, words, span, _date_words(span) if span else words)


_NONE: Final = Span(Granularity.DAY, date.max, date.max)
"""Result for words that only look like a relative time."""


def _is_in_title(text: str, start: int) -> bool:
    before = text[max(0, start - _LONGEST_TITLE) : start]
    return before.rfind("\u300a") > before.rfind("\u300b")


def _of_day(found: re.Match[str], stated_on: date) -> Span | None:
    return day_of(stated_on, _DAYS[found["day"]])


def _of_week(found: re.Match[str], stated_on: date) -> Span | None:
    weeks, weekday = _SHIFTS[found["shift"]], found["weekday"]
    if weekday is None:
        return week_of(stated_on, weeks)
    if weekday == "末":
        return weekend_of(stated_on, weeks)
    return weekday_of(stated_on, _TABLE["weekdays"].index(weekday.replace("天", "日")), weeks)


def _of_month(found: re.Match[str], stated_on: date) -> Span | None:
    month = month_of(stated_on, _SHIFTS[found["shift"]])
    return day_of(month.first.replace(day=_number(found["date"])), 0) if found["date"] else month


def _of_quarter(found: re.Match[str], stated_on: date) -> Span | None:
    return quarter_of(stated_on, _SHIFTS[found["shift"]])


def _of_year(found: re.Match[str], stated_on: date) -> Span | None:
    shift = _YEARS[found["year"]]
    if found["same_day"]:
        return day_of(stated_on.replace(year=stated_on.year + shift), 0)
    if found["same_month"]:
        return months_of(Granularity.MONTH, stated_on.year + shift, stated_on.month, 1)
    if found["holiday"]:
        return day_of(date(stated_on.year + shift, *_TABLE["holidays"][found["holiday"]]), 0)
    if found["season"]:
        begin = _SEASONS[found["season"][0]]
        return (
            months_of(Granularity.SEASON, stated_on.year + shift, begin, _MONTHS_OF_SEASON) if begin else None
        )
    if found["month"] is None:
        return year_of(stated_on, shift)
    return months_of(Granularity.MONTH, stated_on.year + shift, _number(found["month"]), 1)


def _of_counted(found: re.Match[str], stated_on: date) -> Span | None:
    """Resolve "three days ago"; skip "three days later" in a clause about the past, which counts from another event."""
    clause = _clause_around(found.string, *found.span("words"))
    if found["ago"] is None and _HAPPENED.search(clause):
        return _NONE
    if found["unit"] == "月" and not found["measure"]:
        return _NONE  # "三月前" is before March
    each, granularity = _TABLE["units"][found["unit"]]
    is_open = found["open"] or found["vague"] or found["more"] or found["also_more"] or found["and_half"]
    if is_open or not granularity or found["larger"] or _SEVERAL.fullmatch(found["count"] or ""):
        return None
    sign = -1 if found["ago"] else 1
    count = 0 if found["half"] else _number(found["count"])
    if found["half"] or found["half_more"]:
        return (
            month_of(stated_on, sign * (each * count + _HALF_A_YEAR))
            if granularity == Granularity.YEAR
            else None
        )
    if found["same_day"]:
        return (
            day_of(stated_on.replace(year=stated_on.year + sign * count), 0)
            if granularity == Granularity.YEAR
            else None
        )
    return _COUNTED_BY[granularity](stated_on, sign * count)


def _of_date_of_month(found: re.Match[str], stated_on: date) -> Span | None:
    """Return the last or next day of that number, by the tense of the clause; "每月15号" recurs and is no date."""
    sign = _sign_of_tense(found)
    if not sign or _RECURRING.search(_clause_around(found.string, *found.span("words"))):
        return None
    day = _number(found["date"])
    if found["month"]:
        month = _number(found["month"])
        if _is_of_this_year(found):
            return day_of(stated_on.replace(month=month, day=day), 0)
        return _nearest(lambda shift: date(stated_on.year + shift, month, day), stated_on, sign)
    firsts = (month_of(stated_on, shift).first for shift in (0, sign, 2 * sign))
    days = (first.replace(day=day) for first in firsts if day <= monthrange(first.year, first.month)[1])
    return next((day_of(each, 0) for each in days if (each - stated_on).days * sign >= 0), None)


def _of_bare_month(found: re.Match[str], stated_on: date) -> Span | None:
    month, sign = _number(found["month"]), _sign_of_tense(found) or int(found["part"] is not None)
    if not sign or (month == stated_on.month and (sign < 0 or not found["part"])):
        return None
    is_of_other_year = (month - stated_on.month) * sign < 0 and not _is_of_this_year(found)
    return months_of(Granularity.MONTH, stated_on.year + (sign if is_of_other_year else 0), month, 1)


def _of_part_of_unit(found: re.Match[str], stated_on: date) -> Span | None:
    """Return the year of "年底之前" or the month of "月底": the current one in a clause about the future."""
    if _sign_of_tense(found) <= 0:
        return None
    return year_of(stated_on, 0) if found["unit"] == "年" else month_of(stated_on, 0)


def _of_holiday(found: re.Match[str], stated_on: date) -> Span | None:
    sign = _sign_of_tense(found)
    month, day = _TABLE["holidays"][found["holiday"]]
    if not sign:
        return None if found["is_theirs"] else _NONE
    if _is_of_this_year(found):
        return day_of(stated_on.replace(month=month, day=day), 0)
    return _nearest(lambda shift: date(stated_on.year + shift, month, day), stated_on, sign)


def _nearest(day_in: Callable[[int], date], stated_on: date, sign: int) -> Span:
    """Return the last or next occurrence of an annual day."""
    of_year = day_in(0)
    return day_of(of_year if (of_year - stated_on).days * sign >= 0 else day_in(sign), 0)


def _is_of_this_year(found: re.Match[str]) -> bool:
    """Tell whether somebody begins something in a month without a year ("我一月开始学法语")."""
    clause = _clause_without(found)
    return bool(_TURNING.search(clause) and _DOER.search(clause)) and not (
        _AHEAD.search(clause) or _PAST.search(clause)
    )


def _clause_without(found: re.Match[str]) -> str:
    """Return the clause around a time without the words of the time."""
    return _clause_around(found.string, *found.span("words")).replace(found["words"], "", 1)


def _sign_of_tense(found: re.Match[str]) -> int:
    """Return -1 for a clause about the past, 1 for one about the future ("要结婚了"), else 0."""
    clause = _clause_without(found)
    for sign, cue in ((1, _AHEAD), (-1, _PAST), (1, _TURNING)):
        if cue.search(clause):
            return sign
    return 0


def _of_no_day(_found: re.Match[str], _stated_on: date) -> Span | None:
    return None


_PATTERNS: Final = (
    (_DAY, _of_day),
    (_WEEK, _of_week),
    (_MONTH, _of_month),
    (_QUARTER, _of_quarter),
    (_YEAR, _of_year),
    (_COUNTED, _of_counted),
    (_STILL_TO_PASS, _of_counted),
    (_BARE_WEEKDAY, _of_no_day),
    (_DATE_OF_MONTH, _of_date_of_month),
    (_BARE_MONTH, _of_bare_month),
    (_PART_OF_UNIT, _of_part_of_unit),
    (_HOLIDAY, _of_holiday),
    (_INDEFINITE, _of_no_day),
)


def _number(written: str) -> int:
    """Return a number below a hundred in characters, or any in digits."""
    if written.isascii():
        return int(written)
    tens, is_ten, ones = written.replace("两", "二").rpartition("十")
    digits = _TABLE["numbers"]
    return (digits.index(tens) if tens else 1) * 10 * bool(is_ten) + (digits.index(ones) if ones else 0)


def _clause_around(text: str, start: int, end: int) -> str:
    before, after = text[max(0, start - _WINDOW) : start], text[end : end + _WINDOW]
    begin = max((each.end() for each in _CLAUSE_ENDS.finditer(before)), default=0)
    stop = _CLAUSE_ENDS.search(after)
    return f"{before[begin:]}{text[start:end]}{after[: stop.start()] if stop else after}"


def _date_words(span: Span) -> str:
    first = span.first
    seasons = {month: season for season, month in _SEASONS.items()}
    return {
        Granularity.DAY: f"{first}",
        Granularity.WEEKEND: f"{first}那个周末",
        Granularity.WEEK: f"{first}那一周",
        Granularity.MONTH: f"{first.year}年{first.month}月",
        Granularity.QUARTER: f"{first.year}年第{_TABLE['numbers'][quarter_number(span)]}季度",
        Granularity.SEASON: f"{first.year}年{seasons.get(first.month, '')}天",
        Granularity.YEAR: f"{first.year}年",
    }[span.granularity]
