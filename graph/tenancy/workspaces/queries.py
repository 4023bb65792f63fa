"""The typed functions over ``cypher/tenancy/workspaces``. The header of each file documents it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.tenancy.workspaces.models import Workspace


class ArchiveWorkspaceRow(Row):
    id: str


@query
async def archive_workspace(
    runner: Runner, *, workspace_id: str, now: datetime
) -> ArchiveWorkspaceRow | None: ...


class CreateWorkspaceRow(Row):
    workspace: Workspace


@query
async def create_workspace(
    runner: Runner, *, workspace_id: str, name: str, settings: str, memory_enabled: bool, now: datetime
) -> CreateWorkspaceRow: ...


class DeleteWorkspaceRow(Row):
    id: str


@query
async def delete_workspace(runner: Runner, *, workspace_id: str) -> DeleteWorkspaceRow | None: ...


class DeleteWorkspaceNodesRow(Row):
    deleted: int


@query
async def delete_workspace_nodes(
    runner: Runner, *, workspace_id: str, limit: int
) -> DeleteWorkspaceNodesRow: ...


class EnsureDefaultWorkspaceRow(Row):
    workspace: Workspace


@query
async def ensure_default_workspace(
    runner: Runner, *, id: str, now: datetime
) -> EnsureDefaultWorkspaceRow: ...


class FindWorkspaceRow(Row):
    workspace: Workspace


@query
async def find_workspace(runner: Runner, *, workspace_id: str) -> FindWorkspaceRow | None: ...


class FindWorkspaceNamedRow(Row):
    id: str


@query
async def find_workspace_named(
    runner: Runner, *, name: str, except_id: str
) -> FindWorkspaceNamedRow | None: ...


class ListWorkspacesRow(Row):
    workspace: Workspace


@query
async def list_workspaces(
    runner: Runner, *, after_created: datetime | None, after_id: str | None, limit: int
) -> list[ListWorkspacesRow]: ...


@query
async def lock_workspace_names(runner: Runner, *, now: datetime) -> None: ...


class UpdateWorkspaceRow(Row):
    workspace: Workspace


@query
async def update_workspace(
    runner: Runner, *, workspace_id: str, properties: Mapping[str, Any], now: datetime
) -> UpdateWorkspaceRow | None: ...
