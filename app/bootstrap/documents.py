"""The document part of the composition root: readers, limits and text storage."""

from typing import Final

from app.adapters.documents.isolation import IsolatedParser
from app.adapters.documents.reading import ReadingLimits
from app.adapters.embedding.word_pieces import WordPieces
from app.bootstrap.dependencies import Dependencies
from graph.knowledge.documents.chunking import MAX_CHUNK_CHARS
from graph.knowledge.documents.policy import DocumentPolicy
from graph.knowledge.documents.service import Documents
from graph.tenancy.workspaces.service import Workspaces
from graph.vectors.index.service import Embeddings

_POLICY: Final = DocumentPolicy()
_READING_LIMITS: Final = ReadingLimits(
    seconds=20.0, memory_mb=1024, pages=1000, chars=_POLICY.max_chunks * MAX_CHUNK_CHARS
)
"""Enough for a book of 1,000 pages. The process is killed when a file needs more."""


def build_documents(on: Dependencies, *, embeddings: Embeddings, workspaces: Workspaces) -> Documents:
    """Return the use cases of documents."""
    return Documents(
        on.database,
        embeddings,
        on.signals.wake_up,
        on.clock,
        workspaces,
        parser=IsolatedParser(_READING_LIMITS),
        measure=WordPieces(on.tokenizer).count_tokens,
        policy=_POLICY,
        guard=on.guard,
        text_work=on.text_work,
        specificity=on.specificity,
    )
