"""Models of linking: input texts, recognised names, and origin of an edge."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from graph.core.models import Frozen
from graph.knowledge.ontology.models import Texts


class How(StrEnum):
    """Origin of a mention; all but ``MANUAL`` are recomputed when the text changes."""

    NAME = "name"
    ALIAS = "alias"
    RULE = "rule"
    MANUAL = "manual"


BY_ENTITIES = "entities"
"""Origin of an association that linking added for common mentions; others have no ``how``."""

AUTOMATIC = tuple(how.value for how in How if how is not How.MANUAL)


class LinkingSource(Frozen):
    """A memory as linking reads it.

    Attributes:
        version: Version of the text; the results are discarded if there is a newer one.
        speakers: Speakers of this turn and of its neighbours, including roles.
        is_turn: True for a turn of a conversation, which is connected with the others already.
    """

    workspace_id: str
    id: str
    version: int
    content: str
    speakers: tuple[str, ...] = ()
    is_turn: bool = False


class MentionEdge(Frozen):
    """A mention as it is stored.

    Attributes:
        how: None for an edge that something else than linking drew.
        surface: The name in the spelling of the memory.
    """

    memory_id: str
    entity_id: str
    how: How | None = None
    surface: str | None = None
    created_at: datetime | None = None


class NamedEntity(Frozen):
    """A live entity with the names it goes by.

    Attributes:
        name_keys: Its names as they are compared (see ``graph.knowledge.ontology.names.normalized``).
        by_hand: True if a person or a connection wrote it, rather than linking.
    """

    id: str
    type: str
    name: str
    aliases: Texts = ()
    name_keys: Texts = ()
    by_hand: bool = False


class Span(NamedTuple):
    """A stretch of a text that may be a name, and its normalised form."""

    start: int
    end: int
    key: str


class Recognised(NamedTuple):
    """Something a text names.

    Attributes:
        type: Of the entity it is worth; None where it is worth none, as a date is.
        aliases: Other names that the text gives it, such as the acronym in brackets behind it.
    """

    start: int
    end: int
    type: str | None
    name: str
    uri: str | None = None
    aliases: tuple[str, ...] = ()


class Told(NamedTuple):
    """A type, or None, and further names that a text gives a stored entity."""

    entity_id: str
    type: str | None
    aliases: tuple[str, ...]


class Mention(NamedTuple):
    """That a text names an entity, and how that was found out."""

    entity_id: str
    how: How
    surface: str


class SharedEntity(Frozen):
    """An entity that a memory mentions, and which other memories do.

    Attributes:
        mentioning: Number of memories with a mention, including this one, up to the reading limit.
        other_ids: Those of them that may be related to this one: live, of the same owner, no turns of a chat.
    """

    memory_id: str
    entity_id: str
    mentioning: int
    other_ids: tuple[str, ...]


class Relation(NamedTuple):
    """That two memories have to do with each other; ``strength`` lies in 0..1."""

    memory_id: str
    other_id: str
    strength: float
