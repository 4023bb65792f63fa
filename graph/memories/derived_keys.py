"""Keys derived from a memory's text, such as ``preference:typescript``; they change with the text."""

import re
from bisect import bisect_left
from itertools import takewhile
from operator import eq
from typing import Final

import regex

_NOT_IN_SLUGS = regex.compile(r"[^\p{L}\p{N}\p{M}]+")
# Signs that distinguish C++ from C#, O+ from O-, and amounts in different currencies.
_SIGNS = re.compile(r"(?<=[\w+])[+#]|(?<=\w)-(?![\w-])|[$\u20ac\xa3\xa5]")
_SIGNS_IN_WORDS = {
    "+": " plus ", "#": " sharp ", "-": " minus ",
    "$": " dollar ", "\u20ac": " euro ", "\xa3": " pound ", "\xa5": " yen ",
}  # fmt: skip
_IN_A_WORD = re.compile(r"[A-Za-z0-9]{2}")
_MOST_SLUG_CHARS: Final = 480
_CERTAINLY_CUT_CHARS: Final = 40
"""Length from which a slug may be a cut one: other stores cut theirs sooner than this one."""


def slug(text: str) -> str:
    """Return the words of a text in lower case, joined by underscores.

    >>> slug("Prefers C++ over C#")
    'prefers_c_plus_plus_over_c_sharp'
    """
    spelled = _SIGNS.sub(lambda sign: _SIGNS_IN_WORDS[sign[0]], text.lower())
    words: str = _NOT_IN_SLUGS.sub("_", spelled)
    return words.strip("_")[:_MOST_SLUG_CHARS]


def spells_out(key: str, content: str) -> bool:
    """Tell whether a key is a category and the slug of the content, which may be cut.

    >>> spells_out("preference:i_prefer_python", "I prefer Python."), spells_out("diet", "No nuts")
    (True, False)
    """
    category, _, words = key.rpartition(":")
    if not category or not words:
        return False
    content_slug = slug(content)
    return words == content_slug or (len(words) >= _CERTAINLY_CUT_CHARS and content_slug.startswith(words))


def following_key(key: str, before: str, after: str) -> str:
    """Return the key of a memory whose text changed; a key that does not spell out the old text stays.

    >>> following_key("preference:typescript", "The user prefers TypeScript", "The user prefers Rust")
    'preference:rust'
    >>> following_key("personal:name", "The user is called Ada", "The user is called Eve")
    'personal:name'
    """
    category, _, words = key.rpartition(":")
    start = _start_of(words, before)
    if start is None:
        cut = slug(after)[: len(words)].strip("_") if spells_out(key, before) else ""
        return f"{category}:{cut}" if cut else key
    shared = min(start, sum(takewhile(bool, map(eq, before, after))))
    while shared and _IN_A_WORD.match(after, shared - 1):
        shared -= 1
    words = slug(after[shared:]) or slug(after)
    return f"{category}:{words}" if words else key


def _start_of(words: str, content: str) -> int | None:
    """Return the start of the content's last part whose slug is ``words``, or None."""
    if slug(content) == words:
        return 0
    starts = range(max(1, len(content) - 2 * _MOST_SLUG_CHARS), len(content))
    at = bisect_left(
        starts, -len(words), key=lambda start: -len(slug(content[start:]))
    )  # a later start gives a shorter slug, so the lengths are sorted
    return starts[at] if at < len(starts) and slug(content[starts[at] :]) == words else None
