"""``recollect handoff``: a summary of a conversation for its continuation elsewhere."""

from typing import Annotated

import typer

from app.cli.admin.workspace_lookup import Workspace, run_in
from app.cli.data.recall_view import printable
from app.cli.printing import as_json

_SHOWN = {"id", "language", "markdown", "summarised_by", "model", "fallback", "message_count"}


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("handoff")(handoff)


def handoff(
    conversation: Annotated[str, typer.Argument(help="Id of the conversation.")],
    *,
    workspace: Workspace = None,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Summarise a conversation as Markdown, to paste where it continues."""
    summary = run_in(
        workspace, lambda client, workspace_id: client.handoff_summary(conversation, workspace_id)
    )
    if json:
        typer.echo(as_json(summary, _SHOWN))
        return
    typer.echo(printable(summary.markdown), nl=False)
    if summary.fallback:
        typer.echo(f"note: {printable(summary.fallback)}", err=True)
