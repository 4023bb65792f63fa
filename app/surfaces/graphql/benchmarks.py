"""Metrics of agents' actions, and their trends."""

from datetime import date, datetime

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import build, made_of, or_default, set_fields
from app.surfaces.graphql.pages import DEFAULT_PAGE
from app.surfaces.graphql.telemetry import (
    DEFAULT_ROWS,
    ActionConnection,
    ActionFilter,
    PatternConnection,
    PatternFilter,
    SequenceConnection,
    SequenceFilter,
    list_actions,
    list_patterns,
    list_sequences,
)
from graph.telemetry import models
from graph.telemetry.models import MetricAggregate, Outcome
from graph.tenancy.models import Scope

DEFAULT_DAYS = 30

strawberry.enum(MetricAggregate)


@strawberry.type
class Metric:
    """A custom metric: a filter of actions, and the aggregate of the selected actions."""

    id: strawberry.ID
    workspace_id: strawberry.ID
    name: str
    aggregate: MetricAggregate
    action_type: str | None
    node_type: str | None
    outcome: Outcome | None
    error_code: str | None
    created_at: datetime

    @classmethod
    def of(cls, metric: models.Metric) -> "Metric":
        """Return the GraphQL form of a metric."""
        return cls(**metric.model_dump())


@strawberry.type
class BenchmarkPoint:
    """The value of a metric on one day, in UTC."""

    day: date
    value: float
    samples: int = strawberry.field(description="Number of measured actions, sequences or patterns.")
    is_complete: bool = strawberry.field(description="True once the day is over; false for today.")


@strawberry.type
class BenchmarkTrend:
    """A metric over the last days, the oldest first, without days that have no value."""

    metric: str
    days: int
    points: list[BenchmarkPoint]
    mean: float | None
    change: float | None = strawberry.field(
        description="Value of the last day minus that of the first; null with fewer than two days."
    )

    @classmethod
    def of(cls, trend: models.BenchmarkTrend) -> "BenchmarkTrend":
        """Return the GraphQL form of a trend."""
        return made_of(cls, trend, points=[BenchmarkPoint(**point.model_dump()) for point in trend.points])


@strawberry.input
class MetricInput:
    """A metric to create; an omitted filter field admits everything."""

    name: str = strawberry.field(description="Short identifier, unique in the workspace.")
    aggregate: MetricAggregate
    action_type: str | None = None
    node_type: str | None = None
    outcome: Outcome | None = None
    error_code: str | None = None


async def read_benchmark(
    info: Info, metric: str, days: int | None = DEFAULT_DAYS, workspace_id: WorkspaceId = None
) -> BenchmarkTrend:
    """Trend of a metric: success_rate, error_rate, dead_end_rate, mean_latency_ms, sequence_count, pattern_count.

    `createMetric` adds custom metrics. A nightly job measures complete days; the query measures today.
    """
    workspace = await info.context.workspace(Scope.READ, workspace_id)
    trend = await info.context.services.telemetry.benchmarks.trend(
        workspace, metric, days=or_default(days, DEFAULT_DAYS)
    )
    return BenchmarkTrend.of(trend)


@strawberry.type
class BenchmarkQueries:
    """Queries of metrics."""

    benchmark: BenchmarkTrend = strawberry.field(resolver=read_benchmark)

    @strawberry.field
    async def metrics(self, info: Info, workspace_id: WorkspaceId = None) -> list[Metric]:
        """Custom metrics of a workspace, by name."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        return [
            Metric.of(metric)
            for metric in await info.context.services.telemetry.benchmarks.metrics(workspace)
        ]


@strawberry.type
class BenchmarkMutations:
    """Mutations of metrics."""

    @strawberry.mutation
    async def create_metric(self, info: Info, input: MetricInput, workspace_id: WorkspaceId = None) -> Metric:
        """Create a custom metric; the service also measures past days for it."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        draft = build(models.MetricDraft, set_fields(input))
        return Metric.of(await info.context.services.telemetry.benchmarks.create_metric(workspace, draft))

    @strawberry.mutation
    async def delete_metric(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> bool:
        """Delete a custom metric with its values; false if there was none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.telemetry.benchmarks.delete_metric(workspace, id)


@strawberry.type
class AgentTelemetry:
    """The telemetry of one workspace: the queries actions, sequences, patterns and benchmark in one object."""

    workspace_id: strawberry.ID

    @strawberry.field
    async def agent_actions(
        self,
        info: Info,
        filter: ActionFilter | None = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> ActionConnection:
        """Actions of agents, the latest first."""
        return await list_actions(info, self.workspace_id, filter, first, after)

    @strawberry.field
    async def agent_sequences(
        self,
        info: Info,
        query: str | None = None,
        filter: SequenceFilter | None = None,
        first: int | None = DEFAULT_ROWS,
        after: str | None = None,
    ) -> SequenceConnection:
        """Action sequences, the best matches of a query first; without a query, the latest end first."""
        return await list_sequences(info, self.workspace_id, query, filter, first, after)

    @strawberry.field
    async def agent_patterns(
        self,
        info: Info,
        filter: PatternFilter | None = None,
        first: int | None = DEFAULT_ROWS,
        after: str | None = None,
    ) -> PatternConnection:
        """Failure patterns, the most confident first."""
        return await list_patterns(info, self.workspace_id, filter, first, after)

    @strawberry.field
    async def agent_benchmarks(
        self, info: Info, metric: str, days: int | None = DEFAULT_DAYS
    ) -> BenchmarkTrend:
        """Trend of a metric."""
        return await read_benchmark(info, metric, days, self.workspace_id)


async def _telemetry(info: Info, workspace_id: WorkspaceId = None) -> AgentTelemetry:
    """Telemetry of a workspace."""
    workspace = await info.context.workspace(Scope.READ, workspace_id)
    return AgentTelemetry(workspace_id=strawberry.ID(workspace))


@strawberry.type
class AgentTelemetryQueries:
    """Queries of a workspace's telemetry, under both names."""

    agent_telemetry: AgentTelemetry = strawberry.field(resolver=_telemetry)
    agent_memory: AgentTelemetry = strawberry.field(
        resolver=_telemetry, deprecation_reason="Use agentTelemetry."
    )
