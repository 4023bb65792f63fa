"""The typed functions over ``cypher/tenancy``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graph.core.query import query
from graph.core.rows import Row, Runner
from graph.tenancy.models import ApiKey, StoredModel, Workspace


@query
async def count_admin_keys(runner: Runner) -> int: ...


@query
async def create_api_key(
    runner: Runner,
    *,
    workspace_id: str,
    id: str,
    default_id: str,
    hash: str,
    prefix: str,
    name: str,
    scopes: Sequence[str],
    expires_at: datetime | None,
    user_id: str | None,
    agent_id: str | None,
    requests_per_minute: int | None,
    now: datetime,
) -> ApiKey: ...


class FindApiKeyRow(Row):
    id: str
    name: str
    workspace_id: str
    scopes: Sequence[str]
    user_id: str | None
    agent_id: str | None
    settings: str | None
    expires_at: datetime | None
    requests_per_minute: int | None


@query
async def find_api_key(runner: Runner, *, hash: str, now: datetime) -> FindApiKeyRow | None: ...


@query
async def limit_api_key(runner: Runner, *, id: str, requests_per_minute: int | None) -> ApiKey | None: ...


@query
async def find_workspace_key(runner: Runner, *, workspace_id: str, id: str) -> str | None: ...


@query
async def list_api_keys(runner: Runner, *, workspace_id: str) -> list[ApiKey]: ...


@query
async def note_key_use(runner: Runner, *, rows: Sequence[Mapping[str, Any]], fresh_seconds: int) -> None: ...


@query
async def revoke_keys_of_user(
    runner: Runner, *, workspace_id: str, user_id: str, now: datetime
) -> list[str]: ...


@query
async def delete_keys_of_user(runner: Runner, *, workspace_id: str, user_id: str) -> list[str]: ...


class RevokeApiKeyRow(Row):
    id: str
    workspace_id: str


@query
async def revoke_api_key(runner: Runner, *, id: str, now: datetime) -> RevokeApiKeyRow | None: ...


@query
async def rotate_api_key(
    runner: Runner, *, id: str, hash: str, prefix: str, now: datetime, grace_until: datetime
) -> ApiKey | None: ...


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


class LockLanguageModelRow(Row):
    id: str
    chosen: StoredModel | None


@query
async def find_language_model(runner: Runner, *, workspace_id: str) -> StoredModel | None: ...


@query
async def lock_language_model(runner: Runner, *, workspace_id: str) -> LockLanguageModelRow | None: ...


@query
async def update_language_model(
    runner: Runner,
    *,
    workspace_id: str,
    url: str | None,
    model: str | None,
    sealed_key: str | None,
    now: datetime,
) -> str | None: ...
