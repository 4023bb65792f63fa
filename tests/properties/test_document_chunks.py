"""Chunks of any document: they contain its whole text and fit the model's window; excerpts reveal half."""

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from app.adapters.documents.html import read_html
from app.adapters.documents.markdown import read_markdown
from app.adapters.documents.outline import UnreadableError, read_plain_text
from app.adapters.embedding.word_pieces import WordPieces
from graph.core.text.language import sentences
from graph.knowledge.documents.chunking import (
    EXCERPT_CHARS,
    MAX_CHUNK_CHARS,
    WINDOW_TOKENS,
    chunks_of,
    indexed,
)
from graph.knowledge.documents.parsed import BlockKind, ParsedDocument
from tests.fixtures.local_models import files_of

TOKENIZER = WordPieces(files_of())
PIECES = st.sampled_from(
    [
        "# Tea", "## Brew it", "### *Hot*", "#", "Setext\n===", "- one", "- two\n  - deep", "1. first", "> quoted",
        "```\ncode", "    indented", "| a | b |\n|---|---|\n| 1 | 2 |", "---", "[ref]: http://x", "<b>bold</b>",
        "Boil the water. Then wait! Is it hot?", "茶是一种饮料。起源于中国。", "차는 중국에서 마셨다", "word " * 300,
        "x" * 2500, "Sentence one goes here. " * 60, "line\n" * 200, "\u00a0", "<p>", "<li>", "<h2>", "<table><td>",
        "</p>",
    ]
)  # fmt: skip
TEXTS = st.builds("\n".join, st.lists(PIECES | st.text(max_size=30), max_size=12))


def parsed_in_every_way(text: str) -> list[ParsedDocument]:
    found = []
    for read in (read_markdown, read_html, read_plain_text):
        try:
            found.append(read(text.encode("utf-8", "replace")))
        except UnreadableError:
            assert "\x00" in text
    return found


@settings(max_examples=60)
@given(TEXTS)
def test_no_text_is_lost_and_none_is_in_two_chunks(text: str) -> None:
    for parsed in parsed_in_every_way(text):
        chunks = list(chunks_of(parsed, TOKENIZER.count_tokens))

        assert "".join("".join(chunk.text for chunk in chunks).split()) == "".join(parsed.text.split())
        assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
        assert all(chunk.text == parsed.text[chunk.start : chunk.end] != "" for chunk in chunks)
        assert all(one.end <= other.start for one, other in pairwise(chunks))


@settings(max_examples=60)
@given(TEXTS)
def test_every_chunk_has_words_and_fits_the_window(text: str) -> None:
    for parsed in parsed_in_every_way(text):
        for chunk in chunks_of(parsed, TOKENIZER.count_tokens):
            assert chunk.text.strip()
            assert len(chunk.text) <= MAX_CHUNK_CHARS
            assert TOKENIZER.count_tokens(chunk.embedded_text) <= WINDOW_TOKENS


def rarity(word: str) -> float:
    return min(1.0, len(word) / 10)


@settings(max_examples=60)
@given(TEXTS)
def test_an_excerpt_has_whole_sentences_and_at_most_half_of_the_chunk(text: str) -> None:
    """E10, issue 35, point 16: excerpts never add up to the document, even if its sections are short."""
    for parsed in parsed_in_every_way(text):
        for chunk in chunks_of(parsed, TOKENIZER.count_tokens):
            kept_of_it = indexed(chunk, rarity, stores_text=False)
            excerpt = kept_of_it.excerpt

            assert len(excerpt) <= EXCERPT_CHARS
            if chunk.body:
                shown = excerpt.removesuffix("…")
                assert len(shown) <= len(chunk.body) // 2
                kept, whole = sentences(excerpt), sentences(chunk.body)
                assert chunk.body.startswith(shown) or set(kept) <= set(whole)
                assert len(kept_of_it.search_text) <= EXCERPT_CHARS + 151


@settings(max_examples=60)
@given(TEXTS)
def test_splitting_is_deterministic(text: str) -> None:
    """N6: otherwise adding a document again would change it."""
    for parsed in parsed_in_every_way(text):
        once = [chunk.content_hash for chunk in chunks_of(parsed, TOKENIZER.count_tokens)]

        assert once == [chunk.content_hash for chunk in chunks_of(parsed, TOKENIZER.count_tokens)]


@settings(max_examples=60)
@given(TEXTS)
def test_parsers_return_blocks_in_order_that_hold_all_text(text: str) -> None:
    for parsed in parsed_in_every_way(text):
        blocks = [block for section in parsed.sections for block in section.blocks]

        assert all(one.end <= other.start for one, other in pairwise(blocks))
        assert all(parsed.text[block.start : block.end].strip() for block in blocks)
        held = "".join("".join(parsed.text[b.start : b.end] for b in blocks).split())
        assert held == "".join(parsed.text.split())
        for section in parsed.sections:
            assert [b.kind for b in section.blocks[1:]].count(BlockKind.HEADING) == 0
