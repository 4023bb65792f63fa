"""The typed functions over ``cypher/recall``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, fetch_many, fetch_one
from graph.memories.models import Memory


class GatherCandidatesRow(Row):
    text_scores: Sequence[Mapping[str, Any]]
    vector_ids: Sequence[str]
    candidates: Sequence[Mapping[str, Any]]
    turn_counts: Sequence[Mapping[str, Any]]


async def gather_candidates(
    runner: Runner,
    *,
    workspace_id: str,
    text_queries: Sequence[Mapping[str, Any]],
    text_limit: int,
    vector: Sequence[float] | None,
    vector_property: str,
    vector_limit: int,
    pool_limit: int,
    terms: Sequence[str],
    now: datetime,
    valid_at: datetime | None,
) -> GatherCandidatesRow:
    return await fetch_one(
        runner,
        load("gather_candidates"),
        GatherCandidatesRow,
        {
            "workspace_id": workspace_id,
            "text_queries": text_queries,
            "text_limit": text_limit,
            "vector": vector,
            "vector_property": vector_property,
            "vector_limit": vector_limit,
            "pool_limit": pool_limit,
            "terms": terms,
            "now": now,
            "valid_at": valid_at,
        },
    )


class GetHitsRow(Row):
    memory: Memory
    relations: Sequence[Mapping[str, Any]]


async def get_hits(
    runner: Runner, *, workspace_id: str, ids: Sequence[str], relation_limit: int
) -> list[GetHitsRow]:
    return await fetch_many(
        runner,
        load("get_hits"),
        GetHitsRow,
        {"workspace_id": workspace_id, "ids": ids, "relation_limit": relation_limit},
    )
