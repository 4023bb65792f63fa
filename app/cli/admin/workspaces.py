"""``recollect workspaces``: create, list, show and delete workspaces."""

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.cli.admin.workspace_lookup import get_workspace_id
from app.cli.remote import fail, run
from app.client.transport import Client

_LIST = """
query Workspaces($first: Int, $after: String) {
  workspaces(first: $first, after: $after) {
    edges { node { id name memoryEnabled createdAt } }
    pageInfo { hasNextPage endCursor }
  }
}
"""
_SHOW = """
query Workspace($id: ID) {
  workspace(id: $id) { id name isDefault memoryEnabled memoryCount createdAt updatedAt }
}
"""
_CREATE = "mutation Create($input: CreateWorkspaceInput!) { createWorkspace(input: $input) { id name } }"
_DELETE = "mutation Delete($id: ID!, $hard: Boolean) { deleteWorkspace(id: $id, hard: $hard) }"

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
    asked = {"name": name, "memoryEnabled": memory}
    created = run(lambda client: client.execute(_CREATE, {"input": asked}))["createWorkspace"]
    typer.echo(created["id"])


def list_workspaces() -> None:
    """List the workspaces that the key may see."""
    table = Table(box=None, header_style="dim", pad_edge=False)
    for column in ("id", "name", "memory", "created"):
        table.add_column(column, no_wrap=column == "id")
    for workspace in run(_list):
        memory = "on" if workspace["memoryEnabled"] else "off"
        table.add_row(workspace["id"], Text(workspace["name"]), memory, workspace["createdAt"][:10])
    Console().print(table)


def show_workspace(workspace: IdOrName) -> None:
    """Show one workspace."""
    shown = run(lambda client: _show(client, workspace))
    for name, value in shown.items():
        typer.echo(f"{name}: {value}")


def delete_workspace(
    workspace: IdOrName,
    hard: Annotated[bool, typer.Option(help="Remove everything in it permanently.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a workspace with its memories; without --hard they are hidden, not removed."""
    if not yes and not typer.confirm(f"Delete workspace {workspace}{' permanently' if hard else ''}?"):
        raise typer.Exit(1)
    if not run(lambda client: _delete(client, workspace, hard=hard)):
        fail(f"workspace {workspace} was not there to delete")
    typer.echo(f"deleted {workspace}")


async def _list(client: Client) -> list[dict[str, Any]]:
    return [workspace async for workspace in client.nodes(_LIST, "workspaces")]


async def _show(client: Client, id_or_name: str) -> dict[str, Any]:
    workspace_id = await get_workspace_id(client, id_or_name)
    return dict((await client.execute(_SHOW, {"id": workspace_id}))["workspace"])


async def _delete(client: Client, id_or_name: str, *, hard: bool) -> bool:
    workspace_id = await get_workspace_id(client, id_or_name)
    return bool((await client.execute(_DELETE, {"id": workspace_id, "hard": hard}))["deleteWorkspace"])
