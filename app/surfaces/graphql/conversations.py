"""Conversations: capturing messages and reading them."""

from datetime import datetime
from typing import Annotated, Any, Self

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import ScopeArgument, Shown, build, made_of, or_default, scoped, set_fields
from app.surfaces.graphql.loaders import Key, PageKey
from app.surfaces.graphql.nodes import Node
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.conversations.capture import models
from graph.conversations.capture.models import ConversationCounts, MessageRole
from graph.conversations.capture.statements import markdown
from graph.conversations.handoffs import models as handoffs_models
from graph.conversations.handoffs.models import HandoffLanguage, Summariser
from graph.conversations.handoffs.wording import markdown as summary_markdown
from graph.core.errors import InvalidInput
from graph.knowledge.models import NodeKind
from graph.knowledge.traversal import GlobalId
from graph.tenancy.models import Scope

strawberry.enum(MessageRole)


@strawberry.type
class Message(Node, Shown[models.Message]):
    """One original message."""

    message_id: strawberry.ID = strawberry.field(
        description="The platform's id, otherwise # and the position; unique in the conversation."
    )
    conversation_id: strawberry.ID
    session_id: strawberry.ID | None
    position: int = strawberry.field(description="Position in the conversation, from 0; there may be gaps.")
    content: str = strawberry.field(description="Text of the message, in Markdown.")
    speaker: str | None = strawberry.field(description="Name of the speaker; null if unknown.")
    role: MessageRole | None
    author_id: strawberry.ID | None = strawberry.field(
        description="User who wrote it, if several talk in one conversation."
    )
    said_at: datetime | None
    created_at: datetime = strawberry.field(description="Time of the first capture or reference.")

    @strawberry.field
    def global_id(self) -> strawberry.ID:
        """Id among the nodes of all workspaces; the same as id."""
        return self.id

    @classmethod
    def of(cls, model: models.Message, **others: Any) -> Self:
        """Return the GraphQL form of a message."""
        named = GlobalId(NodeKind.MESSAGE, model.workspace_id, model.id, model.conversation_id)
        return made_of(cls, model, id=str(named), message_id=model.id, **others)


@strawberry.type
class MessageConnection(Connection[Message]):
    """A page of a conversation's messages, in their order."""

    markdown: str = strawberry.field(description="The page as one text: speakers and messages.")


@strawberry.type
class LeftOutMessage:
    """A message that was skipped or stored truncated."""

    place: int = strawberry.field(description="Index in the request, from 0.")
    reason: str
    is_stored: bool = strawberry.field(
        description="True if the service stored its beginning and end; false: nothing of it."
    )


@strawberry.type
class Capture:
    """Effect of appending messages."""

    added: int
    changed: int = strawberry.field(
        description="Number of stored messages with a new text, position, author or time."
    )
    known: int = strawberry.field(description="Number of messages that were already stored.")
    left_out: list[LeftOutMessage] = strawberry.field(
        description="Skipped messages (no text, a likely credential, or a broken rule), and messages over 32,000 "
        "characters, of which the first and last 16,000 were stored. All others were stored."
    )
    skipped: str | None = strawberry.field(
        description="Reason why nothing was captured; null if the service processed the messages."
    )

    @classmethod
    def of(cls, report: models.CaptureReport) -> "Capture":
        """Return the GraphQL form of a report."""
        left_out = [LeftOutMessage(**each.model_dump()) for each in report.left_out]
        return cls(**{**report.model_dump(), "left_out": left_out})


