"""``recollect workspaces``: create, list, show and delete workspaces."""

from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic_core import from_json

from app.cli.printing import Json, as_json, print_json, print_table
from app.cli.remote import fail, nodes, run, run_in

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
    name: Annotated[str, typer.Argument(help="Name of the workspace.")],
    memory: Annotated[
        bool | None,
        typer.Option("--memory/--no-memory", help="Turn its memory on or off; default: the deployment's."),
    ] = None,
    json: Json = False,
) -> None:
    """Create a workspace and print its id."""
    fields: Any = {"name": name, "memoryEnabled": memory}
    created = run(lambda client: client.create_workspace(fields))
    typer.echo(as_json(created, _SHOWN) if json else created.id)


def list_workspaces(*, json: Json = False) -> None:
    """List the workspaces that the key may see."""
    workspaces = run(_list)
    if json:
        typer.echo(as_json(workspaces, _SHOWN))
        return
    rows = (
        (each.id, each.name, "on" if each.memory_enabled else "off", str(each.created_at)[:10])
        for each in workspaces
    )
    print_table(("id", "name", "memory", "created"), rows)


def show_workspace(workspace: IdOrName, *, json: Json = False) -> None:
    """Show one workspace."""
    shown = run_in(workspace, lambda client, workspace_id: client.workspace(workspace_id))
    if shown is None:
        fail(f"workspace {workspace} is no longer there")
    written = as_json(shown, _SHOWN)
    if json:
        typer.echo(written)
        return
    for name, value in from_json(written).items():
        typer.echo(f"{name}: {value}")


def delete_workspace(
    workspace: IdOrName,
    hard: Annotated[bool, typer.Option(help="Delete all its data permanently.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")] = False,
    json: Json = False,
) -> None:
    """Delete a workspace with its memories; without --hard its data are only hidden."""
    if not yes and not typer.confirm(f"Delete workspace {workspace}{' permanently' if hard else ''}?"):
        raise typer.Exit(1)
    if not run_in(
        workspace, lambda client, workspace_id: client.delete_workspace(workspace_id or workspace, hard)
    ):
        fail(f"workspace {workspace} was not there to delete")
    if json:
        print_json({"deleted": workspace})
    else:
        typer.echo(f"deleted {workspace}")


async def _list(client: "RecollectClient") -> "list[WorkspaceFields]":
    return [workspace async for workspace in nodes(client.workspaces)]
