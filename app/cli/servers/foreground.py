"""Runs commands on uvloop until SIGINT or SIGTERM; a failed start prints one line."""

import asyncio
import errno
import signal
import socket
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer
import uvloop
from neo4j.exceptions import DriverError, Neo4jError
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from app.cli.remote import fail
from app.embedded.errors import CannotStart, PortTaken
from app.embedded.ports import family_of
from graph.core.errors import RecollectError

if TYPE_CHECKING:
    from app.embedded.jars import OnProgress


_WAITING_CALLERS = 128
"""Maximum number of connections that wait for a starting service."""


def run_until_signal(work: Coroutine[Any, Any, object]) -> None:
    """Run ``work`` until it ends or a signal cancels it; further signals do not disturb its clean-up."""
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_cancelled_by_signals(work))
    except (CannotStart, RecollectError) as error:
        fail(str(error))
    except (Neo4jError, DriverError) as error:  # an untranslated error of the graph
        fail(f"Neo4j: {error}")
    except OSError as error:  # such as a forbidden folder or a full disk
        fail(f"{error.strerror or type(error).__name__}: {error.filename}" if error.filename else str(error))
    except asyncio.CancelledError:
        raise typer.Exit from None


@contextmanager
def listening_socket(host: str, port: int, setting: str = "RECOLLECT_PORT") -> Iterator[socket.socket]:
    """Listen on a TCP port inside the block; port 0 means any free one. ``setting`` names the port's variable.

    A connection before the service is ready waits for it.

    Raises:
        CannotStart: The host is not an address of this machine.
        PortTaken: Another process listens on the port.
    """
    family = family_of(host)
    # asyncio sends small parts of responses immediately (TCP_NODELAY) only if the socket names the protocol.
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
            listener.listen(_WAITING_CALLERS)  # two processes can bind, but only one can listen
        except OSError as error:
            if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
                host_setting = f"{setting.removesuffix('PORT')}HOST"
                raise CannotStart(
                    f"cannot listen on {host} ({error.strerror}); choose an address of this machine with {host_setting}"
                ) from error
            raise PortTaken(
                f"cannot listen on {host} port {port} ({error.strerror}); choose another with {setting}"
            ) from error
        yield listener


def web_address(host: str, port: int) -> str:
    """Return the address of a service for a browser."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


async def _cancelled_by_signals(work: Coroutine[Any, Any, object]) -> None:
    task = asyncio.ensure_future(work)

    def end() -> None:
        if not task.cancelling():
            task.cancel()

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, end)
    await task


_PLAIN_WIDTH = 120
"""Number of columns if the output is not a terminal, so that no address is wrapped."""


def plain_console() -> Console:
    """Return a console; it has a fixed width if the output is not a terminal."""
    console = Console()
    return console if console.is_terminal else Console(width=_PLAIN_WIDTH)


@contextmanager
def shown_progress(console: Console) -> Iterator["OnProgress"]:
    """Show the current step, and the bytes during a download."""
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("Starting", total=None)

        def on_progress(stage: str, done: int, total: int) -> None:
            progress.update(task, description=stage, completed=done, total=total or None)

        yield on_progress
