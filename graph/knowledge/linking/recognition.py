"""Finds by rules what a text names: addresses, files, identifiers of code, people, organisations and other things.

Rules prefer to miss a name than to make one up: a node that stands for "Monday" or "the user" is worse than none. What
only qualifies a statement, dates and amounts, is recognised so that no part of it is taken for a name.
"""

import re
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from graph.knowledge.linking.models import Recognised
from graph.knowledge.linking.occurrences import begins_a_sentence
from graph.knowledge.linking.taken import Taken
from graph.knowledge.linking.vocabulary import (
    ABBREVIATED_BEGINNINGS,
    CAPITAL_BEGINNINGS,
    CAPITAL_ENDINGS,
    FILE_ENDINGS,
    HONORIFICS,
    NAME_BEGINNINGS,
    NAME_PARTICLES,
    NO_NAMES,
    ORGANISATION_ENDINGS,
)
from graph.memories.saving.indexing import is_role

PERSON = "Person"
ORGANISATION = "Organization"
THING = "Thing"
FILE = "File"
CODE = "CodeSymbol"
PAGE = "WebPage"

MOST_RECOGNISED = 20
_SHORTEST_NAME = 2
_LONGEST_NAME = 80
_LONGEST_PAGE = 200
_MOST_NAME_WORDS = 6
_TITLE_CASE_SHARE = 0.75
_SHOUTING_SHARE = 0.5
_FEWEST_WORDS_OF_A_STYLE = 6
_FAR = 200  # characters that are looked at on either side for the sentence of a name

