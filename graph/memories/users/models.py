"""Shapes of the users of a workspace."""

from datetime import datetime

from graph.core.models import Frozen


class User(Frozen):
    """Somebody to whom memories, conversations or runs of a workspace belong.

    Attributes:
        id: Id from the saves.
        memories: Number of memories, including expired ones.
        conversations: Number of conversations.
        runs: Number of runs.
        since: When the oldest of them was made.
        last_used_at: When one of them was recalled, changed, said or gone on with last; None where nobody knows.
    """

    id: str
    memories: int
    conversations: int
    runs: int
    since: datetime | None
    last_used_at: datetime | None
