"""The typed functions over ``cypher/knowledge/documents``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one, fetch_optional
from graph.knowledge.documents.models import Chunk, Document, StoredChunk


async def connect_document(
    runner: Runner, *, workspace_id: str, id: str, connection_id: str, now: datetime
) -> None:
    await execute(
        runner,
        load("connect_document"),
        {"workspace_id": workspace_id, "id": id, "connection_id": connection_id, "now": now},
    )


class CountPartlyEmbeddedRow(Row):
    document_id: str
    chunks: int


async def count_partly_embedded(
    runner: Runner, *, workspace_id: str, document_ids: Sequence[str]
) -> list[CountPartlyEmbeddedRow]:
    return await fetch_many(
        runner,
        load("count_partly_embedded"),
        CountPartlyEmbeddedRow,
        {"workspace_id": workspace_id, "document_ids": document_ids},
    )


async def create_chunks(
    runner: Runner, *, workspace_id: str, document_id: str, chunks: Sequence[Mapping[str, Any]]
) -> None:
    await execute(
        runner,
        load("create_chunks"),
        {"workspace_id": workspace_id, "document_id": document_id, "chunks": chunks},
    )


async def delete_chunks(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> None:
    await execute(runner, load("delete_chunks"), {"workspace_id": workspace_id, "ids": ids})


class DeleteDocumentRow(Row):
    id: str


async def delete_document(runner: Runner, *, workspace_id: str, id: str) -> DeleteDocumentRow | None:
    return await fetch_optional(
        runner, load("delete_document"), DeleteDocumentRow, {"workspace_id": workspace_id, "id": id}
    )


async def drop_chunk_jobs(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> None:
    await execute(runner, load("drop_chunk_jobs"), {"workspace_id": workspace_id, "ids": ids})


class GetChunksRow(Row):
    chunk: Chunk


async def get_chunks(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[GetChunksRow]:
    return await fetch_many(
        runner, load("get_chunks"), GetChunksRow, {"workspace_id": workspace_id, "ids": ids}
    )


class GetDocumentsRow(Row):
    document: Document


async def get_documents(runner: Runner, *, workspace_id: str, ids: Sequence[str]) -> list[GetDocumentsRow]:
    return await fetch_many(
        runner, load("get_documents"), GetDocumentsRow, {"workspace_id": workspace_id, "ids": ids}
    )


async def link_chunks(runner: Runner, *, workspace_id: str, document_id: str) -> None:
    await execute(runner, load("link_chunks"), {"workspace_id": workspace_id, "document_id": document_id})


class ListChunkStatesRow(Row):
    chunk: StoredChunk


async def list_chunk_states(runner: Runner, *, workspace_id: str, key: str) -> list[ListChunkStatesRow]:
    return await fetch_many(
        runner, load("list_chunk_states"), ListChunkStatesRow, {"workspace_id": workspace_id, "key": key}
    )


class ListChunksRow(Row):
    chunk: Chunk


async def list_chunks(
    runner: Runner, *, workspace_id: str, document_ids: Sequence[str], after_ordinal: int, limit: int
) -> list[ListChunksRow]:
    return await fetch_many(
        runner,
        load("list_chunks"),
        ListChunksRow,
        {
            "workspace_id": workspace_id,
            "document_ids": document_ids,
            "after_ordinal": after_ordinal,
            "limit": limit,
        },
    )


class ListDocumentsRow(Row):
    document: Document


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
) -> list[ListDocumentsRow]:
    return await fetch_many(
        runner,
        load("list_documents"),
        ListDocumentsRow,
        {
            "workspace_id": workspace_id,
            "connection_id": connection_id,
            "media_type": media_type,
            "text": text,
            "after_created": after_created,
            "after_id": after_id,
            "limit": limit,
        },
    )


class LockDocumentRow(Row):
    id: str
    document: Document | None


async def lock_document(
    runner: Runner, *, workspace_id: str, key: str, id: str, now: datetime
) -> LockDocumentRow:
    return await fetch_one(
        runner,
        load("lock_document"),
        LockDocumentRow,
        {"workspace_id": workspace_id, "key": key, "id": id, "now": now},
    )


async def update_chunks(runner: Runner, *, workspace_id: str, updates: Sequence[Mapping[str, Any]]) -> None:
    await execute(runner, load("update_chunks"), {"workspace_id": workspace_id, "updates": updates})


class UpdateDocumentRow(Row):
    document: Document


async def update_document(
    runner: Runner, *, workspace_id: str, id: str, properties: Mapping[str, Any]
) -> UpdateDocumentRow:
    return await fetch_one(
        runner,
        load("update_document"),
        UpdateDocumentRow,
        {"workspace_id": workspace_id, "id": id, "properties": properties},
    )
