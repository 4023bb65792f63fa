"""Memories made of messages, at a person's wish."""

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.global_ids import with_own_message_id
from app.surfaces.graphql.inputs import build, given, or_default
from app.surfaces.graphql.memories import DEFAULT_TIMEOUT_MS, SavedMemory, TimeoutMs, WaitFor, receipts_of
from graph.conversations.from_messages.models import MessageToRemember
from graph.memories.saving.waiting import validated_timeout
from graph.tenancy.access.models import Scope


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
