"""``recollect audit``: the audit log of the deployment."""

from typing import Annotated, Any

import typer

from app.cli.printing import Json, as_json, print_table
from app.cli.remote import run
from graph.core.models import AuditAction

_WITHOUT_KEY = {"SIGN_IN_FAILED": "nobody's"}


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("audit")(show_audit)


def show_audit(
    *,
    action: Annotated[
        list[AuditAction] | None,
        typer.Option("--action", "-a", case_sensitive=False, help="Only these, such as key_created."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many.")] = 50,
    json: Json = False,
) -> None:
    """Show created and revoked keys, sign-ins and refusals, changes and deletions, latest first.

    Times are UTC.
    """
    actions: Any = [each.name for each in action] if action else None
    entries = [edge.node for edge in run(lambda client: client.audit_log(actions, limit)).edges]
    if json:
        typer.echo(as_json(entries))
        return
    rows = (
        (
            str(entry.at)[:19],
            entry.action.lower(),
            entry.actor_key_id or _WITHOUT_KEY.get(entry.action, "the service"),
            entry.workspace_id,
            entry.subject_id or "",
            str(entry.count),
        )
        for entry in entries
    )
    print_table(("when", "what", "by key", "workspace", "to", "count"), rows)
