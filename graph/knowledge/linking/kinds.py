"""Classifies names by lists of known names, by their form, and by the words beside them.

A name that these do not classify is a ``Thing``: a wrong kind is worse than a general one.
"""

import re
from collections.abc import Sequence

from graph.core.tables import read_table
from graph.core.text.language import STOP_WORDS
from graph.knowledge.linking.models import Recognised
from graph.knowledge.ontology.names import RECOGNISED_TYPES, normalized

_LISTS = read_table("graph.knowledge.linking", "vocabulary.toml")
_NAMES = read_table("graph.knowledge.linking", "names.toml")


def _words(list_: str) -> frozenset[str]:
    return frozenset(_LISTS[list_].split())


COMMON_WORDS = STOP_WORDS | _words("common")
"""Words that name an entity only in its exact spelling: "it" does not mean the entity "IT"."""
NO_NAMES = COMMON_WORDS | _words("no_names")
"""Words that are not a name alone, never end one, and rarely begin one."""
NAME_BEGINNINGS = _words("name_beginnings")
"""Words of ``NO_NAMES`` that begin many names; inside a sentence, a capital makes them part of the name."""
HONORIFICS = _words("honorifics")
"""Titles before a person's name, which are not part of it."""
CAPITAL_BEGINNINGS = _words("capital_beginnings")
"""Titles that in capitals are not honorifics, but the first word of a product or place."""
CAPITAL_ENDINGS = _words("capital_endings")
"""Words that are not names, but in capitals are the last word of a name."""
ABBREVIATED_BEGINNINGS = _words("abbreviated_beginnings")
"""First words of places' names whose full stop does not end a sentence."""
ORGANISATION_ENDINGS = _words("organisation_endings")
"""Last words of organisations' names."""
PARTICLES = _words("particles")
"""Lower-case words inside names."""
NAME_PARTICLES = PARTICLES - frozenset("for the and und la le les y al".split())
"""Particles that join two capitalised words into one name: "Bank of America", "Ludwig van Beethoven"."""
FILE_ENDINGS = _words("file_endings")
"""Suffixes of file names."""
ORGANISATION_BEGINNINGS = _words("organisation_beginnings")
"""First words of organisations' names."""
EVENT_ENDINGS = _words("event_endings")
"""Last words of events' names."""
PLACE_ENDINGS = _words("place_endings")
"""Last words of places' names."""
PLACE_BEGINNINGS = _words("place_beginnings")
"""First words of places' names."""
RELATIVES = _words("relatives")
"""Words before a person's name."""
SINGULAR_VERBS = _words("singular_verbs")
"""Singular verbs: a word without an article before one of them is a name."""
DEEDS = _words("deeds")
"""Verbs whose subjects are people or organisations."""
OPENERS = _words("openers")
"""Words that begin a sentence before a name and are not part of the name."""
BARE_NOUNS = _words("bare_nouns")
"""Nouns without an article that are not names at the beginning of a sentence."""
GERMAN = _words("german")
"""German words that do not exist in English, without accents."""
SERVICE_ENDINGS = _words("service_endings")
"""Last parts of hyphenated service names."""
SERVICE_VERBS = _words("service_verbs")
"""Verbs whose subjects are only services, for hyphenated names."""
SERVICE_NOUNS = _words("service_nouns")
"""Nouns before a service's name."""
SERVICE_NOUNS_OF = _words("service_nouns_of")
"""Nouns of which services are the owner ("the release of"), before a hyphenated name."""
SERVICE_HANDLING = _words("service_handling")
"""Verbs whose object is a service, before a hyphenated name."""
NO_SERVICES = _words("no_services")
"""First parts of hyphenated words that are not names."""

GIVEN_NAMES = frozenset(_NAMES["given_names"].split())
SURNAMES = frozenset(_NAMES["surnames"].split())
PLACES = frozenset(_NAMES["places"].split())
ORGANISATIONS = frozenset(_NAMES["organisations"].split())
PRODUCTS = frozenset(_NAMES["products"].split())
NUMBERED = frozenset(_NAMES["numbered"].split())
"""Products whose name continues with a number."""
DOUBTFUL = frozenset(_NAMES["doubtful"].split())
"""Known names that are also common words, or that things of several kinds have."""
CHINESE = {list_: frozenset(words.split()) for list_, words in _NAMES["chinese"].items()}
"""Chinese names, and words that mark their beginning and end, by the name of the list."""


