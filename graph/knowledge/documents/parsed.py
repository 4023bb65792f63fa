"""Result of parsing a document: its text, and the places of its structure.

This module imports only the standard library, because the process that parses a document imports it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class BlockKind(StrEnum):
    """Kind of a block, which determines where it may be split if it is too long."""

    HEADING = "HEADING"
    PARAGRAPH = "PARAGRAPH"
    LIST = "LIST"
    CODE = "CODE"
    TABLE = "TABLE"


@dataclass(frozen=True)
class Block:
    """The characters ``start`` to ``end`` (exclusive) of the text."""

    kind: BlockKind
    start: int
    end: int


@dataclass(frozen=True)
class Section:
    """Consecutive blocks under the same headings, on the same page.

    Attributes:
        headings: The headings it stands under, the outermost first. Its own is the last, and is also the text of
            its first block, if that is a ``HEADING``.
        blocks: In order, without overlap.
        page: Number of the page, from 1, where the document has pages.
    """

    headings: Sequence[str]
    blocks: Sequence[Block]
    page: int | None = None


@dataclass(frozen=True)
class ParsedDocument:
    """A document's whole text and its sections in order; every character that is no white space is in a block.

    Attributes:
        text: Of Markdown and plain text the file itself, with LF at the ends of lines; else what could be read of it.
        title: Title in the document, if there is one.
    """

    text: str
    sections: Sequence[Section]
    title: str | None = None
