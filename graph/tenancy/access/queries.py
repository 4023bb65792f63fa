"""The typed functions over ``cypher/tenancy/access``. The header of each file documents it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from cypher import load
from graph.core.rows import Row, Runner, execute, fetch_many, fetch_one, fetch_optional
from graph.tenancy.access.models import ApiKey


class CountAdminKeysRow(Row):
    count: int


async def count_admin_keys(runner: Runner) -> CountAdminKeysRow:
    return await fetch_one(runner, load("count_admin_keys"), CountAdminKeysRow, {})


class CreateApiKeyRow(Row):
    key: ApiKey


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
    requests_per_minute: int | None,
    now: datetime,
) -> CreateApiKeyRow:
    return await fetch_one(
        runner,
        load("create_api_key"),
        CreateApiKeyRow,
        {
            "workspace_id": workspace_id,
            "id": id,
            "default_id": default_id,
            "hash": hash,
            "prefix": prefix,
            "name": name,
            "scopes": scopes,
            "expires_at": expires_at,
            "requests_per_minute": requests_per_minute,
            "now": now,
        },
    )


class FindApiKeyRow(Row):
    id: str
    name: str
    workspace_id: str
    scopes: Sequence[str]
    expires_at: datetime | None
    requests_per_minute: int | None


async def find_api_key(runner: Runner, *, hash: str, now: datetime) -> FindApiKeyRow | None:
    return await fetch_optional(runner, load("find_api_key"), FindApiKeyRow, {"hash": hash, "now": now})


class LimitApiKeyRow(Row):
    key: ApiKey


async def limit_api_key(runner: Runner, *, id: str, requests_per_minute: int | None) -> LimitApiKeyRow | None:
    return await fetch_optional(
        runner,
        load("limit_api_key"),
        LimitApiKeyRow,
        {"id": id, "requests_per_minute": requests_per_minute},
    )


class FindWorkspaceKeyRow(Row):
    id: str


async def find_workspace_key(runner: Runner, *, workspace_id: str, id: str) -> FindWorkspaceKeyRow | None:
    return await fetch_optional(
        runner, load("find_workspace_key"), FindWorkspaceKeyRow, {"workspace_id": workspace_id, "id": id}
    )


class ListApiKeysRow(Row):
    key: ApiKey


async def list_api_keys(runner: Runner, *, workspace_id: str) -> list[ListApiKeysRow]:
    return await fetch_many(runner, load("list_api_keys"), ListApiKeysRow, {"workspace_id": workspace_id})


async def note_key_use(runner: Runner, *, rows: Sequence[Mapping[str, Any]], fresh_seconds: int) -> None:
    await execute(runner, load("note_key_use"), {"rows": rows, "fresh_seconds": fresh_seconds})


class RevokeApiKeyRow(Row):
    id: str
    workspace_id: str


async def revoke_api_key(runner: Runner, *, id: str, now: datetime) -> RevokeApiKeyRow | None:
    return await fetch_optional(runner, load("revoke_api_key"), RevokeApiKeyRow, {"id": id, "now": now})


class RotateApiKeyRow(Row):
    key: ApiKey


async def rotate_api_key(
    runner: Runner, *, id: str, hash: str, prefix: str, now: datetime, grace_until: datetime
) -> RotateApiKeyRow | None:
    return await fetch_optional(
        runner,
        load("rotate_api_key"),
        RotateApiKeyRow,
        {"id": id, "hash": hash, "prefix": prefix, "now": now, "grace_until": grace_until},
    )
