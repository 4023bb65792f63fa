"""The typed functions over ``cypher/telemetry/benchmarks``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.telemetry.benchmarks.models import Metric
from graph.telemetry.models import Outcome


class CountRunsRow(Row):
    sequences: int
    patterns: int


@query
async def count_runs(
    runner: Runner, *, workspace_id: str, since: datetime, until: datetime, noted_type: str
) -> CountRunsRow: ...


@query
async def delete_metric(runner: Runner, *, workspace_id: str, id: str) -> str | None: ...


@query
async def enqueue_benchmarks(
    runner: Runner, *, days: Sequence[Mapping[str, Any]], metric: str, now: datetime
) -> int: ...


class ListActionGroupsRow(Row):
    action_type: str
    node_type: str
    outcome: Outcome
    error_code: str | None
    actions: int
    timed: int
    latency_ms: float


@query
async def list_action_groups(
    runner: Runner, *, workspace_id: str, since: datetime, until: datetime
) -> list[ListActionGroupsRow]: ...


class ListBenchmarksRow(Row):
    day: str
    value: float
    samples: int


@query
async def list_benchmarks(
    runner: Runner, *, workspace_id: str, metric: str, since_day: str, until_day: str
) -> list[ListBenchmarksRow]: ...


@query
async def list_metrics(runner: Runner, *, workspace_id: str) -> list[Metric]: ...


@query
async def upsert_benchmarks(
    runner: Runner,
    *,
    workspace_id: str,
    benchmarks: Sequence[Mapping[str, Any]],
    unmeasured: Sequence[Mapping[str, Any]],
    now: datetime,
) -> None: ...


class UpsertMetricRow(Row):
    metric: Metric | None
    is_full: bool


@query
async def upsert_metric(
    runner: Runner,
    *,
    workspace_id: str,
    name: str,
    id: str,
    properties: Mapping[str, Any],
    most: int,
    now: datetime,
) -> UpsertMetricRow | None: ...
