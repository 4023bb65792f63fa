"""Handoff summaries, for the person or agent that continues a conversation elsewhere."""

from datetime import datetime
from typing import Any

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.conversations import Conversation
from app.surfaces.graphql.loaders import Key
from app.surfaces.graphql.nodes import Node
from graph.conversations.handoffs import models
from graph.conversations.handoffs.models import HandoffLanguage, Summariser
from graph.conversations.handoffs.wording import markdown
from graph.tenancy.models import Scope

strawberry.enum(HandoffLanguage)
strawberry.enum(Summariser)


@strawberry.type
class HandoffTopic:
    """Points that belong together, such as decisions."""

    topic: str
    points: list[str]


@strawberry.type
class ConversationSummary(Node):
    """The latest handoff summary of a conversation, in six sections."""

    conversation_id: strawberry.ID
    language: HandoffLanguage = strawberry.field(description="That of most of the conversation.")
    user_background: list[str]
    project_topic: str = strawberry.field(description="One line; empty when unknown.")
    current_status: list[str]
    key_information: list[HandoffTopic]
    open_items: list[str]
    continuation_point: str = strawberry.field(description="One line; empty when unknown.")
    markdown: str = strawberry.field(description="The sections under their headings, ready to be copied.")
    summarised_by: Summariser
    model: str | None = strawberry.field(description="The language model that wrote it, where one did.")
    fallback: str | None = strawberry.field(
        description="Reason why the configured language model did not write it now."
    )
    message_count: int = strawberry.field(description="Number of summarised messages.")
    created_at: datetime = strawberry.field(description="When the conversation was summed up first.")
    updated_at: datetime = strawberry.field(description="When this was written.")

    @strawberry.field
    async def conversation(self, info: Info) -> Conversation | None:
        """Summarised messages."""
        found = await info.context.loaders.conversations.load(Key(self.workspace_id, self.conversation_id))
        return Conversation.of(found) if found else None

    @classmethod
    def of(cls, summary: models.ConversationSummary) -> "ConversationSummary":
        """Return the GraphQL form of a summary."""
        values: dict[str, Any] = summary.model_dump(exclude={"handoff"})
        sections = dict(summary.handoff)
        sections["key_information"] = [
            HandoffTopic(topic=each.topic, points=list(each.points))
            for each in summary.handoff.key_information
        ]
        return cls(**values, **sections, markdown=markdown(summary))


@strawberry.type
class HandoffMutations:
    """Writing handoff summaries."""

    @strawberry.mutation
    async def handoff_summary(
        self, info: Info, conversation_id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> ConversationSummary:
        """Summarise a conversation for its continuation elsewhere, in the conversation's language.

        The summary replaces the previous one; `Conversation.handoffSummary` returns it.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return ConversationSummary.of(
            await info.context.services.conversations.handoffs.summarise(workspace, conversation_id)
        )
