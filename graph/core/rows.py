"""Converts the records of a query into frozen, validated rows, or into values if it has one column.

One validation of the whole list is faster than ``model_construct`` or a dataclass per row: 250 rows of 12
columns cost about 2 ms, mostly for the driver's date type.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, Protocol, TypeVar, Union, get_args, get_origin

from neo4j import Record
from neo4j.time import Date, DateTime, Time
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from cypher import Statement
from graph.core.background import in_turns

Parameters = Mapping[str, Any]
RowT = TypeVar("RowT")

NO_TIMES: Final = "no times"
"""Mark (``Annotated``) of a column whose maps contain no temporal values, which saves a search through them."""

ATTEMPTS: Final = 4
"""Number of attempts of a read before concurrently deleted nodes count as its failure."""

_READ_TOGETHER = 32
"""Number of rows to validate before other tasks may run; rows with whole memories take about 2 ms."""

_PLAIN_TYPES = frozenset({str, int, float, bool, bytes, NoneType})
_CONTAINERS = frozenset({list, tuple, set, frozenset, Sequence, Union, UnionType})


class Row(BaseModel):
    """One record of a query; its fields are exactly the query's columns."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RowCountError(LookupError):
    """Raised if the number of rows differs from the header of the query."""

    def __init__(self, statement: Statement, expected: str, count: int) -> None:
        super().__init__(f"{statement.path} returned {count} rows, expected {expected}")
        self.count = count


class Runner(Protocol):
    """Runs statements: a transaction, or a database that opens a transaction for each."""

    async def run(self, statement: Statement, parameters: Parameters) -> list[Record]:
        """Return all records; raises errors of ``graph.core.errors`` instead of the driver's."""
        ...


First = Callable[[Runner], Awaitable[None]]
"""Work to run at the beginning of another use case's transaction; its exception rolls the transaction back."""


async def fetch_one(runner: Runner, statement: Statement, row: type[RowT], parameters: Parameters) -> RowT:
    """Return the only row.

    Raises:
        RowCountError: There is none, or more than one.
    """
    rows = await fetch_many(runner, statement, row, parameters)
    if len(rows) != 1:
        raise RowCountError(statement, "exactly one", len(rows))
    return rows[0]


async def fetch_optional(
    runner: Runner, statement: Statement, row: type[RowT], parameters: Parameters
) -> RowT | None:
    """Return the only row, or None if there is none.

    Raises:
        RowCountError: There is more than one.
    """
    rows = await fetch_many(runner, statement, row, parameters)
    if len(rows) > 1:
        raise RowCountError(statement, "at most one", len(rows))
    return rows[0] if rows else None


async def fetch_many(
    runner: Runner, statement: Statement, row: type[RowT], parameters: Parameters
) -> list[RowT]:
    """Return all rows, in the query's order.

    Neo4j reads committed data property by property. If another transaction deletes a node during the read, its other
    properties are null. This function repeats a read with such a row; by then the indexes no longer have the node.

    Raises:
        pydantic.ValidationError: A record does not fit the row model.
    """
    attempts = ATTEMPTS if statement.mode == "read" else 1
    for _ in range(attempts - 1):
        with suppress(ValidationError):
            return await _read(row, await runner.run(statement, parameters))
    return await _read(row, await runner.run(statement, parameters))


async def execute(runner: Runner, statement: Statement, parameters: Parameters) -> None:
    """Run a query that returns nothing.

    Raises:
        RowCountError: It returned rows.
    """
    records = await runner.run(statement, parameters)
    if records:
        raise RowCountError(statement, "none", len(records))


async def _read(row: Any, records: Sequence[Record]) -> list[Any]:
    read = _reader(row)
    rows: list[Any] = []
    async for start in in_turns(range(0, len(records), _READ_TOGETHER)):
        rows += read(records[start : start + _READ_TOGETHER])
    return rows


@cache
def _reader(row: Any) -> Callable[[Sequence[Record]], list[Any]]:
    """Return the function that converts records into a row model or a column type; cached."""
    adapter = TypeAdapter(list[row])
    unpack = _by_column(row) if isinstance(row, type) and issubclass(row, Row) else _single_column(row)

    def read(records: Sequence[Record]) -> list[Any]:
        return adapter.validate_python(unpack(records)) if records else []

    return read


def _by_column(row: type[Row]) -> Callable[[Sequence[Record]], list[Any]]:
    to_convert = [
        name
        for name, field in row.model_fields.items()
        if NO_TIMES not in field.metadata and not _is_plain(field.annotation)
    ]

    def unpack(records: Sequence[Record]) -> list[Any]:
        columns = records[0].keys()
        # A Record is a tuple, and its own iterator is three times slower than the tuple's.
        values = [dict(zip(columns, tuple.__iter__(record), strict=True)) for record in records]
        for value in values:
            for name in to_convert:
                if name in value:
                    value[name] = _native(value[name])
        return values

    return unpack


def _single_column(type_: Any) -> Callable[[Sequence[Record]], list[Any]]:
    def unpack(records: Sequence[Record]) -> list[Any]:
        values = [value for (value,) in map(tuple.__iter__, records)]
        return values if _is_plain(type_) else [_native(value) for value in values]

    return unpack


def _is_plain(annotation: Any) -> bool:
    """Tell whether values of the annotation cannot contain Neo4j types, which saves a search through long vectors."""
    origin = get_origin(annotation)
    if origin is Literal or annotation is Ellipsis:
        return True
    if origin in _CONTAINERS:
        return all(_is_plain(argument) for argument in get_args(annotation))
    return isinstance(annotation, type) and annotation in _PLAIN_TYPES


def _native(value: Any) -> Any:
    """Replace Neo4j's temporal values by Python's, also in lists and maps; zoned ones are converted to UTC."""
    if isinstance(value, DateTime):
        return _utc(value.to_native())
    if isinstance(value, Date | Time):
        return value.to_native()
    if isinstance(value, list):
        return [_native(item) for item in value]
    if isinstance(value, dict):
        return {key: _native(item) for key, item in value.items()}
    return value


def _utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo is None else moment.astimezone(UTC)
