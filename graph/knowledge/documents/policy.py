"""Limits of documents, and the rule for storing their text."""

from dataclasses import dataclass

from graph.core.errors import InvalidInput
from graph.tenancy.workspaces.settings import WorkspaceSettings


@dataclass(frozen=True)
class DocumentPolicy:
    """Limits of documents.

    Attributes:
        max_bytes: Maximum size of a file; as base64 it fits into a request of 32 MB.
        max_chunks: Maximum number of chunks of one document, each of some 200 words.
        embed_seconds: Timeout for the vectors of texts that are not stored. The remaining chunks are embedded from
            their excerpts until the document is added again.
    """

    max_bytes: int = 20_000_000
    max_chunks: int = 2000
    embed_seconds: float = 15.0


def may_store_text(settings: WorkspaceSettings, wish: bool | None) -> bool:
    """Return whether to store a document's text: if the workspace allows it and the caller does not refuse.

    Raises:
        InvalidInput: More is wished for than is allowed.
    """
    allowed = bool(settings.store_document_text)
    if wish and not allowed:
        raise InvalidInput(
            "storeText",
            "storeText needs the workspace setting store_document_text: true; else only excerpts are stored",
        )
    return allowed if wish is None else wish
