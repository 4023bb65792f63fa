"""The command line: each group of commands is a module, imported when it is called."""

from typing import Annotated

import typer

from app.cli.commands import AnnouncedCommands


def build() -> typer.Typer:
    """Return the command line; the list of commands is known without importing their modules."""
    # Plain help, because the library for coloured help takes as long to import as everything else.
    cli = typer.Typer(name="recollect", cls=AnnouncedCommands, no_args_is_help=True, rich_markup_mode=None)
    cli.callback()(recollect)
    return cli


def show_version(requested: bool) -> None:
    """Print the version and exit, if the option is set."""
    if requested:
        from importlib.metadata import version

        typer.echo(f"recollect {version('recollect')}")
        raise typer.Exit


def recollect(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """A memory service for AI agents."""


def main() -> None:
    """Run the command line."""
    build()()
