"""Metrics of the actions in a time span; pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from graph.telemetry.benchmarks.models import BuiltInMetric, Measurement, MetricAggregate, MetricDraft
from graph.telemetry.benchmarks.queries import ListActionGroupsRow
from graph.telemetry.models import Outcome
from graph.telemetry.noted import NOTED_TYPE

_RATES = {
    BuiltInMetric.SUCCESS_RATE: Outcome.SUCCESS,
    BuiltInMetric.ERROR_RATE: Outcome.ERROR,
    BuiltInMetric.DEAD_END_RATE: Outcome.DEAD_END,
}


@dataclass(frozen=True)
class Activity:
    """Actions in a time span.

    Attributes:
        groups: Its actions, counted by type, outcome and code.
        sequences: Number of their sequences.
        patterns: Patterns promoted when it was measured; None where that is too late to tell.
    """

    groups: Sequence[ListActionGroupsRow]
    sequences: int
    patterns: int | None


def measure_built_in(metric: BuiltInMetric, activity: Activity) -> Measurement | None:
    """Return the value of a built-in metric, over what agents told; None where there is nothing to measure."""
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
    """Return the value of a custom metric; None where there is nothing to measure.

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
    """Return the values of all built-in metrics and of the custom ones given, as far as there are any."""
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
