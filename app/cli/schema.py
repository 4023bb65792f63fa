"""``recollect schema``: the GraphQL schema as text."""

import typer

from app.graphql.schema import sdl


def register(cli: typer.Typer) -> None:
    """Add the command."""

    @cli.command()
    def schema() -> None:
        """Print the GraphQL schema; ``app/graphql/schema.graphql`` is its committed snapshot."""
        typer.echo(sdl(), nl=False)
