"""Models of the ontology: types, entities, relations, and drafts of these from callers."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, Field
from pydantic_core import from_json

from graph.core.models import Frozen
from graph.memories.models import MemoryState


def _read_json(value: object) -> object:
    return from_json(value) if isinstance(value, str) else value


def _absent_is_empty(value: object) -> object:
    return () if value is None else value


JsonObject = Annotated[Mapping[str, Any], BeforeValidator(_read_json)]
"""A JSON object; stored as JSON text, because Neo4j cannot store nested maps."""
Texts = Annotated[tuple[str, ...], BeforeValidator(_absent_is_empty)]


class EntityType(Frozen):
    """A type of entities; its name is also a label of their nodes.

    Attributes:
        parent: Name of its supertype, whose schema applies to it as well.
        properties: JSON Schema (2020-12) of an entity's properties; an empty schema allows any.
    """

    id: str
    workspace_id: str
    name: str
    description: str | None = None
    parent: str | None = None
    properties: JsonObject
    created_at: datetime
    updated_at: datetime


class RelationType(Frozen):
    """A type of relations; its name is the type of their edges.

    Attributes:
        from_types: Allowed entity types of the start, with their subtypes; empty: any.
        to_types: Allowed entity types of the end, with their subtypes; empty: any.
        properties: JSON Schema (2020-12) of a relation's properties; an empty schema allows any.
    """

    id: str
    workspace_id: str
    name: str
    description: str | None = None
    from_types: Texts = ()
    to_types: Texts = ()
    properties: JsonObject
    created_at: datetime
    updated_at: datetime


class EntityTypeDraft(Frozen):
    """A submitted entity type; an unset field keeps its stored value."""

    name: str
    description: str | None = None
    parent: str | None = None
    properties: Mapping[str, Any] | None = None


class RelationTypeDraft(Frozen):
    """A submitted relation type; an unset field keeps its stored value."""

    name: str
    description: str | None = None
    from_types: tuple[str, ...] | None = None
    to_types: tuple[str, ...] | None = None
    properties: Mapping[str, Any] | None = None


class Entity(Frozen):
    """A thing that the workspace knows; stores its description and links to sources, but no documents.

    Attributes:
        key: Unique key in the workspace: the caller's, or derived from type and name (see ``names.entity_key``).
        uri: Address of its description or storage.
        connection_ids: Connections that wrote it; empty if only people or linking did.
        by_hand: True if a person wrote it; False if only connections or linking did.
        revision: Number of changes of the embedded text.
    """

    id: str
    workspace_id: str
    key: str
    type: str
    name: str
    aliases: Texts = ()
    description: str | None = None
    summary: str | None = None
    properties: JsonObject = Field(default_factory=dict)
    uri: str | None = None
    connection_ids: Texts = ()
    by_hand: bool = True
    state: MemoryState
    revision: int = 1
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None


class EntityDraft(Frozen):
    """A submitted entity; an unset field keeps its stored value, null clears it."""

    type: str
    name: str
    id: str | None = None
    key: str | None = None
    aliases: tuple[str, ...] | None = None
    description: str | None = None
    summary: str | None = None
    properties: Mapping[str, Any] | None = None
    uri: str | None = None
    connection_id: str | None = None


class EntityFilter(Frozen):
    """Filter of an entity list; empty fields match everything.

    Attributes:
        types: Names of types; includes their subtypes.
        name: Part of a name or alias.
    """

    types: tuple[str, ...] = ()
    name: str | None = None
    connection_id: str | None = None


class Relation(Frozen):
    """An edge from one entity to another.

    Attributes:
        id: Id, composed of type and ends (see ``names.relation_id``).
        strength: Strength, 0 to 1.
        connection_ids: Connections that wrote it.
    """

    id: str
    type: str
    from_id: str
    to_id: str
    strength: float
    properties: JsonObject = Field(default_factory=dict)
    connection_ids: Texts = ()
    created_at: datetime
    updated_at: datetime


class RelationDraft(Frozen):
    """A submitted relation; its ends are ids or keys.

    Attributes:
        strength: Strength, 0 to 1; None keeps the stored value, and means 1 for a new relation.
    """

    from_name: str
    to_name: str
    type: str
    strength: float | None = None
    properties: Mapping[str, Any] | None = None
    connection_id: str | None = None
