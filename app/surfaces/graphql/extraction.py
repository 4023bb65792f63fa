"""Facts extracted from conversations: a person's wish for it, and what a language model proposes to delete."""

from datetime import datetime

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import Shown, build, given, or_default, with_own_message_id
from app.surfaces.graphql.jobs import Job
from app.surfaces.graphql.loaders import Key
from app.surfaces.graphql.memories import (
    DEFAULT_TIMEOUT_MS,
    Memory,
    SavedMemory,
    TimeoutMs,
    WaitFor,
    receipts_of,
)
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.conversations.distillation.models import DistillSource, Output
from graph.conversations.extraction import models
from graph.conversations.from_messages.models import MessageToRemember
from graph.memories.saving.waiting import validated_timeout
from graph.tenancy.models import Scope


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


strawberry.enum(DistillSource)


@strawberry.input
class DistillInput:
    """Answer of a tool, or result of a turn."""

    source: DistillSource = strawberry.field(
        description="Source of the text; all but TOOL need 200 characters."
    )
    text: str
    invocation_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Submitting it again while it waits changes nothing."
    )
    tool_name: str | None = strawberry.UNSET
    conversation_id: strawberry.ID | None = strawberry.UNSET
    message_id: strawberry.ID | None = strawberry.UNSET
    session_id: strawberry.ID | None = strawberry.UNSET


@strawberry.type
class DistillingMutations:
    """Distilling."""

    @strawberry.mutation
    async def distill(self, info: Info, input: DistillInput, workspace_id: WorkspaceId = None) -> bool:
        """Distil a text into memories in the background; false if it was not accepted (see `extensions.notices`).

        It is not accepted while memory is off, when it is too short or holds a credential, or while the same
        invocation is pending. Memories of a tool's or a model's answer have the source type `model`, others `auto_`
        and their source.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        fields = with_own_message_id(given(input), workspace)
        output = build(Output, {**fields, "api_key_id": info.context.principal.key_id})
        intake = await info.context.services.conversations.distillation.enqueue(workspace, output)
        info.context.notice(intake.skipped)
        return intake.taken


@strawberry.input
class RememberMessageInput:
    """A message to remember: its id, its text, or both."""

    message_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Default: the stored message's text."
    )
    conversation_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Needed where several conversations have a message of that id."
    )
    content: str | None = strawberry.UNSET
    category: str | None = strawberry.UNSET
    synthesize: bool = strawberry.field(
        default=False,
        description="Let a language model rewrite it; without one the service stores the plain text.",
    )


@strawberry.type
class RememberingMutations:
    """Mutations that make memories from messages."""

    @strawberry.mutation
    async def remember_message(
        self,
        info: Info,
        input: RememberMessageInput,
        workspace_id: WorkspaceId = None,
        wait_for: WaitFor = None,
        timeout_ms: TimeoutMs = DEFAULT_TIMEOUT_MS,
    ) -> SavedMemory:
        """Save a message as a memory of its own, unless one that says the same is stored."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        validated_timeout(or_default(timeout_ms, DEFAULT_TIMEOUT_MS))
        fields = with_own_message_id(given(input), workspace)
        wish = build(MessageToRemember, {**fields, "api_key_id": info.context.principal.key_id})
        saved = await info.context.services.conversations.from_messages.remember(workspace, wish)
        return (await receipts_of(info, workspace, [saved], wait_for, timeout_ms))[0]

    @strawberry.mutation
    async def rerun_extraction(
        self,
        info: Info,
        id: strawberry.ID,
        synthesize: bool | None = False,
        workspace_id: WorkspaceId = None,
    ) -> SavedMemory:
        """Make a memory's summary, and on request its content, again from its source message."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        remembering = info.context.services.conversations.from_messages
        return SavedMemory.of(await remembering.rerun_extraction(workspace, id, synthesize=bool(synthesize)))
