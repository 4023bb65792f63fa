"""Connections: the sources of the graph's nodes and edges."""

from datetime import datetime

import strawberry

from app.surfaces.graphql.context import Info, WorkspaceId
from app.surfaces.graphql.inputs import Shown, build, or_default, set_fields
from app.surfaces.graphql.loaders import Key
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.knowledge import models
from graph.tenancy.models import Scope


@strawberry.type
class GraphConnection(Shown[models.GraphConnection]):
    """The source of a part of the graph, such as an import or a connector."""

    id: strawberry.ID
    name: str
    kind: str | None
    uri: str | None = strawberry.field(description="Location of the source.")
    created_at: datetime
    updated_at: datetime
    workspace_id: strawberry.Private[str]

    @strawberry.field
    async def entity_count(self, info: Info) -> int:
        """Number of live entities from this connection."""
        return await info.context.loaders.connection_counts.load(Key(self.workspace_id, self.id)) or 0


@strawberry.type
class GraphConnectionPage(Connection[GraphConnection]):
    """A page of connections, by id."""


@strawberry.input
class ConnectionInput:
    """Fields of a connection; omitted ones keep their values."""

    id: strawberry.ID = strawberry.field(
        description="Caller's own id, at most 128 characters; entities and relations refer to it."
    )
    name: str | None = strawberry.UNSET
    kind: str | None = strawberry.UNSET
    uri: str | None = strawberry.UNSET


@strawberry.type
class ConnectionQueries:
    """Queries of connections."""

    @strawberry.field
    async def connections(
        self,
        info: Info,
        workspace_id: WorkspaceId = None,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
    ) -> GraphConnectionPage:
        """A page of connections, by id."""
        workspace = await info.context.workspace(Scope.READ, workspace_id)
        size = or_default(first, DEFAULT_PAGE)
        page = await info.context.services.knowledge.connections.page(workspace, first=size, after=after)
        edges, page_info = connection_parts(page, GraphConnection.of, after)
        return GraphConnectionPage(edges=edges, page_info=page_info)


@strawberry.type
class ConnectionMutations:
    """Mutations of connections."""

    @strawberry.mutation
    async def upsert_connection(
        self, info: Info, input: ConnectionInput, workspace_id: WorkspaceId = None
    ) -> GraphConnection:
        """Create a connection, or update the connection with this id."""
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        fields = set_fields(input)
        id_ = fields.pop("id")
        change = build(models.ConnectionChange, fields)
        written = await info.context.services.knowledge.connections.upsert(workspace, id_, change)
        return GraphConnection.of(written)

    @strawberry.mutation
    async def delete_connection(self, info: Info, id: strawberry.ID, workspace_id: WorkspaceId = None) -> int:
        """Delete a connection, and permanently the entities, relations and documents from it alone.

        Returns the number of deleted entities, relations and documents.
        """
        workspace = await info.context.workspace(Scope.WRITE, workspace_id)
        return await info.context.services.knowledge.connections.delete(workspace, id)
