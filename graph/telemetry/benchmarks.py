"""Use cases of benchmarks: define metrics, measure days, and read trends."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from graph.core.database import Database
from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.core.ids import new_id
from graph.core.models import JobKind
from graph.core.ports import Clock, WakeUp
from graph.core.queries import ClaimJobsRow, enqueue_jobs
from graph.core.rows import Runner
from graph.telemetry import queries
from graph.telemetry.models import (
    BenchmarkPoint,
    BenchmarkTrend,
    BuiltInMetric,
    Measurement,
    Metric,
    MetricAggregate,
    MetricDraft,
    Outcome,
)
from graph.telemetry.noted import NOTED_TYPE
from graph.telemetry.queries import ListActionGroupsRow
from graph.telemetry.rules import check_type

_RATES = {
    BuiltInMetric.SUCCESS_RATE: Outcome.SUCCESS,
    BuiltInMetric.ERROR_RATE: Outcome.ERROR,
    BuiltInMetric.DEAD_END_RATE: Outcome.DEAD_END,
}


@dataclass(frozen=True)
class Activity:
    """Actions in a time span.

    Attributes:
        groups: Actions, counted by type, outcome and code.
        sequences: Number of sequences of these actions.
        patterns: Number of promoted patterns; None if the span is too long ago to know it.
    """

    groups: Sequence[ListActionGroupsRow]
    sequences: int
    patterns: int | None


def measure_built_in(metric: BuiltInMetric, activity: Activity) -> Measurement | None:
    """Return the value of a built-in metric over agents' own actions; None if there is nothing to measure."""
    if metric is BuiltInMetric.SEQUENCE_COUNT:
        return _counted(metric, activity.sequences)
    if metric is BuiltInMetric.PATTERN_COUNT:
        return None if activity.patterns is None else _counted(metric, activity.patterns)
    recorded = [group for group in activity.groups if not _is_noted(group)]
    if metric is BuiltInMetric.MEAN_LATENCY_MS:
        return _mean_latency(metric, recorded)
    outcome = _RATES[metric]
    return _rate(metric, recorded, lambda group: group.outcome == outcome)


def measure_custom(metric: MetricDraft, activity: Activity) -> Measurement | None:
    """Return the value of a custom metric; None if there is nothing to measure.

    An automatically recorded action counts only if the metric names its type or the type of its target.
    """
    of_kind = [group for group in activity.groups if _is_of_kind(metric, group)]
    if metric.aggregate is MetricAggregate.RATE:
        return _rate(metric.name, of_kind, lambda group: _went_so(metric, group))
    admitted = [group for group in of_kind if _went_so(metric, group)]
    if metric.aggregate is MetricAggregate.MEAN_LATENCY:
        return _mean_latency(metric.name, admitted)
    return _counted(metric.name, sum(group.actions for group in admitted))


def measure_all(metrics: Iterable[MetricDraft], activity: Activity) -> list[Measurement]:
    """Return the existing values of all built-in metrics and of some custom ones."""
    found = [
        *(measure_built_in(metric, activity) for metric in BuiltInMetric),
        *(measure_custom(metric, activity) for metric in metrics),
    ]
    return [measurement for measurement in found if measurement is not None]


def _is_noted(group: ListActionGroupsRow) -> bool:
    return group.node_type.startswith(NOTED_TYPE)


def _is_of_kind(metric: MetricDraft, group: ListActionGroupsRow) -> bool:
    if _is_noted(group) and metric.action_type is None and metric.node_type is None:
        return False
    return metric.action_type in (None, group.action_type) and metric.node_type in (None, group.node_type)


def _went_so(metric: MetricDraft, group: ListActionGroupsRow) -> bool:
    return metric.outcome in (None, group.outcome) and metric.error_code in (None, group.error_code)


def _counted(metric: str, count: int) -> Measurement:
    return Measurement(metric=metric, value=float(count), samples=count)


def _rate(
    metric: str,
    groups: Sequence[ListActionGroupsRow],
    counts: Callable[[ListActionGroupsRow], bool],
) -> Measurement | None:
    total = sum(group.actions for group in groups)
    if not total:
        return None
    counted = sum(group.actions for group in groups if counts(group))
    return Measurement(metric=metric, value=counted / total, samples=total)


