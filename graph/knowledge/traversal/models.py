"""Models of traversal: start, rules and result."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from graph.core.models import Frozen


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
