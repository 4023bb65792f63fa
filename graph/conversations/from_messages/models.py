"""Models of memories from messages."""

from graph.core.models import Frozen


class MessageToRemember(Frozen):
    """A message to save as a memory: its id, its text, or both.

    Attributes:
        message_id: Source of the memory; without ``content``, the stored message provides the text.
        conversation_id: Conversation of the message, if several have a message with this id.
        content: Text of the memory; None: the stored message's text.
        category: Category of the memory.
        synthesize: Whether a language model restates the text.
        api_key_id: API key of the request.
    """

    message_id: str | None = None
    conversation_id: str | None = None
    content: str | None = None
    category: str | None = None
    synthesize: bool = False
    api_key_id: str | None = None
