"""Validation of submitted documents."""

import base64
import binascii
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graph.core.errors import InvalidInput
from graph.core.text.checks import short_name, short_text, storable
from graph.knowledge.documents.chunking import file_name
from graph.knowledge.documents.models import DocumentDraft
from graph.knowledge.documents.parsed import (
    MEDIA_TYPES,
    PDF,
    PLAIN,
    known_media_type,
    media_type_of_file,
)
from graph.memories.rules import validated_metadata
from graph.tenancy.settings import WorkspaceSettings


@dataclass(frozen=True)
class DocumentPolicy:
    """Limits of documents.

    Attributes:
        max_bytes: Maximum size of a file; encoded as base64 it fits into a request of 32 MB.
        max_chunks: Maximum number of chunks of one document, each of about 200 words.
        embed_seconds: Timeout for the vectors of texts that are not stored. The remaining chunks are embedded from
            their excerpts until the document is added again.
    """

    max_bytes: int = 20_000_000
    max_chunks: int = 2000
    embed_seconds: float = 15.0


def may_store_text(settings: WorkspaceSettings, requested: bool | None) -> bool:
    """Return whether to store a document's text: if the workspace allows it and the caller does not refuse.

    Raises:
        InvalidInput: The caller asks to store the text, and the workspace does not allow it.
    """
    allowed = bool(settings.store_document_text)
    if requested and not allowed:
        raise InvalidInput(
            "storeText",
            "storeText needs the workspace setting store_document_text: true; without it only excerpts are stored",
        )
    return allowed if requested is None else requested


_MOST_URI_CHARS = 2048
_TITLE_CHARS = 512


@dataclass(frozen=True)
class CheckedDocument:
    """A valid draft.

    Attributes:
        field: Field of the draft with the content, for errors about it.
        title: Title from the caller; None: use the document's own.
        content_hash: SHA-256 of the content.
    """

    title: str | None
    uri: str | None
    key: str
    media_type: str
    content: bytes
    content_hash: str
    field: str
    metadata: Mapping[str, Any] | None
    connection_id: str | None
    store_text: bool | None


def validated(draft: DocumentDraft, *, max_bytes: int) -> CheckedDocument:
    """Return the decoded draft with defaults; the largest takes a tenth of a second, so run it in a thread.

    The key is the given one, else the URI, else a hash of the content, so that equal content is stored once.

    Raises:
        InvalidInput: Both or none of ``content`` and ``contentBase64`` are set, the content is empty or too large, or
            another field breaks a rule.
    """
    uri = short_text("uri", draft.uri, limit=_MOST_URI_CHARS)
    field, content = _content(draft, max_bytes)
    content_hash = hashlib.sha256(content).hexdigest()
    key = short_name("key", draft.key, limit=_MOST_URI_CHARS) or uri
    return CheckedDocument(
        title=short_name("title", draft.title, limit=_TITLE_CHARS),
        uri=uri,
        key=key or f"sha256:{content_hash}",
        media_type=_media_type(draft, uri, content, field),
        content=content,
        content_hash=content_hash,
        field=field,
        metadata=None if draft.metadata is None else validated_metadata(draft.metadata),
        connection_id=short_text("connectionId", draft.connection_id),
        store_text=draft.store_text,
    )


def title_of(document: CheckedDocument, own: str | None) -> str:
    """Return the caller's title, else the document's own, else its file name, else its key."""
    found = document.title or own or file_name(document.uri) or document.key
    return found[:_TITLE_CHARS]


def _content(draft: DocumentDraft, max_bytes: int) -> tuple[str, bytes]:
    if draft.content is not None and draft.content_base64 is not None:
        raise InvalidInput("content", "give either content or contentBase64, not both")
    if draft.content_base64 is not None:
        return "contentBase64", _within(
            "contentBase64", _from_base64(draft.content_base64, max_bytes), max_bytes
        )
    if draft.content is None:
        raise InvalidInput("content", "content or contentBase64 is required")
    return "content", _within("content", storable("content", draft.content).encode(), max_bytes)


def _from_base64(text: str, max_bytes: int) -> bytes:
    _size("contentBase64", len(text) * 3 // 4 - 2, max_bytes)
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidInput("contentBase64", "contentBase64 must be base64 (RFC 4648) with padding") from None


def _within(field: str, content: bytes, max_bytes: int) -> bytes:
    _size(field, len(content), max_bytes)
    if not content.strip():
        raise InvalidInput(field, f"{field} must not be empty")
    return content


def _size(field: str, size: int, max_bytes: int) -> None:
    if size > max_bytes:
        raise InvalidInput(field, f"{field} must have at most {max_bytes} bytes, got {size}")


def _media_type(draft: DocumentDraft, uri: str | None, content: bytes, field: str) -> str:
    if draft.media_type is not None:
        known = known_media_type(draft.media_type)
        if known is None:
            raise InvalidInput("mediaType", f"mediaType must be one of {', '.join(MEDIA_TYPES)}")
    else:
        known = _guessed(draft.key, uri, content, field)
    if known == PDF and field == "content":
        raise InvalidInput("content", "content must be text: send a PDF as contentBase64")
    return known


def _guessed(key: str | None, uri: str | None, content: bytes, field: str) -> str:
    named = next((found for name in (uri, key) if name and (found := media_type_of_file(name))), None)
    if content.startswith(b"%PDF-") and field == "contentBase64":
        return PDF
    return named or PLAIN
