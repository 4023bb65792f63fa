"""HTML: the visible text of a page under its headings, with lists, tables and code kept whole."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import Any, Literal

from bs4 import BeautifulSoup
from bs4.element import CData, NavigableString, PageElement, Tag

from app.adapters.documents.outline import Outline, UnreadableError, decoded
from graph.knowledge.documents.parsed import BlockKind, ParsedDocument

MAX_DEPTH = 500
"""Maximum nesting depth of elements; pages that people wrote stay below 60."""

_UNSEEN = frozenset(
    "head title script style noscript template svg math iframe object canvas audio video select textarea".split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_WHOLE = {
    "ul": BlockKind.LIST,
    "ol": BlockKind.LIST,
    "dl": BlockKind.LIST,
    "pre": BlockKind.CODE,
    "table": BlockKind.TABLE,
}
# What ends the paragraph before it and the one inside it.
_PARTS = frozenset(
    "address article aside blockquote body caption center dd details dialog div dt fieldset figcaption figure footer "
    "form header hgroup hr html legend li main menu nav p search section summary tbody td tfoot th thead tr".split()
)
_STRUCTURE = [*_HEADINGS, *_WHOLE]
# What ends those before it that were left open, up to the element that encloses both.
_CELLS = frozenset({"td", "th"})
_ROWS = _CELLS | {"caption", "tr"}
_ROW_GROUPS = _ROWS | {"thead", "tbody", "tfoot"}
_ENDED_BY = (
    {name: frozenset({"p"}) for name in (*_PARTS, *_STRUCTURE)}
    | {"li": frozenset({"p", "li"}), "option": frozenset({"option"})}
    | dict.fromkeys(("dt", "dd"), frozenset({"p", "dt", "dd"}))
    | dict.fromkeys(_CELLS, _CELLS)
    | {"tr": _ROWS}
    | dict.fromkeys(("thead", "tbody", "tfoot"), _ROW_GROUPS)
)
_ENCLOSING = frozenset("ul ol menu dl table caption td th select datalist button object template".split())
_OF_HEAD = frozenset("base basefont bgsound link meta noframes noscript script style template title".split())
Event = tuple[Literal["enter", "leave"], Tag] | tuple[Literal["text"], str]


def read_html(content: bytes) -> ParsedDocument:
    """Return the visible text of a page, without scripts, styles and hidden elements.

    Raises:
        UnreadableError: The content is not UTF-8 text, or nests deeper than 500 elements.
    """
    soup = _Page(decoded(content), "html.parser")
    writer = _Writer()
    for event in _events(soup):
        if event[0] == "text":
            writer.write(event[1])
        elif event[0] == "enter":
            writer.enter(event[1])
        else:
            writer.leave(event[1])
    writer.flush()
    writer.outline.end_section()
    named = soup.title.get_text() if soup.title else ""
    return ParsedDocument(
        writer.text, writer.outline.sections, " ".join(named.split()) or writer.outline.title
    )


class _Page(BeautifulSoup):
    """A parse tree that closes elements whose end tag HTML lets authors omit; `html.parser` leaves them open."""

    def handle_starttag(self, name: str, *args: Any, **kwargs: Any) -> Tag | None:
        """Begin an element, after ending the elements that it closes implicitly."""
        if name not in _OF_HEAD:
            self._end_head()
        if name in _ENDED_BY:
            self._end(_ENDED_BY[name])
        return super().handle_starttag(name, *args, **kwargs)

    def handle_data(self, data: str) -> None:
        """Add text."""
        if data.strip():
            self._end_head()
        super().handle_data(data)

    def _end(self, names: frozenset[str]) -> None:
        inner = takewhile(
            lambda tag: tag.name in names or tag.name not in _ENCLOSING,
            islice(reversed(self.tagStack), MAX_DEPTH),
        )
        for open_ in [tag.name for tag in inner if tag.name in names]:
            self.handle_endtag(open_)

    def _end_head(self) -> None:
        if self.currentTag is not None and self.currentTag.name == "head":
            self.handle_endtag("head")


def _events(soup: BeautifulSoup) -> Iterator[Event]:
    """Yield the visible elements and texts in reading order, without recursion."""
    open_: list[tuple[Tag, Iterator[PageElement]]] = [(soup, iter(soup.contents))]
    while open_:
        tag, children = open_[-1]
        child = next(children, None)
        if child is None:
            open_.pop()
            if tag is not soup:
                yield "leave", tag
        elif isinstance(child, Tag):
            if child.name in _UNSEEN or child.has_attr("hidden"):
                continue
            if len(open_) > MAX_DEPTH:
                raise UnreadableError(f"must nest at most {MAX_DEPTH} elements")
            yield "enter", child
            open_.append((child, iter(child.contents)))
        elif type(child) in {NavigableString, CData}:  # its other kinds are comments and declarations
            yield "text", str(child)


@dataclass
class _Writer:
    """Writes the text and records the span of each block."""

    outline: Outline = field(default_factory=Outline)
    _written: list[str] = field(default_factory=list)
    _length: int = 0
    _part: list[str] = field(default_factory=list)
    _whole: Tag | None = None
    _as_typed: int = 0

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(self._written)

    def enter(self, tag: Tag) -> None:
        """Begin an element."""
        if tag.name == "pre":
            self._as_typed += 1
        if self._whole is not None:
            self._mark(tag.name)
        elif tag.name in _HEADINGS or (tag.name in _WHOLE and not _has_structure(tag)):
            self.flush()
            self._whole = tag
        elif tag.name in _PARTS or tag.name in _WHOLE:
            self.flush()
        elif tag.name == "br":
            self._part.append("\n")

    def leave(self, tag: Tag) -> None:
        """End an element."""
        if tag.name == "pre":
            self._as_typed -= 1
        if tag is self._whole:
            self._whole = None
            self.flush(tag)
        elif self._whole is None and (tag.name in _PARTS or tag.name in _WHOLE):
            self.flush()

    def write(self, text: str) -> None:
        """Add text; outside of ``pre`` any white space is one space."""
        if self._as_typed:
            self._part.append(text)
        elif words := " ".join(text.split()):
            self._part.append(f"{' ' if text[0].isspace() else ''}{words}{' ' if text[-1].isspace() else ''}")
        elif text:
            self._part.append(" ")

    def flush(self, tag: Tag | None = None) -> None:
        """Write the text collected since the last flush as one block; ``tag`` determines its kind."""
        text = "".join(self._part)
        self._part = []
        if tag is None or tag.name != "pre":
            text = "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))
        text = text.strip("\n").rstrip()
        if not text.strip():
            return
        start = self._length + (2 if self._written else 0)
        self._written.append(f"\n\n{text}" if self._written else text)
        self._length = start + len(text)
        if tag is not None and tag.name in _HEADINGS:
            self.outline.heading(_HEADINGS[tag.name], " ".join(text.split()), start, self._length)
        else:
            kind = _WHOLE[tag.name] if tag is not None else BlockKind.PARAGRAPH
            self.outline.block(kind, start, self._length)

    def _mark(self, name: str) -> None:
        """Write the visible text of an element inside a list or table."""
        if name == "li":
            self._part.append("\n- ")
        elif name in {"td", "th"}:
            self._part.append(" | " if self._part and not self._part[-1].endswith("\n") else "")
        elif name in {"tr", "br", "dt", "dd", "p", "div", "caption"}:
            self._part.append("\n")


def _has_structure(tag: Tag) -> bool:
    """Tell whether a list or table contains other structures, as in pages laid out with tables."""
    if tag.name == "pre":
        return False
    nested = {"ul", "ol", "dl"} if tag.name in {"ul", "ol", "dl"} else set()
    return tag.find([name for name in _STRUCTURE if name not in nested]) is not None
