"""Metrics over what agents did, and their trends."""

from datetime import date, datetime

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import build, given, made_of, or_default
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
    """A custom metric: a filter on actions, and how the admitted actions are aggregated."""

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
    """The value of a metric on one day of UTC."""

    day: date
    value: float
    samples: int = strawberry.field(description="Number of actions, sequences or patterns behind it.")
    is_complete: bool = strawberry.field(description="False for today.")


@strawberry.type
class BenchmarkTrend:
    """A metric over the last days, the oldest first, without days that have no value."""

    metric: str
    days: int
    points: list[BenchmarkPoint]
    mean: float | None
    change: float | None = strawberry.field(
        description="The last day's value less the first's; null with fewer than two."
    )

    @classmethod
    def of(cls, trend: models.BenchmarkTrend) -> "BenchmarkTrend":
        """Return the GraphQL form of a trend."""
        return made_of(cls, trend, points=[BenchmarkPoint(**point.model_dump()) for point in trend.points])


@strawberry.input
class MetricInput:
    """A metric to create; an omitted filter field admits everything."""

    name: str = strawberry.field(description="A short identifier, unique in the workspace.")
    aggregate: MetricAggregate
    action_type: str | None = None
    node_type: str | None = None
    outcome: Outcome | None = None
    error_code: str | None = None


async def read_benchmark(
    info: Info, metric: str, days: int | None = DEFAULT_DAYS, workspace_id: WorkspaceId = None
) -> BenchmarkTrend:
    """A metric's trend: success_rate, error_rate, dead_end_rate, mean_latency_ms, sequence_count, pattern_count.

    Custom metrics are named likewise. Full days are measured at night, today is measured as it stands.
    """
    workspace = await info.context.workspace(Scope.READ, workspace_id)
    trend = await info.context.services.telemetry.benchmarks.trend(
        workspace, metric, days=or_default(days, DEFAULT_DAYS)
    )
    return BenchmarkTrend.of(trend)


@strawberry.type
class BenchmarkQueries:
    """Reading metrics."""

    benchmark: BenchmarkTrend = strawberry.field(resolver=read_benchmark)

    @strawberry.field
    async def metrics(self, info: Info, workspace_id: WorkspaceId = None) -> list[Metric]:
        """The custom metrics of a workspace, by name."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        return [
            Metric.of(metric)
            for metric in await info.context.services.telemetry.benchmarks.metrics(workspace)
        ]


@strawberry.type
class BenchmarkMutations:
    """Writing metrics."""

    @strawberry.mutation
    async def create_metric(self, info: Info, input: MetricInput, workspace_id: WorkspaceId = None) -> Metric:
        """Make a custom metric; the days that were measured without it are measured again."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        draft = build(models.MetricDraft, given(input))
        return Metric.of(await info.context.services.telemetry.benchmarks.create_metric(workspace, draft))

    @strawberry.mutation
    async def delete_metric(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> bool:
        """Delete a custom metric with its values; false where there was none."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.telemetry.benchmarks.delete_metric(workspace, id)


@strawberry.type
class AgentTelemetry:
    """The telemetry of one workspace; the same as actions, sequences, patterns and benchmark beside it."""

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
        """Action sequences of sessions, by their goal or the latest end first."""
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
        """A metric's trend."""
        return await read_benchmark(info, metric, days, self.workspace_id)


async def _telemetry(info: Info, workspace_id: WorkspaceId = None) -> AgentTelemetry:
    """The telemetry of a workspace under the names of its stores."""
    workspace = await info.context.workspace(Scope.READ, workspace_id)
    return AgentTelemetry(workspace_id=strawberry.ID(workspace))


@strawberry.type
class AgentTelemetryQueries:
    """Both names of the layer."""

    agent_telemetry: AgentTelemetry = strawberry.field(resolver=_telemetry)
    agent_memory: AgentTelemetry = strawberry.field(
        resolver=_telemetry, deprecation_reason="The layer is called agentTelemetry now."
    )
