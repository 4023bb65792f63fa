"""The settings of documents."""

from pydantic import Field

from app.settings.group import SettingGroup


class DocumentSettings(SettingGroup):
    """Limits and rules of documents."""

    store_text: bool = False
    """Whether the graph holds documents' whole texts; off: excerpts of at most 500 characters, places and vectors.
    The workspace setting ``store_document_text`` goes before it."""
    max_bytes: int = Field(20_000_000, ge=1, le=22_000_000)
    """Largest file that is taken; as base64 it must fit into a request of 32 MB."""
    max_pages: int = Field(1000, ge=1)
    """Most pages of a PDF."""
    max_chunks: int = Field(2000, ge=1, le=10_000)
    """Into how many chunks, of some 200 words, a document may be cut."""
    read_seconds: float = Field(20.0, gt=0, le=300)
    """How long a document may take to read; its process is ended then."""
    read_memory_mb: int = Field(1024, ge=128)
    """How much memory that process may use (on Linux)."""
    embed_seconds: float = Field(15.0, ge=0, le=300)
    """How long adding a document waits for vectors of texts that are not stored. Chunks left over are embedded from
    their excerpts, until the document is added again."""
