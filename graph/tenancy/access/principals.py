"""Builds the principal of a stored key."""

from datetime import datetime

from pydantic_core import from_json

from graph.tenancy.access.models import Principal, Scope
from graph.tenancy.access.queries import FindApiKeyRow
from graph.tenancy.workspaces.settings import WorkspaceSettings

Known = tuple[Principal, datetime | None]
"""Key with its owner and its expiry."""


def principal_of(row: FindApiKeyRow) -> Principal:
    """Return the principal of a key: its user, or the key itself if its workspace has a pool for each key."""
    scopes = frozenset(Scope(scope) for scope in row.scopes)
    has_own_pool = (
        row.user_id is None
        and Scope.ADMIN not in scopes
        and WorkspaceSettings.of(
            from_json(row.settings or "{}"), workspace_id=row.workspace_id
        ).has_pool_of_each_key
    )
    return Principal(
        key_id=row.id,
        name=row.name,
        workspace_id=row.workspace_id,
        scopes=scopes,
        requests_per_minute=row.requests_per_minute,
        user_id=row.id if has_own_pool else row.user_id,
        agent_id=row.agent_id,
        has_own_pool=has_own_pool,
    )
