"""Words by which a fact is found in English and Chinese alike, and by what is broader than its own."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from graph.core.tables import read_table
from graph.core.text.language import content_words, holds_pairs, stem

MOST_KEYWORDS = 8
_TABLE: Final[Mapping[str, Any]] = read_table("graph.conversations.extraction", "keywords.toml")
_NOT_MEANT = re.compile("|".join(_TABLE["not_meant"]))
_SHORTEST = 3
# Words of the way a fact is told, which are about nothing.
_TELLING = frozenset(
    "user said also really always never usually often like likes prefer prefers does not".split()
)


def keywords_of(statement: str) -> tuple[str, ...]:
    """Return at most eight words: those of a statement that a small dictionary knows, each in both languages.

    Before them stand the words that people ask by, such as "pet" of what has a cat; what the dictionary does not know
    is found by its own word anyway.
    """
    found: dict[str, None] = {}
    meant = _NOT_MEANT.sub(" ", statement)
    for chinese_word in _chinese_words_in(meant):
        found |= {chinese_word: None, _dictionary().english[chinese_word]: None}
    own = [word for word in content_words(statement) if not holds_pairs(word)]
    known = set(content_words(meant))
    looked_up = [word for word in own if word in known]
    broader = (_broader().of(word) for word in looked_up)
    found |= {word: None for word in broader if word is not None}
    for word in looked_up:
        if (translated := _dictionary().chinese.of(word)) is not None:
            found |= {word: None, translated: None}
    others = (word for word in own if len(word) >= _SHORTEST and word not in _TELLING)
    return tuple(dict.fromkeys([*found, *others]))[:MOST_KEYWORDS]


class _ByForm:
    """What English words stand for: nouns by singular and plural, verbs by all their forms.

    A stem alone would take who trains for an electrician for a train.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]], verbs: AbstractSet[str]) -> None:
        backwards = list(pairs)[::-1]  # of two with one form the first counts
        self._by_form = {form: meaning for word, meaning in backwards for form in _forms(word.casefold())}
        self._by_form |= {word.casefold(): meaning for word, meaning in backwards}
        self._by_stem = {stem(word): meaning for word, meaning in backwards if word in verbs}

    def of(self, word: str) -> str | None:
        """Return what a lower-case word stands for."""
        return self._by_form.get(word) or self._by_stem.get(stem(word))


@dataclass(frozen=True)
class _Dictionary:
    """The words of ``keywords.toml``: Chinese ones by English words, and the English one of each Chinese word."""

    chinese: _ByForm
    english: Mapping[str, str]


def _forms(word: str) -> Iterator[str]:
    """Yield a noun in singular and plural, of which either may be given."""
    yield word
    yield f"{word}s"
    yield f"{word}es"
    if word.endswith("y"):
        yield f"{word[:-1]}ies"
    if len(word) > _SHORTEST and word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]


def _chinese_words_in(statement: str) -> Iterator[str]:
    """Yield the Chinese words of the dictionary that a statement has, none inside a longer one: no sea in Shanghai."""
    hidden = statement
    for word in _longest_first():
        if word in hidden:
            hidden = hidden.replace(word, " ")
            yield word


@cache
def _longest_first() -> Sequence[str]:
    return sorted(_dictionary().english, key=len, reverse=True)


@cache
def _broader() -> _ByForm:
    """Return by an English word the one that people ask by."""
    table = dict(read_table("graph.conversations.extraction", "broader.toml"))
    verbs = frozenset(table.pop("verbs"))
    return _ByForm(((narrower, broader) for broader, words in table.items() for narrower in words), verbs)


@cache
def _dictionary() -> _Dictionary:
    pairs = [pair for group in _TABLE["words"].values() for pair in group.items()]
    return _Dictionary(
        _ByForm(pairs, frozenset(_TABLE["verbs"])), {chinese: word for word, chinese in reversed(pairs)}
    )
