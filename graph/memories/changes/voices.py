"""Separates the words of a text's author from those of others: quotations, titles, and lines of another speaker.

A caller may save a line of a chat ("Ben: I moved to Berlin") or the title of an essay without naming the speaker.
"""

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any, Final, NamedTuple

from graph.core.tables import read_table
from graph.core.text.language import contains_cjk
from graph.core.text.normal_forms import simplified
from graph.memories.changes.chinese import person_at_start
from graph.memories.changes.slots import known_place
from graph.memories.changes.subjects import KIN, thing_of

_TABLE: Final[Any] = read_table("graph.memories.changes", "voices.toml")
_OWN, _HEADINGS = (
    frozenset(f"{_TABLE['english'][name]} {_TABLE['chinese'][name]}".split()) for name in ("own", "headings")
)
_CHINESE_HEADINGS: Final = tuple(_TABLE["chinese"]["headings"].split())
_CAPITAL = r"[A-Z\u00c0-\u00de][\w.'\u2019-]*"
_ENGLISH_NAME = (
    rf"[Tt]he user|(?:[Mm]y|[Oo]ur) (?:{'|'.join(map(re.escape, KIN))})(?: {_CAPITAL})?"
    rf"|{_CAPITAL}(?: {_CAPITAL}){{0,2}}|[a-z]\w*"
)
_SAID = r"(?: (?:says|said|wrote|writes|texted|replied|told (?:me|us)))?|(?:说道?|写道|回复|告诉我)?"
_PREFIX = re.compile(
    r"(?:^|(?<=[.!?\u3002\uff01\uff1f]))[ \t]*(?:[-*>] )?(?:\[[^\]\n]{1,30}\] ?)?[*_<]{0,2}"
    rf"(?P<name>{_ENGLISH_NAME}|[\u4e00-\u9fff\u00b7]{{1,8}}?)(?:{_SAID})"
    r"(?: ?[(\uff08][^()\uff08\uff09\n]{1,30}[)\uff09])?[*_>]{0,2} ?[:\uff1a][*_]{0,2}(?!//|\d)[ \t]*",
    re.MULTILINE,
)
_FIRST_PERSON = re.compile(r"\b(?:I|we|my|our|me|us)\b|我|咱|俺|本人", re.IGNORECASE)
_POSSESSIVE = re.compile(r"\b(?:my|our|mine|ours)\b|[我咱俺]们?(?:的|家)|本人的", re.IGNORECASE)
_QUOTED = re.compile(
    r'"(?P<a>[^"\n]+)"|\u201c(?P<b>[^\u201d\n]+)\u201d|\u300a(?P<c>[^\u300b\n]+)\u300b'
    r"|\u300c(?P<d>[^\u300d\n]+)\u300d|\u300e(?P<e>[^\u300f\n]+)\u300f|\u00ab(?P<f>[^\u00bb\n]+)\u00bb"
    r"|(?<!\w)['\u2018](?P<g>(?=[A-Z])(?:[^'\u2019\n]|['\u2019](?=\w))+)['\u2019](?!\w)"
)
_OWN_SAYING = re.compile(
    r"\b(?:I|[Ww]e|[Tt]he user|[Uu]ser)(?:'ve| have|'d| had)?(?: just| also)? "
    r"(?:said|say|wrote|stated|told \w+|announced|mentioned|posted|texted(?: \w+)?)(?: that)?[:,]? ?$"
    r"|(?:我|用户)(?:刚|也|已经|曾)*(?:说|表示|提到|写道|告诉.{1,4}|跟.{1,4}说|对.{1,4}说)[过了]?[:\uff1a,\uff0c]?\s?$"
)
_SUBJECT = re.compile(r"\b(?:I|[Ww]e)(?:'\w+)?\b")
_FEWEST_WORDS, _FEWEST_CHARS = 4, 7
_BEFORE_A_NAME = "小老阿我"
_LONGEST_PREFIX = 80  # in characters
_NO_WORDS = re.compile(r"[\W_]*")


class Voice(NamedTuple):
    """A part of a text, and its speaker in canonical form; empty for the author."""

    speaker: str
    text: str

    @property
    def has_possessive(self) -> bool:
        """True if the part mentions a possession of its speaker."""
        return _POSSESSIVE.search(self.text) is not None


