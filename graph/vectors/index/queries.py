"""The typed functions over ``cypher/vectors/index``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one, fetch_optional
from graph.vectors.index.models import BuildingIndex, EmbeddingSource, RetiringSlot, VectorIndex


class AdoptVectorIndexRow(Row):
    signature: str


async def adopt_vector_index(
    runner: Runner, *, slot: str, signature: str, dimension: int, quantization: str, now: datetime
) -> AdoptVectorIndexRow:
    return await fetch_one(
        runner,
        load("adopt_vector_index"),
        AdoptVectorIndexRow,
        {
            "slot": slot,
            "signature": signature,
            "dimension": dimension,
            "quantization": quantization,
            "now": now,
        },
    )


class BeginBuildingRow(Row):
    started: bool


async def begin_building(
    runner: Runner, *, signature: str, dimension: int, quantization: str, now: datetime
) -> BeginBuildingRow | None:
    return await fetch_optional(
        runner,
        load("begin_building"),
        BeginBuildingRow,
        {"signature": signature, "dimension": dimension, "quantization": quantization, "now": now},
    )


async def begin_filling(runner: Runner, *, slot: str, signature: str, now: datetime) -> None:
    await execute(runner, load("begin_filling"), {"slot": slot, "signature": signature, "now": now})


class ClearVectorsRow(Row):
    last: str | None


async def clear_vectors(
    runner: Runner, *, vector_property: str, active_property: str, after: str, limit: int, now: datetime
) -> ClearVectorsRow:
    return await fetch_one(
        runner,
        load("clear_vectors"),
        ClearVectorsRow,
        {
            "vector_property": vector_property,
            "active_property": active_property,
            "after": after,
            "limit": limit,
            "now": now,
        },
    )


class CopyVectorsRow(Row):
    copied: int


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
    now: datetime,
) -> CopyVectorsRow | None:
    return await fetch_optional(
        runner,
        load("copy_vectors"),
        CopyVectorsRow,
        {
            "signature": signature,
            "from_slot": from_slot,
            "from_property": from_property,
            "to_slot": to_slot,
            "to_property": to_property,
            "after": after,
            "limit": limit,
            "now": now,
        },
    )


async def create_vector_index_a(runner: Runner, *, options: Mapping[str, Any]) -> None:
    await execute(runner, load("create_vector_index_a"), {"options": options})


async def create_vector_index_b(runner: Runner, *, options: Mapping[str, Any]) -> None:
    await execute(runner, load("create_vector_index_b"), {"options": options})


class DeletePassagesRow(Row):
    deleted: int


async def delete_passages(runner: Runner, *, slot: str, limit: int) -> DeletePassagesRow:
    return await fetch_one(runner, load("delete_passages"), DeletePassagesRow, {"slot": slot, "limit": limit})


async def drop_vector_index_a(runner: Runner) -> None:
    await execute(runner, load("drop_vector_index_a"), {})


async def drop_vector_index_b(runner: Runner) -> None:
    await execute(runner, load("drop_vector_index_b"), {})


class EnqueueReindexingRow(Row):
    enqueued: int
    last_id: str | None


async def enqueue_reindexing(
    runner: Runner,
    *,
    workspace_id: str,
    vector_property: str,
    force: bool,
    after_id: str,
    limit: int,
    now: datetime,
) -> EnqueueReindexingRow:
    return await fetch_one(
        runner,
        load("enqueue_reindexing"),
        EnqueueReindexingRow,
        {
            "workspace_id": workspace_id,
            "vector_property": vector_property,
            "force": force,
            "after_id": after_id,
            "limit": limit,
            "now": now,
        },
    )


async def ensure_reembedding_job(
    runner: Runner, *, workspace_id: str, again: bool, now: datetime, revive_at: datetime
) -> None:
    await execute(
        runner,
        load("ensure_reembedding_job"),
        {"workspace_id": workspace_id, "again": again, "now": now, "revive_at": revive_at},
    )


class GetVectorIndexRow(Row):
    active: VectorIndex | None
    building: BuildingIndex | None
    retiring: RetiringSlot | None
    last_reset_at: datetime | None
    grace_until: datetime | None


async def get_vector_index(runner: Runner) -> GetVectorIndexRow | None:
    return await fetch_optional(runner, load("get_vector_index"), GetVectorIndexRow, {})


class ListEmbeddingSourcesRow(Row):
    source: EmbeddingSource


async def list_embedding_sources(
    runner: Runner, *, subjects: Sequence[Mapping[str, Any]]
) -> list[ListEmbeddingSourcesRow]:
    return await fetch_many(
        runner, load("list_embedding_sources"), ListEmbeddingSourcesRow, {"subjects": subjects}
    )


class ListSourcesToReembedRow(Row):
    source: EmbeddingSource


async def list_sources_to_reembed(
    runner: Runner, *, vector_property: str, signature: str, after: str, limit: int
) -> list[ListSourcesToReembedRow]:
    return await fetch_many(
        runner,
        load("list_sources_to_reembed"),
        ListSourcesToReembedRow,
        {"vector_property": vector_property, "signature": signature, "after": after, "limit": limit},
    )


async def mark_embedding_failed(runner: Runner, *, rows: Sequence[Mapping[str, Any]]) -> None:
    await execute(runner, load("mark_embedding_failed"), {"rows": rows})


async def mark_unembeddable(runner: Runner, *, rows: Sequence[Mapping[str, Any]], signature: str) -> None:
    await execute(runner, load("mark_unembeddable"), {"rows": rows, "signature": signature})


async def note_clearing(runner: Runner, *, slot: str, cursor: str | None, now: datetime) -> None:
    await execute(runner, load("note_clearing"), {"slot": slot, "cursor": cursor, "now": now})


async def restart_filling(runner: Runner, *, slot: str, signature: str, now: datetime) -> None:
    await execute(runner, load("restart_filling"), {"slot": slot, "signature": signature, "now": now})


class StoreEmbeddingsRow(Row):
    accepted: bool
    stored: int


async def store_embeddings(
    runner: Runner,
    *,
    rows: Sequence[Mapping[str, Any]],
    targets: Sequence[Mapping[str, Any]],
    replaces: bool,
    cursor: str | None,
    now: datetime,
) -> StoreEmbeddingsRow | None:
    return await fetch_optional(
        runner,
        load("store_embeddings"),
        StoreEmbeddingsRow,
        {"rows": rows, "targets": targets, "replaces": replaces, "cursor": cursor, "now": now},
    )


class SwitchVectorIndexRow(Row):
    missing: int


async def switch_vector_index(
    runner: Runner,
    *,
    slot: str,
    signature: str,
    active_property: str,
    building_property: str,
    grace_until: datetime,
    now: datetime,
) -> SwitchVectorIndexRow | None:
    return await fetch_optional(
        runner,
        load("switch_vector_index"),
        SwitchVectorIndexRow,
        {
            "slot": slot,
            "signature": signature,
            "active_property": active_property,
            "building_property": building_property,
            "grace_until": grace_until,
            "now": now,
        },
    )
