"""Reads: one round trip each, repeated if the server asks for it."""

from typing import Any, Self

import pytest
from neo4j.exceptions import Neo4jError, ServiceUnavailable, TransientError

from app.bootstrap.dependencies import may_come
from cypher import load
from graph.core.database import Database
from graph.core.errors import Unavailable
from tests.fixtures.timeouts import scaled_timeout


class _Session:
    """A session whose statements fail or return one record each."""

    def __init__(self, error: Exception | None) -> None:
        self._error = error

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None: ...

    async def run(self, *_: object) -> "_Records":
        if self._error is not None:
            raise self._error
        return _Records(["at once"])

    async def execute_write(self, work: Any) -> Any:
        return await work(self)


class _Records:
    """The records of a statement, in the driver's lazy form and in its eager one."""

    def __init__(self, records: list[str]) -> None:
        self.records = records

    async def __aiter__(self) -> Any:
        for record in self.records:
            yield record


class _Driver:
    """A driver whose sessions fail, while its managed transactions succeed."""

    execute_query_bookmark_manager = "the bookmarks of this process"

    def __init__(self, error: Exception | None) -> None:
        self._error = error
        self.sessions: list[dict[str, object]] = []

    def session(self, **options: object) -> _Session:
        self.sessions.append(options)
        return _Session(self._error)

    async def execute_query(self, *_: object, **__: object) -> _Records:
        return _Records(["managed"])


def _database(error: Exception | None = None) -> Database:
    driver: Any = _Driver(error)
    return Database(driver, name="neo4j", timeout_seconds=scaled_timeout(5))


async def test_a_read_needs_no_transaction_around_it() -> None:
    assert await _database().run(load("ping"), {}) == ["at once"]


async def test_reads_see_what_the_same_process_wrote_before() -> None:
    """On a cluster, a read waits for the bookmarks of earlier writes."""
    driver: Any = _Driver(None)
    database = Database(driver, name="neo4j", timeout_seconds=scaled_timeout(5))

    await database.transaction(lambda runner: runner.run(load("ping"), {}))
    await database.run(load("ping"), {})

    bookmarks = [options["bookmark_manager"] for options in driver.sessions]
    assert bookmarks == [driver.execute_query_bookmark_manager] * 2


@pytest.mark.parametrize("error", [TransientError("again"), ServiceUnavailable("cut")])
async def test_a_read_that_may_be_repeated_is_left_to_the_driver(error: Exception) -> None:
    assert await _database(error).run(load("ping"), {}) == ["managed"]


@pytest.mark.parametrize(
    ("code", "is_refused"),
    [
        ("Neo.ClientError.Security.Unauthorized", True),
        ("Neo.ClientError.Security.AuthenticationRateLimit", True),
        ("Neo.ClientError.Database.DatabaseNotFound", True),
        ("Neo.DatabaseError.General.UnknownError", False),
    ],
)
async def test_a_read_that_is_refused_is_not_repeated(code, is_refused) -> None:
    """Also during startup: repeated failed logins would lock the user out."""
    error = Neo4jError._hydrate_neo4j(code=code, message="no")

    with pytest.raises(Unavailable) as unavailable:
        await _database(error).run(load("ping"), {})

    assert unavailable.value.is_refused is is_refused
    assert may_come(unavailable.value) is not is_refused