@strawberry.type
class Conversation(Node):
    """The messages of one chat, and the memories made from them."""

    platform: str | None = strawberry.field(description="Platform, such as ChatGPT, Claude or Gemini.")
    title: str | None
    user_id: strawberry.ID | None = strawberry.field(description="Owning user; null: everybody.")
    agent_id: strawberry.ID | None = strawberry.field(description="Owning agent; null: every agent.")
    created_at: datetime | None = strawberry.field(
        description="Time of the first capture; null if nothing is stored."
    )
    last_activity_at: datetime | None = strawberry.field(
        description="Time of the last capture of messages; null if nothing is stored."
    )
    extracted_up_to: int | None = strawberry.field(
        description="Position of the last message that extraction has read; null before the first."
    )
    skipped: str | None = strawberry.field(
        description="Reason why this call captured nothing; null otherwise, and in every other response."
    )
    capture: Capture | None = strawberry.field(
        description="Effect of this call; null except in the response of `appendMessages`."
    )

    @strawberry.field
    async def messages(
        self,
        info: Info,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
        last: int | None = None,
        before: str | None = None,
    ) -> MessageConnection:
        """A page of its messages, ordered by position: the first ones, or the `last` ones."""
        _check_direction(after, last, before)
        loaders = info.context.loaders
        if last is None:
            size = or_default(first, DEFAULT_PAGE)
            page = await loaders.message_pages.load(PageKey(self.workspace_id, self.id, size, after))
        else:
            page = await loaders.last_message_pages.load(PageKey(self.workspace_id, self.id, last, before))
        edges, page_info = connection_parts(page, Message.of, after)
        if last is not None:
            page_info.has_previous_page, page_info.has_next_page = page.has_more, before is not None
        return MessageConnection(edges=edges, page_info=page_info, markdown=markdown(page.items))

    @strawberry.field
    async def message_count(self, info: Info) -> int:
        """Number of stored messages."""
        return (await self._counts(info)).messages

    @strawberry.field
    async def memory_count(self, info: Info) -> int:
        """Number of live memories from the conversation; `memories(filter: {conversationId})` lists them."""
        return (await self._counts(info)).memories

    @strawberry.field
    async def handoff_summary(
        self, info: Info
    ) -> Annotated["ConversationSummary", strawberry.lazy("app.surfaces.graphql.conversations")] | None:
        """The latest result of the mutation `handoffSummary`; null before its first call."""
        found = await info.context.loaders.handoffs.load(Key(self.workspace_id, self.id))
        return ConversationSummary.of(found) if found else None

    async def _counts(self, info: Info) -> ConversationCounts:
        found = await info.context.loaders.conversation_counts.load(Key(self.workspace_id, self.id))
        return found or ConversationCounts()

    @classmethod
    def of(cls, conversation: models.Conversation) -> "Conversation":
        """Return the GraphQL form of a conversation."""
        values: dict[str, Any] = conversation.model_dump(exclude={"updated_at", "capture"})
        report = conversation.capture
        return cls(
            **values,
            last_activity_at=conversation.updated_at,
            skipped=report.skipped if report else None,
            capture=Capture.of(report) if report else None,
        )


def _check_direction(after: str | None, last: int | None, before: str | None) -> None:
    """Check that the arguments request a page from one end only; ``first`` has a default and does not count.

    Raises:
        InvalidInput: They request a page from both ends.
    """
    if last is None and before is not None:
        raise InvalidInput("before", "before requires last: the number of messages before the cursor")
    if last is not None and after is not None:
        raise InvalidInput("after", "after cannot be combined with last: omit one of them")


@strawberry.type
class ConversationConnection(Connection[Conversation]):
    """A page of conversations."""


@strawberry.input
class MessageInput:
    """A message to capture; one request may mix messages with and without an id or a position."""

    content: str | None = strawberry.field(
        default=None, description="Markdown, unchanged; the service skips a null or blank message."
    )
    id: strawberry.ID | None = strawberry.field(
        default=None, description="Id from the platform; messages with equal ids are the same message."
    )
    position: int | None = strawberry.field(
        default=None,
        description="Position in the conversation, from 0; such messages may come late and in any order. Omitted: "
        "after the last.",
    )
    role: MessageRole | None = None
    speaker: str | None = strawberry.field(default=None, description="Name of the speaker, if known.")
    session_id: strawberry.ID | None = None
    said_at: datetime | None = None
    author_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="User who wrote it, if several talk in one conversation: facts about this user belong to them, "
        "other facts to the conversation.",
    )


@strawberry.input
class AppendMessagesInput:
    """Messages of one conversation, in their order."""

    conversation_id: strawberry.ID
    messages: list[MessageInput] = strawberry.field(
        description="1 to 1000. Messages without id and position are matched by text and order: an equal sequence is "
        "already known, and messages that begin with the conversation's end continue it."
    )
    platform: str | None = strawberry.field(
        default=None, description="Platform, such as ChatGPT, Claude or Gemini."
    )
    title: str | None = None
    user_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Owner of a new conversation; omitted: the key's, or everybody.",
    )
    agent_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET,
        description="Owning agent of a new conversation; omitted: the key's, or every agent.",
    )
    restores_deleted: bool = strawberry.field(
        name="restoreDeleted",
        default=True,
        description="Capture a deleted conversation again; false skips it, as importers do.",
    )


def _draft(message: MessageInput) -> models.MessageDraft:
    """Return the message to capture; an unreadable one carries its error, so that the others are captured."""
    try:
        draft = build(models.MessageDraft, {**set_fields(message), "content": ""})
    except InvalidInput as error:
        return models.MessageDraft(content="", unreadable=error.message)
    return draft.model_copy(update={"content": message.content or ""})


