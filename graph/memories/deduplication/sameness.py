"""Decides word by word whether two texts say the same, because near vectors may hide a contradiction.

The vectors of "prefers tabs over spaces" and "prefers spaces over tabs" have a cosine of 0.99 (MiniLM). The rule is
strict: a duplicate that stays costs a row, but a fact mistaken for a duplicate is lost. Both texts must have the same
informative words in the same order. Spelling, inflection, fillers, listed synonyms and the order of a list with ``and``
may differ. The subject "user", the user's possessives, and the verb in "likes drinking tea" may be missing from one
text. Signs of code, single letters used as names, and prepositions before a word must not differ.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from graph.core.tables import read_table
from graph.core.text.language import NUMBER_WORDS, contains_cjk, is_question, stems
from graph.core.text.normal_forms import undressed
from graph.memories.deduplication.rewording import (
    INTENDING,
    turned_around,
    turned_around_in_chinese,
    usual_wording,
    usual_wording_in_chinese,
    without_user,
)

REGULAR_PAST: Final = re.compile(r"[a-z]{2,}ed")
"""Pattern of a regular verb's past form, in lower case."""
WORDS: Final[Mapping[str, Any]] = read_table("graph.memories.deduplication", "words.toml")


# A word with its inner and trailing signs (node.js, 10:30, C++), a minus before a number, or any other sign.
_TOKEN = re.compile(
    r"[^\W_]+(?:[._/@:'\-][^\W_]+)*[+#]*|(?<!\S)[-\u2013\u2212](?=\d)|[^\w\s.,;:!?\"'()\[\]…“”«»\u2013\u2014\u3001\u3002`*\\_-]"
)
_NUMBER_AND_UNIT = re.compile(r"(\d[\d.,:]*)([a-z%]+)", re.IGNORECASE)
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)", re.IGNORECASE)
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
_SMALL_NUMBERS = {word: str(number) for number, word in enumerate(NUMBER_WORDS)}
_FILLERS = frozenset(WORDS["fillers"].split())
_PREPOSITIONS = frozenset(WORDS["small_prepositions"].split())
_BEGINNINGS = _PREPOSITIONS | frozenset(WORDS["beginnings"].split())
_PAST_MARKERS = {"was": "~past", "were": "~past", "did": "~past", "had": "~past"}
_SYNONYM_OF: dict[str, str] = {
    form: group.split()[0]
    for group in WORDS["synonyms"]
    for form in (*group.split(), *(stem for word in group.split() for stem in stems([word])))
}
_MINUS = dict.fromkeys("\u2013\u2212", "-")
_TO_MINUS = str.maketrans(_MINUS)
_SHORTEST_ROTATED = 4
_SHARED_IN_WORDINGS = 0.2  # least share of the words of the shorter of two wordings in the other
_ENDS_A_PART = re.compile(r"[,;:\n]")
# Signs of code: "!=", "!user", "(-5)", "_id", ".env", "**kwargs", "*.py", "--no-audit", "-D"; and smileys.
_SIGNED = re.compile(r"!=|(?<![\w!?])!(?=[\w(])|(?<![\w.*_\-])(?!\.\.)[.*_\-]++\w+|(?<!\S)[:;]-?[()]")
# Questions without a question mark: by their first word, or in Chinese by an interrogative word anywhere. "Is a nurse"
# is a statement without its subject.
_ASKS = re.compile(
    r"\W*(?:what|when|where|who|whom|whose|which|why|how|(?:is|are)(?! (?:an?|not|also|very)\b)|does|did|"
    r"quién(?:es)?|qué|dónde|cuándo|cómo|cuál(?:es)?|cuánt[oa]s?|por qué)\b|[^\n]*?[吗嗎呢]\W*$|"
    r"[^\n]*?(?:什[么麼]|[谁誰哪]|怎[么麼]|[为為]何|多少)",
    re.IGNORECASE,
)
# Names in code have capitals inside, "userId"; a single letter in a sentence is a name, "from A to B".
_WORD = re.compile(r"\w+")
_INNER_CAPITAL = re.compile(r"[a-z][\d_]*[A-Z]")
_LETTER = re.compile(r"(?<=[^\s.!?:] )[A-Z](?![\w'])")
# Words with a hyphen, which are often spelled as two words.
_HYPHENATED = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_SHORTEST_PART = 3
_LATIN_WORD = re.compile(r"[a-z]\w*", re.ASCII)
_REFUSED = re.compile("[不没别](?=[，,])")  # "no, ...", which is not the denial of what follows
# Parts that two equal Chinese texts share: signs of ranges, lists and titles, a denied clause, "I" in quotes, codes.
_TELLING_SIGNS = (
    re.compile(r"(?<=[\d\u4e00-\u9fff])[-\u2013\u2014]+(?=[\d\u4e00-\u9fff])"),
    re.compile("[\u3001\u300a]"),
    re.compile("[不没别][^，,]{1,8}(?=[，,])"),
    re.compile('[\u201c"\u300c][^\u201c\u201d"\u300c\u300d]*我'),
    re.compile(r"(?:码|端口|第|变量名?|表名|文件)[\s是为]*([!-~\uff0c]+)"),
)
_LONGEST_CACHED = 500
"""Maximum length of texts whose words are cached, because each text is compared with all its neighbours."""
# What begins a statement about the user, behind "user" or without it: "User likes tea", "Likes tea".
_IS_OF_THE_USER = (
    rf"(?:(?:(?:not|really|also)\s+)?(?:{'|'.join(WORDS['verbs_of_users'].split())})|"
    r"doesn['\u2019]t|does\s+not)\b"
)
# Small words that change what a statement says, though fillers and inflection do not: "too slow" is not "slow", "on
# Mondays" not "on Monday", "used to work" not "is used to working", "has cats" not "has a cat".
_TELLING_FORMS = (
    (re.compile(r"\btoo(?= \w)"), "excessively"),
    (re.compile(r"\b(?:am|is|are|be|get|gets|got) used to\b"), "accustomed"),
    (re.compile(r"\bused to\b"), "formerly"),
    (re.compile(r"\bto be (?=an? )"), "to become "),
    (re.compile(r"\b(?:started|began) at(?= [a-z])"), "joined"),
    (
        re.compile(r"\b(stop|stops|stopped|remember|remembers|remembered|forget|forgets|forgot) to\b"),
        r"\1 and",
    ),
    (re.compile(r"\b(mon|tues|wednes|thurs|fri|satur|sun)days\b"), r"every \1day"),
    (re.compile(r"\b(has|have|had|owns?) an?\b"), r"\1 1"),
)
_USUAL_FORMS = (
    (re.compile(r"\bnever\b", re.IGNORECASE), "not"),
    (re.compile(r"\bper ?cent\b", re.IGNORECASE), "%"),
)
_USER = re.compile(rf"\A\W*(?:the\s+)?user\s+(?={_IS_OF_THE_USER})", re.IGNORECASE)
_OF_THE_USER = re.compile(_IS_OF_THE_USER, re.IGNORECASE)
_POSSESSIVES = re.compile(r"\b(?:his|her|their)\s+", re.IGNORECASE)
# Behind "eating": animals, which people also like alive, and words that are no food.
_NOT_EATEN = (
    r"(?:rabbit|lamb|duck|chicken|goat|horse|pig|deer|fish|alone|out|in|at|with|late|early|together)s?\b"
)
_CONSUMING = (
    (
        re.compile(
            rf"\b({'|'.join(WORDS['liking'].split())})\s+(?:to\s+)?"
            rf"(?:{'|'.join(WORDS['consuming'].split())})\s+(?=(?!{_NOT_EATEN})\w)",
            re.IGNORECASE,
        ),
        r"\1 ",
    ),
)
_NEVER_JOINED = frozenset(
    {"not", "non", "never", "nor", "without", "some", "any", "every", "ever", "her", "under", "over"}
)


