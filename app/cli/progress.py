"""Progress bar of long commands, on the error stream, so that their output can be piped."""

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)


def progress_bar(amount: ProgressColumn | None = None) -> Progress:
    """Return a bar that says how many of all are done, or what ``amount`` says of it."""
    columns = (TextColumn("{task.description}"), BarColumn(), amount or MofNCompleteColumn())
    return Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True))
