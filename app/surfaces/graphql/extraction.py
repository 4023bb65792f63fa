"""Facts extracted from conversations: a person's wish for it, and what a language model proposes to delete."""

from datetime import datetime

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import or_default
from app.surfaces.graphql.jobs import Job
from app.surfaces.graphql.loaders import Key
from app.surfaces.graphql.made_of import Shown
from app.surfaces.graphql.memories import Memory
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.conversations.extraction import models
from graph.tenancy.access.models import Scope


@strawberry.type
class DeletionSuggestion(Shown[models.DeletionSuggestion]):
    """A memory that a language model takes for no longer true; nothing happens to it unless a person confirms."""

    workspace_id: strawberry.ID
    memory_id: strawberry.ID
    reason: str = strawberry.field(description="Answer of the model.")
    conversation_id: strawberry.ID = strawberry.field(description="Conversation of the summary.")
    suggested_at: datetime

    @strawberry.field
    async def memory(self, info: Info) -> Memory | None:
        """Current state of the memory; null if deleted."""
        found = await info.context.loaders.memories.load(Key(self.workspace_id, self.memory_id))
        return Memory.of(found) if found else None


@strawberry.type
class DeletionSuggestionConnection(Connection[DeletionSuggestion]):
    """A page of proposals."""


@strawberry.type
class DoubtfulFactConnection(Connection[Memory]):
    """A page of doubtful facts."""


@strawberry.type
class ExtractionQueries:
    """Reading what extraction leaves to people."""

    @strawberry.field
    async def deletion_suggestions(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> DeletionSuggestionConnection:
        """Memories proposed for deletion and not decided upon, the latest first."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        page = await info.context.services.conversations.extraction.deletions.page(
            workspace, first=or_default(first, DEFAULT_PAGE), after=after
        )
        edges, page_info = connection_parts(page, DeletionSuggestion.of, after)
        return DeletionSuggestionConnection(edges=edges, page_info=page_info)

    @strawberry.field
    async def doubtful_facts(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> DoubtfulFactConnection:
        """Extracted facts that are less certain than automatic extraction demands, the newest first.

        They wait for a decision: `updateMemory` with a higher confidence keeps one, `deleteMemory` forgets it.
        """
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        page = await info.context.services.conversations.extraction.doubtful(
            workspace, first=or_default(first, DEFAULT_PAGE), after=after
        )
        edges, page_info = connection_parts(page, Memory.of, after)
        return DoubtfulFactConnection(edges=edges, page_info=page_info)


@strawberry.type
class ExtractionMutations:
    """Extracting facts."""

    @strawberry.mutation
    async def extract_memories(
        self, info: Info, conversation_id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> Job:
        """Extract facts from a whole conversation now, including less certain ones; returns the job.

        Without it, new messages are read automatically once a conversation has been silent for a while.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return Job.of(
            await info.context.services.conversations.extraction.request(workspace, conversation_id)
        )

    @strawberry.mutation
    async def confirm_deletion(
        self, info: Info, memory_id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> bool:
        """Delete a memory that is proposed for it, so that it can be restored; false if it is not proposed."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.conversations.extraction.deletions.confirm(workspace, memory_id)

    @strawberry.mutation
    async def dismiss_deletion(
        self, info: Info, memory_id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> bool:
        """Keep a memory that is proposed for deletion, and never propose it again; false if it is not proposed."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.conversations.extraction.deletions.dismiss(workspace, memory_id)
