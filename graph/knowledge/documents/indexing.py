"""Stored properties of a chunk: its excerpt, its search text, and its place.

The graph stores no raw documents, but search by meaning must find every chunk. So unless the text may be stored, a
chunk keeps an excerpt of at most 500 characters and at most half of the chunk, so that nobody can reassemble a document
from its excerpts. The excerpt has the sentences with the rarest words, or the beginning if every sentence is too long.
Search by words covers the headings and this excerpt. The vector covers the whole chunk, is computed while the document
is added, and cannot be turned back into text.
"""

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from graph.core.text.language import Specificity
from graph.core.text.lucene import forms_apart
from graph.core.text.summaries import rarest_sentences
from graph.knowledge.documents.chunking import ChunkDraft, path_line

EXCERPT_CHARS = 500
_ELLIPSIS = "…"


@dataclass(frozen=True)
class IndexedChunk:
    """A chunk with the texts that are stored of it.

    Attributes:
        excerpt: Quote of the text under its headings, at most 500 characters.
        search_text: Text of the full-text index, and of a vector that is made again.
    """

    draft: ChunkDraft
    excerpt: str
    search_text: str


def indexed(chunk: ChunkDraft, specificity: Specificity, *, stores_text: bool) -> IndexedChunk:
    """Return a chunk with its excerpt and its search text, which are costly to choose."""
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
    """Return the words that weigh more: the document's title and the name of its file."""
    name = file_name(uri)
    return title if name is None or name == title else f"{title} {name}"


def place_of(chunk: IndexedChunk, *, search_keys: str) -> dict[str, Any]:
    """Return the properties that may change though the text stays, under their names in ``StoredChunk``."""
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
    """Return at most ``limit`` characters, cut between words where that is near, with a mark where it was cut."""
    if len(text) <= limit:
        return text
    cut = text[: max(0, limit - 1)]
    words = cut.rsplit(maxsplit=1)[0] if len(cut.split()) > 1 and not text[len(cut)].isspace() else cut
    kept = words if len(words) > len(cut) // 2 else cut
    return kept.rstrip() + _ELLIPSIS
