"""The typed functions over ``cypher/vectors/external``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one, fetch_optional
from graph.vectors.external.models import MirrorSource, TierMeta


class BeginMirroringRow(Row):
    started: bool


async def begin_mirroring(
    runner: Runner, *, target: str, again: bool, grace_until: datetime, now: datetime
) -> BeginMirroringRow | None:
    return await fetch_optional(
        runner,
        load("begin_mirroring"),
        BeginMirroringRow,
        {"target": target, "again": again, "grace_until": grace_until, "now": now},
    )


async def begin_mirroring_all(runner: Runner, *, target: str, signature: str, now: datetime) -> None:
    await execute(runner, load("begin_mirroring_all"), {"target": target, "signature": signature, "now": now})


class CountMirrorJobsRow(Row):
    pending: int


async def count_mirror_jobs(runner: Runner, *, workspace_ids: Sequence[str]) -> CountMirrorJobsRow:
    return await fetch_one(
        runner, load("count_mirror_jobs"), CountMirrorJobsRow, {"workspace_ids": workspace_ids}
    )


class DeleteMirrorJobsRow(Row):
    deleted: int


async def delete_mirror_jobs(runner: Runner, *, limit: int) -> DeleteMirrorJobsRow:
    return await fetch_one(runner, load("delete_mirror_jobs"), DeleteMirrorJobsRow, {"limit": limit})


async def enqueue_mirroring(runner: Runner, *, rows: Sequence[Mapping[str, Any]], now: datetime) -> None:
    await execute(runner, load("enqueue_mirroring"), {"rows": rows, "now": now})


async def ensure_mirroring_job(runner: Runner, *, workspace_id: str, again: bool, now: datetime) -> None:
    await execute(
        runner, load("ensure_mirroring_job"), {"workspace_id": workspace_id, "again": again, "now": now}
    )


class FindCleanupRow(Row):
    until: datetime


async def find_cleanup(runner: Runner, *, workspace_id: str) -> FindCleanupRow | None:
    return await fetch_optional(runner, load("find_cleanup"), FindCleanupRow, {"workspace_id": workspace_id})


class GetVectorTierRow(Row):
    meta: TierMeta


async def get_vector_tier(runner: Runner) -> GetVectorTierRow | None:
    return await fetch_optional(runner, load("get_vector_tier"), GetVectorTierRow, {})


class ListMemoriesToMirrorRow(Row):
    workspace_id: str
    id: str
    active: bool


async def list_memories_to_mirror(runner: Runner, *, after: str, limit: int) -> list[ListMemoriesToMirrorRow]:
    return await fetch_many(
        runner,
        load("list_memories_to_mirror"),
        ListMemoriesToMirrorRow,
        {"after": after, "limit": limit},
    )


class ListMirrorSourcesRow(Row):
    source: MirrorSource
    vector: Sequence[float]
    parts: Sequence[Sequence[float]]


async def list_mirror_sources(
    runner: Runner, *, subjects: Sequence[Mapping[str, Any]], slot: str, vector_property: str, now: datetime
) -> list[ListMirrorSourcesRow]:
    return await fetch_many(
        runner,
        load("list_mirror_sources"),
        ListMirrorSourcesRow,
        {"subjects": subjects, "slot": slot, "vector_property": vector_property, "now": now},
    )


async def note_cleanup(runner: Runner, *, workspace_id: str, until: datetime, now: datetime) -> None:
    await execute(runner, load("note_cleanup"), {"workspace_id": workspace_id, "until": until, "now": now})


async def note_mirrored(
    runner: Runner, *, target: str, signature: str, cursor: str | None, count: int, now: datetime
) -> None:
    await execute(
        runner,
        load("note_mirrored"),
        {"target": target, "signature": signature, "cursor": cursor, "count": count, "now": now},
    )


async def requeue_changed(
    runner: Runner, *, rows: Sequence[Mapping[str, Any]], vector_property: str, now: datetime
) -> None:
    await execute(
        runner, load("requeue_changed"), {"rows": rows, "vector_property": vector_property, "now": now}
    )


class WishVectorTierRow(Row):
    changed: bool


async def wish_vector_tier(
    runner: Runner, *, target: str | None, namespace: str, now: datetime
) -> WishVectorTierRow:
    return await fetch_one(
        runner,
        load("wish_vector_tier"),
        WishVectorTierRow,
        {"target": target, "namespace": namespace, "now": now},
    )