THING, PERSON, ORGANISATION, PLACE, EVENT, PROJECT, PRODUCT, SERVICE, FILE, CODE, PAGE = RECOGNISED_TYPES

_PLACE_BEFORE = re.compile(
    r"\b(?:in|from|near|to|around|across|visit(?:ed|ing)?|aus|nach|through)[ \u00a0]$", re.IGNORECASE
)
_LIVING_BEFORE = re.compile(
    r"\b(?:(?:live[sd]?|living|born|grew up|based|raised|holiday|vacation) in|"
    r"(?:wohn|leb|studier|gebor|aufgewachs)\w*(?: nun| jetzt)? in|bei (?-i:[A-Z])\w+ in|"
    r"(?:fl[ey]\w*|flight|trip|travel\w*|train|journey) (?:to|from))[ \u00a0]$",
    re.IGNORECASE,
)
_EMPLOYER_BEFORE = re.compile(
    r"\b(?:work(?:s|ed|ing)? (?:at|for)|employed (?:at|by)|hired by|job at|arbeite\w*(?: \w+)? bei|"
    r"(?:ceo|cto|cfo|founder) of|intern(?:s|ed)? at|(?:bought|buy|ordered|order)(?: [\w-]+){1,6} from)[ \u00a0]$",
    re.IGNORECASE,
)
# "She moved to Bydgoszcz", "our office in Szczecin": the subject must be a person, so its capital counts.
_MOVING_BEFORE = re.compile(
    r"\b(?:I|I'm|[Hh]e|[Ss]he|[Tt]hey|[A-Z][a-z]+)(?: is| are| was| were| just)? "
    r"(?:mov|relocat)(?:es?|ed|ing) (?:back )?to[ \u00a0]$|"
    r"\b(?:offices?|warehouse|store|shop|house|flat|apartment|plant|factory|branch|headquarters|hotel|restaurant|school|"
    r"market|museum|conference|weekend|summer|arrived|landed|stay(?:ed|ing)|stuck) in[ \u00a0]$"
)
_USE_BEFORE = re.compile(
    r"\b(?:us(?:es?|ed|ing)|install(?:s|ed|ing)?|run(?:s|ning)? on|ran on|(?:written|built|implemented) (?:in|with)|"
    r"powered by|based on|(?:switch|migrat)(?:e|es|ed|ing)? (?:over )?(?:to|from))[ \u00a0]$",
    re.IGNORECASE,
)
# Verbs whose object is a person. Companies may be objects too, but other rules recognise their names first.
_PERSON_IS_OBJECT = re.compile(
    r"\b(?:ask(?:s|ed|ing)?|tell|tells|told|invit(?:e|es|ed|ing)|met|meet|meets|meeting|thank(?:s|ed)?|marr(?:y|ied|ies)|"
    r"remind(?:s|ed)?|interview(?:s|ed)?|hired|congratulate[sd]?|(?:translated|presented|reviewed|written|led) by|"
    r"I and|, (?:says|said)|(?:he|she|name) is called)[ \u00a0]$",
    re.IGNORECASE,
)
_PERSON_BEHIND = re.compile(
    r"[ \u00a0](?:and I\b|(?:said|says|told|tells|thinks|thought|liked|loves|loved|hates|hated|wants|wanted|"
    r"lived?s?|studie[sd]|teaches|taught|speaks|cooks|cooked|prefers|preferred|knows|knew|reviewed|resigned|retired|explained|suggested|"
    r"recommended|promised|apologi[sz]ed|complained|laughed|married|graduated)\b|"
    r"(?:is|was) (?:out sick|married|on (?:leave|vacation|holiday)|my|her|his)\b)|"
    rf"['\u2019]s (?:{'|'.join(sorted(RELATIVES - {'named'}))})\b",
)
# "My Canon EOS": an owner or article before a manufacturer's name means a product.
_OWNED_BEFORE = re.compile(r"\b(?:an?|my|our|his|her|their|your|new)[ \u00a0]$", re.IGNORECASE)
_NAMED_BEFORE = re.compile(r"\bthe[ \u00a0]$", re.IGNORECASE)
_APPOSED_BEHIND = re.compile(r"[ \u00a0](?:(team|squad|crew)|(service|microservice)|(project))\b(?! of\b)")
_GERMAN_DEED_BEHIND = re.compile(
    r"[ \u00a0](?:sagte?|meinte?|wohnte?|arbeitete?|studierte?|heiratete?|erzählte?|fragte?|glaubte?|"
    r"denkt|dachte|mag|liebt|isst)\b"
)
_CLAUSE_BEFORE = re.compile(r"(?:^|[.!?:]\s|\b(?:und|dass|ob|weil|wenn|mit)[ \u00a0])$")
_WORD_BEFORE = re.compile(r"([^\W\d_][\w'-]*),?[ \u00a0]$")
_WORD_AFTER = re.compile(r"[ \u00a0]([^\W\d_]\w*)")
_POSSESSIVE = re.compile(r"(?:['\u2019]s|(?<=s)['\u2019])$")
_GERMAN_TOWN_BEFORE = re.compile(r"\b(?:in|nach|aus|bei|von|um)[ \u00a0]$", re.IGNORECASE)
_GERMAN_TOWN = re.compile(
    r"[a-z]{2}(?:burg|berg|ingen|hausen|heim|stadt|dorf|furt|bach|feld|kirchen|hafen|munster|brucken?|leben|walde|itz)$"
)
_COMPOUND_BODIES = "bank anstalt gesellschaft gemeinschaft verband ministerium dienst kasse kammer".split()
_COMPOUND_INSTITUTIONS = ("museum", "universitat", "bibliothek", "hochschule", "klinik")
_COMPOUND_EVENTS = ("messe", "marathon", "festival", "festspiele")
_PERSON_BEFORE = frozenset(
    "ask asked tell told met meet call called thank thanks with dear hi hello and by".split()
)
_PROJECTS = frozenset({"project", "projekt"})
_AND = re.compile(r",? (?:and|or|und|oder|&) |[和与跟及或、]")
_AND_OR_COMMA = re.compile(rf"{_AND.pattern}|, ")
_LISTED = frozenset({PERSON, PLACE, PRODUCT, ORGANISATION})
_FAR = 40
_MOST_PERSON_WORDS = 5


