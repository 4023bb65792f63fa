"""The typed functions over ``cypher/knowledge/documents``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.knowledge.documents.models import Chunk, Document, StoredChunk


@query
async def connect_document(
    runner: Runner, *, workspace_id: str, id: str, connection_id: str, now: datetime
) -> None: ...


class CountPartlyEmbeddedRow(Row):
    document_id: str
    chunks: int


@query
async def count_partly_embedded(
    runner: Runner, *, workspace_id: str, document_ids: Sequence[str]
) -> list[CountPartlyEmbeddedRow]: ...


@query
async def create_chunks(
    runner: Runner, *, workspace_id: str, document_id: str, chunks: Sequence[Mapping[str, Any]]
) -> None: ...


@query
async def delete_chunks(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> None: ...


@query
async def delete_document(runner: Runner, *, workspace_id: str, id: str) -> str | None: ...


@query
async def drop_chunk_jobs(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> None: ...


@query
async def get_chunks(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[Chunk]: ...


@query
async def get_documents(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[Document]: ...


@query
async def link_chunks(runner: Runner, *, workspace_id: str, document_id: str) -> None: ...


@query
async def list_chunk_states(runner: Runner, *, workspace_id: str, key: str) -> list[StoredChunk]: ...


@query
async def list_chunks(
    runner: Runner, *, workspace_id: str, document_ids: Sequence[str], after_ordinal: int, limit: int
) -> list[Chunk]: ...


@query
async def list_documents(
    runner: Runner,
    *,
    workspace_id: str,
    connection_id: str | None,
    media_type: str | None,
    text: str | None,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[Document]: ...


class LockDocumentRow(Row):
    id: str
    document: Document | None


@query
async def lock_document(
    runner: Runner, *, workspace_id: str, key: str, id: str, now: datetime
) -> LockDocumentRow: ...


@query
async def update_chunks(
    runner: Runner, *, workspace_id: str, updates: Sequence[Mapping[str, Any]]
) -> None: ...


@query
async def update_document(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any]
) -> Document: ...
