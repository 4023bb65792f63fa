"""Words by which a fact is found in English and Chinese alike."""

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

    What the dictionary does not know is found by its own word anyway, so those with a translation come first.
    """
    found: dict[str, None] = {}
    english, chinese = _dictionary()
    for chinese_word, english_word in chinese.items():
        if chinese_word in statement:
            found |= {chinese_word: None, english_word: None}
    own = [word for word in content_words(statement) if not contains_cjk(word)]
    for word in own:
        if (translated := english.get(stem(word))) is not None:
            found |= {word: None, translated: None}
    others = (word for word in own if len(word) >= _SHORTEST and word not in _TELLING)
    return tuple(dict.fromkeys([*found, *others]))[:MOST_KEYWORDS]


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
