"""The typed functions over ``cypher/recall``."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, fetch_one


class GatherCandidatesRow(Row):
    """One row of ``gather_candidates``."""

    text_scores: Sequence[Mapping[str, Any]]
    vector_ids: Sequence[str]
    candidates: Sequence[Mapping[str, Any]]
    turn_counts: Sequence[Mapping[str, Any]]


async def gather_candidates(
    runner: Runner,
    *,
    workspace_id: str,
    text_index: str,
    text_query: str,
    text_limit: int,
    vector: Sequence[float] | None,
    vector_property: str,
    vector_limit: int,
    pool_limit: int,
    terms: Sequence[str],
    now: datetime,
    valid_at: datetime | None,
) -> GatherCandidatesRow:
    """Both lists are cut to the workspace inside their index, so a large neighbour cannot starve a small one"""
    return await fetch_one(
        runner,
        load("gather_candidates"),
        GatherCandidatesRow,
        {
            "workspace_id": workspace_id,
            "text_index": text_index,
            "text_query": text_query,
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
