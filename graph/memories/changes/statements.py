"""Finds statements about slots, which have one value at a time, and decides which statement ends another.

``english.toml`` and ``chinese.toml`` have the slots, verbs and wordings of each language.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from graph.core.text.language import contains_cjk, is_chinese
from graph.memories.changes import chinese, english
from graph.memories.changes.chinese import statements_in_chinese
from graph.memories.changes.english import statements_in_english
from graph.memories.changes.holdings import (
    CHINESE_HOLDINGS,
    ENGLISH_HOLDINGS,
    HELD,
    KIND_OF,
    PRODUCTS,
    holding_ends,
)
from graph.memories.changes.pairs import PairReader
from graph.memories.changes.pairs_chinese import CHINESE_PAIRS
from graph.memories.changes.pairs_english import ENGLISH_PAIRS
from graph.memories.changes.slots import SELF, SlotStatement, last_day, may_be_one_home
from graph.memories.changes.voices import Voice, voices, without_quotations

_UNMARRIED = {"single", "divorced"}
_OF_KINDS = frozenset(("phone", "e-mail", "version", "project"))
_WHOLE = frozenset((SELF, "team", "production", "prod", "everything", "生产环境", "生产", "线上"))
_OF_THINGS = frozenset(("version", "port", "owner", "project"))
_PROGRAMS = frozenset(
    "browser chat ci editor framework notes program-language streaming system tracker".split()
)
_MOVED = re.compile(r"(?:went|gone|moved|crossed|switched|hopped)\b|(?:转到|换到|转去|换去)", re.IGNORECASE)
_OF_ENVIRONMENTS = frozenset(("version", "port"))
_OURS = re.compile(r"\b(?:us|our|my)\b", re.IGNORECASE)
_WITHOUT_ARTICLE = re.compile(r"User(?:'s|\u2019s)? ")
_BEFORE_USERS = (
    "[新老客付活注每各名位个的多少登数些类种般通他有端网型级费]",
    *"部分 全部 企业 个人 目标 潜在 忠实 真实 早期 国内 国外 海外".split(),
)
# Users of a product are not the user: 大部分用户, 用户A. A rare character stands for them while the text is read.
_USERS = re.compile(
    rf"(?:{'|'.join(f'(?<={each})' for each in _BEFORE_USERS)})用户(?!名)|用户(?=[A-Z甲乙丙丁](?![A-Za-z]))"
)
_FOR_USERS = "\u9fa5"
_CHINESE_USER = re.compile(
    r"用户(?!服务|登录|量|数|反馈|中心|名|界面|体验|故事|表|端|组|数据|协议|画像|管理|系统|群|增长|行为|认证|权限"
    r"|信息|列表|接口|模块|请求|评论|头像|页面|们)"
)
_MOST_CHARS = 400  # a longer text is a document rather than a statement


@lru_cache(maxsize=4096)
def slot_statements(
    text: str, *, stated_on: date | None = None, own_names: tuple[str, ...] = ()
) -> tuple[SlotStatement, ...]:
    """Return the statements of a text about slots, at most one for each subject and slot.

    It omits quoted statements. The lines of another speaker are about that speaker.

    Args:
        text: Text in the first person ("I moved to Berlin"), or as extracted ("The user moved to Berlin").
        stated_on: Day of the statement, to which dates such as "last year" relate.
        own_names: Names of the author, which may stand before the author's lines.
    """
    if len(text) > _MOST_CHARS:
        return ()
    if _WITHOUT_ARTICLE.match(text):
        read = slot_statements(f"The u{text[1:]}", stated_on=stated_on, own_names=own_names)
        return tuple(replace(each, words=each.words.replace("The user", "User", 1)) for each in read)
    if is_chinese(text) and (read_as := _users_read_as(text)):
        users, stand_in = read_as
        read = slot_statements(users.sub(stand_in, text), stated_on=stated_on, own_names=own_names)
        return tuple(_with_users(each, stand_in) for each in read)
    plain = without_quotations(text, lambda words: bool(_framed(words, stated_on)))
    author, *others = voices(plain, own_names)
    stated = {(each.subject, each.slot): each for each in _of_author(author.text, stated_on)}
    for voice in others:
        first = 1 + max((each.part for each in stated.values()), default=-1)
        for each in _of_other(voice, stated_on):
            stated.setdefault((each.subject, each.slot), replace(each, part=first + each.part))
    return tuple(stated.values())


def _users_read_as(text: str) -> tuple[re.Pattern[str], str] | None:
    """Return which 用户 of a text to read as which character, or None: the user as 我, users as a rare one."""
    if _USERS.search(text):
        return _USERS, _FOR_USERS
    return (_CHINESE_USER, "我") if "我" not in text and _CHINESE_USER.search(text) else None


def _with_users(each: SlotStatement, stand_in: str) -> SlotStatement:
    subject, words = (part.replace(stand_in, "用户") for part in (each.subject, each.words))
    return replace(each, subject=subject, words=words)


def _framed(text: str, stated_on: date | None) -> Sequence[SlotStatement]:
    """Return the statements that the listed wordings find."""
    if contains_cjk(text) and not is_chinese(text):
        return ()
    read = statements_in_chinese if is_chinese(text) else statements_in_english
    return tuple(each for each in read(text, stated_on) if not _is_of_products(each))


def _is_of_products(each: SlotStatement) -> bool:
    """Tell whether a change of employer is one of products ("switched from Slack to Teams")."""
    if each.slot != "employer" or not each.is_change:
        return False
    kind = KIND_OF.get(each.value or "")
    if each.ended is not None:
        return kind not in {None, "car"} and kind == KIND_OF.get(each.ended)
    return kind in _PROGRAMS and _MOVED.match(each.words) is not None


def _of_other(voice: Voice, stated_on: date | None) -> Iterator[SlotStatement]:
    """Yield the statements of another speaker about that speaker and about shared things."""
    for each in _placed(_framed(voice.text, stated_on), voice.text):
        if each.subject == SELF and each.slot not in _OF_THINGS - {"project"}:
            yield replace(each, subject=voice.speaker)
        elif (
            each.slot in _OF_THINGS
            and each.subject not in {SELF, each.of, *_WHOLE}
            and not voice.has_possessive
        ):
            yield replace(each, value=voice.speaker if each.value == SELF else each.value)


def _of_author(text: str, stated_on: date | None) -> Iterator[SlotStatement]:
    """Yield the statements of a text in the author's own words."""
    if contains_cjk(text) and not is_chinese(text):
        return
    stated = {(each.subject, each.slot): each for each in _framed(text, stated_on)}
    for each in _found_versions(stated.values()):
        stated.setdefault((each.subject, each.slot), each)
    is_ahead = is_chinese(text) and chinese.is_ahead(text, stated_on)
    for subject, slot in () if is_ahead else _pairs_of(text).ended_slots(text):
        known = stated.get((subject, slot))
        stated[subject, slot] = (
            replace(known, passage=text)
            if known is not None
            else SlotStatement(
                slot, subject, None, "", is_change=True, until=last_day(text, stated_on), passage=text
            )
        )
    holdings = CHINESE_HOLDINGS if is_chinese(text) else ENGLISH_HOLDINGS
    for each in holdings.statements(text, part=_part_beside(stated.values())):
        stated.setdefault((each.subject, each.slot), replace(each, until=last_day(each.words, stated_on)))
    yield from _placed(stated.values(), text)


