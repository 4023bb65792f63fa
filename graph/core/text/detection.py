"""Tells which language a text is in beside English, which it is in unless another one is certain.

A query of a few words may be in several; asking for those too costs a look-up each and finds nothing that is English.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

import numpy as np
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from graph.core.text.language import QUESTION_WORDS, STOP_WORDS, without_cjk, words
from graph.core.text.stemming import LANGUAGES, Language

_ENGLISH = STOP_WORDS | QUESTION_WORDS
# English, and what would be taken for a neighbour if it were not known.
_BESIDE = ("en", "it", "nl")
_LETTER = re.compile(r"[^\W\d_]")
_READ_CHARS = 1000
_AFTER_LATIN = "\u0250"
_MORE_LATIN = frozenset(map(chr, range(0x1E00, 0x1F00)))  # with the marks of Vietnamese
# Of 16,000 English texts three are taken for another language, each of which quotes it (tests/bench/RESULTS.md).
_CERTAIN_BY_STOP_WORDS = 0.5
_CERTAIN = 0.8
_PLAUSIBLE = 0.1


def language_of(text: str) -> Language | None:
    """Return the language that a text is certainly in; None for English, for any other and for what does not tell.

    It must be likelier than not and hold more of its stop words than of the English ones, or be likelier yet and hold
    as many.
    """
    read = _read(text)
    found = _probabilities(read)
    code = max(found, key=lambda each: found[each], default="")
    if code not in LANGUAGES:
        return None
    said = words(read)
    surplus = sum((word in LANGUAGES[code].stop_words) - (word in _ENGLISH) for word in said)
    needed = _CERTAIN_BY_STOP_WORDS if surplus > 0 else _CERTAIN
    return LANGUAGES[code] if surplus >= 0 and found[code] >= needed else None


@lru_cache(maxsize=2048)
def is_english(text: str) -> bool:
    """Tell whether a text, of a few words maybe, is likelier in English than in any other language.

    English words like "the" count for more than names from elsewhere, where no other language is certain.
    """
    read = _read(text)
    found = _probabilities(read)
    if not found or max(found, key=lambda each: found[each]) == "en":
        return True
    has_english_words = not _ENGLISH.isdisjoint(words(read))
    return has_english_words and found["en"] >= _PLAUSIBLE and language_of(text) is None


def is_foreign(text: str) -> bool:
    """Tell whether a text is in another language than English, by its script or its words; not where nothing tells."""
    letters = [letter for letter in text[:_READ_CHARS] if letter.isalpha()]
    latin = sum(letter < _AFTER_LATIN or letter in _MORE_LATIN for letter in letters)
    return latin * 2 < len(letters) or not is_english(text)


def foreign_share(texts: Sequence[str]) -> float:
    """Return the share of texts that are in another language than English; 0 without texts."""
    return sum(map(is_foreign, texts)) / len(texts) if texts else 0.0


def languages_of(text: str) -> Sequence[Language]:
    """Return the languages that a text may be in beside English."""
    found = _probabilities(_read(text))
    return [language for code, language in LANGUAGES.items() if found.get(code, 0.0) >= _PLAUSIBLE]


def load() -> None:
    """Load the model, so that no first text has to wait for it."""
    _identifier()


def _read(text: str) -> str:
    return without_cjk(text[:_READ_CHARS])


def _probabilities(text: str) -> Mapping[str, float]:
    """Return how likely each language is; nothing where there are no letters."""
    return dict(_identifier().rank(text)) if _LETTER.search(text) else {}


@cache
def _identifier() -> LanguageIdentifier:
    """Load the model, which takes half a second, and keep what tells these languages apart, which takes 50 MB."""
    whole = LanguageIdentifier.from_model_file(MODEL_FILE)
    whole.set_languages([*LANGUAGES, *_BESIDE])
    return LanguageIdentifier(
        np.ascontiguousarray(whole.nb_ptc),
        whole.nb_pc,
        whole.nb_classes,
        whole.tk_nextmove,
        whole.tk_output,
        norm_probs=True,
        tk_row=whole.tk_row,
    )
