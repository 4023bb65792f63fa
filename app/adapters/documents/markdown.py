"""Markdown (CommonMark with tables): headings, and blocks in their original form."""

import re
from collections.abc import Iterator
from itertools import accumulate

from markdown_it import MarkdownIt
from markdown_it.token import Token

from app.adapters.documents.outline import Outline, decoded
from graph.knowledge.documents.parsed import BlockKind, ParsedDocument

_KINDS = {
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
    "table_open": BlockKind.TABLE,
}
_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:.*\n){0,200}?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_FRONT_TITLE = re.compile(r"^title:(?P<title>.*)$", re.MULTILINE)


def read_markdown(content: bytes) -> ParsedDocument:
    """Return the outermost blocks of a text under its headings.

    Lines outside of blocks, such as link definitions, become paragraphs; YAML front matter becomes code.

    Raises:
        UnreadableError: The content is not UTF-8 text.
    """
    text = decoded(content)
    outline = Outline()
    front = _FRONT_MATTER.match(text)
    title = None
    if front:
        outline.block(BlockKind.CODE, 0, len(front.group().rstrip()))
        named = _FRONT_TITLE.search(front.group())
        title = _unquoted(named["title"].strip()) if named else None
    _add_blocks(outline, text, front.end() if front else 0)
    outline.end_section()
    return ParsedDocument(text, outline.sections, title or outline.title)


def _unquoted(title: str) -> str:
    """Return a title in YAML without surrounding quotation marks."""
    return title.removeprefix('"').removeprefix("'").removesuffix('"').removesuffix("'").strip()


def _add_blocks(outline: Outline, text: str, offset: int) -> None:
    """Add the blocks of the text after ``offset``, and the text between them."""
    lines = text[offset:].split("\n")
    starts = [offset, *(offset + end for end in accumulate(len(line) + 1 for line in lines))]
    starts[-1] = len(text)
    next_line = 0
    for token, heading in _outermost(text[offset:]):
        assert token.map is not None  # noqa: S101 - every token that opens a block has one
        first, last = token.map
        _add(outline, BlockKind.PARAGRAPH, text, starts[next_line], starts[first])
        start, end = _trimmed(text, starts[first], starts[last])
        if heading is None:
            _add(outline, _KINDS.get(token.type, BlockKind.PARAGRAPH), text, start, end)
        else:
            outline.heading(int(token.tag[1]), heading, start, end)
        next_line = last
    _add(outline, BlockKind.PARAGRAPH, text, starts[next_line], len(text))


def _outermost(text: str) -> Iterator[tuple[Token, str | None]]:
    """Yield the tokens that open outermost blocks, each with its text if it is a heading."""
    parser = MarkdownIt("commonmark").enable("table")
    inline = MarkdownIt("commonmark")
    # What stands within a block is not looked at: it is kept as it is written.
    parser.core.ruler.enableOnly(["normalize", "block"])
    tokens = parser.parse(text)
    for index, token in enumerate(tokens):
        if token.level != 0 or token.nesting < 0 or token.map is None:
            continue
        is_heading = token.type == "heading_open"
        yield token, _plain(inline, tokens[index + 1].content) if is_heading else None


def _plain(inline: MarkdownIt, heading: str) -> str:
    """Return the words of a heading without emphasis, links and the like."""
    (token,) = inline.parseInline(heading)
    return " ".join("".join(child.content for child in token.children or ()).split())


def _add(outline: Outline, kind: BlockKind, text: str, start: int, end: int) -> None:
    start, end = _trimmed(text, start, end)
    if start < end:
        outline.block(kind, start, end)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without blank lines at its beginning and white space at its end."""
    stretch = text[start:end]
    blank = len(stretch) - len(stretch.lstrip())
    line = stretch.rfind("\n", 0, blank) + 1  # indentation is part of a code block
    return start + line, start + max(line, len(stretch.rstrip()))
