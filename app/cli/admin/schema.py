"""``recollect schema``: the GraphQL schema as text."""

import typer


def register(cli: typer.Typer) -> None:
    """Add the command."""

    @cli.command()
    def schema() -> None:
        """Print the GraphQL schema; ``app/surfaces/graphql/schema.graphql`` is its committed snapshot."""
        # The whole API: seconds of processor time that no other command should pay.
        from app.surfaces.graphql.schema import sdl

        typer.echo(sdl(), nl=False)
