"""Detects the language of a text; a text counts as English unless another language is certain.

A query of a few words may be in several languages. The search includes the indexes of all of them, which costs one
look-up for each and finds no English text.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

import numpy as np
from py3langid.langid import MODEL_FILE, LanguageIdentifier

from graph.core.text.language import QUESTION_WORDS, STOP_WORDS, without_cjk, words
from graph.core.text.stemming import LANGUAGES, Language

_ENGLISH = STOP_WORDS | QUESTION_WORDS
# English, and languages whose texts would otherwise be detected as a similar language with an index.
_BESIDE = ("en", "it", "nl")
_LETTER = re.compile(r"[^\W\d_]")
_READ_CHARS = 1000
_AFTER_LATIN = "\u0250"
_MORE_LATIN = frozenset(map(chr, range(0x1E00, 0x1F00)))  # includes letters of Vietnamese
# Of 16,000 English texts three are detected as another language, and each of them quotes it (tests/bench/RESULTS.md).
_CERTAIN_BY_STOP_WORDS = 0.5
_CERTAIN = 0.8
_PLAUSIBLE = 0.1


def language_of(text: str) -> Language | None:
    """Return the language of a text if it is certain; None for English, languages without an index and unclear texts.

    Its probability must be at least 0.5 if the text has more of its stop words than English ones, and at least 0.8 if
    it has equally many.
    """
    read = _read(text)
    found = _probabilities(read)
    code = max(found, key=lambda each: found[each], default="")
    if code not in LANGUAGES:
        return None
    all_words = words(read)
    surplus = sum((word in LANGUAGES[code].stop_words) - (word in _ENGLISH) for word in all_words)
    needed = _CERTAIN_BY_STOP_WORDS if surplus > 0 else _CERTAIN
    return LANGUAGES[code] if surplus >= 0 and found[code] >= needed else None


@lru_cache(maxsize=2048)
def is_english(text: str) -> bool:
    """Tell whether a text, even of a few words, is more likely in English than in any other language.

    If no other language is certain, English words such as "the" count more than foreign names.
    """
    read = _read(text)
    found = _probabilities(read)
    if not found or max(found, key=lambda each: found[each]) == "en":
        return True
    has_english_words = not _ENGLISH.isdisjoint(words(read))
    return has_english_words and found["en"] >= _PLAUSIBLE and language_of(text) is None


def is_foreign(text: str) -> bool:
    """Tell whether a text is in another language than English, by its script or words; False for unclear texts."""
    letters = [letter for letter in text[:_READ_CHARS] if letter.isalpha()]
    latin = sum(letter < _AFTER_LATIN or letter in _MORE_LATIN for letter in letters)
    return latin * 2 < len(letters) or not is_english(text)


def foreign_share(texts: Sequence[str]) -> float:
    """Return the share of texts that are in another language than English; 0 without texts."""
    return sum(map(is_foreign, texts)) / len(texts) if texts else 0.0


def languages_of(text: str) -> Sequence[Language]:
    """Return the possible languages of a text other than English."""
    found = _probabilities(_read(text))
    return [language for code, language in LANGUAGES.items() if found.get(code, 0.0) >= _PLAUSIBLE]


def load() -> None:
    """Load the model, so that no first text has to wait for it."""
    _identifier()


def _read(text: str) -> str:
    return without_cjk(text[:_READ_CHARS])


def _probabilities(text: str) -> Mapping[str, float]:
    """Return the probability of each language; empty for a text without letters."""
    return dict(_identifier().rank(text)) if _LETTER.search(text) else {}


@cache
def _identifier() -> LanguageIdentifier:
    """Load the model in half a second; keep only the part for the languages in use, which takes 50 MB."""
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