def voices(text: str, own_names: Collection[str] = ()) -> list[Voice]:
    r"""Return the parts of a text by speaker; the author's part is first and omits the lines of others.

    Args:
        text: A statement or a few lines of a chat.
        own_names: Names of the author.

    >>> voices("Ben: I moved to Berlin")
    [Voice(speaker='', text=''), Voice(speaker='ben', text='I moved to Berlin')]
    >>> voices("User: I moved to Berlin")
    [Voice(speaker='', text='User: I moved to Berlin')]
    """
    own = {name.casefold() for name in own_names if name} | _OWN
    others = list(_lines_of_others(text, own))
    kept, end = [], 0
    for start, stop, _ in others:
        kept.append(text[end:start])
        end = stop
    kept.append(text[end:])
    return [Voice("", "".join(kept) if others else text), *(voice for _, _, voice in others)]


def is_of_a_named_person(line: str) -> bool:
    """Tell whether a Chinese line has a person's name before its colon.

    A word may begin like a surname (高兴, 安排), so a name without 小, 老, 阿 or 我 needs a verb of saying.

    >>> is_of_a_named_person("小王：我搬到北京了"), is_of_a_named_person("爱好：我喜欢滑雪")
    (True, False)
    """
    mark = _PREFIX.match(line[:_LONGEST_PREFIX])
    if mark is None or not contains_cjk(mark["name"]) or _canonical(mark["name"]) in _OWN:
        return False
    plain = simplified(mark["name"])
    is_plain_name = plain[0] in _BEFORE_A_NAME or line[mark.end("name")] not in ":\uff1a "
    is_heading = plain.endswith(_CHINESE_HEADINGS)
    return is_plain_name and not is_heading and person_at_start(plain) == _canonical(plain)


def _lines_of_others(text: str, own: Collection[str]) -> Iterator[tuple[int, int, Voice]]:
    """Yield start and end of each part of another speaker in the first person; a blank line ends a part."""
    marks = [each for each in _PREFIX.finditer(text) if _is_speaker(each["name"], own)]
    stops = [*(each.start() for each in marks[1:]), len(text)]
    for mark, stop in zip(marks, stops, strict=False):
        gap = text.find("\n\n", mark.end(), stop)
        end = stop if gap < 0 else gap
        body = text[mark.end() : end]
        if _canonical(mark["name"]) not in own and _FIRST_PERSON.search(body):
            yield mark.start(), end, Voice(_canonical(mark["name"]), body.strip())


def _is_speaker(name: str, own: Collection[str]) -> bool:
    """Tell whether the words before a colon name a speaker, not a heading or a place."""
    low = name.casefold()
    if low in own or _canonical(name) in own:
        return True
    if contains_cjk(name):
        plain = simplified(name)
        return person_at_start(plain) == _canonical(name) or not plain.endswith(_CHINESE_HEADINGS)
    return not (_HEADINGS & set(low.split()) or known_place(name))


def _canonical(name: str) -> str:
    low = name.casefold()
    if contains_cjk(name):
        plain = simplified(name)
        return person_at_start(plain) or plain
    words = low.removeprefix("my ").removeprefix("our ").removeprefix("the ").split()
    kin = KIN.get(words[0]) if words else None
    return kin if kin and (len(words) == 1 or words[0] != low) else thing_of(low.removeprefix("the ")) or low


def without_quotations(text: str, states: Callable[[str], bool]) -> str:
    """Return a text without quoted statements; a quotation of the author's own words stays.

    Args:
        text: The text.
        states: Tells whether a text states something about a slot.

    >>> without_quotations('Reading "I moved to Berlin", an essay', lambda _: True)
    'Reading "", an essay'
    >>> without_quotations('My project is "Phoenix"', lambda _: False)
    'My project is "Phoenix"'
    """

    def kept(found: re.Match[str]) -> str:
        words = next(filter(None, found.groups()))
        is_whole = _NO_WORDS.fullmatch(text[: found.start()] + text[found.end() :]) is not None
        is_title = found["c"] is not None
        if (is_whole and not is_title) or _OWN_SAYING.search(text, 0, found.start()):
            return found[0]
        return f"{found[0][0]}{found[0][-1]}" if _is_statement(words, states) else found[0]

    return _QUOTED.sub(kept, text)


def _is_statement(words: str, states: Callable[[str], bool]) -> bool:
    if contains_cjk(words):
        is_first_person = "我" in words and len(words) >= _FEWEST_CHARS
    else:
        is_first_person = _SUBJECT.search(words) is not None and len(words.split()) >= _FEWEST_WORDS
    return is_first_person or states(words)