def say_the_same(one: str, other: str) -> bool:
    """Tell whether either text can replace the other without loss or contradiction.

    >>> say_the_same("The user prefers dark mode in all editors", "In every editor, the user prefers dark mode.")
    True
    >>> say_the_same("User likes green tea", "Likes drinking green tea")
    True
    >>> say_the_same("Ada likes tea", "Ada no longer likes tea")
    False
    """
    if asks(one) != asks(other):
        return False
    if contains_cjk(one) or contains_cjk(other):
        return _say_the_same_in_cjk(one, other)
    return (_have_the_same_words(one, other) and not differ_in_detail(one, other)) or _is_reworded(one, other)


def asks(text: str) -> bool:
    """Tell whether a text is a question, by its question mark or an interrogative word.

    >>> asks("Ada likes tea?"), asks("Where does Ada live"), asks("Ada likes tea")
    (True, True, False)
    """
    return is_question(text) or _ASKS.match(undressed(text)) is not None


def differ_in_detail(one: str, other: str) -> bool:
    """Tell whether texts with the same words differ in signs of code, single-letter names or prepositions.

    >>> differ_in_detail("git branch -d old", "git branch -D old")
    True
    >>> differ_in_detail("The key is in the car", "The key is on the car")
    True
    """
    first, second = _details(one), _details(other)
    return (first.signs, first.pasts) != (second.signs, second.pasts) or any(
        ones.isdisjoint(others)
        for own, theirs in ((first.spellings, second.spellings), (first.before, second.before))
        for word, ones in own.items()
        if (others := theirs.get(word))
    )


