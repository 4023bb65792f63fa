"""Languages other than English with stemming; ``detection.py`` detects the language of a text.

Each has a full-text index with Lucene's analyser over the memories with its label. Comparisons outside of Lucene use
Snowball stems with the language as a prefix, such as ``de:wander``, so that a stem never matches a word of another
language.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from threading import Lock
from typing import Final

import snowballstemmer

from graph.core.tables import read_table

_ACCENTS = frozenset("\u0300\u0301\u0302\u0308")  # texts often omit these; a tilde forms another letter


@dataclass(frozen=True)
class Language:
    """A language with an analyser of Lucene and a Snowball stemmer of the same name.

    Attributes:
        code: Code of ISO 639-1.
        name: Name of the analyser and the stemmer; the index is named after it.
        stop_words: Stop words of the analyser.
        question_words: Question words, which do not occur in answers.
        plurals: Plural endings that the stemmer does not remove, with their singular.
    """

    code: str
    name: str
    stop_words: frozenset[str]
    question_words: frozenset[str]
    plurals: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def label(self) -> str:
        """Additional label of memories in this language, and the label of its index."""
        return f"In{self.name.title()}"

    def stem(self, word: str) -> str:
        """Return the stem of a word in lower case, without article and accents: ``fr:reunion`` of ``l'réunions``."""
        return _stem(self.code, word)


def _read() -> dict[str, Language]:
    return {
        code: Language(
            code,
            row["name"],
            frozenset(row["stop_words"].split()),
            frozenset(row["question_words"].split()),
            row.get("plurals", {}),
        )
        for code, row in read_table("graph.core.text", "languages.toml").items()
    }


LANGUAGES: Final[Mapping[str, Language]] = _read()
"""Languages by their codes."""

_STEMMERS = {code: snowballstemmer.stemmer(language.name) for code, language in LANGUAGES.items()}
_STEMMING = Lock()  # a stemmer keeps the current word in its state, and archives are restored in threads


@lru_cache(maxsize=50_000)
def _stem(code: str, word: str) -> str:
    word = word.rpartition("'")[2]
    for ending, singular in LANGUAGES[code].plurals.items():
        if word.endswith(ending):
            word = word.removesuffix(ending) + singular
            break
    with _STEMMING:
        found = str(_STEMMERS[code].stemWord(word))
    letters = unicodedata.normalize("NFD", found)
    plain = "".join(letter for letter in letters if letter not in _ACCENTS)
    return f"{code}:{unicodedata.normalize('NFC', plain)}"
