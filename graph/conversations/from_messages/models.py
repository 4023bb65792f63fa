"""Shapes of what a person asks to be remembered."""

from pydantic import BaseModel, ConfigDict


class MessageToRemember(BaseModel):
    """A message to make a memory of (A22): its id, its text, or both.

    Attributes:
        message_id: Becomes the memory's source; where ``content`` is not given, the text is the stored message's.
        conversation_id: Tells messages of the same id apart.
        synthesize: Whether a language model states what is worth knowing of it (A23).
        api_key_id: The key that asks.
    """

    model_config = ConfigDict(frozen=True)

    message_id: str | None = None
    conversation_id: str | None = None
    content: str | None = None
    category: str | None = None
    synthesize: bool = False
    api_key_id: str | None = None
