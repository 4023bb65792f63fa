"""The command line: one module per group of commands, which is imported when it is called."""

from typing import Annotated

import typer

from app.cli.commands import AnnouncedCommands


def build() -> typer.Typer:
    """Return the command line; what its commands are is known before their modules are imported."""
    # Plain help: what prints it in colours takes as long to import as all the rest.
    cli = typer.Typer(name="recollect", cls=AnnouncedCommands, no_args_is_help=True, rich_markup_mode=None)
    cli.callback()(recollect)
    return cli


def show_version(wanted: bool) -> None:
    """Print the version and leave, where that is wanted."""
    if wanted:
        from importlib.metadata import version

        typer.echo(f"recollect {version('recollect')}")
        raise typer.Exit


def recollect(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Print the version and leave."),
    ] = False,
) -> None:
    """A memory service for AI agents."""


def main() -> None:
    """Run the command line."""
    build()()
