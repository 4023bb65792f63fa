"""``recollect serve``, ``worker``, ``mcp`` and ``fetch-model``: single processes of a deployment."""

from functools import partial

import typer
from rich.console import Console

from app.cli.remote import fail, read_settings, service
from app.settings import Settings


def register(cli: typer.Typer) -> None:
    """Add the commands."""
    cli.command("serve")(serve)
    cli.command("fetch-model")(fetch_model)
    cli.command("mcp")(mcp)
    cli.command("worker")(worker)


def serve() -> None:
    """Serve the API with the Neo4j and Redis of the settings; several processes may run in parallel."""
    from app.cli.servers.foreground import run_until_signal

    run_until_signal(_serve(read_deployment_settings()))


def read_deployment_settings() -> Settings:
    """Return the settings; a missing server ends the command with the name of its variable."""
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
    """Print the secret of the first administrator's key on a separate line."""
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


# For container images, and for machines that go offline later.


def fetch_model() -> None:
    """Download the configured local embedding model and the packages of pages, for an offline start."""
    from app.bootstrap.dependencies import fetch_models, fetch_page_packages
    from app.cli.remote import read_settings
    from app.cli.servers.foreground import plain_console, run_until_signal, shown_progress

    with shown_progress(plain_console()) as on_progress:
        on_bytes = partial(on_progress, "Downloading the embedding model")
        run_until_signal(fetch_models(read_settings().embedding, on_bytes))
    with shown_progress(plain_console()) as on_progress:
        run_until_signal(fetch_page_packages(partial(on_progress, "Downloading the packages of pages")))


def mcp() -> None:
    """Serve MCP over standard input and output, for an agent, by calls to the running service."""
    import anyio

    from app.client.transport import ApiError

    try:
        anyio.run(_bridge, *service(), read_settings().mcp_profile)
    except ApiError as error:
        fail(str(error))


async def _bridge(url: str, key: str | None, profile: str | None) -> None:
    from mcp.server.stdio import stdio_server

    from app.client.transport import Client
    from app.surfaces.mcp.bridge import Bridge

    async with (
        Client(url, key) as client,
        Bridge(client, profile=profile) as bridge,
        stdio_server() as streams,
    ):
        await bridge.run(*streams)


def worker() -> None:
    """Run background jobs until stopped; several workers may run in parallel."""
    from app.cli.servers.foreground import run_until_signal

    run_until_signal(_work(read_deployment_settings()))


async def _work(settings: Settings) -> None:
    from app.bootstrap.runtime import open_runtime
    from app.cli.servers.api_server import operations_port
    from app.cli.servers.foreground import web_address
    from app.observability.logging import configure_logging

    configure_logging(settings.log_level, settings.log_format)
    async with (
        open_runtime(settings, makes_keys=False) as runtime,
        operations_port(settings.metrics, runtime) as port,
    ):
        address = None if port is None else web_address(settings.metrics.host, port)
        metrics = f"; metrics on {address}/metrics" if address else ""
        Console(soft_wrap=True).print(f"working off background jobs{metrics}", highlight=False, markup=False)
        await runtime.run_workers()
