"""Forms of a text for storing, comparing and searching it; what is given back is the composed text itself."""

import re
import unicodedata
from typing import Final

import regex

_INVISIBLE = regex.compile(r"\p{Default_Ignorable_Code_Point}+")
# Sentence marks of every script but those of ASCII, unless digits stand on both sides, as in full-width numbers.
_MARKS = regex.compile(
    r"[\u00bf\u00a1]|(?<!\p{Nd})[[\p{Terminal_Punctuation}\u2026]--[\x00-\x7f]]"
    r"|[[\p{Terminal_Punctuation}\u2026]--[\x00-\x7f]](?!\p{Nd})",
    regex.VERSION1,
)
_QUOTES = regex.compile(r"[[\p{Quotation_Mark}\u300a\u300b]--['\"\u2018\u2019\uff02\uff07]]", regex.VERSION1)
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
    r"^[^\S\n]*+[-*+\u2022\u2023\u2043\u2219\u25aa\u25ab\u25a0\u25cb\u25cf\u25e6\u00b7\u2014\u30fb]"
    r"[^\S\n]++(?=\S)",
    re.MULTILINE,
)
# Signs of Markdown around words, not those of code: "*.py", "**kwargs", "2**3**4".
_STARS = re.compile(r"(?<![0-9A-Za-z_*])(\*{1,3})(?=[\"'(-]?[^\W_])([^*\n]++)(?<!\s)\1(?![0-9A-Za-z_*])")
_LINES = re.compile(r"(?<!\w)(__?)(?=[\"'(-]?[^\W_])([^_\n]++)(?<!\s)\1(?!\w)")
_TICKS = re.compile(r"(?<!`)(`{1,2})([^`\n]++)\1(?!`)")
# Pairs only: a sign behind a number stays, an inch or a foot.
_PAIR = re.compile(r"(?<!\w)\"([^\"\n]++)\"(?!\w)")
_SINGLE_PAIR = re.compile(r"(?<!\w)'((?:[^'\n]++|(?<=\w)'(?=\w))++)'(?!\w)")
_THOUSANDS = re.compile(r"(?<![0-9A-Za-z_.,])[1-9][0-9]{0,2}(?:,[0-9]{3})++(?!,?[0-9])")
_HAN_OR_KANA = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_SENTENCE_MARKS = re.compile(
    rf"(?<![\s.,;:!?])(?:[.,;:!?]++(?=[\s{_HAN_OR_KANA}]|$)|[.,!?]++(?=[)\]}}]))|(?<=\s)[!?;:](?=\s|$)"
)
_SPACE_BESIDE = re.compile(rf"(?<=[{_HAN_OR_KANA}]) | (?=[{_HAN_OR_KANA}])")


def composed(text: str) -> str:
    """Return a text in Unicode's form C, in which an accented letter is one character wherever there is one."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def undressed(text: str) -> str:
    """Return a text without bullets, emphasis, quotation marks and commas between thousands.

    >>> undressed("- **Port** 5,000 is 'open'.")
    'Port 5000 is open.'
    """
    if not text.isascii():
        text = _INVISIBLE.sub("", composed(text))
    bare = _BULLET.sub("", text)
    if not bare.isascii():
        bare = _QUOTES.sub("", bare).translate(_AS_ASCII)
    for _ in range(2):  # one may stand inside another
        bare = _TICKS.sub(r"\2", bare)
        bare = _LINES.sub(_without_lines, _STARS.sub(r"\2", bare))
        bare = _SINGLE_PAIR.sub(r"\1", _PAIR.sub(r"\1", bare))
    return _THOUSANDS.sub(lambda number: number[0].replace(",", ""), bare)


def plain(text: str) -> str:
    """Return what is left of a text without the marks and spaces that do not change what it says.

    Signs and decimal points stay, and so does a text that has nothing else than marks.

    >>> plain("Is it -5, or 1.5?  **No**!"), plain("...")
    ('Is it -5 or 1.5 No', '...')
    """
    marked = text if text.isascii() else _MARKS.sub(" ", composed(text))
    bare = " ".join(_SENTENCE_MARKS.sub("", undressed(marked)).split())
    if not bare.isascii():
        bare = _SPACE_BESIDE.sub("", bare)
    return bare or " ".join(text.split())


def _without_lines(found: re.Match[str]) -> str:
    """Return emphasised words; a name like ``__init__`` stays."""
    is_name = len(found[1]) > 1 and found[2].islower() and found[2].isidentifier()
    return found[0] if is_name else found[2]
