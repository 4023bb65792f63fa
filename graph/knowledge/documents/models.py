"""Models of documents and chunks."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import field_validator
from pydantic_core import from_json

from graph.core.models import Frozen
from graph.memories.models import MemoryState


class ImportOutcome(StrEnum):
    """Effect of adding a document."""

    CREATED = "CREATED"
    UPDATED = "UPDATED"
    UNCHANGED = "UNCHANGED"


class EmbeddedFrom(StrEnum):
    """Part of a chunk's text that its vector represents."""

    WHOLE = "WHOLE"
    EXCERPT = "EXCERPT"


class DocumentDraft(Frozen):
    """A submitted document; ``graph.knowledge.documents.rules`` has its validation."""

    title: str | None = None
    uri: str | None = None
    key: str | None = None
    media_type: str | None = None
    content: str | None = None
    content_base64: str | None = None
    metadata: Mapping[str, Any] | None = None
    connection_id: str | None = None
    store_text: bool | None = None


class DocumentChanges(Frozen):
    """Changes to a document's chunks; a chunk that only moved counts as kept."""

    outcome: ImportOutcome
    added: int = 0
    removed: int = 0
    kept: int = 0


class Document(Frozen):
    """Source and type of a text; its chunks have the content.

    Attributes:
        key: Identity in a repeated add, unique in the workspace.
        content_hash: SHA-256 of the file's bytes.
        stores_text: True if its chunks store their whole text, False if they store excerpts.
        changes: Changes of the last add; None for a document that was only read.
    """

    id: str
    workspace_id: str
    title: str
    uri: str | None = None
    key: str
    media_type: str
    content_hash: str
    metadata: Mapping[str, Any] = {}
    connection_id: str | None = None
    chunk_count: int
    stores_text: bool
    active: bool
    created_at: datetime
    updated_at: datetime
    changes: DocumentChanges | None = None

    @field_validator("metadata", mode="before")
    @classmethod
    def _read_json(cls, value: object) -> object:
        return from_json(value) if isinstance(value, str) else value


class Chunk(Frozen):
    """A part of a document that search returns as one hit.

    Attributes:
        ordinal: Index among the document's chunks, from 0.
        headings: Headings above it and its own, the outermost first.
        excerpt: Quote of at most 500 characters.
        text: Whole text, if the document's text is stored.
        page: Page number, from 1, if the document has pages.
        char_start: Offset of its first character: in the file with LF line ends for Markdown and plain text, otherwise
            in the extracted text.
        embedded_from: Part of the text that its vector represents; None without a vector.
    """

    id: str
    workspace_id: str
    document_id: str
    ordinal: int
    headings: tuple[str, ...] = ()
    excerpt: str
    text: str | None = None
    content_hash: str
    page: int | None = None
    char_start: int
    char_end: int
    state: MemoryState
    failure: str | None = None
    embedded_from: EmbeddedFrom | None = None
    created_at: datetime
    updated_at: datetime


class StoredChunk(Frozen):
    """Stored properties of a chunk that are compared when the document is added again.

    Attributes:
        stores_text: True if its whole text is stored.
        is_whole: True if it has a vector of its whole text.
        signature: Signature of the embedder that computed its vector.
    """

    id: str
    revision: int
    content_hash: str
    ordinal: int
    headings: tuple[str, ...]
    excerpt: str
    page: int | None
    char_start: int
    char_end: int
    search_keys: str | None
    stores_text: bool
    is_whole: bool
    signature: str | None


class DocumentFilter(Frozen):
    """Filter of a document list; an omitted field matches everything."""

    connection_id: str | None = None
    media_type: str | None = None
    text: str | None = None
