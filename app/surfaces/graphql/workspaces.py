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
    """A tenant; the contents of one are invisible to every other."""

    id: strawberry.ID
    name: str
    is_default: bool
    memory_enabled: bool
    settings: JSON
    created_at: datetime
    updated_at: datetime
    default_key_id: strawberry.ID = strawberry.field(
        description="Its first API key, which owns the memories that no key saved."
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
    """A new workspace; its memory toggle defaults to the deployment's setting, which is off by default."""

    name: str
    memory_enabled: bool | None = None


@strawberry.input
class UpdateWorkspaceInput:
    """Changes; the service merges settings, and null resets one to its default."""

    name: str | None = None
    memory_enabled: bool | None = None
    settings: JSON | None = None


@strawberry.type
class WorkspaceQueries:
    """Reading workspaces."""

    @strawberry.field
    async def workspace(self, info: Info, id: strawberry.ID | None = None) -> Workspace | None:
        """One workspace: the key's own unless an administrator names another."""
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
        """All workspaces for an administrator, the key's own for anybody else."""
        await info.context.workspace(Scope.READ, None)
        page = await info.context.services.tenancy.workspaces.visible(
            info.context.principal, called=called, first=or_default(first, DEFAULT_PAGE), after=after
        )
        edges, page_info = connection_parts(page, Workspace.of, after)
        return WorkspaceConnection(edges=edges, page_info=page_info)


@strawberry.type
class WorkspaceMutations:
    """Writing workspaces; for administrators."""

    @strawberry.mutation
    async def create_workspace(self, info: Info, input: CreateWorkspaceInput) -> Workspace:
        """Make a workspace."""
        await info.context.workspace(Scope.ADMIN, None)
        made = await info.context.services.tenancy.workspaces.create(
            input.name, memory_enabled=input.memory_enabled, claims_name=True
        )
        return Workspace.of(made)

    @strawberry.mutation
    async def update_workspace(
        self, info: Info, input: UpdateWorkspaceInput, id: strawberry.ID | None = None
    ) -> Workspace:
        """Change a workspace's name, memory toggle or settings.

        The toggle alone needs no more than a key that may write; everything else an administrator's.
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
        """Delete a workspace: softly, or with every layer of it permanently."""
        await info.context.workspace(Scope.ADMIN, None)
        return await info.context.services.tenancy.access.delete_workspace(id, hard=bool(hard))
