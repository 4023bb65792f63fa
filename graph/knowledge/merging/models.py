"""Shapes of merges of entities."""

from datetime import datetime

from graph.core.models import Frozen


class EntityMerge(Frozen):
    """A note of two entities that were found to be one.

    Attributes:
        from_id: The duplicate, which is out of sight since then.
        into_id: The entity that stands for both.
        copied: How many edges of the duplicate that one took over.
        undone_at: When the duplicate became an entity of its own again.
    """

    id: str
    from_id: str
    into_id: str
    copied: int
    created_at: datetime
    undone_at: datetime | None = None
