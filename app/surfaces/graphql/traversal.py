"""Traversal of the graph: any node by its id, subgraphs and paths."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, TypeVar

import strawberry
from strawberry.dataloader import DataLoader

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.conversations import Conversation, ConversationSummary, Message
from app.surfaces.graphql.documents import Artifact, Chunk, Document
from app.surfaces.graphql.entities import Entity
from app.surfaces.graphql.episodes import Episode
from app.surfaces.graphql.inputs import Shown, build, or_default, set_fields
from app.surfaces.graphql.loaders import Key
from app.surfaces.graphql.memories import Memory
from app.surfaces.graphql.nodes import GraphNode, Node
from graph.knowledge import models
from graph.knowledge.models import Direction, NodeKind
from graph.knowledge.traversal import GlobalId
from graph.tenancy.models import Scope

FoundT = TypeVar("FoundT")

strawberry.enum(Direction)
_DEFAULT_DEPTH = 4
_DEFAULT_PATHS = 5
_AS_OF = (
    "Time of the graph's state: only nodes and edges that existed then and still exist, and only memories that were "
    "valid then. Default: now."
)


async def read_node(info: Info, workspace_id: str, kind: NodeKind, id_: str) -> Node | None:
    """Return a node by kind and id; None if it does not exist, or if the kind has no GraphQL type."""
    loaders, key = info.context.loaders, Key(workspace_id, id_)
    readers: dict[NodeKind, Callable[[], Awaitable[Node | None]]] = {
        NodeKind.MEMORY: lambda: _read(loaders.memories, key, Memory.of),
        NodeKind.ENTITY: lambda: _read(loaders.entities, key, Entity.of),
        NodeKind.CONVERSATION: lambda: _read(loaders.conversations, key, Conversation.of),
        NodeKind.EPISODE: lambda: _read(loaders.episodes, key, Episode.of),
        NodeKind.CONVERSATION_SUMMARY: lambda: _read(loaders.handoffs_by_id, key, ConversationSummary.of),
        NodeKind.DOCUMENT: lambda: _read(loaders.documents, key, Document.of),
        NodeKind.CHUNK: lambda: _read(loaders.chunks, key, Chunk.of),
        NodeKind.ARTIFACT: lambda: _read(loaders.artifacts, key, Artifact.of),
    }
    return await readers[kind]() if kind in readers else None


async def _read_named(info: Info, named: GlobalId) -> Node | None:
    if named.kind is not NodeKind.MESSAGE:
        return await read_node(info, named.workspace_id, named.kind, named.id)
    message = await info.context.services.conversations.capture.find_message(
        named.workspace_id, named.id, conversation_id=named.conversation_id
    )
    return Message.of(message) if message else None


async def _read(
    loader: DataLoader[Key, FoundT | None], key: Key, of: Callable[[FoundT], Node]
) -> Node | None:
    found = await loader.load(key)
    return of(found) if found is not None else None


@strawberry.type
class GraphEdge(Shown[models.FoundEdge]):
    """An edge in the short form of traversals; only relations and associations have an ``id``."""

    id: strawberry.ID | None
    type: str
    from_id: strawberry.ID
    to_id: strawberry.ID
    strength: float | None


@strawberry.type
class Neighbour:
    """An adjacent node, and the edge to it."""

    edge: GraphEdge
    node: GraphNode

    @classmethod
    def of(cls, neighbour: models.Neighbour, workspace_id: str) -> "Neighbour":
        """Return the GraphQL form of a neighbour."""
        return cls(edge=GraphEdge.of(neighbour.edge), node=GraphNode.of(neighbour.node, workspace_id))


@strawberry.type
class SubgraphNode(GraphNode):
    """A node of a subgraph."""

    depth: int = strawberry.field(
        description="Number of hops from the nearest start node; 0 for a start node."
    )


@strawberry.type
class Subgraph:
    """The nodes that a traversal reached, the nearest first, and the edges between them."""

    nodes: list[SubgraphNode]
    edges: list[GraphEdge]
    truncated: bool = strawberry.field(description="True if the limit omitted nodes within the depth.")

    @classmethod
    def of(cls, subgraph: models.Subgraph, workspace_id: str) -> "Subgraph":
        """Return the GraphQL form of a subgraph."""
        nodes = [
            SubgraphNode(**vars(GraphNode.of(reached.node, workspace_id)), depth=reached.depth)
            for reached in subgraph.nodes
        ]
        edges = [GraphEdge.of(edge) for edge in subgraph.edges]
        return cls(nodes=nodes, edges=edges, truncated=subgraph.truncated)


@strawberry.type
class Path:
    """A path between two nodes: each edge joins the nodes at its index and the next, in either direction."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    length: int
    cost: float = strawberry.field(
        description="Sum of 1 - ln(strength) over the edges: an edge of strength 1 costs 1, a weaker one more."
    )

    @classmethod
    def of(cls, path: models.Path, workspace_id: str) -> "Path":
        """Return the GraphQL form of a path."""
        return cls(
            nodes=[GraphNode.of(node, workspace_id) for node in path.nodes],
            edges=[GraphEdge.of(edge) for edge in path.edges],
            length=len(path.edges),
            cost=path.cost,
        )


