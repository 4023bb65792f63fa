"""Models of conversations, messages and captures."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from enum import StrEnum

from pydantic import field_validator

from graph.core.models import Frozen


class MessageRole(StrEnum):
    """The role of a speaker in a chat."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class Message(Frozen):
    """One original message.

    Attributes:
        position: Index in the conversation, from 0; None if a memory names the message before it is captured.
        content: Markdown; None before the message is captured, and after its text is removed.
        speaker: Name of the speaker, if known.
        role: Role of the speaker; None if unknown.
        said_at: Time of the statement; None if unknown.
        utc_offset: Minutes by which the speaker's local time was ahead of UTC; None if unknown.
    """

    id: str
    workspace_id: str
    conversation_id: str
    session_id: str | None = None
    position: int | None = None
    content: str | None = None
    speaker: str | None = None
    role: MessageRole | None = None
    author_id: str | None = None
    said_at: datetime | None = None
    utc_offset: int | None = None
    created_at: datetime

    @property
    def day(self) -> date:
        """Local day of the statement, or of its storage if unknown; the UTC day without an offset."""
        moment = self.said_at or self.created_at
        with suppress(OverflowError):
            moment += timedelta(minutes=self.utc_offset or 0)
        return moment.date()


class MessageDraft(Frozen):
    """A message to capture; see ``Message``.

    Attributes:
        id: The platform's id of the message; a draft with a known id updates that message.
        position: Index in the conversation, from 0, if the caller knows it.
        author_id: User who wrote the message, if a conversation has several users; facts that they state about
            themselves belong to them.
        utc_offset: UTC offset of ``said_at`` in minutes; set by the validation.
        whole_hash: Hash of the text before truncation; set by the validation.
        unreadable: Reason why a surface could not read the message; the message is skipped with it.
    """

    content: str
    id: str | None = None
    position: int | None = None
    role: MessageRole | None = None
    author_id: str | None = None
    speaker: str | None = None
    session_id: str | None = None
    said_at: datetime | None = None
    utc_offset: int | None = None
    whole_hash: str | None = None
    unreadable: str | None = None


class CaptureDraft(Frozen):
    """Messages of one conversation, in their order.

    Attributes:
        user_id: Owner of a new conversation; None: the user of the current scope. ``agent_id`` likewise.
        platform: Platform of the chat, such as ``ChatGPT``, ``Claude`` or ``Gemini``; None keeps the stored value.
        title: Title of the chat on its platform; None keeps the stored value.
        restores_deleted: Whether to capture a conversation that was deleted in this workspace.
    """

    conversation_id: str
    user_id: str | None = None
    agent_id: str | None = None
    platform: str | None = None
    title: str | None = None
    messages: Sequence[MessageDraft]
    restores_deleted: bool = True


class LeftOut(Frozen):
    """A message that was skipped or stored truncated; ``place`` is its index in the request, from 0."""

    place: int
    reason: str
    is_stored: bool = False


class CaptureReport(Frozen):
    """Result of one capture.

    Attributes:
        added: Number of new messages.
        changed: Number of stored messages with a new text, position, author or time.
        known: Number of unchanged messages.
        left_out: Skipped messages (no text, unreadable or forbidden), and truncated ones.
        skipped: Reason why the capture stored nothing; None otherwise.
    """

    added: int = 0
    changed: int = 0
    known: int = 0
    left_out: Sequence[LeftOut] = ()
    skipped: str | None = None


class Conversation(Frozen):
    """A conversation on one platform.

    Attributes:
        id: The platform's id, unique in the workspace.
        user_id: Owner; None: shared by the whole workspace. ``agent_id`` likewise.
        platform: Platform of the chat; None if unknown.
        created_at: Time of the first capture; None if nothing is stored.
        updated_at: Time of the last capture that stored messages.
        extracted_up_to: Position of the last message that extraction has read; None before the first.
        capture: Report of a capture; set in the result of that capture only.
    """

    id: str
    workspace_id: str
    user_id: str | None = None
    agent_id: str | None = None
    platform: str | None = None
    title: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None
    extracted_up_to: int | None = None
    capture: CaptureReport | None = None

    @field_validator("user_id", "agent_id", mode="before")
    @classmethod
    def _shared_is_nobodys(cls, value: object) -> object:
        return value or None


class ConversationCounts(Frozen):
    """Number of a conversation's messages, and of the live memories from it."""

    messages: int = 0
    memories: int = 0
