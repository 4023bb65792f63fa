"""Telemetry under the names of its four stores, and under the name the layer had before."""

import strawberry

from app.surfaces.graphql.benchmarks import DEFAULT_DAYS, BenchmarkTrend, read_benchmark
from app.surfaces.graphql.context import Info, WorkspaceId
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
from graph.tenancy.models import Scope


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