def _placed(stated: Iterable[SlotStatement], text: str) -> Iterator[SlotStatement]:
    """Yield statements with the environment that the text names, without those of leaving a workplace for the day."""
    table = chinese if is_chinese(text) else english
    found = table.ENVIRONMENT.search(text)
    where = (found.lastgroup or "") if found else ""
    left = table.LEAVES_FOR_NOW.search(text)
    for each in stated:
        if each.slot in _OF_ENVIRONMENTS:
            if placed := _of_owner(each, text):
                yield replace(placed, where=where)
        elif not (left and each.slot == "employer" and each.is_change and _overlaps(each.words, left)):
            yield each


def _of_owner(each: SlotStatement, text: str) -> SlotStatement | None:
    """Return a statement about software with its owner; None if it is only about another's use of a product."""
    is_in_chinese = is_chinese(text)
    before = each.words if is_in_chinese else text[: max(text.find(each.words), 0)]
    found = (chinese if is_in_chinese else english).OTHERS.search(before)
    if found is None or not each.words or _OURS.search(each.words):
        return each
    is_of_product = each.subject == each.of or each.subject in PRODUCTS
    if is_in_chinese:
        owner = found[0] if is_of_product else ""
    else:
        owner = f"{found['owner'].casefold()} {each.subject}" if found["owner"] else ""
    if owner and not each.is_weak:
        return replace(each, subject=owner, passage="")
    return None if is_of_product else each


def _overlaps(words: str, left: re.Match[str]) -> bool:
    """Tell whether the words of a statement stand where a match does; a statement without words may stand anywhere."""
    if not words:
        return True
    start = left.string.find(words)
    return 0 <= start < left.end() and left.start() < start + len(words)


