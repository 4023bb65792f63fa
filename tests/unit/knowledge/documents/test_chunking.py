"""Cutting a document into chunks."""

import pytest

from app.adapters.documents.markdown import read_markdown
from app.adapters.documents.outline import read_plain_text
from app.adapters.embedding.word_pieces import WordPieces
from graph.knowledge.documents.chunking import (
    WINDOW_TOKENS,
    ChunkDraft,
    chunks_of,
    path_line,
)
from graph.knowledge.documents.parsed import Block, BlockKind, ParsedDocument, Section
from tests.fixtures.local_models import files_of


def words(count: int, first: str = "w") -> str:
    return " ".join(f"{first}{number}" for number in range(count))


def by_words(text: str) -> int:
    """Count one token a word, so that sizes can be checked by hand."""
    return len(text.split())


def cut(markdown: str) -> list[ChunkDraft]:
    return list(chunks_of(read_markdown(markdown.encode()), by_words))


def shown(chunks: list[ChunkDraft]) -> list[tuple[str, str]]:
    return [(chunk.above, chunk.text) for chunk in chunks]


def test_a_section_is_a_chunk_that_begins_with_its_heading() -> None:
    assert shown(cut("# Guide\n\nfirst\n\n## Brew\nsecond\n\n# Serve\nthird")) == [
        ("", "# Guide\n\nfirst"),
        ("Guide", "## Brew\nsecond"),
        ("", "# Serve\nthird"),
    ]


def test_headings_without_text_join_the_following_section() -> None:
    """A heading alone says nothing, but a heading without any text below it is kept."""
    assert shown(cut("# Guide\n## Brew\n### Water\nhot\n\n## Empty\n## Serve\ncold")) == [
        ("", "# Guide\n## Brew\n### Water\nhot"),
        ("Guide", "## Empty"),
        ("Guide", "## Serve\ncold"),
    ]


def test_blocks_that_fit_stay_whole() -> None:
    table = "| a | b |\n|---|---|\n" + "\n".join(f"| x{row} | y{row} |" for row in range(30))

    chunks = cut(f"# Guide\n\n{words(150)}\n\n{table}\n\n{words(90, 'z')}")

    assert [chunk.text for chunk in chunks] == [
        f"# Guide\n\n{words(150)}",
        f"{table}\n\n{words(90, 'z')}",
    ]
    assert [chunk.above for chunk in chunks] == ["", "Guide"]


def test_a_block_that_is_too_long_is_cut_between_sentences_else_lines_else_words() -> None:
    sentences = " ".join(f"{words(99, f's{number}x')} end." for number in range(4))
    lines = "\n".join(f"- {words(100, f'l{number}x')}" for number in range(4))

    assert [by_words(chunk.text) for chunk in cut(sentences)] == [200, 200]
    assert [chunk.text.count("\n") + 1 for chunk in cut(lines)] == [2, 2]
    assert [by_words(chunk.text) for chunk in cut(words(600))] == [254, 254, 92]


def test_a_long_block_is_split_but_stays_with_its_heading() -> None:
    chunks = cut(f"# Guide to tea\n\n{words(252)}")

    assert [by_words(chunk.text) for chunk in chunks] == [251, 5]
    assert chunks[0].text.startswith("# Guide to tea\n\nw0")


def test_a_word_without_end_is_cut_by_characters() -> None:
    chunks = list(chunks_of(read_plain_text(b"x" * 9000), by_words))

    assert "".join(chunk.text for chunk in chunks) == "x" * 9000
    assert max(len(chunk.text) for chunk in chunks) <= 2000


def test_a_chunk_never_spans_two_pages() -> None:
    text = "one\n\ntwo"
    blocks = (Block(BlockKind.PARAGRAPH, 0, 3), Block(BlockKind.PARAGRAPH, 5, 8))
    parsed = ParsedDocument(text, [Section((), (block,), page) for page, block in enumerate(blocks, 1)])

    assert [(chunk.page, chunk.text) for chunk in chunks_of(parsed, by_words)] == [(1, "one"), (2, "two")]


def test_chunks_fit_what_the_packaged_model_reads() -> None:
    tokenizer = WordPieces(files_of())
    prose = "Tea was first drunk in China, it is said; monks brought it on. " * 200
    chinese = "茶是一种饮料,起源于中国。" * 200
    korean = "차는 중국에서 처음 마셨다고 한다. " * 200
    code = "```python\n" + "if x != y: self.values[x] += f'{y:>10}'\n" * 200 + "```"
    parsed = read_markdown(f"# Guide to tea\n\n{prose}\n\n## 茶\n{chinese}\n{korean}\n\n{code}".encode())

    chunks = list(chunks_of(parsed, tokenizer.count_tokens))

    sizes = [tokenizer.count_tokens(chunk.embedded_text) for chunk in chunks]
    assert max(sizes) <= WINDOW_TOKENS
    assert sum(size > WINDOW_TOKENS // 2 for size in sizes) >= 0.8 * len(sizes)


def test_the_same_text_under_another_heading_is_another_chunk() -> None:
    """Its vector covers the headings as well."""
    one, other = cut("# Tea\nboil\n# Coffee\nboil")
    (moved,) = cut("# Coffee\nboil")

    assert one.content_hash != other.content_hash
    assert moved.content_hash == other.content_hash


@pytest.mark.parametrize(
    ("headings", "line"),
    [
        ((), ""),
        (("Guide", "Brew"), "Guide › Brew"),
        (("a" * 100, "b" * 60, "c"), f"{'b' * 60} › c"),
        (("x" * 400,), "x" * 150),
    ],
    ids=["none", "two", "the outer ones go first", "one too long"],
)
def test_headings_are_one_short_line(headings, line) -> None:
    assert path_line(headings) == line
