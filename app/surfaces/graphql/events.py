"""Subscriptions to the events of a workspace."""

from collections.abc import AsyncGenerator, Iterator
from datetime import datetime

import strawberry
from strawberry.extensions import SchemaExtension
from strawberry.types.graphql import OperationType

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import made_of
from app.surfaces.graphql.jobs import Job
from app.surfaces.graphql.memories import Memory
from graph.core.models import MemoryEventType
from graph.memories import subscriptions
from graph.tenancy.models import Scope

strawberry.enum(MemoryEventType)


@strawberry.type
class MemoryEvent:
    """An event of a memory."""

    type: MemoryEventType
    workspace_id: strawberry.ID
    memory_id: strawberry.ID
    memory: Memory | None = strawberry.field(description="Current state; null once deleted or expired.")
    at: datetime

    @classmethod
    def of(cls, event: subscriptions.MemoryEvent) -> "MemoryEvent":
        """Return the GraphQL form of an event."""
        return made_of(cls, event, memory=Memory.of(event.memory) if event.memory else None)


@strawberry.type
class Subscription:
    """Events, over a websocket with the protocol graphql-transport-ws.

    A subscription that may have missed an event ends with an error: UNAVAILABLE if Redis was unavailable,
    RATE_LIMITED if the client read too slowly. Subscribe again, then reload the data.
    """

    @strawberry.subscription
    async def memory_events(
        self, info: Info, workspace_id: WorkspaceId = None
    ) -> AsyncGenerator[MemoryEvent, None]:
        """Events of memories that are saved, changed or deleted in the workspace, or that expire."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        async with info.context.services.memories.subscriptions.of_memories(workspace) as events:
            async for event in events:
                await info.context.workspace(Scope.READ, workspace_id)
                yield MemoryEvent.of(event)

    @strawberry.subscription
    async def job_events(self, info: Info, workspace_id: WorkspaceId = None) -> AsyncGenerator[Job, None]:
        """Events of the workspace's background jobs: started, waiting for a retry, failed, done.

        A key that is bound to a user or an agent receives only events of extraction from its conversations and of the
        regeneration of its memories.
        """
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        async with info.context.services.memories.job_watch.of_workspace(workspace) as jobs:
            async for job in jobs:
                await info.context.workspace(Scope.READ, workspace_id)
                yield Job.of(job)


class Transports(SchemaExtension):
    """Refuses subscriptions over HTTP, and gives each operation of a websocket its own context."""

    def on_operation(self) -> Iterator[None]:
        """Restrict the operation types over HTTP; give the operation its own context on a websocket."""
        execution = self.execution_context
        if execution.context.websocket is None:
            execution.allowed_operations = set(execution.allowed_operations) - {OperationType.SUBSCRIPTION}
        else:
            execution.context = execution.context.of_operation()
        yield