def says_more(text: str, stated: Iterable[SlotStatement]) -> bool:
    """Tell whether a text also states something lasting that is about no slot: "…, and I am allergic to nuts"."""
    lasting_beside = chinese.lasting_beside if is_chinese(text) else english.lasting_beside
    return lasting_beside(text, [each.words for each in stated if each.words])


def _found_versions(stated: Iterable[SlotStatement]) -> list[SlotStatement]:
    """Return versions that a text states for a user of a product, as statements about the product itself."""
    return [
        replace(each, subject=each.of, is_weak=each.subject not in _WHOLE)
        for each in stated
        if each.slot == "version" and each.of and each.of != each.subject and each.value is not None
    ]


def _part_beside(stated: Iterable[SlotStatement]) -> int | None:
    """Return the number of the part for states outside the listed wordings; None if the listed states are of people."""
    valued = [each for each in stated if each.value is not None]
    if any(each.slot not in _OF_THINGS for each in valued):
        return None
    return valued[0].part if valued else 0


def _pairs_of(text: str) -> PairReader:
    return CHINESE_PAIRS if is_chinese(text) else ENGLISH_PAIRS


def closes(newer: SlotStatement, older: SlotStatement, *, older_stated_on: date | None = None) -> bool:
    """Tell whether a newer statement ends the state of an older one; see :func:`ending_words`."""
    return ending_words(newer, older, older_stated_on=older_stated_on) is not None


def ending_words(
    newer: SlotStatement, older: SlotStatement, *, older_stated_on: date | None = None
) -> str | None:
    """Return the words of a newer statement that end the state of an older one, or None.

    Args:
        newer: The later statement.
        older: The earlier statement.
        older_stated_on: Day of the earlier statement; a change before that day does not end it.
    """
    is_elsewhere = newer.where not in {"", older.where or "production"}
    if (newer.slot, newer.subject) != (older.slot, older.subject) or older.value is None or is_elsewhere:
        return None
    if newer.until is not None and older_stated_on is not None and newer.until < older_stated_on:
        return None
    if newer.slot in HELD:
        return newer.words if holding_ends(newer, older) else None
    if newer.words and _ends(newer, older):
        return newer.words
    if newer.value is not None and newer.of == older.of and _is_part(newer.value, older.value):
        return None
    return _pairs_of(newer.passage).ending_words(newer.passage, older) if newer.passage else None


def _ends(newer: SlotStatement, older: SlotStatement) -> bool:
    """Return whether the listed wording of a newer statement ends an older state."""
    if newer.is_weak or (older.is_weak and not newer.is_change and newer.slot != "version"):
        return False
    if newer.value is None:
        return newer.ended is None or _is_ended(newer, newer.ended, older.value or "")
    if newer.slot == "employer" and newer.ended and not _is_ended(newer, newer.ended, older.value or ""):
        return False
    return not _may_both_hold(newer, newer.value, older, older.value or "")


def _may_both_hold(newer: SlotStatement, value: str, older: SlotStatement, former: str) -> bool:
    """Tell whether two values of a slot may both be true at the same time."""
    if newer.slot in _OF_KINDS and _is_other_kind(newer, older):
        return newer.of != "renamed" or not _is_part(newer.ended or "", former)
    if newer.slot == "spouse" and {value, former} == _UNMARRIED:
        return True
    if newer.slot == "spouse" and _is_part(value, former):
        return not (newer.is_change and older.of and newer.of != older.of)
    if newer.slot == "role" and newer.is_change:
        return value == former
    if newer.slot == "home":
        return _is_part(value, former) or may_be_one_home(newer, value, former)
    return _is_part(value, former)


def _is_ended(newer: SlotStatement, ended: str, former: str) -> bool:
    """Tell whether an ended value equals a former one; for a project, an equal first or last word suffices."""
    if newer.slot != "project" or contains_cjk(former):
        return _is_part(ended, former)
    words, named = former.split(), set(ended.split())
    return named <= set(words) and (bool(newer.of) or not named.isdisjoint((words[0], words[-1])))


def _is_part(one: str, other: str) -> bool:
    """Tell whether one of two values has all words of the other."""
    first, second = set(one.replace(",", " ").split()), set(other.replace(",", " ").split())
    if first <= second or second <= first:
        return True
    return contains_cjk(one) and (one in other or other in one)


def _is_other_kind(newer: SlotStatement, older: SlotStatement) -> bool:
    """Tell whether two values are of different kinds: versions of two products, or landline and mobile number."""
    if newer.of == older.of:
        return False
    return bool(newer.of and older.of) or not newer.is_change or (bool(newer.of) and newer.slot != "version")
