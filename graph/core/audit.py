"""Writes audit entries, within the transaction of the audited action, and reads them."""

from collections.abc import Sequence
from datetime import datetime
from ipaddress import ip_address

from graph.core import queries
from graph.core.current_call import ACTING_KEY
from graph.core.database import Database
from graph.core.ids import new_id
from graph.core.models import AuditAction, AuditEntry
from graph.core.pages import Cursor, Page, Paging
from graph.core.rows import Runner


async def note_act(
    runner: Runner,
    action: AuditAction,
    workspace_id: str,
    *,
    subject_id: str | None = None,
    count: int = 1,
    now: datetime,
) -> None:
    """Record an action of the principal that was authorised last in this task.

    Args:
        runner: Transaction of the action, so that both are written or neither.
        action: Audited action.
        workspace_id: Workspace of the action.
        subject_id: Target of the action, if there is exactly one.
        count: Number of targets.
        now: Time of the action.
    """
    await queries.create_audit_entry(
        runner,
        id=new_id("aud"),
        action=action,
        actor_key_id=ACTING_KEY.get(),
        about=workspace_id,
        subject_id=subject_id,
        count=count,
        at=now,
    )


def address_in(client: str) -> str | None:
    """Return the client's IP address without its zone; None if a proxy sends something else.

    A proxy may pass on any text from its own callers' headers.
    """
    try:
        return str(ip_address(client.partition("%")[0]))
    except ValueError:
        return None


class Audit:
    """Reads the audit of the deployment; lives as long as the process. The caller checks the permission."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self, *, actions: Sequence[AuditAction] = (), first: int = 50, after: str | None = None
    ) -> Page[AuditEntry]:
        """Return a page of actions in all workspaces, the newest first."""
        paging = Paging.of(first, after)
        found = await queries.list_audit_entries(
            self._database,
            actions=list(actions),
            after_at=paging.date,
            after_id=paging.id,
            limit=paging.limit,
        )
        return paging.page(found, lambda entry: Cursor(date=entry.at, id=entry.id))
