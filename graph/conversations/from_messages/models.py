"""Models of remembering a message."""

from graph.core.models import Frozen


class MessageToRemember(Frozen):
    """A message to make a memory of: its id, its text, or both.

    Attributes:
        message_id: Becomes the memory's source; where ``content`` is not given, the text is the stored message's.
        conversation_id: Tells messages of the same id apart.
        synthesize: Let a language model state the memorable facts.
        api_key_id: The key that asks.
    """

    message_id: str | None = None
    conversation_id: str | None = None
    content: str | None = None
    category: str | None = None
    synthesize: bool = False
    api_key_id: str | None = None
