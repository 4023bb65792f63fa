"""The typed functions over ``cypher/tenancy/workspaces``. The header of each file documents it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Runner
from graph.tenancy.workspaces.models import Workspace


@query
async def archive_workspace(runner: Runner, *, workspace_id: str, now: datetime) -> str | None: ...


@query
async def create_workspace(
    runner: Runner, *, workspace_id: str, name: str, settings: str, memory_enabled: bool, now: datetime
) -> Workspace: ...


@query
async def delete_workspace(runner: Runner, *, workspace_id: str) -> str | None: ...


@query
async def delete_workspace_nodes(runner: Runner, *, workspace_id: str, limit: int) -> int: ...


@query
async def ensure_default_workspace(
    runner: Runner, *, id: str, memory_enabled: bool, now: datetime
) -> Workspace: ...


@query
async def find_workspace(runner: Runner, *, workspace_id: str) -> Workspace | None: ...


@query
async def find_workspace_named(runner: Runner, *, name: str, except_id: str) -> str | None: ...


@query
async def is_workspace_archived(runner: Runner, *, workspace_id: str) -> bool | None: ...


@query
async def list_workspaces(
    runner: Runner,
    *,
    called: str | None,
    after_created: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[Workspace]: ...


@query
async def lock_workspace(runner: Runner, *, workspace_id: str) -> Workspace | None: ...


@query
async def lock_workspace_names(runner: Runner, *, now: datetime) -> None: ...


@query
async def update_workspace(
    runner: Runner, *, workspace_id: str, properties: Mapping[str, Any], now: datetime
) -> Workspace | None: ...
