"""Port for parsing documents, which ``app/adapters`` implements."""

from typing import Protocol

from graph.knowledge.documents.parsed import ParsedDocument


class DocumentUnreadable(Exception):
    """Raised by a parser for content it cannot read; the text says what the content must be, for people."""


class DocumentParser(Protocol):
    """Reads documents that anybody may have sent; bounded in time and memory, safe to call from many tasks."""

    async def parse(self, content: bytes, media_type: str) -> ParsedDocument:
        """Return the text and its structure.

        Args:
            content: The file's bytes.
            media_type: One of ``graph.knowledge.documents.media_types``.

        Raises:
            DocumentUnreadable: It is no such document, is broken, encrypted or too large, or takes too long to read.
        """
        ...
