"""Reading and extending a conversation, for the histories of other libraries."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .generated import AppendMessagesInput, MessageFields, MessageInput, RecollectClient

_PAGE = 100
"""Number of messages that one request reads."""
_MOST_SENT = 1000
"""Number of messages that one request writes."""
_MOST_CHARS_SENT = 1_000_000
"""Text limit of one request, unless a single message has more; the service limits its bodies."""


class NotKept(Exception):
    """Raised when a workspace stores no messages, because its memory is off."""


@dataclass(frozen=True)
class Talk:
    """Identity of a conversation.

    Attributes:
        id: Id chosen by the caller; the first message creates the conversation.
        workspace_id: Workspace of the conversation; None: the workspace of the key.
        user_id: Owner of a new one; None: the key's user, or everybody. ``agent_id`` likewise.
    """

    id: str
    workspace_id: str | None = None
    user_id: str | None = None
    agent_id: str | None = None


async def all_messages(client: RecollectClient, talk: Talk) -> list[MessageFields]:
    """Return the messages in order; empty if the conversation does not exist.

    Raises:
        ApiError: The service refuses or cannot be reached.
    """
    found: list[MessageFields] = []
    after: str | None = None
    while True:
        part = await client.messages(talk.id, first=_PAGE, after=after, workspace_id=talk.workspace_id)
        if part is None:
            return found
        found += [edge.node for edge in part.messages.edges]
        if not part.messages.page_info.has_next_page:
            return found
        after = part.messages.page_info.end_cursor


async def latest_messages(
    client: RecollectClient, talk: Talk, is_enough: Callable[[Sequence[MessageFields]], bool]
) -> list[MessageFields]:
    """Return the end of the conversation in order, read page by page backwards until ``is_enough``.

    Raises:
        ApiError: The service refuses or cannot be reached.
    """
    found: list[MessageFields] = []
    before: str | None = None
    while True:
        part = await client.messages(talk.id, last=_PAGE, before=before, workspace_id=talk.workspace_id)
        if part is None:
            return found
        found = [edge.node for edge in part.messages.edges] + found
        if not part.messages.page_info.has_previous_page or is_enough(found):
            return found
        before = part.messages.page_info.start_cursor


async def say(client: RecollectClient, talk: Talk, messages: Sequence[MessageInput]) -> None:
    """Append messages with ids; skip messages whose id is stored already.

    A message without text or with a likely credential is skipped, and a message that is too long loses its middle; a
    warning reports both.

    Raises:
        NotKept: The memory of the workspace is off.
        ApiError: The service refuses or cannot be reached.
    """
    owners = {"user_id": talk.user_id, "agent_id": talk.agent_id}
    owner_fields: dict[str, Any] = {name: value for name, value in owners.items() if value is not None}
    start = 0
    while start < len(messages):
        sent = _batch(messages, start)
        request = AppendMessagesInput(conversation_id=talk.id, messages=sent, **owner_fields)
        answer = await client.append_messages(request, workspace_id=talk.workspace_id)
        if answer.skipped is not None:
            raise NotKept(f"{answer.skipped}: switch it on with updateWorkspace, or in the Studio's settings")
        for one in answer.capture.left_out if answer.capture else ():
            extent = "kept in part" if one.is_stored else "not kept"
            warnings.warn(
                f"message {start + one.place} of conversation {talk.id!r} is {extent}: {one.reason}",
                stacklevel=2,
            )
        start += len(sent)


def _batch(messages: Sequence[MessageInput], start: int) -> list[MessageInput]:
    """Return the messages of the next request, with characters that JSON cannot represent replaced."""
    sent: list[MessageInput] = []
    chars = 0
    for message in messages[start : start + _MOST_SENT]:
        content = message.content or ""
        chars += len(content)
        if sent and chars > _MOST_CHARS_SENT:
            break
        whole = content.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        sent.append(message.model_copy(update={"content": whole}))
    return sent


async def forget(client: RecollectClient, talk: Talk) -> None:
    """Delete the conversation with all messages; facts extracted from it stay.

    Raises:
        ApiError: The service refuses or cannot be reached.
    """
    await client.delete_conversation(talk.id, workspace_id=talk.workspace_id)
