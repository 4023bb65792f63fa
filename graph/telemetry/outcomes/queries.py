"""The typed functions over ``cypher/telemetry/outcomes``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner


@query
async def count_outcomes(runner: Runner, *, workspace_id: str, sequence_ids: Sequence[str]) -> None: ...


@query
async def forget_outcomes(
    runner: Runner, *, workspace_id: str, sequence_ids: Sequence[str], limit: int
) -> int: ...


class GetMemoryOutcomesRow(Row):
    memory_id: str
    runs: int
    succeeded: int


@query
async def get_memory_outcomes(
    runner: Runner, *, workspace_id: str, ids: Sequence[str]
) -> list[GetMemoryOutcomesRow]: ...


@query
async def link_uses(runner: Runner, *, workspace_id: str, uses: Sequence[Mapping[str, Any]]) -> list[str]: ...


class ListMemoryOutcomesRow(Row):
    memory_id: str
    runs: int
    succeeded: int
    rank: float


@query
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
) -> list[ListMemoryOutcomesRow]: ...
