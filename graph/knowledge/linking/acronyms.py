"""Rules for names with their acronym in brackets, and for acronyms with their name in brackets."""

import re
from collections.abc import Iterator

from graph.core.text.language import CJK, HAN
from graph.knowledge.linking.chinese import acronym_owner
from graph.knowledge.linking.kinds import ORGANISATION, kind_of, known_kind, words_of
from graph.knowledge.linking.models import Recognised
from graph.knowledge.linking.vocabulary import CHINESE, PARTICLES

_FAR = 200  # characters that are looked at on either side for the sentence of a name
WORD = re.compile(rf"(?![{CJK}])[^\W\d_](?:(?![{CJK}])[\w'\u2019&-])*(?:\.(?:js|io|ai|net)\b)?\+*\.?|&")
"""A word with its hyphens, apostrophes and full stop, or the sign for "and"; Chinese characters are none."""
_LONGEST_PARTICLE = 3
_ACRONYM = re.compile(
    r"[ \u00a0]?[(\uff08]([A-Z][A-Za-z]?[A-Za-z&]{0,8}[A-Z]|[A-Z]{2,10}|[A-Z](?:[A-Z][a-z]|\d)[A-Za-z]{0,5})s?[)\uff09]"
)
_EXPANDED = re.compile(r"\b([A-Z]{2,10})[ \u00a0]\(((?:[^\W\d_][\w'\u2019-]*[ \u00a0]){1,9}[^\W\d_][\w-]*)\)")
_EXPANDED_IN_CHINESE = re.compile(
    rf"(?<![A-Za-z0-9])([A-Z]{{2,10}})[ \u00a0]?[(\uff08]([{HAN}]{{4,20}})[)\uff09]"
)
_CHINESE_ORGANISATIONS = tuple(sorted(CHINESE["organisation_endings"]))
_LAST_PART = re.compile(r"[ \u00a0](?:and|und|&|for|of)[ \u00a0][^\W\d_][\w-]*$")
_MOST_ACRONYM_WORDS = 12


def acronyms(text: str) -> Iterator[Recognised]:
    """Yield names with their acronym in brackets behind them, or in brackets behind their acronym."""
    for match in _ACRONYM.finditer(text):
        start = _start_of_name(text, match.start(), match[1])
        if start is None:
            continue
        name = text[start : match.start()]
        yield Recognised(
            start, match.end(), _kind(text, start, match.start(), match[1]), name, aliases=(match[1],)
        )
    for match in _EXPANDED.finditer(text):
        if _start_of_name(match[2], len(match[2]), match[1]) == 0:
            kind = _kind(text, *match.span(2), match[1])
            yield Recognised(*match.span(), kind, match[2], aliases=(match[1],))
    for match in _EXPANDED_IN_CHINESE.finditer(text):
        if match[2].endswith(_CHINESE_ORGANISATIONS):
            yield Recognised(*match.span(), ORGANISATION, match[2], aliases=(match[1],))


def _kind(text: str, start: int, end: int, acronym: str) -> str:
    name = text[start:end]
    if name.endswith(_CHINESE_ORGANISATIONS):
        return ORGANISATION
    return known_kind(acronym) or kind_of(text, start, end, words_of(name))


def _start_of_name(text: str, end: int, acronym: str) -> int | None:
    """Return where the name begins whose words have the letters of an acronym first; small ones may have none.

    The last part of a name may have none, too: "Centers for Disease Control and Prevention (CDC)".
    """
    start = _start_by_initials(text, end, acronym)
    if start is None and (last := _LAST_PART.search(text, max(0, end - _FAR), end)):
        start = _start_by_initials(text, last.start(), acronym)
    return start


def _start_by_initials(text: str, end: int, acronym: str) -> int | None:
    left = re.sub(r"[&\d]", "", acronym).lower()
    words = list(WORD.finditer(text, max(0, end - _FAR), end))[-_MOST_ACRONYM_WORDS:]
    if not words or words[-1].end() != end:
        return acronym_owner(text, end)
    names = 0
    for place, word in enumerate(reversed(words)):
        following = words[len(words) - place].start() if place else end
        if text[word.end() : following].strip(" \u00a0&"):
            return None
        initials = "".join(part[0] for part in re.split(r"[-&]", word[0]) if part).lower()
        is_name = word[0][0].isupper()
        names += is_name
        is_short_form = not place and is_name and _letters_of_compound(left, word[0].lower()) == len(left)
        if left.endswith(initials) and (is_name or word[0] not in PARTICLES):
            left = left.removesuffix(initials)
        elif is_name and (size := _letters_of_compound(left, word[0].lower())):
            left = left[:-size]
        elif left.endswith(initials[:1]) and is_name:
            left = left[:-1]
        elif is_name or len(word[0]) > _LONGEST_PARTICLE:
            return None
        if not left:
            return word.start() if is_name and (names > 1 or is_short_form) else None
    return None


def _letters_of_compound(acronym: str, word: str) -> int:
    """Return how many of an acronym's last letters a compound has: of EZB two are of "Zentralbank", or 0."""
    for start, letter in enumerate(acronym[:-1]):
        rest = iter(word[1:])
        if letter == word[0] and all(each in rest for each in acronym[start + 1 :]):
            return len(acronym) - start
    return 0
