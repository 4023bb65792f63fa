"""``recollect serve``: the API alone, against servers that the settings name."""

import typer
from rich.console import Console

from app.cli.remote import fail, read_settings
from app.settings import Settings


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("serve")(serve)


def serve() -> None:
    """Serve the API with the Neo4j and the Redis that the settings name; several may run side by side."""
    from app.cli.servers.foreground import run_until_signal

    run_until_signal(_serve(read_deployment_settings()))


def read_deployment_settings() -> Settings:
    """Return the settings; one that lacks a server ends the command with its variable's name."""
    settings = read_settings()
    if settings.neo4j.uri is None:
        fail(
            "RECOLLECT_NEO4J_URI is not set; set it to a Neo4j server, or use `recollect up`, which starts one"
        )
    if settings.redis.url is None:
        fail(
            "RECOLLECT_REDIS_URL is not set; set it to a Redis server, or use `recollect up`, which starts one"
        )
    return settings


def print_first_key(console: Console, key: str) -> None:
    """Show the secret of the first administrator's key, in one line of its own."""
    console.print(
        f"API key of the first administrator, shown only now: {key}",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )


async def _serve(settings: Settings) -> None:
    from app.cli.servers.api_server import serve_api
    from app.cli.servers.foreground import listening_socket, web_address

    with listening_socket(settings.host, settings.port) as listener:
        address = web_address(settings.host, listener.getsockname()[1])
        console = Console(soft_wrap=True)
        await serve_api(
            settings,
            listener,
            lambda _runtime: console.print(f"serving on {address}", highlight=False, markup=False),
            on_first_key=lambda key: print_first_key(console, key),
        )