@strawberry.type
class ConversationQueries:
    """Queries of conversations."""

    @strawberry.field
    async def conversation(
        self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> Conversation | None:
        """One conversation; null if the workspace has none with this id."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await info.context.services.conversations.capture.find(workspace, id)
        return Conversation.of(found) if found else None

    @strawberry.field
    async def conversations(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        platform: str | None = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
        scope: ScopeArgument = None,
    ) -> ConversationConnection:
        """A page of conversations, the most recently updated first."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        with scoped(scope):
            page = await info.context.services.conversations.capture.page(
                workspace, platform=platform, first=or_default(first, DEFAULT_PAGE), after=after
            )
        edges, page_info = connection_parts(page, Conversation.of, after)
        return ConversationConnection(edges=edges, page_info=page_info)


@strawberry.type
class ConversationMutations:
    """Mutations of conversations."""

    @strawberry.mutation
    async def append_messages(
        self, info: Info, input: AppendMessagesInput, workspace_id: WorkspaceId = None
    ) -> Conversation:
        """Capture messages; a message that is already stored is not stored again.

        If memory is off, nothing is captured; `skipped` and `extensions.notices` state this.

        A new text replaces the text of a stored message, unless it is only the beginning of that text.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        messages = [_draft(message) for message in input.messages]
        draft = build(models.CaptureDraft, {**set_fields(input), "messages": messages})
        appended = await info.context.services.conversations.capture.append(workspace, draft)
        if appended.capture is not None:
            info.context.notice(appended.capture.skipped)
        return Conversation.of(appended)

    @strawberry.mutation
    async def move_conversation(
        self,
        info: Info,
        id: strawberry.ID,
        to_workspace_id: Annotated[strawberry.ID, strawberry.argument(description="Target workspace.")],
        workspace_id: WorkspaceId = None,
    ) -> Conversation:
        """Move a conversation to another workspace, with all of its messages and memories.

        Messages, episodes, the summary and the memories extracted from it move along, with vectors and versions. Edges
        to nodes of the old workspace are deleted, and memories are linked to the entities of the new one. Either
        everything moves or nothing, for example if that workspace has a conversation with this id. The caller needs
        write access to both workspaces. A conversation with more than 20,000 messages and memories, including their
        versions and passages, does not move.
        """
        target = await info.context.workspace(Scope.WRITE, to_workspace_id)
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        moved = await info.context.services.conversations.moving.move(workspace, id, target)
        return Conversation.of(moved)

    @strawberry.mutation
    async def delete_conversation(
        self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None
    ) -> bool:
        """Delete a conversation permanently; false if there was none.

        Deletes its messages, episodes and summary, and memories that are its turns. Extracted memories stay.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.conversations.capture.delete(workspace, id)


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
    language: HandoffLanguage = strawberry.field(description="Main language of the conversation.")
    user_background: list[str]
    project_topic: str = strawberry.field(
        description="Subject of the conversation in one line; empty if unknown."
    )
    current_status: list[str]
    key_information: list[HandoffTopic]
    open_items: list[str]
    continuation_point: str = strawberry.field(description="Next step in one line; empty if unknown.")
    markdown: str = strawberry.field(description="Sections with headings, for another chat.")
    summarised_by: Summariser
    model: str | None = strawberry.field(
        description="Language model that wrote the summary; null: the rules wrote it."
    )
    fallback: str | None = strawberry.field(
        description="Reason why the configured language model did not write it; null if it did or there is none."
    )
    message_count: int = strawberry.field(description="Number of messages that were read, at most 400.")
    created_at: datetime = strawberry.field(description="Time of the conversation's first summary.")
    updated_at: datetime = strawberry.field(description="Time of this summary.")

    @strawberry.field
    async def conversation(self, info: Info) -> Conversation | None:
        """Summarised conversation; null if deleted."""
        found = await info.context.loaders.conversations.load(Key(self.workspace_id, self.conversation_id))
        return Conversation.of(found) if found else None

    @classmethod
    def of(cls, summary: handoffs_models.ConversationSummary) -> "ConversationSummary":
        """Return the GraphQL form of a summary."""
        values: dict[str, Any] = summary.model_dump(exclude={"handoff"})
        sections = dict(summary.handoff)
        sections["key_information"] = [
            HandoffTopic(topic=each.topic, points=list(each.points))
            for each in summary.handoff.key_information
        ]
        return cls(**values, **sections, markdown=summary_markdown(summary))


@strawberry.type
class HandoffMutations:
    """Mutations that write handoff summaries."""

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
