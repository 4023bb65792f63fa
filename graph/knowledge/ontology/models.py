"""Shapes of the ontology: the registry's types, entities, relations, and what callers hand in."""

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
"""A JSON object; Neo4j cannot store nested maps, so it is kept as JSON text."""
Texts = Annotated[tuple[str, ...], BeforeValidator(_absent_is_empty)]


class EntityType(Frozen):
    """A kind of entities; its name is also a label of theirs.

    Attributes:
        parent: Name of its supertype, whose schema applies to it as well.
        properties: JSON Schema (2020-12) of an entity's properties; an empty one admits any.
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
    """A kind of relations; its name is the type of their edges.

    Attributes:
        from_types: Types of entities it may lead from, with their subtypes; empty: any.
        to_types: Types of entities it may lead to, with their subtypes; empty: any.
        properties: JSON Schema (2020-12) of a relation's properties; an empty one admits any.
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
    """A type of entities as a caller hands it in; a field that was not set stays as it is."""

    name: str
    description: str | None = None
    parent: str | None = None
    properties: Mapping[str, Any] | None = None


class RelationTypeDraft(Frozen):
    """A type of relations as a caller hands it in; a field that was not set stays as it is."""

    name: str
    description: str | None = None
    from_types: tuple[str, ...] | None = None
    to_types: tuple[str, ...] | None = None
    properties: Mapping[str, Any] | None = None


class Entity(Frozen):
    """A thing that the workspace knows; stores its description and links to sources, but no documents.

    Attributes:
        key: Unique in the workspace: the caller's, or made of type and name (see ``names.entity_key``).
        uri: Address of its description or storage.
        connection_ids: The connections it came from; none for one that was written by hand.
        by_hand: False where only connections wrote it, or linking made it of a name in a memory.
        revision: Counts changes of the text that is embedded.
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
    """An entity as a caller hands it in; a field that was not set stays as it is, null empties it."""

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
        types: Names of types; their subtypes are included.
        name: A part of a name or an alias.
    """

    types: tuple[str, ...] = ()
    name: str | None = None
    connection_id: str | None = None


class Relation(Frozen):
    """An edge from one entity to another.

    Attributes:
        id: Says type and ends (see ``names.relation_id``).
        strength: 0..1.
        connection_ids: The connections it came from.
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
    """A relation as a caller hands it in; the ends are named by id or key.

    Attributes:
        strength: 0..1; None keeps what there is, 1 for a new one.
    """

    from_name: str
    to_name: str
    type: str
    strength: float | None = None
    properties: Mapping[str, Any] | None = None
    connection_id: str | None = None