def is_model(text: str, start: int) -> bool:
    """Tell whether a name before a number is a product's, because it has an article: "a Garmin Forerunner 265"."""
    return _OWNED_BEFORE.search(text, max(0, start - _FAR), start) is not None


def words_of(name: str) -> list[str]:
    """Split a name of a text into its words."""
    return [_POSSESSIVE.sub("", word) for word in name.split()]


def known_kind(name: str) -> str | None:
    """Return the kind of a listed name, or None for an unknown or ambiguous name."""
    key = _key(name.split())
    if key in DOUBTFUL:
        return None
    kinds = ((PLACE, PLACES), (ORGANISATION, ORGANISATIONS), (PRODUCT, PRODUCTS))
    return next((kind for kind, known in kinds if key in known), None)


def kind_of(text: str, start: int, end: int, words: Sequence[str], *, is_strict: bool = False) -> str:
    """Return the kind of a name in a text.

    Args:
        text: Text with the name.
        start: Start offset.
        end: End offset.
        words: Words of the name.
        is_strict: True if the name may be a common noun, as in German.
    """
    keys = [normalized(word.rstrip(".,")) for word in words]
    if not keys:
        return THING
    known = known_kind(" ".join(words))
    if known is not None:
        return known
    before, behind = text[max(0, start - _FAR) : start], text[end : end + _FAR]
    return (
        _single(keys[0], before, behind, is_strict)
        if len(keys) == 1
        else _several(keys, before, behind, is_strict)
    )


def of_one_kind(text: str, found: Sequence[Recognised]) -> list[Recognised]:
    """Give names without a kind the kind of the names that they are listed with: "Redis and Superset"."""
    result = list(found)
    places = range(len(result) - 1)
    gaps = [text[result[place].end : result[place + 1].start] for place in places]
    for is_listed in (_AND.fullmatch, _AND_OR_COMMA.fullmatch):
        joined = [
            bool(is_listed(gap)) or (gap == " to " and text[: result[place].start].endswith("from "))
            for place, gap in enumerate(gaps)
        ]
        for one, other in ((0, 1), (1, 0)):
            for place in places if one == 0 else reversed(places):
                known, unknown = result[place + one], result[place + other]
                is_owner = text.startswith(("'s", "\u2019s"), known.end)
                if joined[place] and unknown.type == THING and known.type in _LISTED and not is_owner:
                    result[place + other] = unknown._replace(type=known.type)
        if not any(joined):
            break
    return result


