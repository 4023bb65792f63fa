"""Texts that may hold something worth remembering, handed in to be distilled in the background."""

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.global_ids import with_own_message_id
from app.surfaces.graphql.inputs import build, given
from graph.conversations.distillation.models import DistillSource, Output
from graph.tenancy.access.models import Scope

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
