"""Records as frozen rows; an unexpected number of rows is an error."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import neo4j.time
import pytest
from neo4j import Record
from pydantic import ValidationError

from cypher import Statement
from cypher.header import parse
from graph.core.rows import (
    ATTEMPTS,
    Parameters,
    Row,
    RowCountError,
    execute,
    fetch_many,
    fetch_one,
    fetch_optional,
)

STATEMENT = parse(
    "// name: get_x\n// mode: read\n// returns: many\n// column: id string\n// unscoped: it reads nothing\n"
    "CYPHER 25\nRETURN 'x' AS id\n",
    folder="tests",
    stem="get_x",
    path="cypher/tests/get_x.cypher",
)


class IdRow(Row):
    id: str


class Nested(Row):
    at: datetime


class TimesRow(Row):
    at: datetime | None
    day: date
    listed: Sequence[datetime]
    nested: Nested
    free: Mapping[str, Any]
    vector: Sequence[float]


class Records:
    """A runner that returns the given records."""

    def __init__(self, *rows: Mapping[str, Any]) -> None:
        self._rows = rows
        self.parameters: Parameters | None = None

    async def run(self, statement: Statement, parameters: Parameters) -> list[Record]:
        assert statement is STATEMENT
        self.parameters = parameters
        return [Record(row) for row in self._rows]


async def test_rows_come_in_the_order_of_the_records() -> None:
    runner = Records({"id": "b"}, {"id": "a"})

    rows = await fetch_many(runner, STATEMENT, IdRow, {"limit": 2})

    assert rows == [IdRow(id="b"), IdRow(id="a")]
    assert runner.parameters == {"limit": 2}


async def test_a_single_column_returns_plain_values() -> None:
    paris = datetime(2026, 7, 1, 12, tzinfo=ZoneInfo("Europe/Paris"))
    moment, utc = neo4j.time.DateTime.from_native(paris), datetime(2026, 7, 1, 10, tzinfo=UTC)

    assert await fetch_many(Records({"id": "b"}, {"id": "a"}), STATEMENT, str, {}) == ["b", "a"]
    assert await fetch_one(Records({"at": moment}), STATEMENT, datetime, {}) == utc
    assert await fetch_one(Records({"map": {"at": moment}}), STATEMENT, dict[str, datetime], {}) == {
        "at": utc
    }
    assert await fetch_optional(Records(), STATEMENT, str, {}) is None


@pytest.mark.parametrize("record", [{"id": "a", "more": 1}, {"id": None}])
async def test_a_value_that_does_not_fit_is_refused(record: dict[str, Any]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - pydantic's is one, and so is that of too many columns
        await fetch_one(Records(record), STATEMENT, str, {})


async def test_no_records_give_no_rows() -> None:
    assert await fetch_many(Records(), STATEMENT, IdRow, {}) == []


async def test_one_row_is_fetched() -> None:
    assert await fetch_one(Records({"id": "a"}), STATEMENT, IdRow, {}) == IdRow(id="a")
    assert await fetch_optional(Records({"id": "a"}), STATEMENT, IdRow, {}) == IdRow(id="a")
    assert await fetch_optional(Records(), STATEMENT, IdRow, {}) is None
    assert await execute(Records(), STATEMENT, {}) is None


async def test_another_number_of_rows_is_a_lookup_error() -> None:
    one, two = Records({"id": "a"}), Records({"id": "a"}, {"id": "b"})

    with pytest.raises(LookupError, match=r"cypher/tests/get_x.cypher returned 0 rows, expected exactly one"):
        await fetch_one(Records(), STATEMENT, IdRow, {})
    with pytest.raises(RowCountError, match="returned 2 rows, expected exactly one"):
        await fetch_one(two, STATEMENT, IdRow, {})
    with pytest.raises(RowCountError, match="returned 2 rows, expected at most one"):
        await fetch_optional(two, STATEMENT, IdRow, {})
    with pytest.raises(RowCountError, match="returned 1 rows, expected none"):
        await execute(one, STATEMENT, {})


async def test_nested_times_become_utc() -> None:
    paris = datetime(2026, 7, 1, 12, tzinfo=ZoneInfo("Europe/Paris"))
    stored = neo4j.time.DateTime.from_native(paris)
    utc = datetime(2026, 7, 1, 10, tzinfo=UTC)
    record = {
        "at": stored,
        "day": neo4j.time.Date(2026, 7, 1),
        "listed": [stored],
        "nested": {"at": stored},
        "free": {"list": [{"at": stored}], "n": 1},
        "vector": [0.5],
    }

    row = await fetch_one(Records(record), STATEMENT, TimesRow, {})

    assert row.at == utc
    assert row.at is not None
    assert row.at.tzinfo is UTC
    assert row.day == date(2026, 7, 1)
    assert row.listed == [utc]
    assert row.nested == Nested(at=utc)
    assert row.free == {"list": [{"at": utc}], "n": 1}
    assert row.vector == [0.5]


async def test_null_stays_none() -> None:
    record = {
        "at": None,
        "day": date(2026, 7, 1),
        "listed": [],
        "nested": {"at": datetime(2026, 7, 1, tzinfo=UTC)},
    }

    row = await fetch_one(Records({**record, "free": {}, "vector": []}), STATEMENT, TimesRow, {})

    assert row.at is None


@pytest.mark.parametrize("record", [{"id": "a", "more": 1}, {"other": "a"}, {"id": None}])
async def test_a_record_that_does_not_fit_is_refused(record: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        await fetch_one(Records(record), STATEMENT, IdRow, {})


async def test_rows_are_frozen() -> None:
    row = await fetch_one(Records({"id": "a"}), STATEMENT, IdRow, {})

    with pytest.raises(ValidationError):
        row.id = "b"  # type: ignore[misc]


class Deleting:
    """A runner that returns a node in deletion, as Neo4j does, and after some reads only the rest."""

    def __init__(self, *, torn_reads: int) -> None:
        self._torn_reads = torn_reads
        self.reads = 0

    async def run(self, statement: Statement, parameters: Parameters) -> list[Record]:
        self.reads += 1
        gone = [Record({"id": None})] if self.reads <= self._torn_reads else []
        return [Record({"id": "a"}), *gone]


@pytest.mark.parametrize("torn_reads", [0, 1, ATTEMPTS - 1])
async def test_a_read_of_a_node_being_deleted_is_repeated(torn_reads: int) -> None:
    runner = Deleting(torn_reads=torn_reads)

    assert await fetch_many(runner, STATEMENT, IdRow, {}) == [IdRow(id="a")]
    assert runner.reads == torn_reads + 1


async def test_a_row_that_never_fits_is_an_error_and_writes_are_not_repeated() -> None:
    reading, writing = Deleting(torn_reads=99), Deleting(torn_reads=99)

    with pytest.raises(ValidationError):
        await fetch_many(reading, STATEMENT, IdRow, {})
    with pytest.raises(ValidationError):
        await fetch_many(writing, replace(STATEMENT, mode="write"), IdRow, {})
    assert (reading.reads, writing.reads) == (ATTEMPTS, 1)
