"""The typed functions over ``cypher/core/audit``. The header of each file documents it."""

from collections.abc import Sequence
from datetime import datetime

from graph.core.audit.models import AuditEntry
from graph.core.query import query
from graph.core.rows import Runner


@query
async def create_audit_entry(
    runner: Runner,
    *,
    id: str,
    action: str,
    actor_key_id: str | None,
    about: str,
    subject_id: str | None,
    count: int,
    at: datetime,
) -> None: ...


@query
async def list_audit_entries(
    runner: Runner,
    *,
    actions: Sequence[str],
    after_at: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[AuditEntry]: ...
