"""``recollect schema``: the GraphQL schema as text, or as an answer to an introspection."""

import typer

from app.cli.printing import Json, print_json


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("schema")(schema)


def schema(*, json: Json = False) -> None:
    """Print the GraphQL schema; ``app/surfaces/graphql/schema.graphql`` is its committed snapshot.

    With --json it is what an introspection answers, for tools that read that.
    """
    # The whole API: seconds of processor time that no other command should pay.
    from graphql import build_schema, introspection_from_schema

    from app.surfaces.graphql.schema import sdl

    if json:
        print_json({"data": introspection_from_schema(build_schema(sdl()))})
    else:
        typer.echo(sdl(), nl=False)
