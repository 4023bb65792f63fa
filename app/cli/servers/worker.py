"""``recollect worker``: background work alone, beside any number of ``recollect serve``."""

import typer
from rich.console import Console

from app.cli.servers.serve import read_deployment_settings
from app.settings import Settings


def register(cli: typer.Typer) -> None:
    """Add the command."""
    cli.command("worker")(worker)


def worker() -> None:
    """Work off background jobs until stopped; several may run side by side."""
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
