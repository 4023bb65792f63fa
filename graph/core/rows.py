"""Turns what a query returned into frozen, validated rows; where it returns one column, into that column's values.

One validation of the whole list is faster than ``model_construct`` or a dataclass per row: 250 rows of 12
columns cost about 2 ms, and most of that is the driver's date type.
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
"""Marks a column of a row (``Annotated``) whose maps hold no temporal value: hundreds of them need not be walked."""

ATTEMPTS: Final = 4
"""Number of attempts of a read before concurrently deleted nodes count as its failure."""

_READ_TOGETHER = 32
"""Rows that are validated before anybody else may have a turn; ones with whole memories take about 2 ms."""

_PLAIN_TYPES = frozenset({str, int, float, bool, bytes, NoneType})
_CONTAINERS = frozenset({list, tuple, set, frozenset, Sequence, Union, UnionType})


class Row(BaseModel):
    """One record of one query; its fields are the query's columns, no more and no fewer."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RowCountError(LookupError):
    """Raised when a query returned another number of rows than its header promises."""

    def __init__(self, statement: Statement, expected: str, count: int) -> None:
        super().__init__(f"{statement.path} returned {count} rows, expected {expected}")
        self.count = count


class Runner(Protocol):
    """Runs one statement: a transaction, or a database that opens one for it."""

    async def run(self, statement: Statement, parameters: Parameters) -> list[Record]:
        """Return all records, with the server's errors translated to ``graph.core.errors``."""
        ...


First = Callable[[Runner], Awaitable[None]]
"""Work at the beginning of another's transaction; an exception rolls everything back."""


async def fetch_one(runner: Runner, statement: Statement, row: type[RowT], parameters: Parameters) -> RowT:
    """Return the only row.

    Raises:
        RowCountError: There was none, or more than one.
    """
    rows = await fetch_many(runner, statement, row, parameters)
    if len(rows) != 1:
        raise RowCountError(statement, "exactly one", len(rows))
    return rows[0]


async def fetch_optional(
    runner: Runner, statement: Statement, row: type[RowT], parameters: Parameters
) -> RowT | None:
    """Return the only row, or None where there is none.

    Raises:
        RowCountError: There was more than one.
    """
    rows = await fetch_many(runner, statement, row, parameters)
    if len(rows) > 1:
        raise RowCountError(statement, "at most one", len(rows))
    return rows[0] if rows else None


async def fetch_many(
    runner: Runner, statement: Statement, row: type[RowT], parameters: Parameters
) -> list[RowT]:
    """Return every row, in the query's order.

    Neo4j reads committed data property by property: of a node that another transaction deletes in the middle of a
    read, the rest is null. A read that comes back with such a row is made again, and then no index has the node.

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
        RowCountError: It returned rows after all.
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
    """Compile, once per row model or type of a single column, what turns records into rows."""
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
        # A Record's own iterator is three times slower than that of the tuple it is.
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
    """Tell whether values of the annotation can hold no Neo4j type, so that long vectors are not walked."""
    origin = get_origin(annotation)
    if origin is Literal or annotation is Ellipsis:
        return True
    if origin in _CONTAINERS:
        return all(_is_plain(argument) for argument in get_args(annotation))
    return isinstance(annotation, type) and annotation in _PLAIN_TYPES


def _native(value: Any) -> Any:
    """Replace Neo4j's temporal values by Python's, zoned ones in UTC, also inside lists and maps."""
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
