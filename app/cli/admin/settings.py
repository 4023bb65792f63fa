"""``recollect settings``: show settings of the running service, set them, and put them back to their defaults."""

from collections.abc import Mapping
from typing import Annotated, Any

import typer
from pydantic_core import to_json

from app.cli.admin.workspace_lookup import run_in
from app.cli.printing import Json, print_json, read_scalar

Name = Annotated[str, typer.Argument(help="A setting, such as strategy.")]
Workspace = Annotated[
    str | None, typer.Option("--workspace", "-w", help="Id or name; left out: the workspace of the key.")
]


def register(cli: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Show, set and reset settings of the running service.")
    group.command("show")(show_settings)
    group.command("set")(set_setting)
    group.command("reset")(reset_setting)
    cli.add_typer(group, name="settings")


def show_settings(
    workspace: Workspace = None,
    *,
    json: Json = False,
) -> None:
    """Show the settings in force."""
    settings = run_in(workspace or None, lambda client, workspace_id: client.settings(workspace_id))
    shown = settings.model_dump(by_alias=True)
    if json:
        print_json(shown)
    else:
        _print(shown)


def set_setting(
    name: Name,
    value: Annotated[str, typer.Argument(help="true, false, null, a number or a text.")],
    workspace: Workspace = None,
    *,
    json: Json = False,
) -> None:
    """Set one setting; it is in force at once."""
    _update(workspace, {name: read_scalar(value)}, json=json)
    if name == "enabled" and read_scalar(value) is True:
        typer.echo("note: each chat request is given up to maxTokens tokens more, which are billed", err=True)


def reset_setting(name: Name, workspace: Workspace = None, *, json: Json = False) -> None:
    """Reset one setting to the value in the service's environment."""
    _update(workspace, {}, [name], json=json)


def _update(workspace: str | None, change: Any, reset: list[str] | None = None, *, json: bool) -> None:
    settings = run_in(
        workspace or None, lambda client, workspace_id: client.update_settings(change, reset, workspace_id)
    )
    shown = settings.model_dump(by_alias=True)
    if json:
        print_json(shown)
    else:
        _print(shown)


def _print(settings: Mapping[str, Any]) -> None:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            for inner, of_inner in value.items():
                typer.echo(f"{name}.{inner}: {_shown(of_inner)}")
        else:
            typer.echo(f"{name}: {_shown(value)}")


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else to_json(value).decode()
