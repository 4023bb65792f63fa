"""Splits a document into chunks along its structure.

A chunk lies within one section. Headings, paragraphs, lists, code and tables stay whole if they fit into a chunk.
Longer ones are split between lines or sentences, else between words. Every part of the text is in exactly one chunk.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from graph.core.text.language import Specificity
from graph.core.text.lucene import forms_apart
from graph.core.text.summaries import rarest_sentences
from graph.knowledge.documents.parsed import Block, BlockKind, ParsedDocument, Section

WINDOW_TOKENS = 254
"""Maximum number of word pieces that MiniLM reads, about 200 English words; the other embedders read more."""
MAX_CHUNK_CHARS = 2000
"""Maximum length of a chunk; needed beside the word pieces, because one word may have more than 100 characters."""
_PATH_CHARS = 150
_PATH_TOKENS = 100
PATH_SEPARATOR = " › "

# The group is the white space at a split, which belongs to no chunk. Both take time linear in the text's length.
_LINES = re.compile(r"(\n\s*)")
# Some marks of other scripts look like Latin ones; the pattern contains both on purpose.
_SENTENCES = re.compile(r"(?:[.!?…][\"'”’)\]]*(?=\s)|[。！？；｡؟۔।])(\s*)")  # noqa: RUF001
_CLAUSES = re.compile(r"(?:[,;:](?=\s)|[，、：،؛])(\s*)")
_WORDS = re.compile(r"(\s+)")
_BY_LINE = (_LINES, _SENTENCES, _CLAUSES, _WORDS)
_BY_SENTENCE = (_SENTENCES, _CLAUSES, _LINES, _WORDS)
_CUTS = {BlockKind.LIST: _BY_LINE, BlockKind.CODE: _BY_LINE, BlockKind.TABLE: _BY_LINE}

Measure = Callable[[str], int]


@dataclass(frozen=True)
class ChunkDraft:
    """A part of a document that search returns as one hit.

    Attributes:
        headings: Headings above it and its own, the outermost first.
        above: Headings that are not part of its text, in one line.
        start: Offset of its first character in the document's text.
        end: Offset after its last character.
        body_start: Offset of the text after its own headings; equals ``end`` if there is none.
    """

    ordinal: int
    headings: Sequence[str]
    above: str
    page: int | None
    start: int
    end: int
    body_start: int
    text: str

    @property
    def body(self) -> str:
        """The text after its own headings."""
        return self.text[self.body_start - self.start :]

    @property
    def embedded_text(self) -> str:
        """Text from which the vector of the whole chunk is computed."""
        return f"{self.above}\n{self.text}" if self.above else self.text

    @property
    def content_hash(self) -> str:
        """Hash that identifies an unchanged chunk when the document is added again."""
        return hashlib.sha256(self.embedded_text.encode()).hexdigest()


def chunks_of(parsed: ParsedDocument, measure: Measure) -> Iterator[ChunkDraft]:
    """Yield the chunks in order; a heading without text belongs to the section below it.

    Args:
        parsed: The document.
        measure: Returns the number of word pieces of a text.
    """
    cutter = _Cutter(parsed.text, measure)
    ordinal = 0
    carried: list[Block] = []
    for section, following in zip_longest(parsed.sections, parsed.sections[1:]):
        blocks = [*carried, *section.blocks]
        carried = []
        if following is not None and _only_leads_to(section, following):
            carried = blocks
            continue
        for pieces in cutter.pack(section, blocks):
            yield cutter.draft(section, pieces, ordinal)
            ordinal += 1


def first_chunks(parsed: ParsedDocument, measure: Measure, most: int) -> list[ChunkDraft]:
    """Return the first chunks of a document; see :func:`chunks_of`."""
    return list(islice(chunks_of(parsed, measure), most))


def path_line(headings: Sequence[str]) -> str:
    """Return headings in one line of at most 150 characters, omitting the outermost first."""
    line = ""
    for heading in reversed(headings):
        longer = f"{heading}{PATH_SEPARATOR}{line}" if line else heading[:_PATH_CHARS]
        if len(longer) > _PATH_CHARS:
            break
        line = longer
    return line


@dataclass(frozen=True)
class _Piece:
    """A block, or a part of a block that is too long."""

    start: int
    end: int
    tokens: int
    is_heading: bool


@dataclass(frozen=True)
class _Cutter:
    """Splits one text."""

    text: str
    measure: Measure

    def pack(self, section: Section, blocks: Sequence[Block]) -> Iterator[Sequence[_Piece]]:
        """Yield the pieces of each chunk of a section."""
        room = WINDOW_TOKENS - self.measure(self.path(section.headings))
        chunk: list[_Piece] = []
        for block in blocks:
            whole = self._piece(block, block.start, block.end)
            is_led = bool(chunk) and all(piece.is_heading for piece in chunk)
            fits_alone = _fits([], whole, room)
            # A block that does not fit after its heading is split, so that the heading keeps some text.
            parts = [whole] if fits_alone and not is_led else self._parts(block, room)
            for piece in [whole] if _fits(chunk, whole, room) else parts:
                if chunk and not _fits(chunk, piece, room):
                    yield chunk
                    chunk = []
                chunk.append(piece)
        if chunk:
            yield chunk

    def draft(self, section: Section, pieces: Sequence[_Piece], ordinal: int) -> ChunkDraft:
        """Return the chunk of some pieces."""
        start, end = pieces[0].start, pieces[-1].end
        own = sum(piece.is_heading for piece in pieces)
        return ChunkDraft(
            ordinal=ordinal,
            headings=tuple(section.headings),
            above=self.path(section.headings[: max(0, len(section.headings) - own)]),
            page=section.page,
            start=start,
            end=end,
            body_start=next((piece.start for piece in pieces if not piece.is_heading), end),
            text=self.text[start:end],
        )

    def _parts(self, block: Block, room: int) -> Iterator[_Piece]:
        """Yield the parts of a block, split at the best places that keep every part small enough."""
        cuts = _CUTS.get(block.kind, _BY_SENTENCE)
        waiting = [(block.start, block.end, 0)]
        while waiting:
            start, end, level = waiting.pop()
            if _fits([], piece := self._piece(block, start, end), room) or end - start == 1:
                yield piece
            elif level < len(cuts):
                spans = self._split(start, end, cuts[level])
                waiting += [(*span, level + 1) for span in reversed(spans)]
            else:
                middle = (start + end) // 2
                waiting += [(middle, end, level), (start, middle, level)]

    def path(self, headings: Sequence[str]) -> str:
        """Return headings in one line, short enough to leave room for the text below them."""
        line = path_line(headings)
        while self.measure(line) > _PATH_TOKENS:
            line = line[: len(line) // 2]
        return line

    def _split(self, start: int, end: int, cut: re.Pattern[str]) -> list[tuple[int, int]]:
        gaps = [match.span(1) for match in cut.finditer(self.text, start, end)]
        begins = [start, *(gap_end for _, gap_end in gaps)]
        ends = [*(gap_start for gap_start, _ in gaps), end]
        return [
            (begin, begin + len(part))
            for begin, stop in zip(begins, ends, strict=True)
            if (part := self.text[begin:stop].rstrip())
        ]

    def _piece(self, block: Block, start: int, end: int) -> _Piece:
        too_long = end - start > MAX_CHUNK_CHARS
        tokens = WINDOW_TOKENS + 1 if too_long else self.measure(self.text[start:end])
        return _Piece(start, end, tokens, block.kind is BlockKind.HEADING)


def _fits(chunk: Sequence[_Piece], piece: _Piece, room: int) -> bool:
    begin = chunk[0].start if chunk else piece.start
    return sum(each.tokens for each in chunk) + piece.tokens <= room and piece.end - begin <= MAX_CHUNK_CHARS


def _only_leads_to(section: Section, following: Section) -> bool:
    """Tell whether a section consists only of the heading of the next one."""
    depth = len(section.headings)
    return (
        all(block.kind is BlockKind.HEADING for block in section.blocks)
        and section.page == following.page
        and len(following.headings) > depth
        and tuple(following.headings[:depth]) == tuple(section.headings)
    )


# The graph stores no raw documents, but search by meaning must find every chunk. So unless the text may be stored, a
# chunk keeps an excerpt of at most 500 characters and at most half of the chunk, so that nobody can reassemble a
# document from its excerpts. The excerpt has the sentences with the rarest words, or the beginning if every sentence
# is too long. Search by words covers the headings and this excerpt. The vector covers the whole chunk, is computed
# while the document is added, and cannot be turned back into text.


EXCERPT_CHARS = 500
_ELLIPSIS = "…"


@dataclass(frozen=True)
class IndexedChunk:
    """A chunk with the texts to store.

    Attributes:
        excerpt: Quote of the text under its headings, at most 500 characters.
        search_text: Text for the full-text index, and for a vector that a job computes later.
    """

    draft: ChunkDraft
    excerpt: str
    search_text: str


def indexed(chunk: ChunkDraft, specificity: Specificity, *, stores_text: bool) -> IndexedChunk:
    """Return a chunk with its excerpt and search text; choosing them takes much processor time."""
    excerpt = _excerpt_of(chunk, specificity, stores_text=stores_text)
    if stores_text:
        return IndexedChunk(chunk, excerpt, chunk.embedded_text)
    above = path_line(chunk.headings)
    return IndexedChunk(chunk, excerpt, f"{above}\n{excerpt}" if above else excerpt)


def _excerpt_of(chunk: ChunkDraft, specificity: Specificity, *, stores_text: bool) -> str:
    """Return the excerpt of the text under a chunk's headings; a chunk of headings alone returns these.

    If the text is stored, the excerpt is its beginning.
    """
    if stores_text or not chunk.body:
        return _beginning(chunk.body or chunk.text, EXCERPT_CHARS)
    most = min(EXCERPT_CHARS, len(chunk.body) // 2)
    return rarest_sentences(chunk.body, specificity, most_chars=most) or _beginning(chunk.body, most)


def search_keys_of(title: str, uri: str | None) -> str:
    """Return the words that weigh more in a search: the document's title and its file name."""
    name = file_name(uri)
    return title if name is None or name == title else f"{title} {name}"


