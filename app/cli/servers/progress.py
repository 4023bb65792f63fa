"""Progress of a command that starts or fetches something."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from app.embedded.jars import OnProgress

_PLAIN_WIDTH = 120
"""Columns where the output is not a terminal, so that no address is broken."""


def plain_console() -> Console:
    """Return a console; one of a fixed width where the output is not a terminal."""
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
