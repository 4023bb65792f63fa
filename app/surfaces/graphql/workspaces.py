"""Workspaces: their GraphQL type, queries and mutations."""

from datetime import datetime
from typing import Annotated

import strawberry
from strawberry.scalars import JSON

from app.surfaces.graphql.context import Info
from app.surfaces.graphql.inputs import Shown, or_default
from app.surfaces.graphql.pages import DEFAULT_PAGE, Connection, connection_parts
from graph.core.errors import InvalidInput
from graph.tenancy import models
from graph.tenancy.models import Scope


@strawberry.type
class Workspace(Shown[models.Workspace]):
    """A tenant, whose contents are invisible to every other."""

    id: strawberry.ID
    name: str
    is_default: bool
    memory_enabled: bool
    settings: JSON
    created_at: datetime
    updated_at: datetime
    default_key_id: strawberry.ID = strawberry.field(
        description="Default API key of the workspace, which owns memories saved without a key."
    )

    @strawberry.field
    async def memory_count(self, info: Info) -> int:
        """Number of live memories."""
        return await info.context.services.memories.store.count(self.id)


@strawberry.type
class WorkspaceConnection(Connection[Workspace]):
    """A page of workspaces."""


@strawberry.input
class CreateWorkspaceInput:
    """A new workspace; its memory switch defaults to the deployment's setting, which is off by default."""

    name: str
    memory_enabled: bool | None = None


@strawberry.input
class UpdateWorkspaceInput:
    """Changes of a workspace; settings are merged, and null resets a setting to its default."""

    name: str | None = None
    memory_enabled: bool | None = None
    settings: JSON | None = None


@strawberry.type
class WorkspaceQueries:
    """Queries of workspaces."""

    @strawberry.field
    async def workspace(self, info: Info, id: strawberry.ID | None = None) -> Workspace | None:
        """One workspace, by default the key's; only an administrator may name another."""
        workspace_id = await info.context.workspace(Scope.READ, id)
        return Workspace.of(await info.context.services.tenancy.workspaces.get(workspace_id))

    @strawberry.field
    async def workspaces(
        self,
        info: Info,
        first: int | None = DEFAULT_PAGE,
        after: str | None = None,
        called: Annotated[
            str | None,
            strawberry.argument(description="Only workspaces with this id or exact name; omitted: all."),
        ] = None,
    ) -> WorkspaceConnection:
        """Workspaces that the caller may see: all for an administrator, otherwise the key's own."""
        await info.context.workspace(Scope.READ, None)
        page = await info.context.services.tenancy.workspaces.visible(
            info.context.principal, called=called, first=or_default(first, DEFAULT_PAGE), after=after
        )
        edges, page_info = connection_parts(page, Workspace.of, after)
        return WorkspaceConnection(edges=edges, page_info=page_info)


@strawberry.type
class WorkspaceMutations:
    """Mutations of workspaces; for administrators."""

    @strawberry.mutation
    async def create_workspace(self, info: Info, input: CreateWorkspaceInput) -> Workspace:
        """Create a workspace."""
        await info.context.workspace(Scope.ADMIN, None)
        made = await info.context.services.tenancy.workspaces.create(
            input.name, memory_enabled=input.memory_enabled, claims_name=True
        )
        return Workspace.of(made)

    @strawberry.mutation
    async def update_workspace(
        self, info: Info, input: UpdateWorkspaceInput, id: strawberry.ID | None = None
    ) -> Workspace:
        """Change a workspace's name, memory switch or settings.

        The switch alone requires the scope WRITE, everything else ADMIN.
        """
        workspaces = info.context.services.tenancy.workspaces
        if input.memory_enabled is not None and input.name is None and input.settings is None:
            workspace_id = await info.context.workspace(Scope.WRITE, id)
            return Workspace.of(await workspaces.switch_memory(workspace_id, is_on=input.memory_enabled))
        workspace_id = await info.context.workspace(Scope.ADMIN, id)
        if input.settings is not None and not isinstance(input.settings, dict):
            raise InvalidInput("settings", "settings must be a JSON object")
        changed = await workspaces.update(
            workspace_id, name=input.name, memory_enabled=input.memory_enabled, settings=input.settings
        )
        return Workspace.of(changed)

    @strawberry.mutation
    async def delete_workspace(self, info: Info, id: strawberry.ID, hard: bool | None = False) -> bool:
        """Close a workspace and keep its data, or with hard delete it permanently with all of its contents."""
        await info.context.workspace(Scope.ADMIN, None)
        return await info.context.services.tenancy.access.delete_workspace(id, hard=bool(hard))
