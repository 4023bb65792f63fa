"""What was said in a conversation, and saying more, for the histories of other libraries."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from .generated import AppendMessagesInput, MessageFields, MessageInput, RecollectClient

_PAGE = 100
"""How many messages one request reads."""
_MOST_SENT = 1000
"""How many messages one request writes."""
_MOST_CHARS_SENT = 1_000_000
"""How much text one request writes, unless one message alone has more; the service bounds its bodies."""


class NotKept(Exception):
    """Raised when a workspace keeps nothing of what is said, since its memory is off."""


@dataclass(frozen=True)
class Talk:
    """Which conversation it is.

    Attributes:
        id: Of the caller's choice; a conversation begins with its first message.
        workspace_id: Where it is kept; None: the workspace of the key.
        user_id: Whose a new one is; None: that of the key, or everybody's. ``agent_id`` likewise.
    """

    id: str
    workspace_id: str | None = None
    user_id: str | None = None
    agent_id: str | None = None


async def said(client: RecollectClient, talk: Talk) -> list[MessageFields]:
    """Return what was said, in its order; nothing where there is no such conversation.

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


async def said_last(
    client: RecollectClient, talk: Talk, is_enough: Callable[[Sequence[MessageFields]], bool]
) -> list[MessageFields]:
    """Return the end of what was said, in its order: page by page from the last message back until it is enough.

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
    """Add messages, each of which has an id, behind what was said; those whose ids are known are not added again.

    A message that has no text or seems to hold a credential is left out, and of one that is too long the beginning and
    the end are kept; a warning says so.

    Raises:
        NotKept: The memory of the workspace is off.
        ApiError: The service refuses or cannot be reached.
    """
    owners = {"user_id": talk.user_id, "agent_id": talk.agent_id}
    given: dict[str, Any] = {name: value for name, value in owners.items() if value is not None}
    start = 0
    while start < len(messages):
        sent = _batch(messages, start)
        asked = AppendMessagesInput(conversation_id=talk.id, messages=sent, **given)
        answer = await client.append_messages(asked, workspace_id=talk.workspace_id)
        if answer.skipped is not None:
            raise NotKept(f"{answer.skipped}: switch it on with updateWorkspace, or in the Studio's settings")
        for one in answer.capture.left_out if answer.capture else ():
            kept = "kept in part" if one.is_stored else "not kept"
            warnings.warn(
                f"message {start + one.place} of conversation {talk.id!r} is {kept}: {one.reason}",
                stacklevel=2,
            )
        start += len(sent)


def _batch(messages: Sequence[MessageInput], start: int) -> list[MessageInput]:
    """Return the messages of the next request, in characters that JSON can hold."""
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
    """Delete the conversation with all that was said; what was learnt from it stays.

    Raises:
        ApiError: The service refuses or cannot be reached.
    """
    await client.delete_conversation(talk.id, workspace_id=talk.workspace_id)
