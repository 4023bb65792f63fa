"""Models of episodes, and their prompt block."""

from collections.abc import Sequence
from datetime import datetime

from graph.core.models import Frozen
from graph.core.text.prompts import as_data
from graph.memories.models import MemoryState


class Episode(Frozen):
    """A summary of old messages of a conversation.

    Attributes:
        summary: One paragraph in the third person.
        model: Language model that wrote the summary; None: the rules wrote it.
        source_message_ids: Ids of the summarised messages, which are deleted unless the workspace keeps them.
        turn_count: Number of summarised messages.
        state: Progress of the embedding.
    """

    id: str
    workspace_id: str
    conversation_id: str
    summary: str
    model: str | None = None
    source_message_ids: Sequence[str]
    turn_count: int
    is_deleted: bool
    state: MemoryState
    created_at: datetime


class Consolidation(Frozen):
    """The result of consolidating a conversation.

    Attributes:
        episode: The new episode; None if nothing changed.
        notice: Reason why nothing changed; None if there is an episode.
    """

    episode: Episode | None = None
    notice: str | None = None


MOST_LISTED = 5


def episode_block(latest: Sequence[Episode]) -> str:
    """Return the prompt block of a conversation's episodes, the oldest first; empty without episodes.

    Args:
        latest: Episodes, the newest first; the first five are used.
    """
    lines = [
        f"- ({each.turn_count} turns) {as_data(each.summary)}" for each in reversed(latest[:MOST_LISTED])
    ]
    return "\n".join(["Earlier conversation summaries (most recent last):", *lines]) if lines else ""
