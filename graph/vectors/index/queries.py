"""The typed functions over ``cypher/vectors/index``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.vectors.index.models import BuildingIndex, EmbeddingSource, RetiringSlot, VectorIndex


@query
async def adopt_vector_index(
    runner: Runner, *, slot: str, signature: str, dimension: int, quantization: str, now: datetime
) -> str: ...


@query
async def begin_building(
    runner: Runner, *, signature: str, dimension: int, quantization: str, now: datetime
) -> bool | None: ...


@query
async def begin_filling(runner: Runner, *, slot: str, signature: str) -> None: ...


@query
async def clear_vectors(
    runner: Runner, *, vector_property: str, active_property: str, after: str, limit: int, now: datetime
) -> str | None: ...


@query
async def copy_vectors(
    runner: Runner,
    *,
    signature: str,
    from_slot: str,
    from_property: str,
    to_slot: str,
    to_property: str,
    after: str,
    limit: int,
) -> int | None: ...


@query
async def create_vector_index_a(runner: Runner, *, options: Mapping[str, Any]) -> None: ...


@query
async def create_vector_index_b(runner: Runner, *, options: Mapping[str, Any]) -> None: ...


@query
async def delete_passages(runner: Runner, *, slot: str, limit: int) -> int: ...


@query
async def drop_vector_index_a(runner: Runner) -> None: ...


@query
async def drop_vector_index_b(runner: Runner) -> None: ...


class EnqueueReindexingRow(Row):
    enqueued: int
    memories: int
    last_id: str | None


@query
async def enqueue_reindexing(
    runner: Runner,
    *,
    workspace_id: str,
    vector_property: str,
    force: bool,
    after_id: str,
    limit: int,
    now: datetime,
) -> EnqueueReindexingRow: ...


@query
async def ensure_reembedding_job(
    runner: Runner, *, workspace_id: str, again: bool, now: datetime, revive_at: datetime
) -> None: ...


class FindVectorIndexRow(Row):
    active: VectorIndex | None
    building: BuildingIndex | None
    retiring: RetiringSlot | None
    last_reset_at: datetime | None
    grace_until: datetime | None


@query
async def find_vector_index(runner: Runner) -> FindVectorIndexRow | None: ...


@query
async def list_embedding_sources(
    runner: Runner, *, subjects: Sequence[Mapping[str, Any]]
) -> list[EmbeddingSource]: ...


@query
async def list_sources_to_reembed(
    runner: Runner, *, vector_property: str, signature: str, after: str, limit: int
) -> list[EmbeddingSource]: ...


@query
async def mark_embedding_failed(runner: Runner, *, rows: Sequence[Mapping[str, Any]]) -> None: ...


@query
async def mark_unembeddable(runner: Runner, *, rows: Sequence[Mapping[str, Any]], signature: str) -> None: ...


@query
async def note_clearing(runner: Runner, *, slot: str, cursor: str | None) -> None: ...


@query
async def restart_filling(runner: Runner, *, slot: str, signature: str) -> None: ...


class StoreEmbeddingsRow(Row):
    accepted: bool
    stored: int


@query
async def store_embeddings(
    runner: Runner,
    *,
    rows: Sequence[Mapping[str, Any]],
    targets: Sequence[Mapping[str, Any]],
    replaces: bool,
    cursor: str | None,
) -> StoreEmbeddingsRow | None: ...


@query
async def switch_vector_index(
    runner: Runner,
    *,
    slot: str,
    signature: str,
    active_property: str,
    building_property: str,
    grace_until: datetime,
    now: datetime,
) -> int | None: ...
