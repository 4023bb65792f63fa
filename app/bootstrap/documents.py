"""The document part of the composition root: what reads files, how they are measured, what is not stored."""

from app.adapters.documents.isolation import IsolatedParser
from app.adapters.documents.reading import ReadingLimits
from app.adapters.embedding.word_pieces import WordPieces
from app.bootstrap.dependencies import Dependencies
from app.settings.documents import DocumentSettings
from graph.knowledge.documents.chunking import MAX_CHUNK_CHARS
from graph.knowledge.documents.policy import DocumentPolicy
from graph.knowledge.documents.service import Documents
from graph.tenancy.workspaces.service import Workspaces
from graph.vectors.index.service import Embeddings


def build_documents(on: Dependencies, *, embeddings: Embeddings, workspaces: Workspaces) -> Documents:
    """Return the use cases of documents under the rules of the settings."""
    own = on.settings.documents
    return Documents(
        on.database,
        embeddings,
        on.signals.wake_up,
        on.clock,
        workspaces,
        parser=_parser(own),
        measure=WordPieces(on.tokenizer).count_tokens,
        policy=DocumentPolicy(
            max_bytes=own.max_bytes,
            max_chunks=own.max_chunks,
            embed_seconds=own.embed_seconds,
            store_text=own.store_text,
        ),
        guard=on.guard,
        text_work=on.text_work,
    )


def _parser(settings: DocumentSettings) -> IsolatedParser:
    return IsolatedParser(
        ReadingLimits(
            seconds=settings.read_seconds,
            memory_mb=settings.read_memory_mb,
            pages=settings.max_pages,
            chars=settings.max_chunks * MAX_CHUNK_CHARS,
        )
    )
