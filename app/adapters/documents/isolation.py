"""Implements ``DocumentParser``: short plain text and Markdown in a thread, else in a process of its own."""

import asyncio
import json
import sys
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from pydantic import TypeAdapter

from app.adapters.documents.outline import UnreadableError
from app.adapters.documents.reading import ReadingLimits, read
from graph.knowledge.documents.parsed import MARKDOWN, PLAIN, DocumentUnreadable, ParsedDocument

_ROOT = Path(__file__).parents[3]
_PROGRAM = ("-m", "app.adapters.documents.reading")
_START_SECONDS = 10.0  # for a process to begin on a busy machine; the time to read comes on top
# The slowest Markdown of this size takes a second; starting a process takes longer than most of what is shorter.
_SHORT_BYTES = 32_768
_PARSED = TypeAdapter(ParsedDocument)


class IsolatedParser:
    """Reads documents, a few at a time; lives as long as the process."""

    def __init__(self, limits: ReadingLimits, *, at_once: int = 2) -> None:
        self._limits = limits
        self._free = asyncio.Semaphore(at_once)

    async def parse(self, content: bytes, media_type: str) -> ParsedDocument:
        """Return a document's text and sections; see ``graph.core.ports.DocumentParser``."""
        async with self._free:
            is_short = media_type in {MARKDOWN, PLAIN} and len(content) <= _SHORT_BYTES
            if not is_short:
                return await self._apart(content, media_type)
            try:
                return await asyncio.to_thread(read, content, media_type, self._limits)
            except UnreadableError as error:
                raise DocumentUnreadable(str(error)) from error

    async def _apart(self, content: bytes, media_type: str) -> ParsedDocument:
        order = json.dumps({"media_type": media_type, "limits": asdict(self._limits)})
        # The first entry of the module path is the working directory.
        process = await asyncio.create_subprocess_exec(
            sys.executable, *_PROGRAM, order, cwd=_ROOT, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
        )
        try:
            async with asyncio.timeout(_START_SECONDS + self._limits.seconds):
                answer, _ = await process.communicate(content)
        except TimeoutError:
            raise self._too_long() from None
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if process.returncode:
            raise self._too_long() if process.returncode < 0 else DocumentUnreadable("cannot be read")
        return await asyncio.to_thread(_parsed, answer)

    def _too_long(self) -> DocumentUnreadable:
        return DocumentUnreadable(f"must take at most {self._limits.seconds:g} seconds to read")


def _parsed(answer: bytes) -> ParsedDocument:
    found = json.loads(answer)
    if "unreadable" in found:
        raise DocumentUnreadable(found["unreadable"])
    return _PARSED.validate_python(found)
