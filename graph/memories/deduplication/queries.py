"""The typed functions over ``cypher/memories/deduplication``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.memories.models import Memory


class ClaimContentsRow(Row):
    memory: Memory
    content_hash: str
    dedup_key: str | None


@query
async def claim_contents(
    runner: Runner,
    *,
    workspace_id: str,
    hashes: Sequence[str],
    dedup_keys: Sequence[str],
    ids: Sequence[str],
    now: datetime,
) -> list[ClaimContentsRow]: ...


class FindNearMemoriesRow(Row):
    ordinal: int
    memory: Memory
    cosine: float


@query
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
) -> list[FindNearMemoriesRow]: ...


class ListLatestOfSlotsRow(Row):
    key: str
    memory: Memory


@query
async def list_latest_of_slots(
    runner: Runner, *, workspace_id: str, slots: Sequence[Mapping[str, str]], now: datetime
) -> list[ListLatestOfSlotsRow]: ...


class ListUncomparedRow(Row):
    memory: Memory
    vector: Sequence[float]


@query
async def list_uncompared(
    runner: Runner, *, subjects: Sequence[Mapping[str, Any]], vector_property: str
) -> list[ListUncomparedRow]: ...


@query
async def note_duplicates(
    runner: Runner, *, workspace_id: str, rows: Sequence[Mapping[str, Any]]
) -> None: ...
