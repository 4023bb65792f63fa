"""Compares statements about attributes with one value at a time, such as home, employer, marital status and age.

``attributes.toml`` lists their wordings in English and Chinese.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from typing import Any, Final

from graph.core.tables import read_table
from graph.core.text.language import contains_cjk, words
from graph.core.text.normal_forms import simplified
from graph.memories.deduplication.sameness import WORDS, canonical, expanded

_ONE_OF_SEVERAL = frozenset(WORDS["one_of_several"].split())
_SINGLED_OUT = frozenset(WORDS["singled_out"].split())
_COUNTS = frozenset(("1", "one"))


def place_of_name(raw: Sequence[str], lowered: Sequence[str]) -> int | None:
    """Return the index of a name that identifies one of several, as in "the user's son Max", or None."""
    return next(
        (
            place
            for place, word in enumerate(raw)
            if place and word.istitle() and lowered[place - 1] in _ONE_OF_SEVERAL
        ),
        None,
    )


def is_one_of_several(lowered: Sequence[str], named: int | None) -> bool:
    """Tell whether lower-case words are about one of several without identifying it.

    Args:
        lowered: The words of a sentence.
        named: Index of the name that distinguishes it from the others.

    >>> is_one_of_several("the user son is 5".split(), None)
    True
    >>> is_one_of_several("the user oldest son is 5".split(), None)
    False
    """
    return any(
        word in _ONE_OF_SEVERAL
        and place + 1 != named
        and lowered[place - 1] not in _SINGLED_OUT
        and lowered[place - 1] not in _COUNTS
        for place, word in enumerate(lowered)
        if place
    )


_TABLE: Final[Mapping[str, Any]] = read_table("graph.memories.deduplication", "attributes.toml")
_ENGLISH, _CHINESE = _TABLE["english"], _TABLE["chinese"]
_NO_SUBJECTS = frozenset(_ENGLISH["no_subjects"].split())
_PEOPLE = frozenset(_ENGLISH["people"].split())
_SELVES = frozenset("user i we my our".split())
_MOST_WORDS_OF_A_SUBJECT = 7  # with adverbs
_EXTENTS: Mapping[str, str] = {
    place: extent for extent, places in _TABLE["extents"].items() for place in places.split(",")
} | dict.fromkeys(",".join(_TABLE["towns"].values()).split(","), "towns")
_AROUND: Mapping[str, str] = {
    part: whole
    for table in ("towns", "parts_of_towns")
    for whole, parts in _TABLE[table].items()
    for part in parts.split(",")
}
_OTHER_NAMES: Mapping[str, str] = _TABLE["other_names"]
_ADVERBS = frozenset(_ENGLISH["adverbs"].split())
_NAMED = re.compile(r"<([A-Z_]+)>")
_GROUP = re.compile(r"\(\?P<\w+>")
_GAP = re.compile(r"\s+")
_BETWEEN_PLACES = re.compile(",? and |, ")
_SELF_IN_CHINESE = re.compile("用户|的")


@dataclass(frozen=True)
class _Reading:
    """One wording of an attribute; see ``attributes.toml``."""

    attribute: str
    may_be: frozenset[str]
    of_anything: bool
    of_places: bool
    of_two: bool
    no_places: bool
    except_for: frozenset[str]


@dataclass(frozen=True)
class _Claim:
    """Statement about an attribute: one of ``values`` is true; values are places or the words of a name."""

    attribute: tuple[str, ...]
    values: frozenset[str]

    def contradicts(self, other: "_Claim") -> bool:
        """Tell whether both cannot be true."""
        return self.attribute == other.attribute and self.values.isdisjoint(other.values)


def attributes_differ(one: str, other: str) -> bool:
    """Tell whether two sentences state values of the same attribute that cannot both be true.

    >>> attributes_differ("Ada lives in Hamburg", "Ada moved to Kiel")
    True
    >>> attributes_differ("Ada lives in Berlin", "Ada lives in Germany")
    False
    """
    return any(first.contradicts(second) for first, second in product(_claims(one), _claims(other)))


def may_be_one_place(one: str, other: str) -> bool:
    """Tell whether two places may be the same, or one may contain the other because their extents differ.

    An unknown place counts as a town.
    """
    ones, others = known_name(one), known_name(other)
    return ones == others or _extent_of(ones) != _extent_of(others)


def is_known_place(name: str) -> bool:
    """Tell whether a name is a known place, by the table or by a Chinese suffix."""
    return known_name(name) in _EXTENTS or name.endswith(("省", "市", "区", "县", "镇"))


def lies_elsewhere(one: str, other: str) -> bool:
    """Tell whether two places have countries that are known, and neither lies in the other.

    >>> lies_elsewhere("Camden", "Edinburgh"), lies_elsewhere("Camden", "London"), lies_elsewhere("Munich", "Portugal")
    (True, False, True)
    """
    ones, others = list(_places_around(one)), list(_places_around(other))
    are_known = _extent_of(ones[-1]) == _extent_of(others[-1]) == "countries"
    return are_known and ones[0] not in others and others[0] not in ones


def _places_around(place: str) -> Iterator[str]:
    """Yield a place, and the places that contain it, up to its country."""
    name: str | None = known_name(place)
    while name is not None:
        yield name
        name = _AROUND.get(name)


def known_places() -> tuple[str, ...]:
    """Return the names of all known places, in lower case."""
    return tuple(_EXTENTS)


def _extent_of(place: str) -> str:
    return _EXTENTS.get(place, "districts" if place.endswith(("区", "县", "镇")) else "towns")


def known_name(place: str) -> str:
    """Return the name of a place in ``attributes.toml``, without regard to case and full stops."""
    name = place.casefold().replace(".", "").removesuffix("市")
    return _OTHER_NAMES.get(name, name)


@lru_cache(maxsize=2048)
def _claims(sentence: str) -> Sequence[_Claim]:
    return tuple(_claims_in_chinese(sentence) if contains_cjk(sentence) else _claims_in_english(sentence))


def _claims_in_english(sentence: str) -> Iterator[_Claim]:
    text = expanded(sentence)
    if _UNLESS_IN_ENGLISH.search(text):
        return
    for gap in islice(_GAP.finditer(text), _MOST_WORDS_OF_A_SUBJECT):
        place = gap.end()
        if _BEGINNING_IN_ENGLISH.match(text, place) is None:
            continue
        for pattern, unless, reading in _READINGS_IN_ENGLISH:
            found = pattern.match(text, place)
            if found is not None and (unless is None or not unless.search(text)):
                subject = _subject(text[: gap.start()].split(), of_anything=reading.of_anything)
                if subject:
                    yield from _claim(subject, found, reading)


def _claims_in_chinese(sentence: str) -> Iterator[_Claim]:
    plain = simplified(sentence)
    if _UNLESS_IN_CHINESE.search(plain):
        return
    for pattern, unless, reading in _READINGS_IN_CHINESE:
        found = pattern.match(plain)
        if found is not None and (unless is None or not unless.search(plain)):
            subject = _SELF_IN_CHINESE.sub("", found["subject"]) or "我"
            yield from _claim((subject,), found, reading)


def _claim(subject: tuple[str, ...], found: re.Match[str], reading: _Reading) -> Iterator[_Claim]:
    """Yield the claims of a match, unless its value is unknown or excepted."""
    groups = found.groupdict()
    if reading.of_places:
        for extent, places in _places_by_extent(groups["value"]).items():
            yield _Claim((*subject, reading.attribute, extent), frozenset(places))
        return
    if reading.no_places and is_known_place(groups["value"]):
        return
    key = " ".join(words(groups.get("key") or ""))
    if reading.of_two:
        key = " ".join(sorted(words(f"{key} {groups['value']}")))
    values = reading.may_be or frozenset(words(groups["value"].casefold())) - {"and", "the", "of"}
    if values and not values <= reading.except_for:
        yield _Claim((*subject, reading.attribute, key), values)


def _places_by_extent(value: str) -> Mapping[str, set[str]]:
    """Return the known places of a value by extent: Altona, Hamburg, is the same town as Hamburg."""
    found: dict[str, set[str]] = {}
    for place in map(known_name, _BETWEEN_PLACES.split(value)):
        if place in _EXTENTS:
            found.setdefault(_EXTENTS[place], set()).add(place)
    return found


def _subject(raw: Sequence[str], *, of_anything: bool) -> tuple[str, ...]:
    """Return the subject of a sentence from the words before its verb, in canonical form; empty if unclear."""
    lowered = [word.casefold() for word in raw]
    while lowered and lowered[-1] in _ADVERBS:
        lowered.pop()
    raw = raw[: len(lowered)]
    if not _NO_SUBJECTS.isdisjoint(lowered):
        return ()
    if is_one_of_several(lowered, place_of_name(raw, lowered)):
        return ()
    is_somebody = all(
        low in _PEOPLE or low in _SELVES or word[0].isupper()
        for word, low in zip(raw, lowered, strict=True)
        if low != "the"
    )
    if not (of_anything or is_somebody):
        return ()
    forms = ("~self" if word in _SELVES else canonical(word) for word in lowered)
    return tuple(form for form in forms if form is not None)


def _readings(
    language: Mapping[str, Any], subject: str = ""
) -> tuple[tuple[re.Pattern[str], re.Pattern[str] | None, _Reading], ...]:
    """Compile a language's wordings: the beginning of a sentence, its exceptions and its meaning."""
    compiled = []
    for entry in language["readings"]:
        reading = _Reading(
            attribute=entry["attribute"],
            may_be=frozenset(entry.get("may_be", ())),
            of_anything=entry.get("of_anything", False),
            of_places=entry.get("of_places", False),
            of_two=entry.get("of_two", False),
            no_places=entry.get("no_places", False),
            except_for=frozenset(entry.get("except_for", "").split()),
        )
        unless = re.compile(entry["unless"], re.IGNORECASE) if "unless" in entry else None
        for wording in entry["begins"]:
            pattern = re.compile(rf"{subject}(?:{_written_out(wording, language)})", re.IGNORECASE)
            compiled.append((pattern, unless, reading))
    return tuple(compiled)


def _written_out(wording: str, language: Mapping[str, Any]) -> str:
    """Expand the placeholders in angle brackets of a wording."""
    return _NAMED.sub(lambda found: str(language["names"][found[1]]), wording)


_UNLESS_IN_ENGLISH = re.compile(_ENGLISH["unless"], re.IGNORECASE)
_UNLESS_IN_CHINESE = re.compile(_CHINESE["unless"])
_READINGS_IN_ENGLISH = _readings(_ENGLISH)
# All wordings in one pattern, a quick test before each of them is tried.
_BEGINNING_IN_ENGLISH = re.compile(
    "|".join(_GROUP.sub("(?:", pattern.pattern) for pattern, _, _ in _READINGS_IN_ENGLISH), re.IGNORECASE
)
_READINGS_IN_CHINESE = _readings(
    _CHINESE, rf"(?P<subject>(?:用户|我|他|她)(?:的?(?:{_CHINESE['people']}))?){_CHINESE['adverbs']}{{0,3}}"
)