def capitals_of_code(text: str) -> Sequence[str]:
    """Return the parts of code in a text that have capitals: ``-D`` is another option than ``-d``."""
    bare = undressed(text)
    signed = [word for word in _SIGNED.findall(bare) if word != word.casefold()]
    return [*signed, *_with_inner_capital(bare)]


def expanded(text: str) -> str:
    """Return a text with straight apostrophes and expanded contractions."""
    plain = text.replace("\u2019", "'")
    for pattern, replacement in _CONTRACTIONS:
        plain = pattern.sub(replacement, plain)
    return plain


def tokens_of(text: str) -> Iterator[str]:
    """Yield the words, numbers, units and signs of a text in their original case."""
    for token in _TOKEN.findall(text):
        yield from _parts(token)


@lru_cache(maxsize=20_000)
def canonical(word: str) -> str | None:
    """Return a form of a lower-case word that ignores spelling and inflection; None for a filler."""
    return None if word in _FILLERS else _canonical(word)


def _informative(text: str) -> Iterator[str]:
    """Yield the canonical forms of the words that are no fillers."""
    for token in tokens_of(_replaced(expanded(undressed(text).casefold()), _TELLING_FORMS)):
        if (form := canonical(token)) is not None:
            yield form


def informative_words(text: str) -> Sequence[str]:
    """Return the canonical forms of a text's informative words, in order."""
    return _cached_words(text) if len(text) <= _LONGEST_CACHED else tuple(_informative(text))


@lru_cache(maxsize=2_000)
def _cached_words(text: str) -> Sequence[str]:
    return tuple(_informative(text))


@dataclass(frozen=True)
class _Details:
    """Details of a text beside its informative words.

    Attributes:
        signs: Signs of code with the word behind them; also single-letter names, if ``A`` is one of them.
        pasts: Numbers of "had" and of "did".
        spellings: Words with inner capitals, by their lower-case form.
        before: Prepositions before an informative word, by that word.
    """

    signs: Sequence[str]
    pasts: tuple[int, int]
    spellings: Mapping[str, frozenset[str]]
    before: Mapping[str, frozenset[str]]


def _details(text: str) -> _Details:
    return _cached_details(text) if len(text) <= _LONGEST_CACHED else _read_details(text)


@lru_cache(maxsize=2_000)
def _cached_details(text: str) -> _Details:
    return _read_details(text)


def _read_details(text: str) -> _Details:
    bare = undressed(text.translate(_TO_MINUS))
    letters = [] if bare.isupper() else _LETTER.findall(bare)
    spellings: dict[str, frozenset[str]] = {}
    for word in _with_inner_capital(bare):
        spellings[word.casefold()] = spellings.get(word.casefold(), frozenset()) | {word}
    tokens = list(tokens_of(expanded(bare.casefold())))
    before: dict[str, frozenset[str]] = {}
    preposition = None
    for token in tokens:
        if token in _PREPOSITIONS:
            preposition = token
        elif (form := canonical(token)) is not None:
            if preposition is not None:
                before[form] = before.get(form, frozenset()) | {preposition}
            preposition = None
    return _Details(
        signs=[*sorted(_SIGNED.findall(bare)), *(letters if "A" in letters else ())],
        pasts=(tokens.count("had"), tokens.count("did")),
        spellings=spellings,
        before=before,
    )


def _with_inner_capital(text: str) -> Sequence[str]:
    return [word for word in _WORD.findall(text) if _INNER_CAPITAL.search(word)]


def _have_the_same_words(one: str, other: str) -> bool:
    first, second = _replaced(one, _USUAL_FORMS), _replaced(other, _USUAL_FORMS)
    if _are_in_one_order(first, second):
        return True
    first, second = _USER.sub("", first), _USER.sub("", second)
    # An optional word may be missing from one text; two different ones, as in "his car" and "her car", differ.
    return (
        _are_in_one_order(first, second)
        or _are_in_one_order(_without_optional(first), second)
        or _are_in_one_order(first, _without_optional(second))
    )


