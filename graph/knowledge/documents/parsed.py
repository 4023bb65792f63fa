"""Result of parsing a document: its text, with the positions of headings and blocks.

This module imports only the standard library, because the process that parses a document imports it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Protocol
from urllib.parse import urlsplit


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
        headings: Headings above it, the outermost first, and its own as the last. If its first block is a ``HEADING``,
            this is the text of its own heading.
        blocks: Blocks in order, without overlap.
        page: Page number, from 1, if the document has pages.
    """

    headings: Sequence[str]
    blocks: Sequence[Block]
    page: int | None = None


@dataclass(frozen=True)
class ParsedDocument:
    """A document's whole text and its sections in order; every character except white space is in a block.

    Attributes:
        text: For Markdown and plain text the file itself, with LF line ends; for other types the extracted text.
        title: Title in the document, if there is one.
    """

    text: str
    sections: Sequence[Section]
    title: str | None = None


class DocumentUnreadable(Exception):
    """Raised by a parser for unreadable content; its message tells people which content is expected."""


class DocumentParser(Protocol):
    """Parses untrusted documents; bounded in time and memory, safe to call from many tasks."""

    async def parse(self, content: bytes, media_type: str) -> ParsedDocument:
        """Return the text and its structure.

        Args:
            content: The file's bytes.
            media_type: One of ``graph.knowledge.documents.parsed``.

        Raises:
            DocumentUnreadable: The content is not of this type, is broken, encrypted or too large, or takes too long.
        """
        ...


PLAIN = "text/plain"
MARKDOWN = "text/markdown"
HTML = "text/html"
PDF = "application/pdf"

MEDIA_TYPES = (PLAIN, MARKDOWN, HTML, PDF)
_OTHER_NAMES = {"application/xhtml+xml": HTML, "text/x-markdown": MARKDOWN, "application/x-pdf": PDF}
_BY_SUFFIX = {
    ".txt": PLAIN,
    ".text": PLAIN,
    ".rst": PLAIN,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".mdx": MARKDOWN,
    ".html": HTML,
    ".htm": HTML,
    ".xhtml": HTML,
    ".pdf": PDF,
}


def known_media_type(name: str) -> str | None:
    """Return the supported media type of a header value such as ``text/html; charset=utf-8``, or None."""
    bare = name.partition(";")[0].strip().lower()
    bare = _OTHER_NAMES.get(bare, bare)
    return bare if bare in MEDIA_TYPES else None


def media_type_of_file(name_or_uri: str) -> str | None:
    """Return the media type for the suffix of a file name or URI, or None."""
    try:
        path = urlsplit(name_or_uri).path
    except ValueError:  # such as a broken IPv6 address
        path = name_or_uri
    return _BY_SUFFIX.get(PurePosixPath(path).suffix.lower())
