"""Collects the blocks of a document into sections, in reading order."""

import re
from dataclasses import dataclass, field

from graph.core.text.normal_forms import composed
from graph.knowledge.documents.parsed import Block, BlockKind, ParsedDocument, Section


@dataclass
class Outline:
    """The sections read so far; a heading begins a new one under the headings of lower levels.

    Attributes:
        title: Text of the first heading that has text.
    """

    sections: list[Section] = field(default_factory=list)
    title: str | None = None
    _path: list[tuple[int, str]] = field(default_factory=list)
    _blocks: list[Block] = field(default_factory=list)

    def heading(self, level: int, title: str, start: int, end: int) -> None:
        """Begin the section of a heading at these offsets of the text."""
        self.end_section()
        self._path = [*(each for each in self._path if each[0] < level), (level, title)]
        self.title = self.title or title or None
        self._blocks.append(Block(BlockKind.HEADING, start, end))

    def block(self, kind: BlockKind, start: int, end: int) -> None:
        """Add a block to the section."""
        self._blocks.append(Block(kind, start, end))

    def end_section(self, page: int | None = None) -> None:
        """End the section; discard it if it has no blocks."""
        if self._blocks:
            headings = tuple(title for _, title in self._path if title)
            self.sections.append(Section(headings, tuple(self._blocks), page))
        self._blocks = []


class UnreadableError(Exception):
    """Raised for content of another type or beyond the limits; its message is for people."""


def decoded(content: bytes) -> str:
    """Return the text in Unicode form C, with LF line ends and without a byte order mark.

    Raises:
        UnreadableError: The content is not UTF-8, or contains NUL characters.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"must be text in UTF-8; byte {error.start} is not") from None
    if "\x00" in text:
        raise UnreadableError("must be text; it holds NUL characters")
    return composed(text.replace("\r\n", "\n").replace("\r", "\n"))


_PARAGRAPH = re.compile(r"\S(?:.|\n(?![^\S\n]*\n))*")


def read_plain_text(content: bytes) -> ParsedDocument:
    """Return the paragraphs of a text.

    Raises:
        UnreadableError: It is no text in UTF-8.
    """
    text = decoded(content)
    outline = Outline()
    add_paragraphs(outline, text, 0)
    outline.end_section()
    return ParsedDocument(text, outline.sections)


def add_paragraphs(outline: Outline, text: str, offset: int) -> None:
    """Add the paragraphs of a part of the text that begins at ``offset``."""
    for match in _PARAGRAPH.finditer(text):
        end = match.start() + len(match.group().rstrip())
        outline.block(BlockKind.PARAGRAPH, offset + match.start(), offset + end)