def _say_the_same_in_cjk(one: str, other: str) -> bool:
    """Compare Chinese, Japanese or Korean texts: Latin words in them are names, so their inflection counts."""
    if differ_in_detail(one, other) or any(
        signs.findall(one) != signs.findall(other) for signs in _TELLING_SIGNS
    ):
        return False
    if _have_the_same_words(one, other):
        return all(found(one) == found(other) for found in (_latin_words, _REFUSED.findall))
    first, second = usual_wording_in_chinese(one), usual_wording_in_chinese(other)
    return (
        first.casefold() == second.casefold()
        or first in turned_around_in_chinese(other)
        or second in turned_around_in_chinese(one)
    )


def _latin_words(text: str) -> Sequence[str]:
    return _LATIN_WORD.findall(text.casefold())


def _is_reworded(one: str, other: str) -> bool:
    """Tell whether two English texts are one statement in two of the listed wordings."""
    if not _share_words(one, other):
        return False
    first, second = (usual_wording(expanded(undressed(text))) for text in (one, other))
    return any(
        _are_in_one_order(without_user(one_way), without_user(other_way))
        and not differ_in_detail(one_way, other_way)
        for one_way in (first, *turned_around(first))
        for other_way in (second, *turned_around(second))
    )


def _share_words(one: str, other: str) -> bool:
    """Tell whether two texts share enough words to be worth a comparison of their wordings."""
    ones, others = frozenset(informative_words(one)), frozenset(informative_words(other))
    return len(ones & others) >= _SHARED_IN_WORDINGS * min(len(ones), len(others))


def _without_optional(text: str) -> str:
    """Return a text without the user's possessives, and without "drinking" in "likes drinking tea"."""
    return _replaced(_POSSESSIVES.sub("", text) if _OF_THE_USER.match(text) else text, _CONSUMING)


def _replaced(text: str, patterns: Iterable[tuple[re.Pattern[str], str]]) -> str:
    for pattern, replacement in patterns:
        text = pattern.sub(replacement, text)
    return text


def _are_in_one_order(one: str, other: str) -> bool:
    first, second = list(informative_words(one)), list(informative_words(other))
    if not first or len(first) != len(second):
        return bool(first) and _is_compounded(first, second)
    may_rotate = _may_have_moved(one, other) or _may_have_moved(other, one)
    return any(
        ones == others or (may_rotate and _is_rotation(ones, others))
        for ones, others in ((first, second), (_in_list_order(first), _in_list_order(second)))
    )


def _may_have_moved(front: str, end: str) -> bool:
    """Tell whether the beginning of a text, such as "in all editors", may be the end of the other."""
    beginning = next(tokens_of(front.casefold()), "")
    return (
        beginning in _BEGINNINGS
        and len(_ENDS_A_PART.findall(front)) <= 1
        and INTENDING.search(front) is None
        and _ENDS_A_PART.search(end) is None
    )


def _is_compounded(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two texts differ only in the spelling of compounds: ``bulletpoint`` for ``bullet point``."""
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
    """Tell whether a word may be part of a compound: not a negation ("not able" is not "notable"), nor too short."""
    return word == "e" or (len(word) >= _SHORTEST_PART and word.isalpha() and word not in _NEVER_JOINED)


def _parts(token: str) -> Sequence[str]:
    if ordinal := _ORDINAL.fullmatch(token):
        return (ordinal[1],)
    if measured := _NUMBER_AND_UNIT.fullmatch(token):
        return measured.groups()
    return token.split("-") if _HYPHENATED.fullmatch(token) else (token,)


def _canonical(word: str) -> str:
    if word in _MINUS:
        return _MINUS[word]
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
    return f"{known}~past" if REGULAR_PAST.fullmatch(word) and stem != word else known


def _is_rotation(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two texts have the same order of words, except that a phrase moved from the end to the front."""
    if len(one) < _SHORTEST_ROTATED:
        return False
    # Words contain no white space, so a substring search is enough, and it takes linear time.
    return f" {' '.join(other)} " in f" {' '.join([*one, *one])} "


def _in_list_order(words: Sequence[str]) -> list[str]:
    """Sort the single words that ``and`` joins."""
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
