"""Rules for identifiers: pages, addresses, dates, amounts, files, code and services."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from graph.knowledge.linking.kinds import (
    CODE,
    FILE,
    FILE_ENDINGS,
    NO_NAMES,
    NO_SERVICES,
    PAGE,
    SERVICE,
    SERVICE_ENDINGS,
    SERVICE_HANDLING,
    SERVICE_NOUNS,
    SERVICE_NOUNS_OF,
    SERVICE_VERBS,
)
from graph.knowledge.linking.models import Recognised

_SHORTEST_NAME = 2
_LONGEST_NAME = 80
_LONGEST_PAGE = 200
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
_FOLLOWING = re.compile(r"[ \u00a0]([^\W\d_][\w'\u2019-]*)")
_PRECEDING = re.compile(r"(?<![\w])([^\W\d_][\w'-]*)[ \u00a0]$")
_LONGEST_WORD = 30
_SERVICE = re.compile(
    r"(?<![A-Za-z0-9_./@-])[a-z][a-z0-9]*(?:-[a-z0-9]+){1,4}(?![A-Za-z0-9_/@-]|\.[A-Za-z0-9])"
)
_NOUNS_BEHIND = frozenset({"service", "microservice", "repo", "repository", "daemon", "deployment", "pod"})
_LETTERS = re.compile(r"[^\W\d_]+")
_INITIALS = re.compile(r"(?:[A-Z]\.)+[A-Z]")


def pages(text: str) -> Iterator[Recognised]:
    """Yield web pages, without the parts of the address that may be private: user, query and fragment."""
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


def addresses(text: str) -> Iterator[Recognised]:
    """Yield e-mail addresses, which create no entity."""
    for match in _MAIL.finditer(text):
        yield Recognised(*match.span(), None, match[0])


def dates_and_amounts(text: str) -> Iterator[Recognised]:
    """Yield dates and amounts, which create no entity."""
    for pattern in (_DATE, _AMOUNT):
        for match in pattern.finditer(text):
            yield Recognised(*match.span(), None, match[0])


def code_spans(text: str) -> Iterator[Recognised]:
    """Yield the text between back quotes, if it is one identifier or file."""
    for match in _CODE_SPAN.finditer(text):
        name = match[1]
        type_ = FILE if _is_file(name) else CODE if _IDENTIFIER.fullmatch(name) else None
        if type_ is CODE and (name.lower() in NO_NAMES or len(name) <= _SHORTEST_NAME):
            type_ = None
        yield Recognised(*match.span(1), type_, name.removesuffix("()"))


def files(text: str) -> Iterator[Recognised]:
    """Yield paths and names of files."""
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


def symbols(text: str) -> Iterator[Recognised]:
    """Yield code identifiers between other words."""
    for pattern in (_CALL, _SNAKE, _CAMEL):
        for match in pattern.finditer(text):
            name = match[0].removesuffix("()")
            if (
                len(name) <= _LONGEST_NAME
                and name.lower() not in NO_NAMES
                and len(_LETTERS.findall(name)) > 0
            ):
                yield Recognised(*match.span(), CODE, name)


def services(text: str) -> Iterator[Recognised]:
    """Yield lower-case names with hyphens that have an ending, or neighbouring words, of service names."""
    for match in _SERVICE.finditer(text):
        first, *_, last = match[0].split("-")
        after = next_word(text, match.end())
        before = _word_before(text, match.start())
        if before == "of":
            before = _word_before(text, match.start() - len("of "))
            is_service = before in SERVICE_NOUNS_OF
        else:
            is_service = before in SERVICE_NOUNS or before in SERVICE_HANDLING
        is_service |= last in SERVICE_ENDINGS or after in SERVICE_VERBS or after in _NOUNS_BEHIND
        if is_service and first not in NO_SERVICES and len(match[0]) <= _LONGEST_NAME:
            yield Recognised(*match.span(), SERVICE, match[0])


def next_word(text: str, end: int) -> str:
    """Return the word after an index, in lower case; empty if another character than a space precedes it."""
    match = _FOLLOWING.match(text, end)
    return match[1].lower() if match else ""


def _word_before(text: str, start: int) -> str:
    match = _PRECEDING.search(text, max(0, start - _LONGEST_WORD), start)
    return match[1].lower() if match else ""
