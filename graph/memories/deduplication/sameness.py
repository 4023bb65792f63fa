"""Whether two texts say the same, word by word: what keeps a near vector from swallowing a contradiction.

Vectors of "prefers tabs over spaces" and "prefers spaces over tabs" have a cosine of 0.99 (MiniLM), so nearness
alone never makes a duplicate. The rule is strict, since a duplicate that is kept costs a row and a fact that is
taken for one is lost: the telling words of both texts must be the same, in the same order, apart from spelling,
inflection, fillers, listed synonyms and the order of what ``and`` joins.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from graph.core.text.language import is_question, stems
from graph.memories.deduplication.words import WORDS

# A word with what may stand inside or behind it (node.js, 10:30, C++), a minus before a number, or any other sign.
_TOKEN = re.compile(
    r"[^\W_]+(?:[._/@:'\-][^\W_]+)*[+#]*|(?<!\S)-(?=\d)|[^\w\s.,;:!?\"'()\[\]…“”«»\u2013\u2014`*\\_-]"
)
_NUMBER_AND_UNIT = re.compile(r"(\d[\d.,:]*)([a-z%]+)", re.IGNORECASE)
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)", re.IGNORECASE)
_PAST = re.compile(r"[a-z]{2,}ed")
_CONTRACTIONS = (
    (re.compile(r"\bcan't\b|\bcannot\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon't\b", re.IGNORECASE), "will not"),
    (re.compile(r"\bshan't\b", re.IGNORECASE), "shall not"),
    (re.compile(r"\b(\w+)n't\b", re.IGNORECASE), r"\1 not"),
    (re.compile(r"\b(\w+)'ll\b", re.IGNORECASE), r"\1 will"),
    (re.compile(r"\b(\w+)'d\b", re.IGNORECASE), r"\1 would"),
    (re.compile(r"\b(\w+)'(?:m|re|s)\b", re.IGNORECASE), r"\1"),
    (re.compile(r"\b(\w+)'ve\b", re.IGNORECASE), r"\1 have"),
    (re.compile(r"(\w)s'(?=\s|$)", re.IGNORECASE), r"\1s"),
)
_SPELLINGS = (
    (re.compile(r"\b(\w{2,})our(\w*)"), r"\1or\2"),
    (re.compile(r"\b(\w{3,})is(e[ds]?|ing|ation)"), r"\1iz\2"),
    (re.compile(r"\b(\w{3,})yse(\w*)"), r"\1yze\2"),
)
_SMALL_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
_FILLERS = frozenset(WORDS["fillers"].split())
_PAST_MARKERS = {"was": "~past", "were": "~past", "did": "~past", "had": "~past"}
_SYNONYM_OF: dict[str, str] = {
    form: group.split()[0]
    for group in WORDS["synonyms"]
    for form in (*group.split(), *(stem for word in group.split() for stem in stems([word])))
}
_SHORTEST_ROTATED = 4
# What is written with a hyphen is written as two words as well.
_HYPHENATED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_SHORTEST_PART = 3
_LONGEST_KEPT = 500
"""Characters of a text whose words are kept for the next comparison: each is compared with all its neighbours."""
_NEVER_JOINED = frozenset(
    {"not", "non", "never", "nor", "without", "some", "any", "every", "ever", "her", "under", "over"}
)


def say_the_same(one: str, other: str) -> bool:
    """Tell whether either text could stand for the other without anything being lost or contradicted.

    >>> say_the_same("The user prefers dark mode in all editors", "In every editor, the user prefers dark mode.")
    True
    >>> say_the_same("Ada likes tea", "Ada no longer likes tea")
    False
    """
    if is_question(one) != is_question(other):
        return False
    first, second = list(informative_words(one)), list(informative_words(other))
    if not first or len(first) != len(second):
        return bool(first) and _is_compounded(first, second)
    return _is_rotation(first, second) or _is_rotation(_in_list_order(first), _in_list_order(second))


def expanded(text: str) -> str:
    """Return a text with straight apostrophes and contractions spelt out."""
    plain = text.replace("\u2019", "'")
    for pattern, replacement in _CONTRACTIONS:
        plain = pattern.sub(replacement, plain)
    return plain


def tokens_of(text: str) -> Iterator[str]:
    """Yield words, numbers without their units and signs, in the case they have."""
    for token in _TOKEN.findall(text):
        yield from _parts(token)


@lru_cache(maxsize=20_000)
def canonical(word: str) -> str | None:
    """Return the form of a lower-case word that does not depend on spelling and inflection; None for a filler."""
    return None if word in _FILLERS else _canonical(word)


def _informative(text: str) -> Iterator[str]:
    """Yield the words that say something, each in its canonical form."""
    for token in tokens_of(expanded(text.casefold())):
        if (form := canonical(token)) is not None:
            yield form


def informative_words(text: str) -> Sequence[str]:
    """Return what a text says, word by word; texts with the same words say the same."""
    return _kept(text) if len(text) <= _LONGEST_KEPT else tuple(_informative(text))


@lru_cache(maxsize=2_000)
def _kept(text: str) -> Sequence[str]:
    return tuple(_informative(text))


def _is_compounded(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two texts differ only in what one writes as one word: ``bulletpoint`` for ``bullet point``."""
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    place = 0
    for word in shorter:
        pair = longer[place : place + 2]
        if pair[:1] == [word]:
            place += 1
        elif "".join(pair) == word and all(map(_may_be_joined, pair)):
            place += len(pair)
        else:
            return False
    return place == len(longer)


def _may_be_joined(word: str) -> bool:
    """Tell whether a word may be a part of another: not a negation ("not able" is not "notable"), nor a scrap."""
    return word == "e" or (len(word) >= _SHORTEST_PART and word.isalpha() and word not in _NEVER_JOINED)


def _parts(token: str) -> Sequence[str]:
    if ordinal := _ORDINAL.fullmatch(token):
        return (ordinal[1],)
    if measured := _NUMBER_AND_UNIT.fullmatch(token):
        return measured.groups()
    return token.split("-") if _HYPHENATED.fullmatch(token) else (token,)


def _canonical(word: str) -> str:
    if word in _PAST_MARKERS:
        return _PAST_MARKERS[word]
    if word in _SMALL_NUMBERS:
        return _SMALL_NUMBERS[word]
    if word in _SYNONYM_OF:
        return _SYNONYM_OF[word]
    for pattern, replacement in _SPELLINGS:
        word = pattern.sub(replacement, word)
    if not word.isalpha():
        return word
    stem = stems([word])[0]
    known = _SYNONYM_OF.get(stem, stem)
    return f"{known}~past" if _PAST.fullmatch(word) and stem != word else known


def _is_rotation(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether the words follow one another alike; a phrase may have moved from the end to the front."""
    if one == other:
        return True
    if len(one) < _SHORTEST_ROTATED:
        return False
    # Words hold no white space; a search in one text takes time in proportion to its length.
    return f" {' '.join(other)} " in f" {' '.join([*one, *one])} "


def _in_list_order(words: Sequence[str]) -> list[str]:
    """Put single words that ``and`` joins into a fixed order."""
    ordered: list[str] = []
    run: list[str] = []
    for word in words:
        if run and (word == "and") != (run[-1] == "and"):
            run.append(word)
            continue
        ordered += _sorted_run(run)
        run = [word]
    return ordered + _sorted_run(run)


def _sorted_run(run: Sequence[str]) -> list[str]:
    joined = sorted(word for word in run if word != "and")
    return [word for pair in joined for word in (pair, "and")][: len(run)]