_URL = re.compile(r"https?://[^\s<>\"'`\])}\u201d]+", re.IGNORECASE)
_MAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]++(?:\.[\w-]++)+")  # RFC 5321: 64 characters before the @
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
_DATE = re.compile(
    rf"\b(?:\d{{4}}-\d\d?-\d\d?(?:T[\d:.]+Z?)?|\d\d?[./]\d\d?[./]\d{{2,4}}|\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}"
    rf"(?:,?\s+\d{{4}})?|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?|{_MONTH},?\s+\d{{4}}|\d\d?:\d\d(?:\s*[ap]m)?|"
    r"(?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"(?:[$\u20ac\u00a3\u00a5]\s?\d[\d.,]*+\s?(?:(?:[kmb]n?|thousand|million|billion)\b)?|\b\d[\d.,]{0,30}+\s?(?:%|percent|usd|eur|gbp|"
    r"dollars?|euros?|pounds?|[kmgt]i?b|ms|kg|km|cm|mm|mi|miles?|hours?|hrs?|minutes?|mins?|seconds?|secs?|days?|weeks?|"
    r"months?|years?|rows?|thousand|million|billion)\b)",
    re.IGNORECASE,
)
_CODE_SPAN = re.compile(r"`([^`\s]{2,80})`")
_PATH = re.compile(r"(?<![\w/.@-])(?:~|\.{1,2})?/?(?:[\w.@-]+/)*[\w@-][\w.@-]*(?<![.-])")
_CALL = re.compile(r"\b[A-Za-z_][\w.]{0,80}+\(\)")
_SNAKE = re.compile(r"\b_*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+\b")
_CAMEL = re.compile(r"\b[a-z]{2}[a-z0-9]*+(?:[A-Z][a-z0-9]++)++\b")
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*)*(?:\(\))?")
_WORD = re.compile(r"[^\W\d_][\w'\u2019&-]*(?:\.(?:js|io|ai|net)\b)?\+*\.?|&")
_GAP = re.compile(r"[ \u00a0]")
_LETTERS = re.compile(r"[^\W\d_]+")
_POSSESSIVE = re.compile(r"(?:['\u2019]s|s['\u2019])$")
_INITIALS = re.compile(r"(?:[A-Z]\.)+[A-Z]")
_CONJUNCTIONS = frozenset({"and", "or"})


def recognise(text: str, *, speakers: Sequence[str] = ()) -> list[Recognised]:
    """Return what a text names, in its order, without overlaps and each name once; at most 20 are worth a node.

    Args:
        text: Of a memory.
        speakers: Who speaks there and beside; one whose name stands in the text is a person.
    """
    found: list[Recognised] = []
    taken = Taken()
    for rule in (_pages, _addresses, _dates_and_amounts, _code_spans, _files, _symbols):
        fresh = [each for each in rule(text) if not taken.overlaps(each.start, each.end)]
        taken.add((each.start, each.end) for each in fresh)
        found += fresh
    people = frozenset(speaker.lower() for speaker in speakers if not is_role(speaker))
    names = _names(text, people, taken)
    found += [each for each in names if not taken.overlaps(each.start, each.end)]
    return _distinct(sorted(found))


def _distinct(found: Sequence[Recognised]) -> list[Recognised]:
    result: list[Recognised] = []
    names: set[str] = set()
    for each in found:
        if each.type is not None:
            if each.name.lower() in names or len(names) == MOST_RECOGNISED:
                continue
            names.add(each.name.lower())
        result.append(each)
    return result


def _pages(text: str) -> Iterator[Recognised]:
    """Yield web pages, without what may be private in their address: user, query and fragment."""
    for match in _URL.finditer(text):
        surface = match[0].rstrip(".,;:!?")
        try:
            parts = urlsplit(surface)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            host, port = "", None
        path = parts.path.rstrip("/") if host else ""
        name = f"{host}{f':{port}' if port else ''}{path}"
        is_worth_it = bool(host) and "." in host and len(name) <= _LONGEST_PAGE
        yield Recognised(
            match.start(),
            match.start() + len(surface),
            PAGE if is_worth_it else None,
            name,
            f"{parts.scheme.lower()}://{name}" if is_worth_it else None,
        )


def _addresses(text: str) -> Iterator[Recognised]:
    for match in _MAIL.finditer(text):
        yield Recognised(*match.span(), None, match[0])


def _dates_and_amounts(text: str) -> Iterator[Recognised]:
    for pattern in (_DATE, _AMOUNT):
        for match in pattern.finditer(text):
            yield Recognised(*match.span(), None, match[0])


def _code_spans(text: str) -> Iterator[Recognised]:
    """Yield what stands between back quotes, where it is one identifier or file."""
    for match in _CODE_SPAN.finditer(text):
        name = match[1]
        type_ = FILE if _is_file(name) else CODE if _IDENTIFIER.fullmatch(name) else None
        if type_ is CODE and (name.lower() in NO_NAMES or len(name) <= _SHORTEST_NAME):
            type_ = None
        yield Recognised(*match.span(1), type_, name.removesuffix("()"))


def _files(text: str) -> Iterator[Recognised]:
    for match in _PATH.finditer(text):
        if _is_file(match[0]) and len(match[0]) <= _LONGEST_NAME:
            yield Recognised(*match.span(), FILE, match[0].removeprefix("./"))


def _is_file(path: str) -> bool:
    stem, dot, ending = path.rpartition("/")[2].rpartition(".")
    has_ending = bool(dot) and ending.lower() in FILE_ENDINGS and any(char.isalpha() for char in stem or "x")
    if has_ending and "/" not in path and re.fullmatch(r"[A-Z][a-z]+", stem) and ending in {"js", "go", "so"}:
        return False  # Node.js; the end of a sentence without a space after it
    if _INITIALS.fullmatch(path):
        return False  # D.C.
    return has_ending or bool(re.fullmatch(r"(?:~|\.{0,2})/[\w.@-]+(?:/[\w.@-]+)+", path))


def _symbols(text: str) -> Iterator[Recognised]:
    for pattern in (_CALL, _SNAKE, _CAMEL):
        for match in pattern.finditer(text):
            name = match[0].removesuffix("()")
            if (
                len(name) <= _LONGEST_NAME
                and name.lower() not in NO_NAMES
                and len(_LETTERS.findall(name)) > 0
            ):
                yield Recognised(*match.span(), CODE, name)


def _names(text: str, people: frozenset[str], taken: Taken) -> Iterator[Recognised]:
    """Yield runs of capitalised words that stand where a capital means a name."""
    words = [match for match in _WORD.finditer(text) if match[0] != "&" and not taken.overlaps(*match.span())]
    capitals = [match for match in words if match[0][0].isupper() and match[0].lower() not in _CONJUNCTIONS]
    if _is_styled(text, words):
        capitals = [match for match in capitals if match[0].lower() in people]
    inside = {_bare(match[0]) for match in capitals if not begins_a_sentence(text, match.start())}
    for run in _runs(text, capitals):
        for part in _companies(text, run):
            yield from _name(text, part, people, inside)


def _is_styled(text: str, words: Sequence[re.Match[str]]) -> bool:
    """Tell whether capitals say nothing in a text: it is a headline, or shouted."""
    inner = [match for match in words if not begins_a_sentence(text, match.start())]
    if len(inner) < _FEWEST_WORDS_OF_A_STYLE:
        return False
    capitals = sum(match[0][0].isupper() and match[0] != "I" for match in inner)
    shouted = sum(match[0].isupper() and len(match[0]) > 1 for match in inner)
    return capitals > _TITLE_CASE_SHARE * len(inner) or shouted > _SHOUTING_SHARE * len(inner)


def _runs(text: str, capitals: Sequence[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Yield capitalised words that follow each other, at most with a particle between them."""
    run: list[re.Match[str]] = []
    for word in capitals:
        if run and not (_joins(text, run, word) and len(run) < _MOST_NAME_WORDS):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _companies(text: str, run: Sequence[re.Match[str]]) -> Iterator[Sequence[re.Match[str]]]:
    """Yield the parts of a run between "&", or all of it where it ends as an organisation's name does."""
    start = 0
    if _bare(run[-1][0]).lower() not in ORGANISATION_ENDINGS:
        for number in range(1, len(run)):
            if "&" in text[run[number - 1].end() : run[number].start()]:
                yield run[start:number]
                start = number
    yield run[start:]


def _joins(text: str, run: Sequence[re.Match[str]], next_: re.Match[str]) -> bool:
    word, between = run[-1][0], text[run[-1].end() : next_.start()]
    if _POSSESSIVE.search(word):
        return False
    if word.endswith(".") and len(word) > _SHORTEST_NAME and word[:-1].lower() not in HONORIFICS:
        return bool(_GAP.fullmatch(between)) and _is_abbreviated_beginning(text, run)
    if _GAP.fullmatch(between) or (not between and word.endswith(".")):
        return True
    inner = between.strip(" \u00a0")
    return between != inner and (inner == "&" or all(part in NAME_PARTICLES for part in inner.split(" ")))


def _is_abbreviated_beginning(text: str, run: Sequence[re.Match[str]]) -> bool:
    """Tell whether the last word begins a name with its point: "in St. Louis", not "on Main St."."""
    *before, word = run
    is_behind_name = (
        before and _GAP.fullmatch(text[before[-1].end() : word.start()]) and not _is_no_part(before[-1][0])
    )
    return word[0] in ABBREVIATED_BEGINNINGS and not is_behind_name


def _name(
    text: str, run: Sequence[re.Match[str]], people: frozenset[str], inside: set[str]
) -> Iterator[Recognised]:
    words = list(run)
    is_person = False
    front: re.Match[str] | None = None
    tail: re.Match[str] | None = None
    while words and _is_no_part(words[0][0]):
        if _may_begin_a_name(words, people):
            if is_person or _bare(words[0][0]) in inside:
                break
            return
        word = words.pop(0)
        front = word if word[0] in CAPITAL_BEGINNINGS and not _is_shouted(text, run) else None
        is_person = front is None and _bare(word[0]).lower() in HONORIFICS
    while words and _is_no_part(words[-1][0]):
        word = words.pop()
        tail = word if _bare(word[0]) in CAPITAL_ENDINGS and not _is_shouted(text, run) else None
    if words and len(words) > 1 and begins_a_sentence(text, words[0].start()) and _is_verb(words[0][0]):
        words.pop(0)
    if not words:
        return
    start, end = words[0].start(), _end(words[-1])
    name = text[start:end]
    is_known = _bare(words[0][0]).lower() in people or name.lower() in people
    if len(words) == 1 and not (is_known or is_person or _is_worth_it(text, words[0], inside)):
        return
    if not (is_known or is_person):
        start = front.start() if front else start
        end = _end(tail) if tail else end
        name = text[start:end]
    if len(name) <= _LONGEST_NAME and "\n" not in name and name.replace(".", "").lower() not in NO_NAMES:
        last = _bare(words[-1][0]).lower().rstrip(".")
        is_organisation = len(words) > 1 and last in ORGANISATION_ENDINGS
        type_ = PERSON if is_person or is_known else ORGANISATION if is_organisation else THING
        yield Recognised(start, end, type_, name)


def _end(word: re.Match[str]) -> int:
    return word.start() + len(_bare(word[0]))


def _is_shouted(text: str, run: Sequence[re.Match[str]]) -> bool:
    """Tell whether the sentence of some words has no small letter, so that its capitals say nothing."""
    start, end = run[0].start(), _end(run[-1])
    before = re.split(r"[.!?\n]", text[max(0, start - _FAR) : start])[-1]
    after = re.split(r"[.!?\n]", text[end : end + _FAR], maxsplit=1)[0]
    return not any(char.islower() for char in f"{before}{text[start:end]}{after}")


def _may_begin_a_name(words: Sequence[re.Match[str]], people: frozenset[str]) -> bool:
    """Tell whether the first word may belong to what follows: "New York", "Will Smith"."""
    first, *rest = (_bare(word[0]).lower() for word in words)
    return first in NAME_BEGINNINGS and bool(rest) and rest[0] not in people


def _is_worth_it(text: str, word: re.Match[str], inside: set[str]) -> bool:
    """Tell whether one capitalised word is a name: it has its capital where no sentence begins, or bears more."""
    bare = _bare(word[0])
    if len(bare) < _SHORTEST_NAME:
        return False
    return (
        bare in inside
        or any(char.isupper() for char in bare[1:])
        or (not begins_a_sentence(text, word.start()))
    )


def _is_no_part(word: str) -> bool:
    bare = _bare(word).lower().replace("\u2019", "'")
    return (
        bare in NO_NAMES
        or word.lower().rstrip(".") in NO_NAMES
        or (len(bare) < _SHORTEST_NAME and not word.endswith("."))
    )


def _is_verb(word: str) -> bool:
    """Tell whether a sentence's first word is more likely a verb or an adverb than part of the name after it."""
    return re.fullmatch(r"[A-Z][a-z]+(?:ing|ed|ly)", word) is not None


def _bare(word: str) -> str:
    bare = re.sub(r"['\u2019]s?$", "", word.rstrip("-&"))
    return bare.rstrip(".")
