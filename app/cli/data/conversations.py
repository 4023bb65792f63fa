"""``recollect conversations``."""

from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.data.recall_view import printable
from app.cli.printing import Json, as_json, print_table
from app.cli.remote import User, Workspace, first_nodes, run_in, scope_of

if TYPE_CHECKING:
    from app.client.generated import ConversationFields, RecollectClient


_COUNTS = ("messages", "memories")


def register(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.command("conversations")(list_conversations)
    cli.command("handoff")(handoff)


def list_conversations(
    *,
    platform: Annotated[
        str | None, typer.Option(help="Only conversations of this platform, such as ChatGPT.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1)] = 50,
    user: User = None,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """List conversations, latest activity first. Times are in UTC."""

    async def some(client: "RecollectClient", workspace_id: str | None) -> "list[ConversationFields]":
        return await first_nodes(
            limit, client.conversations, platform, workspace_id=workspace_id, scope=scope_of(user)
        )

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
    print_table(
        ("id", "title", "platform", *_COUNTS, "last said"),
        rows,
        right=_COUNTS,
        if_empty="no conversation; chats are captured while memory is on (`recollect settings set enabled true`)",
    )


_SUMMARY_SHOWN = {"id", "language", "markdown", "summarised_by", "model", "fallback", "message_count"}


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
        typer.echo(as_json(summary, _SUMMARY_SHOWN))
        return
    typer.echo(printable(summary.markdown), nl=False)
    if summary.fallback:
        typer.echo(f"note: {printable(summary.fallback)}", err=True)
