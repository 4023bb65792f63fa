"""Shapes of conversations."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from enum import StrEnum

from pydantic import field_validator

from graph.core.models import Frozen


class MessageRole(StrEnum):
    """The part of a speaker in a chat."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class Message(Frozen):
    """One original message.

    Attributes:
        position: Its place in the conversation, from 0; None where only its id is known yet.
        content: Markdown; None where only its id is known yet.
        speaker: A name, or the role where there is no name.
        role: None where the speaker has a name and no part is known.
        said_at: None where nobody told.
        utc_offset: Minutes by which the local time was ahead of UTC; None if unknown.
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
        """Local day of the statement, or of its storage; the UTC day if no offset is known."""
        moment = self.said_at or self.created_at
        with suppress(OverflowError):
            moment += timedelta(minutes=self.utc_offset or 0)
        return moment.date()


class MessageDraft(Frozen):
    """A message to capture; see ``Message``.

    Attributes:
        id: Of the platform; the same id is the same message.
        position: Its place in the conversation, from 0, where the caller knows it.
        author_id: User who wrote it, if there are several; facts about themselves belong to them.
        utc_offset: Offset in ``said_at`` on arrival; recorded by the validation.
        whole_hash: Hash of the text before it was cut; noted where it is checked.
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
        user_id: Whose a new conversation becomes; None: that of the present scope. ``agent_id`` likewise.
        platform: Where it takes place, such as ``ChatGPT``, ``Claude`` or ``Gemini``; None leaves what is stored.
        title: What it is called there; None leaves what is stored.
        restores_deleted: Whether a conversation that somebody deleted is captured again.
    """

    conversation_id: str
    user_id: str | None = None
    agent_id: str | None = None
    platform: str | None = None
    title: str | None = None
    messages: Sequence[MessageDraft]
    restores_deleted: bool = True


class LeftOut(Frozen):
    """A message stored partly or not at all; ``place`` is its index in the request, from 0."""

    place: int
    reason: str
    is_stored: bool = False


class CaptureReport(Frozen):
    """Result of one capture.

    Attributes:
        added: Number of new messages.
        changed: Number of messages stored with a new text or place.
        known: Number of unchanged messages.
        left_out: Skipped messages (no text, unreadable or forbidden), and truncated ones.
        skipped: Why nothing was captured, where nothing was.
    """

    added: int = 0
    changed: int = 0
    known: int = 0
    left_out: Sequence[LeftOut] = ()
    skipped: str | None = None


class Conversation(Frozen):
    """A conversation on one platform.

    Attributes:
        id: Its platform's; unique in the workspace.
        user_id: Owner; None: everybody of the workspace. ``agent_id`` likewise.
        platform: None where nobody told.
        created_at: When something of it was stored first; None for one of which nothing is stored.
        updated_at: When something of it was stored last.
        extracted_up_to: Position of the last message that facts were extracted from; None before the first.
        capture: Report of the last capture; None except in its result.
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
