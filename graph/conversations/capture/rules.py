"""What may be captured."""

from collections.abc import Sequence
from datetime import datetime

from graph.conversations.capture.models import CaptureDraft, MessageDraft
from graph.core.errors import InvalidInput
from graph.core.scope import owner_named
from graph.core.text.checks import short_text, storable
from graph.core.time import in_utc

MOST_MESSAGES = 1000
_PLATFORM_CHARS = 64
_MOST_POSITION = 2**31 - 1  # GraphQL's integers end there


def validated(draft: CaptureDraft) -> CaptureDraft:
    """Return the draft with names trimmed and times in UTC, if it keeps every rule.

    Raises:
        InvalidInput: The first field that breaks a rule, with the expected form.
        Forbidden: A message is another user's than whose scope this is.
    """
    if not 1 <= len(draft.messages) <= MOST_MESSAGES:
        raise InvalidInput(
            "messages", f"messages must hold 1 to {MOST_MESSAGES} messages, got {len(draft.messages)}"
        )
    messages = [_message(message) for message in draft.messages]
    _check_alike(messages)
    return draft.model_copy(
        update={
            "conversation_id": short_text("conversationId", draft.conversation_id),
            "user_id": short_text("userId", draft.user_id),
            "agent_id": short_text("agentId", draft.agent_id),
            "platform": short_text("platform", draft.platform, limit=_PLATFORM_CHARS),
            "title": short_text("title", draft.title),
            "messages": messages,
        }
    )


def is_addressed(message: MessageDraft) -> bool:
    """Tell whether a message says which one it is."""
    return message.id is not None or message.position is not None


def _check_alike(messages: Sequence[MessageDraft]) -> None:
    if len({is_addressed(message) for message in messages}) > 1:
        raise InvalidInput(
            "messages", "messages must all have an id or a position, or none of them: give those that lack it"
        )


def _message(message: MessageDraft) -> MessageDraft:
    content = storable("content", message.content)
    if not content.strip():
        raise InvalidInput("content", "content must not be blank; leave the message out instead")
    if message.position is not None and not 0 <= message.position <= _MOST_POSITION:
        raise InvalidInput("position", f"position must be 0 to {_MOST_POSITION}, got {message.position}")
    return message.model_copy(
        update={
            "id": short_text("id", message.id),
            "speaker": short_text("speaker", message.speaker),
            "author_id": owner_named(short_text("authorId", message.author_id), None)[0]
            if message.author_id is not None
            else None,
            "session_id": short_text("sessionId", message.session_id),
            "said_at": in_utc("saidAt", message.said_at),
            "utc_offset": _utc_offset(message.said_at),
        }
    )


def _utc_offset(moment: datetime | None) -> int | None:
    """Return by how many minutes a time is ahead of UTC; none for UTC, in which programs write times of anywhere."""
    offset = moment.utcoffset() if moment else None
    return round(offset.total_seconds() / 60) if offset else None
