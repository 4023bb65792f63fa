"""The typed functions over ``cypher/telemetry/benchmarks``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one, fetch_optional
from graph.telemetry.benchmarks.models import Metric
from graph.telemetry.models import Outcome


class CountRunsRow(Row):
    sequences: int
    patterns: int


async def count_runs(
    runner: Runner, *, workspace_id: str, since: datetime, until: datetime, noted_type: str
) -> CountRunsRow:
    return await fetch_one(
        runner,
        load("count_runs"),
        CountRunsRow,
        {"workspace_id": workspace_id, "since": since, "until": until, "noted_type": noted_type},
    )


class DeleteMetricRow(Row):
    name: str


async def delete_metric(runner: Runner, *, workspace_id: str, id: str) -> DeleteMetricRow | None:
    return await fetch_optional(
        runner, load("delete_metric"), DeleteMetricRow, {"workspace_id": workspace_id, "id": id}
    )


class EnqueueBenchmarksRow(Row):
    enqueued: int


async def enqueue_benchmarks(
    runner: Runner, *, days: Sequence[Mapping[str, Any]], metric: str, now: datetime
) -> EnqueueBenchmarksRow:
    return await fetch_one(
        runner, load("enqueue_benchmarks"), EnqueueBenchmarksRow, {"days": days, "metric": metric, "now": now}
    )


class ListActionGroupsRow(Row):
    action_type: str
    node_type: str
    outcome: Outcome
    error_code: str | None
    actions: int
    timed: int
    latency_ms: float


async def list_action_groups(
    runner: Runner, *, workspace_id: str, since: datetime, until: datetime
) -> list[ListActionGroupsRow]:
    return await fetch_many(
        runner,
        load("list_action_groups"),
        ListActionGroupsRow,
        {"workspace_id": workspace_id, "since": since, "until": until},
    )


class ListBenchmarksRow(Row):
    day: str
    value: float
    samples: int


async def list_benchmarks(
    runner: Runner, *, workspace_id: str, metric: str, since_day: str, until_day: str
) -> list[ListBenchmarksRow]:
    return await fetch_many(
        runner,
        load("list_benchmarks"),
        ListBenchmarksRow,
        {"workspace_id": workspace_id, "metric": metric, "since_day": since_day, "until_day": until_day},
    )


class ListMetricsRow(Row):
    metric: Metric


async def list_metrics(runner: Runner, *, workspace_id: str) -> list[ListMetricsRow]:
    return await fetch_many(runner, load("list_metrics"), ListMetricsRow, {"workspace_id": workspace_id})


async def upsert_benchmarks(
    runner: Runner, *, workspace_id: str, benchmarks: Sequence[Mapping[str, Any]], now: datetime
) -> None:
    await execute(
        runner,
        load("upsert_benchmarks"),
        {"workspace_id": workspace_id, "benchmarks": benchmarks, "now": now},
    )


class UpsertMetricRow(Row):
    metric: Metric


async def upsert_metric(
    runner: Runner, *, workspace_id: str, name: str, id: str, properties: Mapping[str, Any], now: datetime
) -> UpsertMetricRow:
    return await fetch_one(
        runner,
        load("upsert_metric"),
        UpsertMetricRow,
        {"workspace_id": workspace_id, "name": name, "id": id, "properties": properties, "now": now},
    )
