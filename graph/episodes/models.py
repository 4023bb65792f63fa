"""Shapes of episodes."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from graph.memories.models import MemoryState


class Episode(BaseModel):
    """What is left of old turns of a conversation (F1).

    Attributes:
        summary: One paragraph in the third person.
        source_message_ids: What the turns were called; they are gone.
        state: How far it has come to be found by meaning.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    workspace_id: str
    conversation_id: str
    summary: str
    source_message_ids: Sequence[str]
    turn_count: int
    is_deleted: bool
    state: MemoryState
    created_at: datetime
