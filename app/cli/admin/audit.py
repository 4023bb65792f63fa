"""``recollect audit``: what was done in the deployment, by whom and when."""

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from app.cli.remote import run

_WITHOUT_KEY = {"SIGN_IN_FAILED": "nobody's"}


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("audit")(show_audit)


def show_audit(
    *,
    action: Annotated[
        list[str] | None, typer.Option("--action", "-a", help="Only these, such as key_created.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many.")] = 50,
) -> None:
    """Show keys made and ended, people signed in or refused, and what was changed or removed, the latest first."""
    actions: Any = [each.upper() for each in action] if action else None
    found = run(lambda client: client.audit_log(actions, limit))
    table = Table(box=None, header_style="dim", pad_edge=False)
    for column in ("when", "what", "by key", "workspace", "to", "count"):
        table.add_column(column, no_wrap=True)
    for edge in found.edges:
        entry = edge.node
        table.add_row(
            str(entry.at)[:19],
            entry.action.lower(),
            entry.actor_key_id or _WITHOUT_KEY.get(entry.action, "the service"),
            entry.workspace_id,
            entry.subject_id or "",
            str(entry.count),
        )
    Console().print(table)
