"""The languages beside English whose words are brought to stems; ``detection.py`` tells which a text is in.

Each has a full-text index with Lucene's analyser for it, over the memories with its label. Comparisons outside of
Lucene use Snowball's stems with the language as a prefix, ``de:wander``, so that a stem never matches a word of another
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

_ACCENTS = frozenset("\u0300\u0301\u0302\u0308")  # often left out; a tilde or a cedilla makes another letter


@dataclass(frozen=True)
class Language:
    """A language that Lucene has an analyser for, and Snowball a stemmer of the same name.

    Attributes:
        code: As ISO 639-1 has it.
        name: As both have it, which the index is named after.
        stop_words: Those of the analyser.
        question_words: Question words, which do not occur in answers.
        plurals: Endings that the stemmer leaves, each with its singular.
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
"""By their codes."""

_STEMMERS = {code: snowballstemmer.stemmer(language.name) for code, language in LANGUAGES.items()}
_STEMMING = Lock()  # a stemmer holds the word it works on, and archives are restored in threads


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
