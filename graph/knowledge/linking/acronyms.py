"""Rules for names with their acronym in brackets, and for acronyms with their name in brackets."""

import re
from collections.abc import Iterator

from graph.core.text.language import CJK
from graph.knowledge.linking.chinese import acronym_owner
from graph.knowledge.linking.kinds import (
    kind_of,
    known_kind,
    words_of,
)
from graph.knowledge.linking.models import Recognised
from graph.knowledge.linking.vocabulary import (
    PARTICLES,
)

_FAR = 200  # characters that are looked at on either side for the sentence of a name
WORD = re.compile(rf"(?![{CJK}])[^\W\d_](?:(?![{CJK}])[\w'\u2019&-])*(?:\.(?:js|io|ai|net)\b)?\+*\.?|&")
"""A word with its hyphens, apostrophes and full stop, or the sign for "and"; Chinese characters are none."""
_LONGEST_PARTICLE = 3
_ACRONYM = re.compile(r"[ \u00a0]?[(\uff08]([A-Z][A-Za-z]?[A-Za-z&]{0,8}[A-Z]|[A-Z]{2,10})s?[)\uff09]")
_EXPANDED = re.compile(r"\b([A-Z]{2,10})[ \u00a0]\(((?:[^\W\d_][\w'\u2019-]*[ \u00a0]){1,9}[^\W\d_][\w-]*)\)")
_MOST_ACRONYM_WORDS = 12


def acronyms(text: str) -> Iterator[Recognised]:
    """Yield names with their acronym in brackets behind them, or in brackets behind their acronym."""
    for match in _ACRONYM.finditer(text):
        start = _start_of_name(text, match.start(), match[1])
        if start is None:
            continue
        name = text[start : match.start()]
        kind = known_kind(match[1]) or kind_of(text, start, match.start(), words_of(name))
        yield Recognised(start, match.end(), kind, name, aliases=(match[1],))
    for match in _EXPANDED.finditer(text):
        if _start_of_name(match[2], len(match[2]), match[1]) == 0:
            kind = known_kind(match[1]) or kind_of(text, *match.span(2), words_of(match[2]))
            yield Recognised(*match.span(), kind, match[2], aliases=(match[1],))


def _start_of_name(text: str, end: int, acronym: str) -> int | None:
    """Return where the name begins whose words have the letters of an acronym first; small ones may have none."""
    left = acronym.replace("&", "").lower()
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
        if left.endswith(initials) and (is_name or word[0] not in PARTICLES):
            left = left.removesuffix(initials)
        elif is_name and left[0] == initials[0] and _is_in_order(left, word[0].lower()):
            left = ""
        elif left.endswith(initials[:1]) and is_name:
            left = left[:-1]
        elif is_name or len(word[0]) > _LONGEST_PARTICLE:
            return None
        if not left:
            return word.start() if names > 1 and is_name else None
    return None


def _is_in_order(letters: str, word: str) -> bool:
    """Tell whether a word has some letters in their order, as a compound has those of its parts."""
    rest = iter(word)
    return all(letter in rest for letter in letters)
