"""Shapes of episodes."""

from collections.abc import Sequence
from datetime import datetime

from graph.core.models import Frozen
from graph.memories.models import MemoryState


class Episode(Frozen):
    """What is left of old turns of a conversation.

    Attributes:
        summary: One paragraph in the third person.
        model: The language model that wrote it; None where it is put together by rules.
        fallback: Why no language model wrote it, though one was asked.
        source_message_ids: What the turns were called; they are gone.
        state: How far it has come to be found by meaning.
    """

    id: str
    workspace_id: str
    conversation_id: str
    summary: str
    model: str | None = None
    fallback: str | None = None
    source_message_ids: Sequence[str]
    turn_count: int
    is_deleted: bool
    state: MemoryState
    created_at: datetime
