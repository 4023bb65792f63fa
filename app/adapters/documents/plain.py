"""Plain text: paragraphs between blank lines."""

import re

from app.adapters.documents.outline import Outline, decoded
from graph.knowledge.documents.parsed import BlockKind, ParsedDocument

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
    """Add the paragraphs of a stretch of text that begins at ``offset`` of the whole."""
    for match in _PARAGRAPH.finditer(text):
        end = match.start() + len(match.group().rstrip())
        outline.block(BlockKind.PARAGRAPH, offset + match.start(), offset + end)
