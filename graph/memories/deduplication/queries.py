"""The typed functions over ``cypher/memories/deduplication``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many
from graph.memories.models import Memory


class ClaimContentsRow(Row):
    memory: Memory
    content_hash: str
    dedup_key: str | None


async def claim_contents(
    runner: Runner,
    *,
    workspace_id: str,
    hashes: Sequence[str],
    dedup_keys: Sequence[str],
    ids: Sequence[str],
    now: datetime,
) -> list[ClaimContentsRow]:
    return await fetch_many(
        runner,
        load("claim_contents"),
        ClaimContentsRow,
        {"workspace_id": workspace_id, "hashes": hashes, "dedup_keys": dedup_keys, "ids": ids, "now": now},
    )


class FindNearMemoriesRow(Row):
    ordinal: int
    memory: Memory
    cosine: float


async def find_near_memories(
    runner: Runner,
    *,
    workspace_id: str,
    probes: Sequence[Mapping[str, Any]],
    vector_property: str,
    vector_limit: int,
    least_cosine: float,
    now: datetime,
    vector_index: str,
) -> list[FindNearMemoriesRow]:
    return await fetch_many(
        runner,
        load("find_near_memories").on_index(vector_index),
        FindNearMemoriesRow,
        {
            "workspace_id": workspace_id,
            "probes": probes,
            "vector_property": vector_property,
            "vector_limit": vector_limit,
            "least_cosine": least_cosine,
            "now": now,
        },
    )


class ListUncomparedRow(Row):
    memory: Memory
    vector: Sequence[float]


async def list_uncompared(
    runner: Runner, *, subjects: Sequence[Mapping[str, Any]], vector_property: str
) -> list[ListUncomparedRow]:
    return await fetch_many(
        runner,
        load("list_uncompared"),
        ListUncomparedRow,
        {"subjects": subjects, "vector_property": vector_property},
    )


async def note_duplicates(runner: Runner, *, workspace_id: str, rows: Sequence[Mapping[str, Any]]) -> None:
    await execute(runner, load("note_duplicates"), {"workspace_id": workspace_id, "rows": rows})
