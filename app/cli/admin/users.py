"""``recollect users``: to whom memories and conversations of a workspace belong."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.cli.admin.workspace_lookup import run_in
from app.cli.remote import nodes

if TYPE_CHECKING:
    from app.client.generated import RecollectClient
    from app.client.generated.fragments import UserFields

Workspace = Annotated[
    str | None, typer.Option("--workspace", "-w", help="Id or name; default: the key's own.")
]


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("users")(list_users)


def list_users(*, workspace: Workspace = None) -> None:
    """List the users of a workspace with how much is kept of each, since when, and when it was last used."""

    async def every(client: "RecollectClient", workspace_id: str | None) -> "list[UserFields]":
        return [user async for user in nodes(partial(client.users, workspace_id=workspace_id))]

    table = Table(box=None, header_style="dim", pad_edge=False)
    for column in ("id", "memories", "conversations", "since", "last used"):
        table.add_column(column, justify="right" if column in ("memories", "conversations") else "left")
    for user in run_in(workspace, every):
        since, used = str(user.since or "")[:10], str(user.last_used_at or "never")[:10]
        table.add_row(Text(user.id), str(user.memories), str(user.conversations), since, used)
    Console().print(table)
