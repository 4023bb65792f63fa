"""Normal forms of a text for storage, comparison and search; results show the stored text in Unicode form C."""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

import regex
from opencc import OpenCC

# The zero-width space stays, because it separates words, for example in Khmer and Thai.
_INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}--[\u200b]]+", regex.VERSION1)
SHOWN: Final = (
    r"[^\s\x00-\x20\x7f-\xa0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202f"
    r"\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
"""Pattern of a visible character: not white space, a control character or an invisible one."""
_SHOWN = re.compile(SHOWN)
# Letters of another width or style, and positional forms of Arabic letters, which texts from PDF files contain.
_STYLED = re.compile("[\u2160-\u217f\ufb50-\ufdff\ufe70-\ufefc\uff61-\uffdc\U0001d400-\U0001d7ff]+")
# Sentence marks of every script except ASCII; between digits they are part of a full-width number.
_MARKS = regex.compile(
    r"[\u00bf\u00a1]|(?<!\p{Nd})[[\p{Terminal_Punctuation}\u2026]--[\x00-\x7f]]"
    r"|[[\p{Terminal_Punctuation}\u2026]--[\x00-\x7f]](?!\p{Nd})",
    regex.VERSION1,
)
_QUOTES = regex.compile(
    r"[[\p{Quotation_Mark}\u3008-\u300b]--['\"\u2018\u2019\uff02\uff07]]+", regex.VERSION1
)
_AS_ASCII: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    ord(each): ord(plain)
    for signs, plain in (
        ("\u2018\u2019\u02bc", "'"),
        ("\u2010\u2011\u2012\u2013\u2212", "-"),
        ("\u3000", " "),
    )
    for each in signs
}
_BULLET = re.compile(
    r"^[^\S\n]*+(?:[-*+\u2022\u2023\u2043\u2219\u25aa\u25ab\u25a0\u25cb\u25cf\u25e6\u00b7\u2013\u2014\u30fb"
    r"\u25b6\u25b8\u25ba\u25c6\u25c7\u2756\u27a4]|[0-9]{1,2}\))[^\S\n]++(?=\S)",
    re.MULTILINE,
)
# Markdown emphasis around words, without the asterisks of code: "*.py", "**kwargs", "2**3**4".
_STARS = re.compile(r"(?<![0-9A-Za-z_*])(\*{1,3})(?=[\"'(-]?[^\W_])([^*\n]++)(?<!\s)\1(?![0-9A-Za-z_*])")
_LINES = re.compile(r"(?<!\w)(__?)(?=[\"'(-]?[^\W_])([^_\n]++)(?<!\s)\1(?!\w)")
_TICKS = re.compile(r"(?<!`)(`{1,2})(?=[^`\n]*\w)([^`\n]++)\1(?!`)")
# Pairs of quotation marks only, because a single one after a number means an inch or a foot.
_PAIR = re.compile(r"(?<!\w)\"(?=[^\"\n]*\w)([^\"\n]++)\"(?!\w)")
_SINGLE_PAIR = re.compile(r"(?<!\w)'(?=[^'\n]*\w)((?:[^'\n]++|(?<=\w)'(?=\w))++)'(?!\w)")
_THOUSANDS = re.compile(r"(?<![0-9A-Za-z_.,])[1-9][0-9]{0,2}(?:,[0-9]{3})++(?!,?[0-9])")
_HAN_OR_KANA = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_SENTENCE_MARKS = re.compile(
    rf"(?<![\s.,;:!?])(?:[.,;:!?]++(?=[\s{_HAN_OR_KANA}]|$)|[.,!?]++(?=[)\]}}]))|(?<=\s)[!?;:](?=\s|$)"
)
# Letters with a diacritic that Unicode does not decompose, and ligatures.
_SINGLE_LETTERS: Final = {
    "\u00e6": "ae", "\u0153": "oe", "\u00df": "ss", "\u1e9e": "SS", "\u00f8": "o", "\u0142": "l", "\u0111": "d",
    "\u00f0": "d", "\u00fe": "th", "\u0127": "h", "\u0167": "t", "\u0131": "i", "\ufb00": "ff", "\ufb01": "fi",
    "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\u0451": "\u0435",
}  # fmt: skip
_ACCENTED_RANGES: Final = ((0x00C0, 0x0250), (0x0370, 0x0400), (0x1E00, 0x2000), (0x212A, 0x212C))
_ACCENTS_BEHIND: Final = re.compile(r"(?<=[A-Za-z\u0250-\u02af\u0370-\u03ff])[\u0300-\u036f]+")
_STRESS: Final = re.compile(r"(?<=[\u0410-\u044f])\u0301")
# Vowel signs and tatweel of Arabic, points and accents of Hebrew: most texts omit them.
_POINTS: Final = (
    *range(0x0610, 0x061B), 0x0640, *range(0x064B, 0x0653), *range(0x0656, 0x0660), 0x0670, *range(0x06D6, 0x06DD),
    *range(0x06DF, 0x06E5), 0x06E7, 0x06E8, *range(0x06EA, 0x06EE), *range(0x08D3, 0x08E2), *range(0x08E3, 0x0900),
    *range(0x0591, 0x05BE), 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5, 0x05C7,
)  # fmt: skip
_SPACED_WORDS = re.compile(rf"(?![{_HAN_OR_KANA}])\w")
_SPACE_BESIDE = re.compile(rf"(?<=[{_HAN_OR_KANA}]) | (?=[{_HAN_OR_KANA}])")


