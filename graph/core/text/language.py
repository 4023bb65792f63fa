"""Words, stems, sentences and scripts, for indexing and for queries."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import pairwise
from threading import Lock

import regex
import snowballstemmer

from graph.core.text.normal_forms import composed, folded, visible
from graph.core.text.stemming import Language

Specificity = Callable[[str], float]
"""Weight of a word: 1 if nothing is known about it."""

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Chinese characters, also used in Japanese and Korean, as ranges for a character class of a regular expression."""
_KANA_AND_HANGUL = "\u3040-\u30ff\uac00-\ud7af"
CJK = f"{HAN}{_KANA_AND_HANGUL}"
"""Chinese, Japanese and Korean characters, as ranges; ``text_has_cjk.cypher`` has the same."""
_TOKEN = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+(?:'[^\W\d_{CJK}]+)?")
# Words by UAX 29, simplified: a word may contain combining marks, the quotation mark of Hebrew abbreviations and the
# Catalan "l·l", but no other punctuation except an apostrophe.
UNSPACED = r"\p{Line_Break=Complex_Context}"
"""Characters of scripts without spaces, such as Thai, Lao, Khmer and Burmese, for a class of ``regex``."""
_SPACED_LETTER = rf"[\p{{L}}--[{CJK}]--{UNSPACED}]"
_MARKED_TOKEN = regex.compile(
    rf"[{CJK}]+|{UNSPACED}+|\p{{Hebrew}}[\p{{Hebrew}}\p{{M}}]*(?:[\"'\u05f3\u05f4][\p{{Hebrew}}\p{{M}}]+)+"
    rf"|[{_SPACED_LETTER}\p{{N}}][{_SPACED_LETTER}\p{{N}}\p{{M}}]*"
    rf"(?:(?:'|(?<=l)\u00b7(?=l)){_SPACED_LETTER}[{_SPACED_LETTER}\p{{M}}]*)?",
    regex.VERSION1,
)
_UNSPACED_RUN = regex.compile(rf"{UNSPACED}+", regex.VERSION1)
# A text without these characters has words of letters alone. The first, faster pattern decides for most texts.
_BEYOND = re.compile(
    rf"[^\x00-\xac\xae-\xb6\xb8-\u02ff\u0370-\u0482\u048a-\u0587\u2010-\u2027\u3001-\u3029{CJK}\uff01-\uff5e]"
)
_HAS_MARKS = regex.compile(
    rf"[[\p{{M}}\p{{Hebrew}}\p{{Default_Ignorable_Code_Point}}]--[\u3099\u309a]]|{UNSPACED}|l\u00b7l",
    regex.VERSION1,
)
_CLUSTER = regex.compile(r"\X")
_CJK = re.compile(f"[{CJK}]")
_HAN = re.compile(f"[{HAN}]")
# Without the katakana middle dot, which Chinese uses in foreign names.
_JAPANESE_OR_KOREAN = re.compile(f"(?!\u30fb)[{_KANA_AND_HANGUL}]")
# "Dr. García" and "e.g. tea" do not end a sentence. One lookbehind for each, because re requires a fixed length.
_GOES_ON = "".join(
    rf"(?<!\b{re.escape(short)}\.)"
    for short in "Dr Mr Mrs Ms Prof St Mt Gen Capt Lt Sgt Rev Hon Fig Nr vs approx e.g i.e z.B".split()
)
_GOES_ON += r"(?<!^\d\.)(?<!^\d\d\.)"  # "1. Stop the workers.": the number of a step does not end a sentence
# Full stops of Latin, Arabic, Hindi, Burmese, Amharic and Khmer need a space after them, Chinese ones do not.
_HAN_END = r"\u3002\uff01\uff1f"
_HAN_CLOSE = r"\u201d\u2019\u300d\u300f\uff09\u300b"
_SENTENCE_END = re.compile(
    rf"(?<=[.!?\u061f\u06d4\u0964\u0965\u104b\u1362\u1367\u17d4]){_GOES_ON}[\"\u201d')]*\s+"
    rf"|(?:(?<=[{_HAN_END}])|(?<=[{_HAN_END}][{_HAN_CLOSE}]))(?![{_HAN_END}{_HAN_CLOSE}])"
)
# ASCII, Chinese, Arabic, Armenian and Ethiopic question marks.
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
"""Number words; the index is the number."""
# The same stemmer as in Lucene's English analyser, so that stems stored from here match those of the index.
_STEMMER = snowballstemmer.stemmer("porter")
_STEMMING = Lock()  # the stemmer keeps the current word in its state, and threads read texts as well


def words(text: str) -> list[str]:
    """Return lower-case words without possessive endings; a run of CJK characters as its bigrams.

    A run of a script without spaces, such as Thai, becomes pairs of grapheme clusters.

    >>> words("\u092e\u0940\u0928\u0942 drinks \u0e0a\u0e32\u0e40\u0e22\u0e47\u0e19")
    ['\u092e\u0940\u0928\u0942', 'drinks', '\u0e0a\u0e32', '\u0e32\u0e40', '\u0e40\u0e22\u0e47', '\u0e22\u0e47\u0e19']
    """
    lowered = composed(text.lower()).replace("\u2019", "'")
    is_marked = False
    if not lowered.isascii() and _BEYOND.search(lowered):
        lowered = visible(lowered).lower()
        is_marked = _HAS_MARKS.search(lowered) is not None
    tokens = _MARKED_TOKEN.findall(lowered) if is_marked else _TOKEN.findall(lowered)
    found: list[str] = []
    for token in tokens:
        if _CJK.match(token):
            found += [token[i : i + 2] for i in range(len(token) - 1)] or [token]
        elif is_marked and _UNSPACED_RUN.match(token):
            found += pairs(token)
        elif word := token.removesuffix("'s"):
            found.append(word)
    return found


def pairs(run: str) -> list[str]:
    """Return the overlapping pairs of a run's grapheme clusters; one cluster is returned alone."""
    clusters = _CLUSTER.findall(run)
    return [first + second for first, second in pairwise(clusters)] or clusters


def with_pairs_apart(text: str) -> str:
    """Return a text in which pairs of clusters replace each run of a script without spaces, such as Thai."""
    return text if text.isascii() else _UNSPACED_RUN.sub(lambda run: f" {' '.join(pairs(run[0]))} ", text)


def content_words(query: str, language: Language | None = None) -> list[str]:
    """Return the distinct words of a query without stop words and question words; all words if none is left.

    Args:
        query: Query in English or in ``language``.
        language: Language whose stop words are omitted as well.
    """
    found = words(query)
    empty = STOP_WORDS | QUESTION_WORDS
    if language is not None:
        empty |= language.stop_words | language.question_words
    informative = [word for word in found if word not in empty]
    return list(dict.fromkeys(informative or found))


def stem(word: str) -> str:
    """Return the Porter stem of an English word; a word with other letters is only folded."""
    return _stem(word) if word.isascii() or not _CJK.match(word) else word


def stems(found: Iterable[str]) -> list[str]:
    """Return the distinct stems of words, in order of first occurrence."""
    return list(dict.fromkeys(stem(word) for word in dict.fromkeys(found)))


def spaced_stems(text: str, language: Language | None = None) -> str:
    """Return the distinct stems, each between spaces, so that ``CONTAINS ' stem '`` is exact.

    A text in another language has the stems of its language after those for English queries.
    """
    found = [word for word in dict.fromkeys(words(text)) if word not in STOP_WORDS]
    found_stems = stems(found)
    if language is not None:
        found_stems += dict.fromkeys(language.stem(word) for word in found if word not in language.stop_words)
    return f" {' '.join(found_stems)} "


def word_count(text: str) -> int:
    """Return the number of words in ``text``; two characters of CJK or of a script without spaces count as one word."""
    if text.isascii():
        return len(text.split())
    unspaced = _UNSPACED_RUN.findall(text)
    found = sum(max(1, len(_CLUSTER.findall(run)) // 2) for run in unspaced)
    rest = _UNSPACED_RUN.sub(" ", text) if unspaced else text
    return found + len(without_cjk(rest).split()) + (len(_CJK.findall(text)) + 1) // 2


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; a line break also ends a sentence.

    >>> sentences("Dr. Ito lives near St. Mary's. She prefers tea, e.g. sencha.")
    ["Dr. Ito lives near St. Mary's.", 'She prefers tea, e.g. sencha.']
    >>> sentences("1. Stop the workers. Wait.")
    ['1. Stop the workers.', 'Wait.']
    """
    parts = (part for line in text.split("\n") for part in _SENTENCE_END.split(line.strip()))
    return [part.strip() for part in parts if part.strip()]


def is_question(text: str) -> bool:
    """Tell whether ``text`` is a question."""
    return _QUESTION_MARK.search(text) is not None


def is_in_first_person(text: str) -> bool:
    """Tell whether an English text is in the first person; stored with memories and compared with queries."""
    return _FIRST_PERSON.search(text) is not None


def contains_cjk(text: str) -> bool:
    """Tell whether ``text`` contains Chinese, Japanese or Korean characters."""
    return _CJK.search(text) is not None


def is_chinese(text: str) -> bool:
    """Tell whether ``text`` contains Chinese characters, and no Japanese or Korean ones.

    >>> [is_chinese(text) for text in ("我喜欢绿茶", "緑茶が好きです", "녹차를 좋아해요", "tea")]
    [True, False, False, False]
    """
    return _HAN.search(text) is not None and _JAPANESE_OR_KOREAN.search(text) is None


def holds_pairs(text: str) -> bool:
    """Tell whether :func:`words` returns pairs of characters for ``text``, which people would not call words."""
    return not text.isascii() and (contains_cjk(text) or _UNSPACED_RUN.search(text) is not None)


def without_cjk(text: str) -> str:
    """Return ``text`` with a space for each Chinese, Japanese or Korean character."""
    return _CJK.sub(" ", text)


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    plain = folded(word)
    if not plain.isascii():
        return plain
    with _STEMMING:
        return str(_STEMMER.stemWord(plain))
