"""Words, stems and scripts, for what is indexed and for what is asked."""

import re
from functools import lru_cache

import snowballstemmer

_WORD = re.compile(r"[^\W_]+(?:'[^\W\d_]+)?")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
# The stop words of Lucene's English analyser.
_LUCENE_STOP_WORDS = frozenset(
    (
        "a an and are as at be but by for if in into is it no not of on or such that the their then there these "
        "they this to was will with"
    ).split()
)
_QUESTION_WORDS = frozenset(
    (
        "what when where who whom which why how do does did has have had i you he she we my your his her its our "
        "were been would could should can may might about from s t"
    ).split()
)
_STEMMER = snowballstemmer.stemmer("english")


def words(text: str) -> list[str]:
    """Return lower-case words without possessive endings, then the character bigrams of CJK runs."""
    lowered = text.lower().replace("\u2019", "'")
    spelled = [word.removesuffix("'s") for word in _WORD.findall(_CJK.sub(" ", lowered))]
    return spelled + [gram for run in _CJK.findall(lowered) for gram in _bigrams(run)]


def content_words(query: str) -> list[str]:
    """Return the words of a query that say what it is about; all of them if none does."""
    found = words(query)
    telling = [word for word in found if word not in _LUCENE_STOP_WORDS and word not in _QUESTION_WORDS]
    return telling or found


def stems(found: list[str]) -> list[str]:
    """Return the distinct Porter2 stems of words, in the order met."""
    return list(dict.fromkeys(_stem(word) for word in found))


def spaced_stems(text: str) -> str:
    """Return the distinct stems, each between spaces, so that ``CONTAINS ' stem '`` is exact."""
    return f" {' '.join(stems(words(text)))} "


def word_count(text: str) -> int:
    """Return how many words ``text`` has; two CJK characters count as one."""
    return len(text.split()) + sum(len(run) // 2 for run in _CJK.findall(text))


def is_question(text: str) -> bool:
    """Tell whether ``text`` asks something."""
    return "?" in text or "\uff1f" in text


def contains_cjk(text: str) -> bool:
    """Tell whether ``text`` holds Chinese, Japanese or Korean characters."""
    return _CJK.search(text) is not None


def _bigrams(run: str) -> list[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    return str(_STEMMER.stemWord(word))
