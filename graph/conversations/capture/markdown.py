"""A conversation as people read it, and as the Studio's import reads it again."""

import re
from collections.abc import Iterable
from typing import Final

from graph.conversations.capture.models import Message, MessageRole

_LIKE_A_SPEAKER: Final = re.compile(r"^(?=\\*###[ \t])", re.MULTILINE)


def markdown(messages: Iterable[Message]) -> str:
    r"""Return the messages as Markdown: a heading with the speaker, then the text.

    A line of a message that looks like such a heading gets a backslash, as does one that begins with backslashes and
    then looks like one: taking one away gives the message back.

    >>> from datetime import datetime
    >>> message = Message(id="1", workspace_id="w", conversation_id="c", created_at=datetime(2026, 1, 1))
    >>> markdown([message.model_copy(update={"speaker": "Ada", "content": "Hello"})])
    '### Ada\n\nHello'
    >>> markdown([message.model_copy(update={"role": "assistant", "content": "### Bob\n## Step 1"})])
    '### Assistant\n\n\\### Bob\n## Step 1'
    """
    return "\n\n".join(f"### {_speaker(message)}\n\n{_content(message)}" for message in messages)


def _content(message: Message) -> str:
    return _LIKE_A_SPEAKER.sub(r"\\", message.content or "")


def _speaker(message: Message) -> str:
    """Return a name in one line, with the role where it has one that is not a user's."""
    role = message.role.capitalize() if message.role else "Unknown"
    if message.speaker is None:
        return role
    name = " ".join(message.speaker.split())
    is_user = message.role in (None, MessageRole.USER) or name.casefold() == message.role
    return name if is_user else f"{name} ({message.role})"
