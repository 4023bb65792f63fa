"""``recollect handoff``: a conversation summed up for whoever goes on with it elsewhere."""

import json
from typing import Annotated, Any

import typer

from app.cli.admin.workspace_lookup import get_workspace_id
from app.cli.data.recall_view import printable
from app.cli.remote import run
from app.client.transport import Client

_HANDOFF = """
mutation Handoff($id: ID!, $workspaceId: ID) {
  handoffSummary(conversationId: $id, workspaceId: $workspaceId) {
    id language markdown summarisedBy model fallback messageCount
  }
}
"""


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("handoff")(handoff)


def handoff(
    conversation: Annotated[str, typer.Argument(help="Id of the conversation.")],
    *,
    workspace: Annotated[
        str | None, typer.Option("--workspace", "-w", help="Id or name; default: the key's own.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Sum a conversation up as Markdown, to be pasted where it goes on."""
    summary = run(lambda client: _summarise(client, conversation, workspace))
    if as_json:
        typer.echo(json.dumps(summary, ensure_ascii=False))
        return
    typer.echo(printable(summary["markdown"]), nl=False)
    if summary["fallback"]:
        typer.echo(f"note: {printable(summary['fallback'])}", err=True)


async def _summarise(client: Client, conversation: str, workspace: str | None) -> dict[str, Any]:
    workspace_id = await get_workspace_id(client, workspace)
    data = await client.execute(_HANDOFF, {"id": conversation, "workspaceId": workspace_id})
    return dict(data["handoffSummary"])
