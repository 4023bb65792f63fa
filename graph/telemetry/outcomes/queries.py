"""The typed functions over ``cypher/telemetry/outcomes``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many


async def count_outcomes(
    runner: Runner, *, workspace_id: str, sequence_ids: Sequence[str], now: datetime
) -> None:
    await execute(
        runner,
        load("count_outcomes"),
        {"workspace_id": workspace_id, "sequence_ids": sequence_ids, "now": now},
    )


async def forget_outcomes(
    runner: Runner, *, workspace_id: str, sequence_ids: Sequence[str], now: datetime
) -> None:
    await execute(
        runner,
        load("forget_outcomes"),
        {"workspace_id": workspace_id, "sequence_ids": sequence_ids, "now": now},
    )


class GetMemoryOutcomesRow(Row):
    memory_id: str
    runs: int
    succeeded: int


async def get_memory_outcomes(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[GetMemoryOutcomesRow]:
    return await fetch_many(
        runner, load("get_memory_outcomes"), GetMemoryOutcomesRow, {"workspace_id": workspace_id, "ids": ids}
    )


class LinkUsesRow(Row):
    sequence_id: str


async def link_uses(
    runner: Runner, *, workspace_id: str, uses: Sequence[Mapping[str, Any]]
) -> list[LinkUsesRow]:
    return await fetch_many(
        runner, load("link_uses"), LinkUsesRow, {"workspace_id": workspace_id, "uses": uses}
    )


class ListMemoryOutcomesRow(Row):
    memory_id: str
    runs: int
    succeeded: int
    rank: float


async def list_memory_outcomes(
    runner: Runner,
    *,
    workspace_id: str,
    min_runs: int,
    is_worst_first: bool,
    prior_successes: float,
    prior_runs: float,
    after_rank: float | None,
    after_id: str | None,
    limit: int,
    now: datetime,
) -> list[ListMemoryOutcomesRow]:
    return await fetch_many(
        runner,
        load("list_memory_outcomes"),
        ListMemoryOutcomesRow,
        {
            "workspace_id": workspace_id,
            "min_runs": min_runs,
            "is_worst_first": is_worst_first,
            "prior_successes": prior_successes,
            "prior_runs": prior_runs,
            "after_rank": after_rank,
            "after_id": after_id,
            "limit": limit,
            "now": now,
        },
    )
