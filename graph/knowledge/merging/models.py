"""Shapes of merges of entities."""

from datetime import datetime

from graph.core.models import Frozen
from graph.knowledge.ontology.models import Entity


class EntityMerge(Frozen):
    """A note of two entities that were found to be one.

    Attributes:
        from_id: The duplicate, which is out of sight since then.
        into_id: The entity that stands for both.
        from_name: The duplicate's name; None once it is deleted permanently, as ``into_name``.
        copied: How many edges of the duplicate that one took over.
        undone_at: When the duplicate became an entity of its own again.
    """

    id: str
    from_id: str
    into_id: str
    from_name: str | None = None
    into_name: str | None = None
    copied: int
    created_at: datetime
    undone_at: datetime | None = None


class AlikeEntities(Frozen):
    """Two entities that go by the same name but for blanks, hyphens and full stops.

    Both have one type, or linking made one of them or could not classify it.

    Attributes:
        entity: The one that somebody wrote, or else that is known longer.
        duplicate: The one that could be merged into it.
    """

    entity: Entity
    duplicate: Entity
