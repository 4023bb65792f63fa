"""``recollect settings``: show settings of the running service, set them, and put them back to their defaults."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from app.cli.admin.workspace_lookup import run_in

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
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show the settings in force."""
    settings = run_in(workspace or None, lambda client, workspace_id: client.settings(workspace_id))
    shown = settings.model_dump(by_alias=True)
    if as_json:
        typer.echo(json.dumps(shown, indent=2))
    else:
        _print(shown)


def set_setting(
    name: Name,
    value: Annotated[str, typer.Argument(help="true, false, null, a number or a text.")],
    workspace: Workspace = None,
) -> None:
    """Set one setting; it is in force at once."""
    _update(workspace, {name: _value(value)})


def reset_setting(name: Name, workspace: Workspace = None) -> None:
    """Put one setting back to what the environment of the service says."""
    _update(workspace, {}, [name])


def _update(workspace: str | None, change: Any, reset: list[str] | None = None) -> None:
    settings = run_in(
        workspace or None, lambda client, workspace_id: client.update_settings(change, reset, workspace_id)
    )
    _print(settings.model_dump(by_alias=True))


def _value(text: str) -> Any:
    """Return what a text means: JSON's true, false, null and numbers, else the text itself."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if value is None or isinstance(value, bool | int) else text


def _print(settings: Mapping[str, Any]) -> None:
    for name, value in settings.items():
        if isinstance(value, Mapping):
            for inner, of_inner in value.items():
                typer.echo(f"{name}.{inner}: {_shown(of_inner)}")
        else:
            typer.echo(f"{name}: {_shown(value)}")


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