@strawberry.input
class TraverseInput:
    """Start of a traversal and edges to follow."""

    start: list[strawberry.ID] = strawberry.field(description="Start nodes of any kind, 1 to 50.")
    types: list[str] | None = strawberry.field(
        default=None, description="Types of edges to follow, relations and the system's own; omitted: all."
    )
    direction: Direction | None = Direction.BOTH
    depth: int | None = strawberry.field(default=2, description="Maximum number of hops, 1 to 5.")
    limit: int | None = strawberry.field(
        default=100, description="Maximum number of nodes besides the start nodes, 1 to 1000."
    )
    include_memories: bool | None = True
    as_of: datetime | None = strawberry.field(default=None, description=_AS_OF)


@strawberry.type
class TraversalQueries:
    """Queries that traverse the graph."""

    @strawberry.field
    async def node(
        self,
        info: Info,
        id: Annotated[
            strawberry.ID,
            strawberry.argument(description="A globalId, or an id in the key's workspace."),
        ],
    ) -> Node | None:
        """Any node by its id; null if there is none."""
        if named := GlobalId.parsed(id):
            await info.context.workspace(Scope.READ, named.workspace_id)
            return await _read_named(info, named)
        workspace = await info.context.workspace(Scope.READ, None)
        found = (await info.context.services.knowledge.traversal.find(workspace, [id])).get(id)
        if found is None:
            return None
        return await _read_named(info, GlobalId.parsed(found.id) or GlobalId(found.kind, workspace, found.id))

    @strawberry.field
    async def traverse(self, info: Info, input: TraverseInput, workspace_id: WorkspaceId = None) -> Subgraph:
        """Nodes around start nodes as a subgraph, the nearest first, following the strongest edges first."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        values = {name: value for name, value in set_fields(input).items() if value is not None}
        query = build(models.TraversalQuery, values)
        return Subgraph.of(
            await info.context.services.knowledge.traversal.traverse(workspace, query), workspace
        )

    @strawberry.field
    async def paths(
        self,
        info: Info,
        from_: Annotated[strawberry.ID, strawberry.argument(name="from")],
        to: strawberry.ID,
        max_depth: int | None = _DEFAULT_DEPTH,
        limit: int | None = _DEFAULT_PATHS,
        as_of: Annotated[datetime | None, strawberry.argument(description=_AS_OF)] = None,
        workspace_id: WorkspaceId = None,
    ) -> list[Path]:
        """Paths between two nodes along edges of either direction, the lowest cost first."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        found = await info.context.services.knowledge.traversal.paths(
            workspace,
            from_id=from_,
            to_id=to,
            max_depth=or_default(max_depth, _DEFAULT_DEPTH),
            limit=or_default(limit, _DEFAULT_PATHS),
            as_of=as_of,
        )
        return [Path.of(path, workspace) for path in found]
