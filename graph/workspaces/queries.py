"""The typed functions over ``cypher/workspaces``."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, fetch_many, fetch_one, fetch_optional
from graph.workspaces.models import Workspace


class ArchiveWorkspaceRow(Row):
    """One row of ``archive_workspace``."""

    id: str


async def archive_workspace(
    runner: Runner, *, workspace_id: str, now: datetime
) -> ArchiveWorkspaceRow | None:
    """Keys of an archived workspace stop working at once, its data stays until it is deleted for good"""
    return await fetch_optional(
        runner, load("archive_workspace"), ArchiveWorkspaceRow, {"workspace_id": workspace_id, "now": now}
    )


class CreateWorkspaceRow(Row):
    """One row of ``create_workspace``."""

    workspace: Workspace


async def create_workspace(
    runner: Runner, *, workspace_id: str, name: str, settings: str, memory_enabled: bool, now: datetime
) -> CreateWorkspaceRow:
    """Return the only row"""
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
    """One row of ``delete_workspace``."""

    id: str


async def delete_workspace(runner: Runner, *, workspace_id: str) -> DeleteWorkspaceRow | None:
    """Return the row, or None"""
    return await fetch_optional(
        runner, load("delete_workspace"), DeleteWorkspaceRow, {"workspace_id": workspace_id}
    )


class DeleteWorkspaceNodesRow(Row):
    """One row of ``delete_workspace_nodes``."""

    deleted: int


async def delete_workspace_nodes(runner: Runner, *, workspace_id: str, limit: int) -> DeleteWorkspaceNodesRow:
    """A large workspace goes in bounded transactions; the workspace node goes last"""
    return await fetch_one(
        runner,
        load("delete_workspace_nodes"),
        DeleteWorkspaceNodesRow,
        {"workspace_id": workspace_id, "limit": limit},
    )


class EnsureDefaultWorkspaceRow(Row):
    """One row of ``ensure_default_workspace``."""

    workspace: Workspace


async def ensure_default_workspace(runner: Runner, *, id: str, now: datetime) -> EnsureDefaultWorkspaceRow:
    """default_marker is unique, so processes that start together agree on one default workspace"""
    return await fetch_one(
        runner, load("ensure_default_workspace"), EnsureDefaultWorkspaceRow, {"id": id, "now": now}
    )


class FindWorkspaceRow(Row):
    """One row of ``find_workspace``."""

    workspace: Workspace


async def find_workspace(runner: Runner, *, workspace_id: str) -> FindWorkspaceRow | None:
    """Return the row, or None"""
    return await fetch_optional(
        runner, load("find_workspace"), FindWorkspaceRow, {"workspace_id": workspace_id}
    )


class ListWorkspacesRow(Row):
    """One row of ``list_workspaces``."""

    workspace: Workspace


async def list_workspaces(
    runner: Runner, *, after_created: datetime | None, after_id: str | None, limit: int
) -> list[ListWorkspacesRow]:
    """Return the rows"""
    return await fetch_many(
        runner,
        load("list_workspaces"),
        ListWorkspacesRow,
        {"after_created": after_created, "after_id": after_id, "limit": limit},
    )


class UpdateWorkspaceRow(Row):
    """One row of ``update_workspace``."""

    workspace: Workspace


async def update_workspace(
    runner: Runner, *, workspace_id: str, properties: Mapping[str, Any], now: datetime
) -> UpdateWorkspaceRow | None:
    """Return the row, or None"""
    return await fetch_optional(
        runner,
        load("update_workspace"),
        UpdateWorkspaceRow,
        {"workspace_id": workspace_id, "properties": properties, "now": now},
    )