def _mean_latency(metric: str, groups: Sequence[ListActionGroupsRow]) -> Measurement | None:
    timed = sum(group.timed for group in groups)
    if not timed:
        return None
    return Measurement(metric=metric, value=sum(group.latency_ms for group in groups) / timed, samples=timed)


MOST_DAYS = 365
MOST_METRICS = 100
_CATCH_UP_DAYS = 7
_BACK_FILLED_DAYS = 90
_ONE_DAY = timedelta(days=1)


class Benchmarks:
    """The use cases of benchmarks; lives as long as the process. Days are in UTC."""

    def __init__(self, database: Database, wake_up: WakeUp, clock: Clock) -> None:
        self._database = database
        self._wake_up = wake_up
        self._clock = clock

    async def create_metric(self, workspace_id: str, draft: MetricDraft) -> Metric:
        """Create a custom metric, or return the one with this name and definition; earlier days are measured too.

        Raises:
            InvalidInput: A field breaks a rule, or the workspace has 100 metrics.
            Conflict: A built-in metric, or a metric with another definition, has the name.
            NotFound: The workspace does not exist.
        """
        _check(draft)

        async def work(tx: Runner) -> Metric:
            return await self._upsert_metric(tx, workspace_id, draft)

        metric = await self._database.transaction(work)
        await self._wake_up.signal()
        return metric

    async def metrics(self, workspace_id: str) -> list[Metric]:
        """Return the custom metrics of a workspace by name."""
        return await queries.list_metrics(self._database, workspace_id=workspace_id)

    async def delete_metric(self, workspace_id: str, id_: str) -> bool:
        """Delete a custom metric with its values; return whether it existed."""
        name = await queries.delete_metric(self._database, workspace_id=workspace_id, id=id_)
        return name is not None

    async def trend(self, workspace_id: str, metric: str, *, days: int = 30) -> BenchmarkTrend:
        """Return a metric over the last days: stored values of full days, and the current value of today.

        Raises:
            InvalidInput: ``days`` is not between 1 and 365.
            NotFound: The metric does not exist.
        """
        if not 1 <= days <= MOST_DAYS:
            raise InvalidInput("days", f"days must be between 1 and {MOST_DAYS}, got {days}")
        custom = await self._custom(workspace_id, metric)
        today = self._today()
        rows = await queries.list_benchmarks(
            self._database,
            workspace_id=workspace_id,
            metric=metric,
            since_day=(today - (days - 1) * _ONE_DAY).isoformat(),
            until_day=today.isoformat(),
        )
        points = [
            BenchmarkPoint(day=date.fromisoformat(row.day), value=row.value, samples=row.samples)
            for row in rows
        ]
        now = await self._now(workspace_id, metric, custom, today)
        return BenchmarkTrend(metric=metric, days=days, points=[*points, *now])

    async def enqueue_due(self) -> int:
        """Enqueue the unmeasured full days of the last week, of every workspace; return their number."""
        today = self._today()
        enqueued = await queries.enqueue_benchmarks(
            self._database,
            days=[_bounds(today - ago * _ONE_DAY) for ago in range(1, _CATCH_UP_DAYS + 1)],
            metric=BuiltInMetric.SEQUENCE_COUNT,
            now=self._clock.now(),
        )
        if enqueued:
            await self._wake_up.signal()
        return enqueued

    async def run_jobs(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Measure the days of claimed jobs; a repetition replaces the values of a day."""
        for job in jobs:
            await self._measure(job.workspace_id, date.fromisoformat(job.subject_id))

    async def _measure(self, workspace_id: str, day: date) -> None:
        activity = await self._activity(workspace_id, day)
        metrics = await self.metrics(workspace_id)
        measured = measure_all(metrics, activity)
        # The number of patterns stays, even if the runs of the day were deleted.
        current = {BuiltInMetric.PATTERN_COUNT, *(each.metric for each in measured)}
        unmeasured = {*BuiltInMetric, *(metric.name for metric in metrics)} - current
        await queries.upsert_benchmarks(
            self._database,
            workspace_id=workspace_id,
            benchmarks=[_row(measurement, day) for measurement in measured],
            unmeasured=[{"metric": name, "day": day.isoformat()} for name in sorted(unmeasured)],
            now=self._clock.now(),
        )

    async def _activity(self, workspace_id: str, day: date) -> Activity:
        bounds = _bounds(day)
        since, until = bounds["since"], bounds["until"]
        groups = await queries.list_action_groups(
            self._database, workspace_id=workspace_id, since=since, until=until
        )
        runs = await queries.count_runs(
            self._database, workspace_id=workspace_id, since=since, until=until, noted_type=NOTED_TYPE
        )
        # The number of patterns on an earlier day is not known any more.
        is_recent = day >= self._today() - _ONE_DAY
        return Activity(groups, runs.sequences, runs.patterns if is_recent else None)

    async def _now(
        self, workspace_id: str, metric: str, custom: Metric | None, today: date
    ) -> list[BenchmarkPoint]:
        """Return today's point; empty if there are no actions yet."""
        activity = await self._activity(workspace_id, today)
        if not activity.groups:  # automatically recorded actions count as well, for custom metrics
            return []
        measured = (
            measure_custom(custom, activity) if custom else measure_built_in(BuiltInMetric(metric), activity)
        )
        if measured is None:
            return []
        point = BenchmarkPoint(day=today, value=measured.value, samples=measured.samples, is_complete=False)
        return [point]

    async def _custom(self, workspace_id: str, name: str) -> Metric | None:
        """Return a custom metric by name; None for a built-in one.

        Raises:
            NotFound: The metric does not exist.
        """
        if name in set(BuiltInMetric):
            return None
        for metric in await self.metrics(workspace_id):
            if metric.name == name:
                return metric
        raise NotFound(f"there is no metric {name!r} in this workspace", field="metric")

    async def _upsert_metric(self, tx: Runner, workspace_id: str, draft: MetricDraft) -> Metric:
        """Write the metric, and enqueue the days that were measured without it."""
        now = self._clock.now()
        row = await queries.upsert_metric(
            tx,
            workspace_id=workspace_id,
            name=draft.name,
            id=new_id("met"),
            properties=draft.model_dump(exclude={"name"}),
            most=MOST_METRICS,
            now=now,
        )
        if row is None:
            raise NotFound(f"there is no workspace {workspace_id!r}", field="workspaceId")
        if row.metric is None:
            raise InvalidInput("name", f"a workspace has at most {MOST_METRICS} metrics; delete one first")
        if MetricDraft(**row.metric.model_dump(include=set(MetricDraft.model_fields))) != draft:
            raise Conflict(f"a metric {draft.name!r} with another definition already exists", field="name")
        measured = await queries.list_benchmarks(
            tx,
            workspace_id=workspace_id,
            metric=BuiltInMetric.SEQUENCE_COUNT,
            since_day=(self._today() - _BACK_FILLED_DAYS * _ONE_DAY).isoformat(),
            until_day=self._today().isoformat(),
        )
        await enqueue_jobs(
            tx,
            workspace_id=workspace_id,
            kind=JobKind.BENCHMARK,
            subject_ids=[benchmark.day for benchmark in measured],
            now=now,
            due_at=now,
        )
        return row.metric

    def _today(self) -> date:
        return self._clock.now().astimezone(UTC).date()


def _check(draft: MetricDraft) -> None:
    """Check a definition.

    Raises:
        InvalidInput: A name is not an identifier, or a rate has neither an outcome nor an error code.
        Conflict: A built-in metric has the name.
    """
    for field, value in (
        ("name", draft.name),
        ("actionType", draft.action_type),
        ("nodeType", draft.node_type),
        ("errorCode", draft.error_code),
    ):
        check_type(field, value)
    if draft.name in set(BuiltInMetric):
        raise Conflict(f"{draft.name} is a built-in metric; choose another name", field="name")
    if draft.aggregate is MetricAggregate.RATE and draft.outcome is None and draft.error_code is None:
        raise InvalidInput(
            "outcome", "outcome or errorCode is needed for a RATE: the rate is the share of actions with them"
        )


def _bounds(day: date) -> dict[str, Any]:
    since = datetime.combine(day, time(), tzinfo=UTC)
    return {"day": day.isoformat(), "since": since, "until": since + _ONE_DAY}


def _row(measurement: Measurement, day: date) -> dict[str, Any]:
    return {
        **measurement.model_dump(),
        "day": day.isoformat(),
        "id": new_id("bmk"),
        # Only the current number of patterns is known, so the value of a day is final.
        "is_final": measurement.metric == BuiltInMetric.PATTERN_COUNT,
    }