def composed(text: str) -> str:
    """Return a text in Unicode form C, in which an accented letter is one character if such a character exists."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def visible(text: str) -> str:
    """Return a text without invisible characters, and with plain letters instead of styled ones.

    >>> visible("co\u00adoperate"), visible("\uff83\uff9e\uff70\uff80 \u2163")
    ('cooperate', '\u30c7\u30fc\u30bf IV')
    """
    if text.isascii():
        return text
    seen: str = _INVISIBLE.sub("", text)
    if _STYLED.search(seen) is None:
        return seen
    return composed(_STYLED.sub(lambda found: unicodedata.normalize("NFKC", found[0]), seen))


def is_blank(text: str) -> bool:
    """Tell whether a text has no visible character."""
    return _SHOWN.search(text) is None


def folded(text: str) -> str:
    """Return a text without the accents of Latin and Greek and the points of Arabic and Hebrew.

    It keeps the case, Japanese voicing marks, Indic vowel signs, and Cyrillic marks that form another letter.

    >>> folded("Zo\u00eb, \u0141\u00f3d\u017a, \u0391\u03b8\u03ae\u03bd\u03b1"), folded("\u304c \u0439")
    ('Zoe, Lodz, \u0391\u03b8\u03b7\u03bd\u03b1', '\u304c \u0439')
    """
    if text.isascii():
        return text
    plain_letters = visible(composed(text)).translate(_folds())
    if plain_letters.isascii():
        return plain_letters
    return _STRESS.sub("", _ACCENTS_BEHIND.sub("", plain_letters))


def comparable(text: str) -> str:
    """Return a text in the form for substring searches: folded, in lower case."""
    return folded(text).lower()


def folded_apart(text: str) -> str | None:
    """Return the comparable form to store beside a text; None if it equals the text in lower case."""
    plain_letters = folded(text)
    return None if plain_letters == text else plain_letters.lower()


@cache
def _folds() -> Mapping[int, str | None]:
    """Return the folded form of each character; None removes it."""
    found: dict[int, str | None] = dict.fromkeys(_POINTS)
    for code in (code for first, end in _ACCENTED_RANGES for code in range(first, end)):
        apart = unicodedata.normalize("NFD", chr(code))
        if len(apart) > 1 and apart[0].isalpha():
            found[code] = apart[0]
    for letter, plain_letters in _SINGLE_LETTERS.items():
        found[ord(letter)] = plain_letters
        if len(letter.upper()) == 1 and letter != "\u0131":
            found[ord(letter.upper())] = plain_letters.capitalize()
    found |= {
        code: found[ord(each)] for code, each in found.items() if each is not None and ord(each[0]) in found
    }
    # Texts also omit hamza and madda over an alef.
    found |= dict.fromkeys((0x0622, 0x0623, 0x0625, 0x0671), "\u0627")
    wide = (code for code in _AS_ASCII if code >= 0xFF01 and chr(code).isalnum())  # noqa: PLR2004
    return found | {code: chr(code - 0xFEE0) for code in wide}


def undressed(text: str) -> str:
    """Return a text without bullets, emphasis, quotation marks and commas between thousands.

    >>> undressed("- **Port** 5,000 is 'open'.")
    'Port 5000 is open.'
    """
    text = visible(composed(text))
    bare = _BULLET.sub("", text)
    if not bare.isascii():
        bare = _QUOTES.sub(_without_quotes, bare).translate(_AS_ASCII)
    for _ in range(2):  # emphasis and quotation marks may be nested
        bare = _TICKS.sub(r"\2", bare)
        bare = _LINES.sub(_without_lines, _STARS.sub(r"\2", bare))
        bare = _SINGLE_PAIR.sub(r"\1", _PAIR.sub(r"\1", bare))
    return _THOUSANDS.sub(lambda number: number[0].replace(",", ""), bare)


def plain(text: str) -> str:
    """Return a text without marks and spaces that do not change its meaning.

    It keeps signs and decimal points. A text of marks alone stays unchanged.

    >>> plain("Is it -5, or 1.5?  **No**!"), plain("...")
    ('Is it -5 or 1.5 No', '...')
    """
    marked = text if text.isascii() else _MARKS.sub(" ", composed(text).replace("\u200b", " "))
    bare = " ".join(_SENTENCE_MARKS.sub("", undressed(marked)).split())
    if not bare.isascii():
        bare = _SPACE_BESIDE.sub("", bare)
    return bare or " ".join(text.split())


def _without_quotes(found: regex.Match[str]) -> str:
    """Return a space for quotation marks that alone separate words, "use\u300ctabs\u300dhere", else nothing."""
    text, start, end = found.string, found.start(), found.end()
    stands_between = start and _SPACED_WORDS.match(text, start - 1) and _SPACED_WORDS.match(text, end)
    return " " if stands_between else ""


def _without_lines(found: re.Match[str]) -> str:
    """Return emphasised words; a name like ``__init__`` stays."""
    is_name = len(found[1]) > 1 and found[2].islower() and found[2].isidentifier()
    return found[0] if is_name else found[2]


# Traditional pronouns that OpenCC keeps, because they are separate characters; Simplified texts do not use them.
_PRONOUNS = str.maketrans("妳牠", "你它")


def simplified(text: str) -> str:
    """Return a text with Simplified instead of Traditional characters, by OpenCC's ``t2s``.

    The result has the same length, so offsets are valid in both texts.

    >>> simplified("我對蝦過敏")
    '我对虾过敏'
    """
    if text.isascii():
        return text
    converted: str = _converter().convert(text)
    if len(converted) != len(text):  # some phrases are shorter in Simplified characters
        converted = "".join(_one(character) for character in text)
    return converted.translate(_PRONOUNS)


def _one(character: str) -> str:
    converted: str = _converter().convert(character)
    return converted if len(converted) == 1 else character


@cache
def _converter() -> OpenCC:
    return OpenCC("t2s")
