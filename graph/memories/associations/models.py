"""Models of associations between memories."""

from datetime import datetime
from enum import StrEnum

from graph.core.models import Frozen


class AssociationType(StrEnum):
    """Relation of the first memory to the second."""

    INVALIDATED_BY = "INVALIDATED_BY"
    DERIVED_FROM = "DERIVED_FROM"
    PREFERS_OVER = "PREFERS_OVER"
    EVOLVED_INTO = "EVOLVED_INTO"
    RELATES_TO = "RELATES_TO"
    LEADS_TO = "LEADS_TO"
    OCCURRED_BEFORE = "OCCURRED_BEFORE"
    EXEMPLIFIES = "EXEMPLIFIES"
    CONTRADICTS = "CONTRADICTS"
    REINFORCES = "REINFORCES"
    PART_OF = "PART_OF"


class Association(Frozen):
    """An edge from one memory to another; ``strength`` lies in 0..1."""

    id: str
    type: AssociationType
    strength: float
    created_at: datetime
    from_id: str
    to_id: str
