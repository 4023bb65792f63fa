"""Background jobs."""

from datetime import datetime
from typing import Any, Self

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import Shown, or_default
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.core import models
from graph.tenancy.models import Scope

for _vocabulary in (models.JobKind, models.JobState):
    strawberry.enum(_vocabulary)


@strawberry.type
class Job(Shown[models.Job]):
    """A unit of background work that is pending; finished jobs are removed."""

    id: strawberry.ID
    workspace_id: strawberry.ID
    kind: models.JobKind
    subject_id: strawberry.ID
    state: models.JobState
    attempts: int
    error: str | None = strawberry.field(
        description="Reason of the last failure; null for a key that is bound to a user or an agent, because it may "
        "quote other users' texts."
    )
    created_at: datetime
    updated_at: datetime
    due_at: datetime | None

    @classmethod
    def of(cls, model: models.Job, **others: Any) -> Self:
        """Return the GraphQL form of a job, without the error text for a caller who does not see every memory."""
        return super().of(model, error=model.visible_error, **others)


@strawberry.type
class JobConnection(Connection[Job]):
    """A page of jobs."""


@strawberry.type
class JobQueries:
    """Queries of jobs."""

    @strawberry.field
    async def jobs(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        state: models.JobState | None = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> JobConnection:
        """Unfinished jobs, the newest first; none for a key that is bound to a user or an agent."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        size = or_default(first, DEFAULT_PAGE)
        page = await info.context.services.core.jobs.page(workspace, state=state, first=size, after=after)
        edges, page_info = connection_parts(page, Job.of, after)
        return JobConnection(edges=edges, page_info=page_info)


@strawberry.type
class JobMutations:
    """Mutations of jobs."""

    @strawberry.mutation
    async def retry_job(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> Job:
        """Make a pending or failed job due now; forbidden for a key that is bound to a user or an agent."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return Job.of(await info.context.services.core.jobs.retry(workspace, id))
