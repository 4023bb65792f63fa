"""The typed functions over ``cypher/tenancy/workspaces``. The header of each file documents it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one, fetch_optional
from graph.tenancy.workspaces.models import Workspace


class ArchiveWorkspaceRow(Row):
    id: str


async def archive_workspace(
    runner: Runner, *, workspace_id: str, now: datetime
) -> ArchiveWorkspaceRow | None:
    return await fetch_optional(
        runner, load("archive_workspace"), ArchiveWorkspaceRow, {"workspace_id": workspace_id, "now": now}
    )


class CreateWorkspaceRow(Row):
    workspace: Workspace


async def create_workspace(
    runner: Runner, *, workspace_id: str, name: str, settings: str, memory_enabled: bool, now: datetime
) -> CreateWorkspaceRow:
    return await fetch_one(
        runner,
        load("create_workspace"),
        CreateWorkspaceRow,
        {
            "workspace_id": workspace_id,
            "name": name,
            "settings": settings,
            "memory_enabled": memory_enabled,
            "now": now,
        },
    )


class DeleteWorkspaceRow(Row):
    id: str


async def delete_workspace(runner: Runner, *, workspace_id: str) -> DeleteWorkspaceRow | None:
    return await fetch_optional(
        runner, load("delete_workspace"), DeleteWorkspaceRow, {"workspace_id": workspace_id}
    )


class DeleteWorkspaceNodesRow(Row):
    deleted: int


async def delete_workspace_nodes(runner: Runner, *, workspace_id: str, limit: int) -> DeleteWorkspaceNodesRow:
    return await fetch_one(
        runner,
        load("delete_workspace_nodes"),
        DeleteWorkspaceNodesRow,
        {"workspace_id": workspace_id, "limit": limit},
    )


class EnsureDefaultWorkspaceRow(Row):
    workspace: Workspace


async def ensure_default_workspace(runner: Runner, *, id: str, now: datetime) -> EnsureDefaultWorkspaceRow:
    return await fetch_one(
        runner, load("ensure_default_workspace"), EnsureDefaultWorkspaceRow, {"id": id, "now": now}
    )


class FindWorkspaceRow(Row):
    workspace: Workspace


async def find_workspace(runner: Runner, *, workspace_id: str) -> FindWorkspaceRow | None:
    return await fetch_optional(
        runner, load("find_workspace"), FindWorkspaceRow, {"workspace_id": workspace_id}
    )


class FindWorkspaceNamedRow(Row):
    id: str


async def find_workspace_named(runner: Runner, *, name: str, except_id: str) -> FindWorkspaceNamedRow | None:
    return await fetch_optional(
        runner, load("find_workspace_named"), FindWorkspaceNamedRow, {"name": name, "except_id": except_id}
    )


class ListWorkspacesRow(Row):
    workspace: Workspace


async def list_workspaces(
    runner: Runner, *, after_created: datetime | None, after_id: str | None, limit: int
) -> list[ListWorkspacesRow]:
    return await fetch_many(
        runner,
        load("list_workspaces"),
        ListWorkspacesRow,
        {"after_created": after_created, "after_id": after_id, "limit": limit},
    )


async def lock_workspace_names(runner: Runner, *, now: datetime) -> None:
    await execute(runner, load("lock_workspace_names"), {"now": now})


class UpdateWorkspaceRow(Row):
    workspace: Workspace


async def update_workspace(
    runner: Runner, *, workspace_id: str, properties: Mapping[str, Any], now: datetime
) -> UpdateWorkspaceRow | None:
    return await fetch_optional(
        runner,
        load("update_workspace"),
        UpdateWorkspaceRow,
        {"workspace_id": workspace_id, "properties": properties, "now": now},
    )
