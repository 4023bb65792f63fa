"""Rules for names in Chinese texts, which have no spaces between words.

A person's name is a surname and one or two characters of given names, between clause ends or listed words.
"""

import re
from collections.abc import Iterable, Iterator

from graph.core.text.language import HAN
from graph.knowledge.linking.kinds import CHINESE, ORGANISATION, PERSON, PLACE, PRODUCT, PROJECT, SERVICE
from graph.knowledge.linking.models import Recognised
from graph.knowledge.linking.occurrences import Taken

_HAS_HAN = re.compile(f"[{HAN}]")
_HAS_KANA = re.compile("[\u3041-\u30ff]")
_OWNER = re.compile(rf"[{HAN}]{{3,20}}$")


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))


# A stem begins at the start of a clause, or after one of these characters.
_CUT = "的在从到去和与跟是了给被向对为由把加于了过着问找叫请让及或也都就还进入来自把将离开等说"
_STEM = rf"(?:(?![{_CUT}])[{HAN}]){{1,10}}?"
_PLACES = re.compile(_any_of(CHINESE["places"]))
_KNOWN_ORGANISATIONS = re.compile(_any_of(CHINESE["organisations"]))
_ORGANISATION = re.compile(rf"(?P<stem>{_STEM})(?:{_any_of(CHINESE['organisation_endings'])})+")
_PROJECT = re.compile(rf"(?P<stem>(?:(?![{_CUT}])[{HAN}]){{2,6}})项目")
_SERVICE = re.compile(rf"(?:(?![{_CUT}])[{HAN}]){{2,5}}服务(?![员商器台业])")
_SOFTWARE = re.compile(_any_of(CHINESE["software"]), re.IGNORECASE)
_TASKS = re.compile(
    "^.*(?:负责|参与|参加|启动|加入|推进|领导|主导|完成|开发|支持|我们|他们|重启|部署|调用|依赖|升级|回滚|维护|使用|关于|上线|迁移)"
)
_BEFORE = re.compile(rf"(?:^|[^{HAN}]|{_any_of(CHINESE['before_person'])})$")
_BEHIND = re.compile(rf"$|[^{HAN}]|{_any_of(CHINESE['behind_person'])}")
_SURNAME = re.compile(_any_of(CHINESE["surnames"]))
_GIVEN_NAME = re.compile(f"[{''.join(sorted(''.join(CHINESE['given_characters'])))}]{{1,2}}")
_TITLED = re.compile(rf"(?:{_any_of(CHINESE['titles'])})")
_FAMILIAR = re.compile(rf"[小老阿](?:{_any_of(CHINESE['surnames'])})|小(?:{_any_of(CHINESE['familiar'])})")
_PRODUCTS = re.compile(_any_of(CHINESE["products"]))
# A manufacturer followed by a number is a model of this manufacturer: 小米14.
_MODEL = re.compile(
    rf"(?:{_any_of(CHINESE['organisations'])})\s?(?:[A-Z][A-Za-z]*\s?)?\d{{1,4}}(?![\d年月日号%])(?:\s?(?:Pro|Ultra|Max))?"
)
_REACHED = re.compile(rf"(?<=[去到在自住爬登游回])(?:(?![{_CUT}爬登游])[{HAN}]){{1,3}}?[山湖河江岛寺县镇村]")
_LONGEST_CUE = 4
_SHORTEST_STEM = 2
_SHORTEST_OWNER = 4


def chinese_names(text: str) -> list[Recognised]:
    """Return the names in Chinese characters of a text, without overlaps; skip Japanese names."""
    if not _HAS_HAN.search(text) or _HAS_KANA.search(text):
        return []
    taken = Taken()
    found: list[Recognised] = []
    for rule in (_models, _organisations, _projects_and_services, _known, _reached, _people):
        fresh = [each for each in rule(text) if not taken.overlaps(each.start, each.end)]
        taken.add((each.start, each.end) for each in fresh)
        found += fresh
    return found


def acronym_owner(text: str, end: int) -> int | None:
    """Return the start of the Chinese name before an acronym in brackets."""
    match = _OWNER.search(text, max(0, end - 20), end)
    if match is None:
        return None
    name = match[0]
    cut = max((name.rfind(char) for char in _CUT), default=-1)
    return match.start() + cut + 1 if len(name) - cut > _SHORTEST_OWNER else None


def _organisations(text: str) -> Iterator[Recognised]:
    for match in _ORGANISATION.finditer(text):
        if match["stem"] not in CHINESE["no_stems"] and not match["stem"].endswith(("个", "家", "所", "名")):
            yield Recognised(*match.span(), ORGANISATION, match[0])


def _models(text: str) -> Iterator[Recognised]:
    for match in _MODEL.finditer(text):
        yield Recognised(*match.span(), PRODUCT, match[0])


def _reached(text: str) -> Iterator[Recognised]:
    for match in _REACHED.finditer(text):
        if _BEHIND.match(text, match.end()):
            yield Recognised(*match.span(), PLACE, match[0])


def _known(text: str) -> Iterator[Recognised]:
    kinds = ((_PRODUCTS, PRODUCT), (_KNOWN_ORGANISATIONS, ORGANISATION), (_PLACES, PLACE))
    for pattern, kind in kinds:
        for match in pattern.finditer(text):
            yield Recognised(*match.span(), kind, match[0])


def _projects_and_services(text: str) -> Iterator[Recognised]:
    has_software = _SOFTWARE.search(text) is not None
    for pattern, kind, ending in ((_PROJECT, PROJECT, "项目"), (_SERVICE, SERVICE, "服务")):
        if kind == SERVICE and not has_software:
            continue
        for match in pattern.finditer(text):
            stem = match[0].removesuffix(ending)
            bare = _TASKS.sub("", stem)
            if len(bare) < _SHORTEST_STEM or bare in CHINESE["no_stems"] or bare.endswith(("个", "新", "的")):
                continue
            start = match.start() + len(stem) - len(bare)
            name = bare if kind == PROJECT else bare + ending
            yield Recognised(start, start + len(name), kind, name)


def _people(text: str) -> Iterator[Recognised]:
    place = 0
    while (match := _SURNAME.search(text, place)) is not None:
        end = _end_of_person(text, match)
        place = match.start() + 1 if end is None else end
        if end is not None:
            yield Recognised(match.start(), end, PERSON, text[match.start() : end])
    for match in _FAMILIAR.finditer(text):
        if _starts_apart(text, match.start()) and _BEHIND.match(text, match.end()):
            yield Recognised(*match.span(), PERSON, match[0])


def _end_of_person(text: str, surname: re.Match[str]) -> int | None:
    if not _starts_apart(text, surname.start()):
        return None
    titled = _TITLED.match(text, surname.end())
    if titled is not None:
        return titled.end() if _BEHIND.match(text, titled.end()) else None
    given_name = _GIVEN_NAME.match(text, surname.end())
    if given_name is None:
        return None
    for end in range(given_name.end(), surname.end(), -1):
        name = text[surname.start() : end]
        if (
            name[:2] not in CHINESE["no_persons"]
            and name not in CHINESE["no_persons"]
            and _BEHIND.match(text, end)
        ):
            return end
    return None


def _starts_apart(text: str, start: int) -> bool:
    return _BEFORE.search(text, max(0, start - _LONGEST_CUE), start) is not None or start == 0
