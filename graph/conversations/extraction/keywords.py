"""Words by which a fact is found in English and Chinese alike, and by what is broader than its own."""

from collections.abc import Mapping
from functools import cache

from graph.core.tables import read_table
from graph.core.text.language import contains_cjk, content_words, stem

MOST_KEYWORDS = 8
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
    english, chinese = _dictionary()
    for chinese_word, english_word in chinese.items():
        if chinese_word in statement:
            found |= {chinese_word: None, english_word: None}
    own = [word for word in content_words(statement) if not contains_cjk(word)]
    found |= {broader: None for word in own if (broader := _broader().get(stem(word))) is not None}
    for word in own:
        if (translated := english.get(stem(word))) is not None:
            found |= {word: None, translated: None}
    others = (word for word in own if len(word) >= _SHORTEST and word not in _TELLING)
    return tuple(dict.fromkeys([*found, *others]))[:MOST_KEYWORDS]


@cache
def _broader() -> Mapping[str, str]:
    """Return by the stem of an English word the one that people ask by."""
    table = read_table("graph.conversations.extraction", "broader.toml")
    return {stem(narrower): broader for broader, words in table.items() for narrower in words}


@cache
def _dictionary() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return Chinese words by English stems, and the first English word by each Chinese one."""
    pairs = [
        pair
        for group in read_table("graph.conversations.extraction", "keywords.toml").values()
        for pair in group.items()
    ]
    english = {stem(word): chinese for word, chinese in reversed(pairs)}
    return english, {chinese: word for word, chinese in reversed(pairs)}
