"""The interface of all nodes of the graph, and their short form in traversals."""

from typing import TYPE_CHECKING, Annotated, Optional

import strawberry

from app.surfaces.graphql.context import Info
from app.surfaces.graphql.inputs import made_of, or_default
from app.surfaces.graphql.loaders import Key
from graph.knowledge import models
from graph.knowledge.models import NodeKind
from graph.knowledge.traversal import GlobalId

if TYPE_CHECKING:
    from app.surfaces.graphql.traversal import Neighbour

strawberry.enum(NodeKind)
DEFAULT_NEIGHBOURS = 10


@strawberry.interface
class Node:
    """A node of the graph."""

    id: strawberry.ID
    workspace_id: strawberry.ID

    @strawberry.field
    def global_id(self) -> strawberry.ID:
        """Id among the nodes of all workspaces, for the query `node`."""
        return strawberry.ID(str(GlobalId(NodeKind(type(self).__name__), self.workspace_id, self.id)))

    @strawberry.field
    async def neighbours(
        self, info: Info, first: int | None = DEFAULT_NEIGHBOURS
    ) -> list[Annotated["Neighbour", strawberry.lazy("app.surfaces.graphql.traversal")]]:
        """Direct neighbours, the strongest edges first; at most 100."""
        from app.surfaces.graphql.traversal import Neighbour  # noqa: PLC0415 - neighbours are nodes

        key = Key(self.workspace_id, self.id, or_default(first, DEFAULT_NEIGHBOURS))
        found = await info.context.loaders.neighbours.load(key) or ()
        return [Neighbour.of(neighbour, self.workspace_id) for neighbour in found]


@strawberry.type
class GraphNode:
    """A node in the short form of traversals and drawings."""

    node_id: strawberry.ID = strawberry.field(description="Id of the node.")
    kind: NodeKind
    type: str | None = strawberry.field(description="Type of an entity or a memory; null for other kinds.")
    caption: str | None = strawberry.field(
        description="Label for a drawing: the name or title, or the first 80 characters of the text."
    )
    workspace_id: strawberry.Private[str]

    @strawberry.field
    async def node(self, info: Info) -> Optional["Node"]:
        """Complete node; null for a kind without a type of its own, and if deleted."""
        from app.surfaces.graphql.traversal import read_node  # noqa: PLC0415 - reads types that are nodes themselves

        return await read_node(info, self.workspace_id, self.kind, self.node_id)

    @classmethod
    def of(cls, found: models.FoundNode, workspace_id: str) -> "GraphNode":
        """Return the GraphQL form of a node that a traversal found."""
        return made_of(cls, found, node_id=found.id, workspace_id=workspace_id)
