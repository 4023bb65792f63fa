"""Parsing documents in a separate process, which cannot crash the service."""

import asyncio
import dataclasses

import pytest

from app.adapters.documents.isolation import IsolatedParser
from app.adapters.documents.reading import ReadingLimits, read
from graph.knowledge.documents.parsed import HTML, MARKDOWN, PDF, PLAIN, DocumentUnreadable
from tests.fixtures.document_files import pdf
from tests.fixtures.timeouts import scaled_timeout

LIMITS = ReadingLimits(seconds=20, memory_mb=512, pages=3, chars=1000)
LONG = dataclasses.replace(LIMITS, chars=10**6)


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (b"one\n\ntwo", PLAIN),
        (b"# Guide\n\ntwo", MARKDOWN),
        (b"# Guide\n\n" + b"long\n" * 10_000, MARKDOWN),
        (b"<h1>Guide</h1><p>two", HTML),
        (pdf("one", "two"), PDF),
    ],
    ids=["text", "short Markdown", "long Markdown", "HTML", "PDF"],
)
async def test_the_isolated_parser_returns_the_readers_result(content, media_type) -> None:
    parsed = await IsolatedParser(LONG).parse(content, media_type)

    expected = read(content, media_type, LONG)
    assert (parsed.text, parsed.title) == (expected.text, expected.title)
    assert [tuple(section.blocks) for section in parsed.sections] == [
        tuple(section.blocks) for section in expected.sections
    ]


@pytest.mark.parametrize(
    ("content", "media_type", "said"),
    [
        (b"\xff", MARKDOWN, "must be text in UTF-8; byte 0 is not"),
        (b"<i>" * 501 + b"x", HTML, "must nest at most 500 elements"),
        (pdf(*"four"), PDF, "must have at most 3 pages, got 4"),
        (b"x" * 1001, PLAIN, "must hold at most 1000 characters of text, got 1001"),
    ],
    ids=["bytes", "depth", "pages", "text"],
)
async def test_the_reason_of_a_refusal_comes_through(content, media_type, said) -> None:
    with pytest.raises(DocumentUnreadable, match=f"^{said}$"):
        await IsolatedParser(LIMITS).parse(content, media_type)


async def test_a_file_that_takes_too_long_is_skipped_and_its_process_ended() -> None:
    """Python's HTML parser takes quadratic time on such a file."""
    parser = IsolatedParser(ReadingLimits(seconds=0, memory_mb=512, pages=1, chars=10**7))

    with pytest.raises(DocumentUnreadable, match="must take at most 0 seconds to read"):
        await parser.parse(b"<!--" * 500_000, HTML)

    assert "one" in (await parser.parse(b"one", PLAIN)).text


async def test_a_file_that_takes_all_memory_is_skipped() -> None:
    parser = IsolatedParser(ReadingLimits(seconds=60, memory_mb=100, pages=1, chars=10**9))

    with pytest.raises(DocumentUnreadable, match=r"^(must take less memory to read|cannot be read)$"):
        await parser.parse(b"<p>x" * 1_000_000, HTML)


async def test_a_cancelled_caller_ends_the_parsing_process() -> None:
    parser = IsolatedParser(ReadingLimits(seconds=60, memory_mb=512, pages=1, chars=10**7), at_once=1)
    waiting = asyncio.create_task(parser.parse(b"<!--" * 500_000, HTML))
    await asyncio.sleep(0)

    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting

    async with asyncio.timeout(scaled_timeout(60)):
        assert (await parser.parse(b"# free", MARKDOWN)).title == "free"
