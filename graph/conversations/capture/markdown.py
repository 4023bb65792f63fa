"""A conversation as people read it."""

from collections.abc import Iterable

from graph.conversations.capture.models import Message


def markdown(messages: Iterable[Message]) -> str:
    r"""Return the messages as Markdown: a heading that names the speaker, then what was said.

    >>> from datetime import datetime
    >>> message = Message(id="1", workspace_id="w", conversation_id="c", created_at=datetime(2026, 1, 1))
    >>> markdown([message.model_copy(update={"speaker": "Ada", "content": "Hello"})])
    '### Ada\n\nHello'
    """
    return "\n\n".join(f"### {_speaker(message)}\n\n{message.content or ''}" for message in messages)


def _speaker(message: Message) -> str:
    return message.speaker or (message.role.capitalize() if message.role else "Unknown")
