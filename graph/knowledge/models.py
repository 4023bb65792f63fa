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
    """Something an agent made or refers to: its location and description, never its content.

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


class Vocabulary(Frozen):
    """Types of entities and of relations."""

    entity_types: tuple[EntityTypeDraft, ...] = ()
    relation_types: tuple[RelationTypeDraft, ...] = ()


class TypeChanges(Frozen):
    """The types of one kind that an import created, changed and left as they were, by name."""

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
        id: Its own; of a message, whose own is unique within its conversation, the global one.
        type: Of an entity, or of a memory.
        caption: Label in a drawing, at most 80 characters of a longer text.
    """

    id: str
    kind: NodeKind
    type: str | None
    caption: str | None


class FoundEdge(Frozen):
    """An edge between two nodes of one workspace; ``strength`` is 0..1, None for edges that have none."""

    type: str
    from_id: str
    to_id: str
    strength: float | None
    id: str | None


class Reached(Frozen):
    """A node of a subgraph; ``depth`` is how many hops it lies from the nearest start, 0 for a start itself."""

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
        truncated: Whether there are more nodes or edges within the depth.
    """

    nodes: Sequence[Reached]
    edges: Sequence[FoundEdge]
    truncated: bool


class Path(Frozen):
    """A path between two nodes: ``edges[i]`` joins ``nodes[i]`` and ``nodes[i + 1]``, in either direction.

    Attributes:
        cost: The sum over its edges of 1 - ln(strength): a hop costs 1, a weak one more.
    """

    nodes: Sequence[FoundNode]
    edges: Sequence[FoundEdge]
    cost: float


class Neighbour(Frozen):
    """A node beside another one, and the edge between them."""

    edge: FoundEdge
    node: FoundNode
