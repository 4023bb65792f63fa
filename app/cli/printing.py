"""Prints results as JSON or as tables; tables are never truncated if the output is not a terminal."""

import json
import math
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated, Any

import typer
from pydantic import BaseModel
from pydantic_core import from_json
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
"""Option of every command with output."""
_PIPED_WIDTH = 100_000
"""Number of columns if the output is not a terminal: wider than any table, so that nothing is cut or wrapped."""


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    right: Sequence[str] = (),
    if_empty: str = "",
) -> None:
    """Print rows below the names of their columns.

    Args:
        columns: Names of the columns.
        rows: Values of each row.
        right: Columns to align to the right.
        if_empty: Advice for a table without rows, printed to standard error.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="dim", pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold", justify="right" if column in right else "left")
    for row in rows:
        table.add_row(*map(Text, row))
    Console(width=None if sys.stdout.isatty() else _PIPED_WIDTH).print(table)
    if if_empty and not table.row_count:
        typer.echo(if_empty, err=True)


def as_json(answer: BaseModel | Sequence[BaseModel], shown: Any = None) -> str:
    """Return one or several results in the JSON form of the API.

    Args:
        answer: Response of the service.
        shown: Fields to print, as pydantic's ``include``; None: all.
    """
    return _written(
        fields_of(answer, shown)
        if isinstance(answer, BaseModel)
        else [fields_of(each, shown) for each in answer]
    )


def fields_of(answer: BaseModel, shown: Any = None) -> Any:
    """Return a result as plain types, under the API's names; see :func:`as_json`."""
    return answer.model_dump(by_alias=True, include=shown)


def print_json(value: Any) -> None:
    """Print a value of plain types."""
    typer.echo(_written(value))


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=datetime.isoformat)


def read_scalar(text: str) -> str | int | float | bool | None:
    """Return the JSON value of a text if it is true, false, null, a number or a quoted string; else the text itself.

    >>> [read_scalar(text) for text in ("true", "0.5", "red", '"1"', "[1]", "1e400")]
    [True, 0.5, 'red', '1', '[1]', '1e400']
    """
    try:
        value = from_json(text, allow_inf_nan=False)
    except ValueError:
        return text
    if isinstance(value, float) and not math.isfinite(value):
        return text
    return value if value is None or isinstance(value, bool | int | float | str) else text


def progress_bar(amount: ProgressColumn | None = None) -> Progress:
    """Return a progress bar with the number of completed items, or with the column ``amount``."""
    columns = (TextColumn("{task.description}"), BarColumn(), amount or MofNCompleteColumn())
    return Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True))
