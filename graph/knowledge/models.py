"""Models of artifacts, connections, merges of entities, exchanged ontologies and walks through the graph."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import field_validator
from pydantic_core import from_json

from graph.core.models import Frozen
from graph.knowledge.ontology.models import Entity, EntityTypeDraft, RelationTypeDraft
from graph.memories.models import MemoryState


class ArtifactDraft(Frozen):
    """An artifact to add; omitted fields of a stored artifact with the same key stay unchanged."""

    name: str
    kind: str | None = None
    uri: str | None = None
    summary: str | None = None
    key: str | None = None
    metadata: Mapping[str, Any] | None = None
    session_id: str | None = None


class Artifact(Frozen):
    """An object that an agent made or refers to: its location and description, never its content.

    Attributes:
        key: Identity in a repeated add, unique in the workspace.
        kind: Kind, such as ``file`` or ``report``; lower case.
    """

    id: str
    workspace_id: str
    key: str
    name: str
    kind: str
    uri: str | None = None
    summary: str | None = None
    metadata: Mapping[str, Any] = {}
    session_id: str | None = None
    state: MemoryState
    failure: str | None = None
    created_at: datetime
    updated_at: datetime

    @field_validator("metadata", mode="before")
    @classmethod
    def _read_json(cls, value: object) -> object:
        return from_json(value) if isinstance(value, str) else value


class GraphConnection(Frozen):
    """The source of a part of the graph, such as an import or a connector."""

    id: str
    workspace_id: str
    name: str
    kind: str | None = None
    uri: str | None = None
    created_at: datetime
    updated_at: datetime


class ConnectionChange(Frozen):
    """New fields of a connection; an unset field stays unchanged, null clears it."""

    name: str | None = None
    kind: str | None = None
    uri: str | None = None


class EntityMerge(Frozen):
    """A merge of a duplicate into another entity.

    Attributes:
        from_id: The duplicate, hidden since the merge.
        into_id: The entity that represents both.
        from_name: Name of the duplicate; None after its permanent deletion. The same applies to ``into_name``.
        copied: Number of edges that the target took over.
        undone_at: Time of the undo, which made the duplicate a separate entity again.
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
    """Two entities whose names differ at most in spaces, hyphens and full stops.

    Both have the same type, or linking created one of them or could not classify it.

    Attributes:
        entity: The entity that somebody wrote, or else the older one.
        duplicate: The entity that could be merged into it.
    """

    entity: Entity
    duplicate: Entity


class Vocabulary(Frozen):
    """Types of entities and of relations."""

    entity_types: tuple[EntityTypeDraft, ...] = ()
    relation_types: tuple[RelationTypeDraft, ...] = ()


class TypeChanges(Frozen):
    """Names of the types of one kind that an import created, changed or left unchanged."""

    created: Sequence[str]
    updated: Sequence[str]
    unchanged: Sequence[str]


class ImportReport(Frozen):
    """Effect of an import, or its expected effect."""

    dry_run: bool
    entity_types: TypeChanges
    relation_types: TypeChanges


class Direction(StrEnum):
    """Direction in which a traversal follows edges, seen from the node that it leaves."""

    OUT = "OUT"
    IN = "IN"
    BOTH = "BOTH"


class NodeKind(StrEnum):
    """Kinds of nodes in a traversal; the names are their labels."""

    MEMORY = "Memory"
    ENTITY = "Entity"
    CONVERSATION = "Conversation"
    MESSAGE = "Message"
    EPISODE = "Episode"
    CONVERSATION_SUMMARY = "ConversationSummary"
    DOCUMENT = "Document"
    CHUNK = "Chunk"
    ARTIFACT = "Artifact"
    AGENT_ACTION = "AgentAction"
    AGENT_SEQUENCE = "AgentSequence"
    AGENT_PATTERN = "AgentPattern"


class FoundNode(Frozen):
    """A node as a traversal sees it.

    Attributes:
        id: Own id; for a message the global id, because its own is unique only within its conversation.
        type: Type of an entity or a memory.
        caption: Label in a drawing; longer texts are truncated to 80 characters.
    """

    id: str
    kind: NodeKind
    type: str | None
    caption: str | None


class FoundEdge(Frozen):
    """An edge between two nodes of one workspace; ``strength`` is between 0 and 1, or None."""

    type: str
    from_id: str
    to_id: str
    strength: float | None
    id: str | None


class Reached(Frozen):
    """A node of a subgraph; ``depth`` is the number of hops from the nearest start, 0 for a start."""

    node: FoundNode
    depth: int


class TraversalQuery(Frozen):
    """Parameters of a traversal.

    Attributes:
        start: Ids of 1 to 50 nodes, their own or global ones.
        types: Types of edges to follow; empty: any.
        depth: 1 to 5 hops.
        limit: Maximum number of nodes in addition to the starts, 1 to 1000.
        as_of: Moment of the graph: only nodes and edges that existed, and only memories that were true; None: now.
    """

    start: Sequence[str]
    types: Sequence[str] = ()
    direction: Direction = Direction.BOTH
    depth: int = 2
    limit: int = 100
    include_memories: bool = True
    as_of: datetime | None = None


class Subgraph(Frozen):
    """Reached nodes, nearest first, with the followed edges.

    Attributes:
        truncated: True if there are more nodes or edges within the depth.
    """

    nodes: Sequence[Reached]
    edges: Sequence[FoundEdge]
    truncated: bool


class Path(Frozen):
    """A path between two nodes: ``edges[i]`` joins ``nodes[i]`` and ``nodes[i + 1]``, in either direction.

    Attributes:
        cost: Sum of 1 - ln(strength) over its edges: a hop of full strength costs 1, a weaker one more.
    """

    nodes: Sequence[FoundNode]
    edges: Sequence[FoundEdge]
    cost: float


class Neighbour(Frozen):
    """A node beside another one, and the edge between them."""

    edge: FoundEdge
    node: FoundNode