def place_of(chunk: IndexedChunk, *, search_keys: str) -> dict[str, Any]:
    """Return the properties that may change while the text stays, by their names in ``StoredChunk``."""
    draft = chunk.draft
    return {
        "ordinal": draft.ordinal,
        "headings": list(draft.headings),
        "excerpt": chunk.excerpt,
        "page": draft.page,
        "char_start": draft.start,
        "char_end": draft.end,
        "search_keys": f"{search_keys} {forms_apart(f'{search_keys} {chunk.search_text}')}".rstrip(),
    }


def file_name(uri: str | None) -> str | None:
    """Return the last part of a location's path, if it has one."""
    if uri is None:
        return None
    try:
        path = urlsplit(uri).path
    except ValueError:  # such as a broken IPv6 address
        path = uri
    return unquote(PurePosixPath(path.replace("\\", "/")).name) or None


def _beginning(text: str, limit: int) -> str:
    """Return at most ``limit`` characters, cut between words if possible; an ellipsis marks the cut."""
    if len(text) <= limit:
        return text
    cut = text[: max(0, limit - 1)]
    words = cut.rsplit(maxsplit=1)[0] if len(cut.split()) > 1 and not text[len(cut)].isspace() else cut
    beginning = words if len(words) > len(cut) // 2 else cut
    return beginning.rstrip() + _ELLIPSIS
