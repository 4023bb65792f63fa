"""``recollect mcp``: MCP over stdin and stdout, for agents that start their servers themselves."""

import typer

from app.cli.remote import fail, read_settings
from app.settings import Settings


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("mcp")(mcp)


def mcp() -> None:
    """Speak MCP over standard input and output, on behalf of an agent, with the running service behind it."""
    import anyio

    from app.client.transport import ApiError

    try:
        anyio.run(_bridge, read_settings())
    except ApiError as error:
        fail(str(error))


async def _bridge(settings: Settings) -> None:
    from mcp.server.stdio import stdio_server

    from app.client.transport import Client
    from app.surfaces.mcp.bridge import Bridge

    key = settings.api_key.get_secret_value() if settings.api_key else None
    async with Client(settings.api_url, key) as client, Bridge(client) as bridge, stdio_server() as streams:
        await bridge.run(*streams)
