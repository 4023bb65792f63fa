"""The typed functions over ``cypher/core/audit``. The header of each file documents it."""

from collections.abc import Sequence
from datetime import datetime

from cypher import load
from graph.core.audit.models import AuditEntry
from graph.core.rows import Row, Runner, execute, fetch_many


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
) -> None:
    await execute(
        runner,
        load("create_audit_entry"),
        {
            "id": id,
            "action": action,
            "actor_key_id": actor_key_id,
            "about": about,
            "subject_id": subject_id,
            "count": count,
            "at": at,
        },
    )


class ListAuditEntriesRow(Row):
    entry: AuditEntry


async def list_audit_entries(
    runner: Runner,
    *,
    actions: Sequence[str],
    after_at: datetime | None,
    after_id: str | None,
    limit: int,
) -> list[ListAuditEntriesRow]:
    return await fetch_many(
        runner,
        load("list_audit_entries"),
        ListAuditEntriesRow,
        {"actions": actions, "after_at": after_at, "after_id": after_id, "limit": limit},
    )