def _single(key: str, before: str, behind: str, is_strict: bool) -> str:
    has_given_name = key in GIVEN_NAMES or ("-" in key and key.partition("-")[0] in GIVEN_NAMES)
    if has_given_name and key not in DOUBTFUL:
        return PERSON
    beside = _kind_before(before) or _built_alone(key, is_strict=is_strict)
    if beside is not None:
        return beside
    if is_strict:
        is_town = _GERMAN_TOWN_BEFORE.search(before) and _GERMAN_TOWN.search(key)
        acts = _CLAUSE_BEFORE.search(before) and _GERMAN_DEED_BEHIND.match(behind)
        return PLACE if is_town else PERSON if acts else THING
    kind = PLACE if key in PLACES and _PLACE_BEFORE.search(before) else _kind_around(before, behind)
    if kind is not None:
        return kind
    after = _word_at(_WORD_AFTER.match(behind))
    is_person = has_given_name and (after in DEEDS or _word_at(_WORD_BEFORE.search(before)) in _PERSON_BEFORE)
    return PERSON if is_person else THING


def _built_alone(key: str, *, is_strict: bool) -> str | None:
    return ORGANISATION if key.endswith(_COMPOUND_INSTITUTIONS) and not is_strict else None


def _several(keys: Sequence[str], before: str, behind: str, is_strict: bool) -> str:
    first, last = keys[0], keys[-1]
    built = (
        (last in EVENT_ENDINGS or last.endswith(_COMPOUND_EVENTS), EVENT),
        (first in _PROJECTS, PROJECT),
        (
            last in ORGANISATION_ENDINGS
            or last.endswith(tuple(_COMPOUND_BODIES))
            or first in ORGANISATION_BEGINNINGS
            or (keys[1] in ("of", "for") and first.removesuffix("s") in ORGANISATION_ENDINGS),
            ORGANISATION,
        ),
        (last in PLACE_ENDINGS or first in PLACE_BEGINNINGS, PLACE),
        (_is_person(keys), PERSON),
    )
    kind = next((kind for holds, kind in built if holds), None)
    if kind is not None or is_strict:
        return kind or THING
    is_product = (first in PRODUCTS and first not in DOUBTFUL) or (
        first in ORGANISATIONS and _OWNED_BEFORE.search(before)
    )
    return _kind_before(before) or (PRODUCT if is_product else _kind_around(before, behind) or THING)


def _is_person(keys: Sequence[str]) -> bool:
    """Tell whether words are a person's name: the first is a given name, or the last a surname."""
    first, last = keys[0], keys[-1]
    has_given_name = first in GIVEN_NAMES or first.partition("-")[0] in GIVEN_NAMES
    is_other = first in PLACES or first in ORGANISATIONS or first in PRODUCTS
    has_surname = last in SURNAMES
    return len(keys) <= _MOST_PERSON_WORDS and (
        (has_given_name and (has_surname or not is_other)) or (has_surname and not is_other)
    )


def _kind_before(before: str) -> str | None:
    """Return the kind that the words before a name imply, or None."""
    if _word_at(_WORD_BEFORE.search(before)) in RELATIVES:
        return PERSON
    if _LIVING_BEFORE.search(before):
        return PLACE
    return ORGANISATION if _EMPLOYER_BEFORE.search(before) else None


def _kind_around(before: str, behind: str) -> str | None:
    """Return the kind that the words around a name imply in an English clause, or None."""
    apposed = _APPOSED_BEHIND.match(behind)
    if apposed is not None and _NAMED_BEFORE.search(before):
        return ORGANISATION if apposed[1] else SERVICE if apposed[2] else PROJECT
    if _PERSON_IS_OBJECT.search(before) or _PERSON_BEHIND.match(behind):
        return PERSON
    if _MOVING_BEFORE.search(before):
        return PLACE
    return PRODUCT if _USE_BEFORE.search(before) else None


def _key(words: Sequence[str]) -> str:
    return "_".join(normalized(word.rstrip(".,")) for word in words)


def _word_at(match: re.Match[str] | None) -> str:
    return match[1].lower() if match else ""
