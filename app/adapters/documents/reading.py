"""The process that reads one document: content on its standard input, JSON on its standard output.

Parsers run outside of the service, because a hostile PDF can make any parser loop endlessly or fill the memory. This
process ends at the deadline, and has a memory limit.
"""

import json
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from app.adapters.documents.outline import UnreadableError
from graph.knowledge.documents.parsed import HTML, MARKDOWN, PDF, ParsedDocument


@dataclass(frozen=True)
class ReadingLimits:
    """Limits of reading one document.

    Attributes:
        seconds: Time limit.
        memory_mb: Memory limit, if the system supports one.
        pages: Maximum number of pages.
        chars: Maximum number of characters.
    """

    seconds: float
    memory_mb: int
    pages: int
    chars: int


def read(content: bytes, media_type: str, limits: ReadingLimits) -> ParsedDocument:
    """Return a document's text and sections.

    Raises:
        UnreadableError: It does not have the declared type, or exceeds the limits.
    """
    parsed = _reader(media_type, limits)(content)
    if len(parsed.text) > limits.chars:
        raise UnreadableError(f"must hold at most {limits.chars} characters of text, got {len(parsed.text)}")
    return parsed


def _reader(media_type: str, limits: ReadingLimits) -> Callable[[bytes], ParsedDocument]:
    """Return the reader of a format; imports only that format's parser."""
    # ruff: noqa: PLC0415
    if media_type == MARKDOWN:
        from app.adapters.documents.markdown import read_markdown

        return read_markdown
    if media_type == HTML:
        from app.adapters.documents.html import read_html

        return read_html
    if media_type == PDF:
        from app.adapters.documents.pdf import read_pdf

        return lambda content: read_pdf(content, max_pages=limits.pages)
    from app.adapters.documents.outline import read_plain_text

    return read_plain_text


def main() -> None:
    """Read one document, of the media type and with the limits in the first argument."""
    order = json.loads(sys.argv[1])
    limits = ReadingLimits(**order["limits"])
    _limit(limits)
    answer: dict[str, Any]
    try:
        answer = asdict(read(sys.stdin.buffer.read(), order["media_type"], limits))
    except UnreadableError as error:
        answer = {"unreadable": str(error)}
    except (MemoryError, RecursionError):
        answer = {"unreadable": "must take less memory to read"}
    sys.stdout.write(json.dumps(answer))


def _limit(limits: ReadingLimits) -> None:
    """Limit the CPU time, in case the parent that applies the deadline dies, and on Linux the memory."""
    try:
        import resource
    except ImportError:  # not on Windows; the parent's deadline holds there too
        return
    seconds = int(limits.seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    if sys.platform == "linux":
        memory = limits.memory_mb * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


if __name__ == "__main__":
    main()
