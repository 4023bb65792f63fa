"""``recollect conversations``."""

from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.admin.workspace_lookup import Workspace, run_in
from app.cli.data.recall_view import printable
from app.cli.printing import Json, as_json, print_table
from app.cli.remote import first_nodes

if TYPE_CHECKING:
    from app.client.generated import ConversationFields, RecollectClient

_COUNTS = ("messages", "memories")


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("conversations")(list_conversations)


def list_conversations(
    *,
    platform: Annotated[
        str | None, typer.Option(help="Only those of this platform, such as ChatGPT.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 50,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """List conversations, latest activity first. Times are UTC."""

    async def some(client: "RecollectClient", workspace_id: str | None) -> "list[ConversationFields]":
        return await first_nodes(limit, client.conversations, platform, workspace_id=workspace_id)

    found = run_in(workspace, some)
    if json:
        typer.echo(as_json(found))
        return
    rows = (
        (
            each.id,
            printable(each.title or ""),
            each.platform or "",
            str(each.message_count),
            str(each.memory_count),
            str(each.last_activity_at or "")[:19],
        )
        for each in found
    )
    print_table(("id", "title", "platform", *_COUNTS, "last said"), rows, right=_COUNTS)
