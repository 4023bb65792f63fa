"""``recollect changes`` and ``recollect undo``: list automatic changes, and undo one."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.data.recall_view import printable
from app.cli.printing import Json, as_json, print_table
from app.cli.remote import Workspace, first_nodes, run_in
from graph.core.models import ChangeKind

if TYPE_CHECKING:
    from app.client.generated import AutomaticChangeFields

_MOST_CHARS = 60


def register(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.command("changes")(show_changes)
    cli.command("undo")(undo)


def show_changes(
    *,
    kind: Annotated[
        list[ChangeKind] | None,
        typer.Option(
            "--kind", "-k", case_sensitive=False, help="Only this kind, such as learnt; may be repeated."
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="Maximum number of changes.")] = 50,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Show what was learnt, merged, closed, compacted, archived or forgotten automatically, latest first.

    Times are in UTC. ``recollect undo ID`` undoes one.
    """
    kinds: Any = [each.name for each in kind] if kind else None
    changes = run_in(
        workspace,
        lambda client, workspace_id: first_nodes(
            limit, client.automatic_changes, kinds=kinds, workspace_id=workspace_id
        ),
    )
    if json:
        typer.echo(as_json(changes))
        return
    rows = (
        (
            change.id,
            str(change.created_at)[:19],
            change.kind.value.lower(),
            change.rule,
            _what(change),
            (change.job or "").lower(),
            "undone" if change.undone_at else "" if change.can_be_undone else "permanent",
        )
        for change in changes
    )
    print_table(
        ("id", "when", "what", "rule", "of", "job", "state"),
        rows,
        if_empty="nothing was changed automatically",
    )


def undo(
    id: Annotated[str, typer.Argument(metavar="ID", help="Id of the change.")],
    *,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Undo an automatic change; the same evidence does not repeat it."""
    change = run_in(workspace, lambda client, workspace_id: client.undo_automatic_change(id, workspace_id))
    typer.echo(as_json(change) if json else f"undone: {change.kind.value.lower()} {_what(change)}")


def _what(change: "AutomaticChangeFields") -> str:
    """Return the text of the changed memory, or id and number of other nodes."""
    if change.memory is not None:
        return printable(change.memory.content)[:_MOST_CHARS]
    return f"{change.subject_id or change.subject_kind.value.lower()} ({change.count})"
