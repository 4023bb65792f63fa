"""The document part of the composition root: what reads files, how they are measured, what is not stored."""

from app.adapters.documents.isolation import IsolatedParser
from app.adapters.documents.reading import ReadingLimits
from app.adapters.embedding.passages import WordPieceSplitter
from app.settings import Settings
from app.settings.documents import DocumentSettings
from graph.core.credentials import CredentialGuard
from graph.core.database import Database
from graph.core.ports import Clock, WakeUp
from graph.core.text.work import TextWork
from graph.knowledge.documents.chunking import MAX_CHUNK_CHARS, estimated_tokens
from graph.knowledge.documents.policy import DocumentPolicy
from graph.knowledge.documents.service import Documents
from graph.tenancy.workspaces.service import Workspaces
from graph.vectors.index.service import Embeddings


def open_documents(
    settings: Settings,
    database: Database,
    embeddings: Embeddings,
    wake_up: WakeUp,
    clock: Clock,
    workspaces: Workspaces,
    guard: CredentialGuard,
    text_work: TextWork,
) -> Documents:
    """Return the use cases of documents under the rules of the settings."""
    own, splitter = settings.documents, embeddings.splitter
    return Documents(
        database,
        embeddings,
        wake_up,
        clock,
        workspaces,
        parser=_parser(own),
        measure=splitter.count_tokens if isinstance(splitter, WordPieceSplitter) else estimated_tokens,
        policy=DocumentPolicy(
            max_bytes=own.max_bytes,
            max_chunks=own.max_chunks,
            embed_seconds=own.embed_seconds,
            store_text=own.store_text,
        ),
        guard=guard,
        text_work=text_work,
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
