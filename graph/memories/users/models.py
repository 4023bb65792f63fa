"""Models of the users of a workspace."""

from datetime import datetime

from graph.core.models import Frozen


class User(Frozen):
    """An owner of memories, conversations or runs of a workspace.

    Attributes:
        id: User id that the saves named.
        memories: Number of memories, including expired ones.
        deleted_memories: Number of deleted memories that are still stored and can be restored.
        conversations: Number of conversations.
        runs: Number of runs.
        since: Creation time of the oldest of them.
        last_used_at: Latest recall or change of a memory, message of a conversation or step of a run; None: unknown.
    """

    id: str
    memories: int
    deleted_memories: int
    conversations: int
    runs: int
    since: datetime | None
    last_used_at: datetime | None
