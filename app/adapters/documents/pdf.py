"""PDF: the text of each page."""

import re
from io import BytesIO

from pypdf import PdfReader
from pypdf.errors import DependencyError

from app.adapters.documents.outline import Outline, UnreadableError, add_paragraphs
from graph.core.text.normal_forms import composed
from graph.knowledge.documents.parsed import ParsedDocument

# What cannot be stored, or has no look: pypdf passes on what a font's table says.
_UNWRITTEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def read_pdf(content: bytes, *, max_pages: int) -> ParsedDocument:
    """Return the text of a PDF, page by page; pages with only a picture have none.

    Raises:
        UnreadableError: The content is not a PDF, is broken or encrypted, or has too many pages.
    """
    if b"%PDF-" not in content[:1024]:
        raise UnreadableError("must be a PDF; it does not begin like one")
    try:
        return _read(content, max_pages)
    except (UnreadableError, MemoryError):
        raise
    except DependencyError:
        raise UnreadableError("must be a PDF without encryption") from None
    except Exception as error:  # a broken file can make any part of the parser fail in any way
        raise UnreadableError(f"must be a PDF that can be read ({type(error).__name__})") from error


def _read(content: bytes, max_pages: int) -> ParsedDocument:
    reader = PdfReader(BytesIO(content), strict=False)
    if reader.is_encrypted and not reader.decrypt(""):
        raise UnreadableError("must be a PDF without encryption")
    if len(reader.pages) > max_pages:
        raise UnreadableError(f"must have at most {max_pages} pages, got {len(reader.pages)}")
    outline = Outline()
    written: list[str] = []
    length = 0
    for number, page in enumerate(reader.pages, start=1):
        text = composed(_UNWRITTEN.sub(" ", page.extract_text()).strip())
        add_paragraphs(outline, text, length)
        outline.end_section(number)
        written.append(text)
        length += len(text) + 2
    return ParsedDocument("\n\n".join(written), outline.sections, _title(reader))


def _title(reader: PdfReader) -> str | None:
    title = reader.metadata.title if reader.metadata else None
    return " ".join(_UNWRITTEN.sub(" ", str(title)).split()) or None if title else None
