"""Outcomes of the runs that used memories."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import or_default
from app.surfaces.graphql.made_of import made_of
from app.surfaces.graphql.pages import Connection, connection_parts
from graph.telemetry import models
from graph.telemetry.models import OutcomeOrder
from graph.tenancy.models import Scope

if TYPE_CHECKING:
    from app.surfaces.graphql.memories import Memory

_DEFAULT_ROWS = 20

strawberry.enum(OutcomeOrder)


@strawberry.type
class RunOutcomes:
    """Outcomes of the runs that used a memory; an error or a dead end counts as failed."""

    runs: int = strawberry.field(description="Runs that used it and have done something.")
    succeeded: int
    failed: int
    success_rate: float | None = strawberry.field(
        description="The plain share of successes; null without a run."
    )
    score: float = strawberry.field(
        description="The share of successes with two of each added, by which memories are ranked; 0.5 without a run."
    )

    @classmethod
    def of(cls, outcomes: models.RunOutcomes | None) -> "RunOutcomes":
        """Return the GraphQL form of outcomes."""
        known = outcomes or models.RunOutcomes(runs=0, succeeded=0)
        return made_of(cls, known)


@strawberry.type
class MemoryOutcome(RunOutcomes):
    """A memory that runs have used, with how they ended."""

    memory: Annotated["Memory", strawberry.lazy("app.surfaces.graphql.memories")]

    @classmethod
    def of_memory(cls, item: models.MemoryOutcomes) -> "MemoryOutcome":
        """Return the GraphQL form of a memory with its outcomes."""
        from app.surfaces.graphql.memories import Memory  # noqa: PLC0415 - memories have outcomes

        return cls(
            memory=Memory.of(item.memory),
            runs=item.outcomes.runs,
            succeeded=item.outcomes.succeeded,
            failed=item.outcomes.failed,
            success_rate=item.outcomes.success_rate,
            score=item.outcomes.score,
        )


@strawberry.type
class MemoryOutcomeConnection(Connection[MemoryOutcome]):
    """A page of memories with their outcomes."""


@strawberry.type
class OutcomeQueries:
    """Looking at what memories were worth."""

    @strawberry.field
    async def memory_outcomes(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        order_by: OutcomeOrder | None = None,
        min_runs: int | None = 1,
        first: int | None = _DEFAULT_ROWS,
        after: str | None = None,
    ) -> MemoryOutcomeConnection:
        """The memories that runs have used, those whose runs succeeded first, or last with WORST."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        page = await info.context.services.telemetry.outcomes.page(
            workspace,
            order=order_by or OutcomeOrder.BEST,
            min_runs=or_default(min_runs, 1),
            first=or_default(first, _DEFAULT_ROWS),
            after=after,
        )
        edges, page_info = connection_parts(page, MemoryOutcome.of_memory, after)
        return MemoryOutcomeConnection(edges=edges, page_info=page_info)
