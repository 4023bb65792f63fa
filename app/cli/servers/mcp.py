"""``recollect mcp``: MCP over stdin and stdout, for agents that start their servers themselves."""

import typer

from app.cli.remote import fail, read_settings, service


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("mcp")(mcp)


def mcp() -> None:
    """Speak MCP over standard input and output, on behalf of an agent, with the running service behind it."""
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
