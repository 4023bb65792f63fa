"""``recollect keys``: create, list, rotate and revoke API keys, and show whose key is in use."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.cli.admin.workspace_lookup import run_in
from app.cli.remote import fail, payload, run

Workspace = Annotated[
    str | None, typer.Option("--workspace", "-w", help="Id or name; default: the key's own.")
]


def register(cli: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Create, list, rotate and revoke API keys.")
    group.command("create")(create_key)
    group.command("list")(list_keys)
    group.command("me")(show_own_key)
    group.command("rotate")(rotate_key)
    group.command("revoke")(revoke_key)
    cli.add_typer(group, name="keys")


def create_key(
    name: Annotated[str, typer.Argument(help="What to call it.")],
    *,
    scope: Annotated[
        list[str] | None, typer.Option("--scope", "-s", help="read, write or admin; default: read and write.")
    ] = None,
    per_minute: Annotated[
        int | None,
        typer.Option(
            help="How many requests it may make within a minute, 0 for any number; default: as set."
        ),
    ] = None,
    user: Annotated[str | None, typer.Option(help="Bind it to one user's memory.")] = None,
    agent: Annotated[str | None, typer.Option(help="Bind it to one agent's memory.")] = None,
    workspace: Workspace = None,
) -> None:
    """Create a key and print its secret, which cannot be shown again."""
    scopes = [each.upper() for each in scope or ["read", "write"]]
    fields = {
        "name": name, "scopes": scopes, "requestsPerMinute": per_minute, "userId": user, "agentId": agent,
    }  # fmt: skip
    created = run_in(
        workspace,
        lambda client, workspace_id: client.create_api_key(payload(**fields, workspaceId=workspace_id)),
    )
    typer.echo(f"id: {created.key.id}", err=True)
    typer.echo(created.secret)


def list_keys(*, workspace: Workspace = None) -> None:
    """List the live keys of a workspace, without their secrets."""
    table = Table(box=None, header_style="dim", pad_edge=False)
    for column in ("id", "name", "begins with", "scopes", "created", "last used"):
        table.add_column(column, no_wrap=column != "name")
    for key in run_in(workspace, lambda client, workspace_id: client.api_keys(workspace_id)):
        used = str(key.last_used_at or "never")[:10]
        scopes = ", ".join(key.scopes).lower()
        table.add_row(key.id, Text(key.name), key.prefix, scopes, str(key.created_at)[:10], used)
    Console().print(table)


def show_own_key() -> None:
    """Show the name, workspace and scopes of the key in use."""
    for name, value in run(lambda client: client.me()).model_dump(by_alias=True).items():
        typer.echo(f"{name}: {', '.join(value) if isinstance(value, list) else value}")


def rotate_key(
    id_: Annotated[str, typer.Argument(metavar="ID")],
    *,
    grace: Annotated[int, typer.Option(help="For how many seconds the secret before is taken too.")] = 3600,
) -> None:
    """Give a key a new secret and print it; the one before still works for a while."""
    rotated = run(lambda client: client.rotate_api_key(id_, grace))
    typer.echo(f"id: {rotated.key.id}", err=True)
    typer.echo(rotated.secret)


def revoke_key(id_: Annotated[str, typer.Argument(metavar="ID")]) -> None:
    """Revoke a key; from then on it opens nothing."""
    if not run(lambda client: client.revoke_api_key(id_)):
        fail(f"there is no key {id_}")
    typer.echo(f"revoked {id_}")
