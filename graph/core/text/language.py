"""Words, stems, sentences and scripts, for what is indexed and for what is asked."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from threading import Lock

import snowballstemmer

from graph.core.text.stemming import Language

Specificity = Callable[[str], float]
"""How much a word says: 1 where nothing is known of it."""

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Chinese characters, which Japanese and Korean have as well, as ranges for a class of a regular expression."""
_KANA_AND_HANGUL = "\u3040-\u30ff\uac00-\ud7af"
CJK = f"{HAN}{_KANA_AND_HANGUL}"
"""Chinese, Japanese and Korean characters, as ranges; ``text_has_cjk.cypher`` looks for the same."""
_TOKEN = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+(?:'[^\W\d_{CJK}]+)?")
_CJK = re.compile(f"[{CJK}]")
_HAN = re.compile(f"[{HAN}]")
# But for the katakana middle dot, which Chinese has in foreign names, too.
_JAPANESE_OR_KOREAN = re.compile(f"(?!\u30fb)[{_KANA_AND_HANGUL}]")
# "Dr. García" and "e.g. tea" go on: each is looked for behind the point, and has the one length that re asks for.
_GOES_ON = "".join(
    rf"(?<!\b{re.escape(short)}\.)"
    for short in "Dr Mr Mrs Ms Prof St Mt Gen Capt Lt Sgt Rev Hon Fig Nr vs approx e.g i.e z.B".split()
)
_SENTENCE_END = re.compile(rf"(?<=[.!?]){_GOES_ON}[\"\u201d')]*\s+|(?<=[\u3002\uff01\uff1f])")
# Those of Chinese, Arabic, Armenian and Ethiopic beside the one of Latin, Greek and Cyrillic.
_QUESTION_MARK = re.compile("[?\uff1f\u061f\u055e\u1367]")
# The stop words of Lucene's English analyser.
STOP_WORDS = frozenset(
    (
        "a an and are as at be but by for if in into is it no not of on or such that the their then there these "
        "they this to was will with"
    ).split()
)
QUESTION_WORDS = frozenset(
    (
        "what when where who whom which why how do does did has have had i you he she we my your his her its our "
        "am were been would could should can may might about from s t"
    ).split()
)
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|my|me|we|our)\b", re.IGNORECASE)
NUMBER_WORDS = tuple("zero one two three four five six seven eight nine ten eleven twelve".split())
"""Each at the place of its number."""
# The stemmer of Lucene's English analyser, so that stems written here and those of the index agree.
_STEMMER = snowballstemmer.stemmer("porter")
_STEMMING = Lock()  # it holds the word it works on, and texts are read in threads too


def words(text: str) -> list[str]:
    """Return lower-case words without possessive endings; a run of CJK characters as its bigrams."""
    found: list[str] = []
    for token in _TOKEN.findall(text.lower().replace("\u2019", "'")):
        if _CJK.match(token):
            found += [token[i : i + 2] for i in range(len(token) - 1)] or [token]
        elif word := token.removesuffix("'s"):
            found.append(word)
    return found


def content_words(query: str, language: Language | None = None) -> list[str]:
    """Return the distinct words of a query that say what it is about; all of them if none does.

    Args:
        query: In English, or in ``language``.
        language: Whose stop words say nothing either.
    """
    found = words(query)
    empty = STOP_WORDS | QUESTION_WORDS
    if language is not None:
        empty |= language.stop_words | language.question_words
    informative = [word for word in found if word not in empty]
    return list(dict.fromkeys(informative or found))


def stem(word: str) -> str:
    """Return the Porter stem of an English word; a word with other letters stays as it is."""
    return _stem(word) if word.isascii() else word


def stems(found: Iterable[str]) -> list[str]:
    """Return the distinct stems of words, in the order met."""
    return list(dict.fromkeys(stem(word) for word in found))


def spaced_stems(text: str, language: Language | None = None) -> str:
    """Return the distinct stems, each between spaces, so that ``CONTAINS ' stem '`` is exact.

    A text in another language has its stems in that language behind those that an English query asks for.
    """
    found = [word for word in words(text) if word not in STOP_WORDS]
    kept = stems(found)
    if language is not None:
        kept += dict.fromkeys(language.stem(word) for word in found if word not in language.stop_words)
    return f" {' '.join(kept)} "


def word_count(text: str) -> int:
    """Return how many words ``text`` has; two CJK characters count as one."""
    return len(without_cjk(text).split()) + (len(_CJK.findall(text)) + 1) // 2


def sentences(text: str) -> list[str]:
    """Return the lines of a text, cut at the ends of sentences.

    >>> sentences("Dr. Ito lives near St. Mary's. She prefers tea, e.g. sencha.")
    ["Dr. Ito lives near St. Mary's.", 'She prefers tea, e.g. sencha.']
    """
    return [part.strip() for line in text.split("\n") for part in _SENTENCE_END.split(line) if part.strip()]


def is_question(text: str) -> bool:
    """Tell whether ``text`` asks something."""
    return _QUESTION_MARK.search(text) is not None


def is_in_first_person(text: str) -> bool:
    """Tell whether an English speaker speaks of himself; stored with memories and compared with queries."""
    return _FIRST_PERSON.search(text) is not None


def contains_cjk(text: str) -> bool:
    """Tell whether ``text`` holds Chinese, Japanese or Korean characters."""
    return _CJK.search(text) is not None


def is_chinese(text: str) -> bool:
    """Tell whether ``text`` holds Chinese characters and nothing of the Japanese or Korean scripts.

    >>> [is_chinese(text) for text in ("我喜欢绿茶", "緑茶が好きです", "녹차를 좋아해요", "tea")]
    [True, False, False, False]
    """
    return _HAN.search(text) is not None and _JAPANESE_OR_KOREAN.search(text) is None


def without_cjk(text: str) -> str:
    """Return ``text`` with a space for each Chinese, Japanese or Korean character."""
    return _CJK.sub(" ", text)


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    with _STEMMING:
        return str(_STEMMER.stemWord(word))
