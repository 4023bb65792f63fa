"""``recollect workspaces``: create, list, show and delete workspaces."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.cli.admin.workspace_lookup import run_in
from app.cli.remote import as_json, fail, nodes, run

if TYPE_CHECKING:
    from app.client.generated import RecollectClient, WorkspaceFields

_SHOWN = {"id", "name", "is_default", "memory_enabled", "memory_count", "created_at", "updated_at"}

IdOrName = Annotated[str, typer.Argument(metavar="WORKSPACE", help="Id or name.")]


def register(cli: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Create, list, show and delete workspaces.")
    group.command("create")(create_workspace)
    group.command("list")(list_workspaces)
    group.command("show")(show_workspace)
    group.command("delete")(delete_workspace)
    cli.add_typer(group, name="workspaces")


def create_workspace(
    name: Annotated[str, typer.Argument(help="What to call it.")],
    memory: Annotated[
        bool | None,
        typer.Option(
            "--memory/--no-memory", help="Whether its memory is on; left out: as the deployment has it."
        ),
    ] = None,
) -> None:
    """Create a workspace and print its id."""
    fields: Any = {"name": name, "memoryEnabled": memory}
    typer.echo(run(lambda client: client.create_workspace(fields)).id)


def list_workspaces() -> None:
    """List the workspaces that the key may see."""
    table = Table(box=None, header_style="dim", pad_edge=False)
    for column in ("id", "name", "memory", "created"):
        table.add_column(column, no_wrap=column == "id")
    for workspace in run(_list):
        memory = "on" if workspace.memory_enabled else "off"
        table.add_row(workspace.id, Text(workspace.name), memory, str(workspace.created_at)[:10])
    Console().print(table)


def show_workspace(workspace: IdOrName) -> None:
    """Show one workspace."""
    shown = run_in(workspace, lambda client, workspace_id: client.workspace(workspace_id))
    if shown is None:
        fail(f"workspace {workspace} is no longer there")
    for name, value in json.loads(as_json(shown, _SHOWN)).items():
        typer.echo(f"{name}: {value}")


def delete_workspace(
    workspace: IdOrName,
    hard: Annotated[bool, typer.Option(help="Remove everything in it permanently.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a workspace with its memories; without --hard they are hidden, not removed."""
    if not yes and not typer.confirm(f"Delete workspace {workspace}{' permanently' if hard else ''}?"):
        raise typer.Exit(1)
    if not run_in(
        workspace, lambda client, workspace_id: client.delete_workspace(workspace_id or workspace, hard)
    ):
        fail(f"workspace {workspace} was not there to delete")
    typer.echo(f"deleted {workspace}")


async def _list(client: "RecollectClient") -> "list[WorkspaceFields]":
    return [workspace async for workspace in nodes(client.workspaces)]
