"""Kinds of named things: lists of known names, forms of names, and the words beside a name.

A name that these do not classify is a ``Thing``: a wrong kind is worse than a general one.
"""

import re
from collections.abc import Sequence

from graph.knowledge.linking.vocabulary import (
    DEEDS,
    DOUBTFUL,
    EVENT_ENDINGS,
    GIVEN_NAMES,
    ORGANISATION_BEGINNINGS,
    ORGANISATION_ENDINGS,
    ORGANISATIONS,
    PLACE_BEGINNINGS,
    PLACE_ENDINGS,
    PLACES,
    PRODUCTS,
    RELATIVES,
    SURNAMES,
)
from graph.knowledge.ontology.names import RECOGNISED_TYPES, normalized

THING, PERSON, ORGANISATION, PLACE, EVENT, PROJECT, PRODUCT, SERVICE, FILE, CODE, PAGE = RECOGNISED_TYPES

_PLACE_BEFORE = re.compile(
    r"\b(?:in|from|near|to|around|across|visit(?:ed|ing)?|aus|nach|through)[ \u00a0]$", re.IGNORECASE
)
_LIVING_BEFORE = re.compile(
    r"\b(?:(?:live[sd]?|living|born|grew up|based|raised|holiday|vacation) in|"
    r"(?:wohn|leb|studier|gebor|aufgewachs)\w*(?: nun| jetzt)? in|"
    r"(?:fl[ey]\w*|flight|trip|travel\w*|train|journey) (?:to|from))[ \u00a0]$",
    re.IGNORECASE,
)
_EMPLOYER_BEFORE = re.compile(
    r"\b(?:work(?:s|ed|ing)? (?:at|for)|employed (?:at|by)|hired by|job at|arbeite\w*(?: \w+)? bei|"
    r"(?:ceo|cto|cfo|founder) of|intern(?:s|ed)? at)[ \u00a0]$",
    re.IGNORECASE,
)
_WORD_BEFORE = re.compile(r"([^\W\d_][\w'-]*),?[ \u00a0]$")
_WORD_AFTER = re.compile(r"[ \u00a0]([^\W\d_]\w*)")
_POSSESSIVE = re.compile(r"(?:['\u2019]s|(?<=s)['\u2019])$")
_GERMAN_TOWN_BEFORE = re.compile(r"\b(?:in|nach|aus|bei|von|um)[ \u00a0]$", re.IGNORECASE)
_GERMAN_TOWN = re.compile(
    r"[a-z]{2}(?:burg|berg|ingen|hausen|heim|stadt|dorf|furt|bach|feld|kirchen|hafen|munster|brucken?|leben|walde|itz)$"
)
_COMPOUND_EVENTS = ("messe", "marathon", "festival", "festspiele")
_PERSON_BEFORE = frozenset(
    "ask asked tell told met meet call called thank thanks with dear hi hello and by".split()
)
_PROJECTS = frozenset({"project", "projekt"})
_FAR = 40
_MOST_PERSON_WORDS = 5


def words_of(name: str) -> list[str]:
    """Split a name of a text into its words."""
    return [_POSSESSIVE.sub("", word) for word in name.split()]


def known_kind(name: str) -> str | None:
    """Return the kind of a listed name, or None for one that is unknown or doubtful."""
    key = _key(name.split())
    if key in DOUBTFUL:
        return None
    kinds = ((PLACE, PLACES), (ORGANISATION, ORGANISATIONS), (PRODUCT, PRODUCTS))
    return next((kind for kind, known in kinds if key in known), None)


def kind_of(text: str, start: int, end: int, words: Sequence[str], *, is_strict: bool = False) -> str:
    """Return the kind of a name in a text.

    Args:
        text: In which it stands.
        start: Start offset.
        end: End offset.
        words: Of the name.
        is_strict: True if it may be a common noun, as in German.
    """
    keys = [normalized(word.rstrip(".,")) for word in words]
    if not keys:
        return THING
    known = known_kind(" ".join(words))
    if known is not None:
        return known
    before, after = text[max(0, start - _FAR) : start], _word_at(_WORD_AFTER.match(text, end))
    return _single(keys[0], before, after, is_strict) if len(keys) == 1 else _several(keys, before, is_strict)


def _single(key: str, before: str, after: str, is_strict: bool) -> str:
    is_given = key in GIVEN_NAMES or ("-" in key and key.partition("-")[0] in GIVEN_NAMES)
    if is_given and key not in DOUBTFUL:
        return PERSON
    if beside := _told_before(before):
        return beside
    if is_strict:
        is_town = _GERMAN_TOWN_BEFORE.search(before) and _GERMAN_TOWN.search(key)
        return PLACE if is_town else THING
    if key in PLACES and _PLACE_BEFORE.search(before):
        return PLACE
    is_person = is_given and (after in DEEDS or _word_at(_WORD_BEFORE.search(before)) in _PERSON_BEFORE)
    return PERSON if is_person else THING


def _several(keys: Sequence[str], before: str, is_strict: bool) -> str:
    first, last = keys[0], keys[-1]
    built = (
        (last in EVENT_ENDINGS or last.endswith(_COMPOUND_EVENTS), EVENT),
        (first in _PROJECTS, PROJECT),
        (last in ORGANISATION_ENDINGS or first in ORGANISATION_BEGINNINGS, ORGANISATION),
        (last in PLACE_ENDINGS or first in PLACE_BEGINNINGS, PLACE),
        (_is_person(keys), PERSON),
    )
    kind = next((kind for holds, kind in built if holds), None)
    if kind is not None or is_strict:
        return kind or THING
    is_product = first in PRODUCTS and first not in DOUBTFUL
    return _told_before(before) or (PRODUCT if is_product else THING)


def _is_person(keys: Sequence[str]) -> bool:
    """Tell whether words are a person's name: the first is a given name, or the last a surname."""
    first, last = keys[0], keys[-1]
    is_given = first in GIVEN_NAMES or first.partition("-")[0] in GIVEN_NAMES
    is_other = first in PLACES or first in ORGANISATIONS or first in PRODUCTS
    has_surname = last in SURNAMES
    return len(keys) <= _MOST_PERSON_WORDS and (
        (is_given and (has_surname or not is_other)) or (has_surname and not is_other)
    )


def _told_before(before: str) -> str | None:
    """Return the kind that the words before a name tell, or None."""
    if _word_at(_WORD_BEFORE.search(before)) in RELATIVES:
        return PERSON
    if _LIVING_BEFORE.search(before):
        return PLACE
    return ORGANISATION if _EMPLOYER_BEFORE.search(before) else None


def _key(words: Sequence[str]) -> str:
    return "_".join(normalized(word.rstrip(".,")) for word in words)


def _word_at(match: re.Match[str] | None) -> str:
    return match[1].lower() if match else ""
