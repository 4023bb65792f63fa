"""Extraction, distillation, and memories from messages: requests, and decisions about suggestions."""

from datetime import datetime

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import Shown, build, or_default, set_fields, with_own_message_id
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
from graph.conversations.message_memories import MessageToRemember
from graph.memories.saving.waiting import validated_timeout
from graph.tenancy.models import Scope


@strawberry.type
class DeletionSuggestion(Shown[models.DeletionSuggestion]):
    """A memory that a language model considers no longer true; only a person's confirmation deletes it."""

    workspace_id: strawberry.ID
    memory_id: strawberry.ID
    reason: str = strawberry.field(description="Reason, in the language model's words.")
    conversation_id: strawberry.ID = strawberry.field(
        description="Conversation that made the language model suggest the deletion."
    )
    suggested_at: datetime

    @strawberry.field
    async def memory(self, info: Info) -> Memory | None:
        """Current state of the memory; null if deleted."""
        found = await info.context.loaders.memories.load(Key(self.workspace_id, self.memory_id))
        return Memory.of(found) if found else None


@strawberry.type
class DeletionSuggestionConnection(Connection[DeletionSuggestion]):
    """A page of deletion suggestions."""


@strawberry.type
class DoubtfulFactConnection(Connection[Memory]):
    """A page of doubtful facts."""


@strawberry.type
class ExtractionQueries:
    """Queries of suggestions and doubtful facts, which wait for a person's decision."""

    @strawberry.field
    async def deletion_suggestions(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> DeletionSuggestionConnection:
        """Undecided deletion suggestions, the latest first."""
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
        """Extracted facts below the confidence that automatic extraction requires, the newest first.

        A person decides: `updateMemory` with a higher confidence keeps a fact, `deleteMemory` deletes it.
        """
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        page = await info.context.services.conversations.extraction.doubtful(
            workspace, first=or_default(first, DEFAULT_PAGE), after=after
        )
        edges, page_info = connection_parts(page, Memory.of, after)
        return DoubtfulFactConnection(edges=edges, page_info=page_info)


@strawberry.type
class ExtractionMutations:
    """Mutations of extraction."""

    @strawberry.mutation
    async def extract_memories(
        self, info: Info, conversation_id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> Job:
        """Extract facts from a whole conversation now, including less certain ones; returns the job.

        Without this call, extraction reads new messages automatically after a pause in the conversation.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return Job.of(
            await info.context.services.conversations.extraction.request(workspace, conversation_id)
        )

    @strawberry.mutation
    async def confirm_deletion(
        self, info: Info, memory_id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> bool:
        """Delete a memory whose deletion is suggested, restorably; false if there is no suggestion."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.conversations.extraction.deletions.confirm(workspace, memory_id)

    @strawberry.mutation
    async def dismiss_deletion(
        self, info: Info, memory_id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> bool:
        """Keep a memory whose deletion is suggested, and never suggest it again; false if there is no suggestion."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.conversations.extraction.deletions.dismiss(workspace, memory_id)


strawberry.enum(DistillSource)


@strawberry.input
class DistillInput:
    """A tool's result, or another text to distil."""

    source: DistillSource = strawberry.field(
        description="Source of the text; any source except TOOL requires 200 characters."
    )
    text: str
    invocation_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Id of the invocation that produced the text; while it is pending, the service rejects it again.",
    )
    tool_name: str | None = strawberry.UNSET
    conversation_id: strawberry.ID | None = strawberry.UNSET
    message_id: strawberry.ID | None = strawberry.UNSET
    session_id: strawberry.ID | None = strawberry.UNSET


@strawberry.type
class DistillingMutations:
    """Mutations of distillation."""

    @strawberry.mutation
    async def distill(self, info: Info, input: DistillInput, workspace_id: WorkspaceId = None) -> bool:
        """Distil a text into memories in the background; false if it was not accepted (see `extensions.notices`).

        The service rejects a text while memory is off, if it is too short or contains a credential, or while the same
        invocation is pending. Memories from TOOL and ANSWER have the source type `model`, others `auto_` and the
        source, such as `auto_research`.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        fields = with_own_message_id(set_fields(input), workspace)
        output = build(Output, {**fields, "api_key_id": info.context.principal.key_id})
        intake = await info.context.services.conversations.distillation.enqueue(workspace, output)
        info.context.notice(intake.skipped)
        return intake.taken


@strawberry.input
class RememberMessageInput:
    """A message to remember: its id, its text, or both."""

    message_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Source message of the memory; without content, it provides the text.",
    )
    conversation_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Conversation of the message, required if several have a message with this id.",
    )
    content: str | None = strawberry.UNSET
    category: str | None = strawberry.UNSET
    synthesize: bool = strawberry.field(
        default=False,
        description="Let a language model restate the text; without a model, the service stores the plain text.",
    )


@strawberry.type
class RememberingMutations:
    """Mutations that save memories from messages."""

    @strawberry.mutation
    async def remember_message(
        self,
        info: Info,
        input: RememberMessageInput,
        workspace_id: WorkspaceId = None,
        wait_for: WaitFor = None,
        timeout_ms: TimeoutMs = DEFAULT_TIMEOUT_MS,
    ) -> SavedMemory:
        """Save a message as a memory, unless a memory already says the same."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        validated_timeout(or_default(timeout_ms, DEFAULT_TIMEOUT_MS))
        fields = with_own_message_id(set_fields(input), workspace)
        message = build(MessageToRemember, {**fields, "api_key_id": info.context.principal.key_id})
        saved = await info.context.services.conversations.message_memories.remember(workspace, message)
        return (await receipts_of(info, workspace, [saved], wait_for, timeout_ms))[0]

    @strawberry.mutation
    async def rerun_extraction(
        self,
        info: Info,
        id: strawberry.ID,
        synthesize: bool | None = False,
        workspace_id: WorkspaceId = None,
    ) -> SavedMemory:
        """Regenerate a memory's summary from its source message, and on request its content."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        remembering = info.context.services.conversations.message_memories
        return SavedMemory.of(await remembering.rerun_extraction(workspace, id, synthesize=bool(synthesize)))
