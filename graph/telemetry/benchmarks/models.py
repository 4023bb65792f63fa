"""Shapes of metrics and their daily values."""

from collections.abc import Sequence
from datetime import date, datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from graph.core.models import Frozen
from graph.telemetry.models import Outcome


class BuiltInMetric(StrEnum):
    """The metrics every workspace has; rates are shares of a day's actions."""

    SUCCESS_RATE = "success_rate"
    ERROR_RATE = "error_rate"
    DEAD_END_RATE = "dead_end_rate"
    MEAN_LATENCY_MS = "mean_latency_ms"
    SEQUENCE_COUNT = "sequence_count"
    PATTERN_COUNT = "pattern_count"


class MetricAggregate(StrEnum):
    """Calculation of a custom metric over the actions that its filter admits.

    COUNT is their number. RATE is the share of the actions with its action and node type that also have its outcome and
    error code. MEAN_LATENCY is the mean over actions with a latency, in milliseconds.
    """

    COUNT = "COUNT"
    RATE = "RATE"
    MEAN_LATENCY = "MEAN_LATENCY"


class MetricDraft(BaseModel):
    """A custom metric to create: a filter and a calculation; there are no expressions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    aggregate: MetricAggregate
    action_type: str | None = None
    node_type: str | None = None
    outcome: Outcome | None = None
    error_code: str | None = None


class Metric(MetricDraft):
    """A custom metric of a workspace."""

    id: str
    workspace_id: str
    created_at: datetime


class Measurement(Frozen):
    """The value of a metric; ``samples`` is how many actions, sequences or patterns it rests on."""

    metric: str
    value: float
    samples: int


class BenchmarkPoint(Frozen):
    """A metric on one day, in UTC; ``is_complete`` is False for today."""

    day: date
    value: float
    samples: int
    is_complete: bool = True


class BenchmarkTrend(Frozen):
    """A metric over the last days, oldest first; days without a measurement are omitted."""

    metric: str
    days: int
    points: Sequence[BenchmarkPoint]

    @property
    def mean(self) -> float | None:
        """The mean of the days' values; None without any."""
        return sum(point.value for point in self.points) / len(self.points) if self.points else None

    @property
    def change(self) -> float | None:
        """The last day's value less the first's; None with fewer than two."""
        return self.points[-1].value - self.points[0].value if len(self.points) > 1 else None
