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
        version: Version of the text; linking discards its results if there is a newer one.
        speakers: Speakers of this turn and of its neighbours, including roles.
        is_turn: True for a turn of a conversation, which its conversation already connects with other turns.
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
        how: Origin of the edge; None if linking did not create it.
        surface: The name in the spelling of the memory.
    """

    memory_id: str
    entity_id: str
    how: How | None = None
    surface: str | None = None
    created_at: datetime | None = None


class NamedEntity(Frozen):
    """A live entity with its names.

    Attributes:
        name_keys: Its normalised names (see ``graph.knowledge.ontology.names.normalized``).
        by_hand: True if a person or a connection wrote it, not linking.
    """

    id: str
    type: str
    name: str
    aliases: Texts = ()
    name_keys: Texts = ()
    by_hand: bool = False


class TextSpan(NamedTuple):
    """A part of a text that may be a name, and its normalised form."""

    start: int
    end: int
    key: str


class Recognised(NamedTuple):
    """A name that rules recognised in a text.

    Attributes:
        type: Type of its entity; None if it gets no entity, such as a date.
        aliases: Other names in the text, such as the acronym in brackets after it.
    """

    start: int
    end: int
    type: str | None
    name: str
    uri: str | None = None
    aliases: tuple[str, ...] = ()


class EntityNews(NamedTuple):
    """News of a stored entity from a text: its type, or None, and additional names."""

    entity_id: str
    type: str | None
    aliases: tuple[str, ...]


class Mention(NamedTuple):
    """A mention of an entity in a text, with its origin."""

    entity_id: str
    how: How
    surface: str


class SharedEntity(Frozen):
    """An entity that a memory mentions, with other memories that mention it.

    Attributes:
        mentioning: Number of memories with a mention, including this one, up to the reading limit.
        other_ids: Memories that may be related to this one: live, of the same owner, not turns of a conversation.
    """

    memory_id: str
    entity_id: str
    mentioning: int
    other_ids: tuple[str, ...]


class MemoryRelation(NamedTuple):
    """A relation between two memories; ``strength`` is between 0 and 1."""

    memory_id: str
    other_id: str
    strength: float
