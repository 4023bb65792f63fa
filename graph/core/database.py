"""Access to Neo4j: managed transactions, deadlines and the translation of driver errors."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager, suppress
from typing import Any, Final, ParamSpec, TypeVar

from neo4j import (
    READ_ACCESS,
    AsyncDriver,
    AsyncManagedTransaction,
    Query,
    Record,
    RoutingControl,
    unit_of_work,
)
from neo4j.exceptions import ConstraintError, DriverError, Neo4jError
from tenacity import AsyncRetrying, retry, retry_if_exception, stop_after_attempt

from cypher import Statement, load
from graph.core.deadlines import is_long_work
from graph.core.errors import Conflict, RecollectError, Unavailable
from graph.core.measuring import UNMEASURED, Measurements
from graph.core.responsiveness import ResponsivenessMonitor
from graph.core.rows import ATTEMPTS, Runner

T = TypeVar("T")
CallParams = ParamSpec("CallParams")

_TIMED_OUT = "TransactionTimedOut"
# Another transaction deleted a node between finding it in an index and reading it, or before locking it.
_GONE = "Neo.ClientError.Statement.EntityNotFound"
_ALREADY_THERE = frozenset(
    {
        "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists",
        "Neo.ClientError.Schema.ConstraintAlreadyExists",
        "Neo.ClientError.Schema.IndexAlreadyExists",
    }
)
# Messages of the server about a vector index, named in the statement, and a full-text index, named in a parameter.
_NO_INDEX = "Neo.ClientError.Schema.IndexNotFound"
_NAMED_INDEX = re.compile(r"[Ii]ndex ['`](?P<name>\w+)['`]")
_POPULATING = "is not ready yet"
_FULLTEXT_CALL = "`db.index.fulltext.queryNodes`"
_FULLTEXT_INDEX = re.compile(r"fulltext schema index: (?P<name>\w+)")
_UNAVAILABLE = (
    "Neo.TransientError.",
    "Neo.ClientError.Cluster.",
    "Neo.DatabaseError.",
)
# The server refuses the login, or lacks the database. An expired token is not a refusal: the driver gets a new one.
_REFUSED = {
    "Neo.ClientError.Security.": "the graph database refuses the login of this service",
    "Neo.ClientError.Database.": "the graph database has no database of the name that this service asks for",
}
_SERVER_LATE_SECONDS = 5.0
"""Maximum delay after which the server ends a transaction above its limit: it checks every 2 s."""
_CLOSING_SECONDS = 2.0
_REQUEST_TIMEOUT_SECONDS: Final = 30.0
"""Timeout of a request's transaction while the server answers others; our clients wait 25 seconds."""
_LONG_TIMEOUT_SECONDS: Final = 600.0
"""Timeout of a transaction of ``long_work()``, such as the removal of a large workspace."""


def _is_deleted_node_error(error: BaseException) -> bool:
    return isinstance(error, Unavailable) and _is_gone(error.__cause__)


def _was_claimed(error: BaseException) -> bool:
    """Return whether a concurrent writer created the same node; a retry will find it."""
    return isinstance(error, Conflict) and error.field is None


def _retry_on_deleted_node(
    method: Callable[CallParams, Coroutine[Any, Any, T]],
) -> Callable[CallParams, Coroutine[Any, Any, T]]:
    """Retry a method that found a deleted node: it has written nothing yet, and a retry does not find the node."""
    return retry(
        stop=stop_after_attempt(ATTEMPTS), retry=retry_if_exception(_is_deleted_node_error), reraise=True
    )(method)


class Database:
    """Runs statements of the catalogue; lives as long as the process and is safe for concurrent use.

    Each :meth:`run` is a separate transaction; :meth:`transaction` joins several calls. The driver repeats either at
    the server's request, so the work must use only the given runner. If the server does not answer, the connection is
    dropped and the work is never repeated here, because it may have been committed.

    Args:
        driver: Driver with the connections.
        name: Name of the database.
        timeout_seconds: Maximum silence of the server.
        measurements: Receiver of the duration of statements.
    """

    def __init__(
        self,
        driver: AsyncDriver,
        *,
        name: str,
        timeout_seconds: float,
        measurements: Measurements = UNMEASURED,
    ) -> None:
        self._driver = driver
        self._measurements = measurements
        self._name = name
        self._monitor = ResponsivenessMonitor(self._ping, deadline_seconds=timeout_seconds)

    @_retry_on_deleted_node
    async def run(self, statement: Statement, parameters: Mapping[str, Any]) -> list[Record]:
        """Run one statement in its own transaction and return its records.

        Raises:
            Conflict: A uniqueness constraint refused the write.
            Unavailable: The server does not answer, or the statement exceeded its deadline.
        """
        if statement.mode == "schema":
            return await self._run_schema(statement, parameters)
        query = Query(statement.text, metadata={"query": statement.name}, timeout=self._server_timeout)
        reads = statement.mode == "read"
        run = self._read if reads else self._write
        try:
            async with self._bounded(writes=not reads):
                with self._measurements.statement(statement.name):
                    records = await run(query, _summarised_for_log(parameters))
        except (Neo4jError, DriverError) as error:
            raise _translated(error) from error
        self._monitor.note_answer()
        return records

    async def _read(self, query: Query, parameters: dict[str, Any]) -> list[Record]:
        """Read in one round trip, as an implicit transaction; errors that are worth a retry go to the driver."""
        try:
            async with self._driver.session(
                database=self._name,
                default_access_mode=READ_ACCESS,
                bookmark_manager=self._driver.execute_query_bookmark_manager,
            ) as session:
                result = await session.run(query, parameters)
                return [record async for record in result]
        except (Neo4jError, DriverError) as error:
            if not error.is_retryable():
                raise
        return await self._managed(query, parameters, RoutingControl.READ)

    async def _write(self, query: Query, parameters: dict[str, Any]) -> list[Record]:
        return await self._managed(query, parameters, RoutingControl.WRITE)

    async def _managed(
        self, query: Query, parameters: dict[str, Any], routing: RoutingControl
    ) -> list[Record]:
        result = await self._driver.execute_query(query, parameters, routing_=routing, database_=self._name)
        return result.records

    @_retry_on_deleted_node
    async def transaction(self, work: Callable[[Runner], Awaitable[T]], *, attempts: int = 1) -> T:
        """Run ``work`` in one write transaction; it may be called again after a transient failure.

        Args:
            work: Work that receives the transaction.
            attempts: Number of attempts before an id or key that another writer claims at the same time counts as a
                conflict: a retry finds the other writer's node.

        Raises:
            Conflict: A uniqueness constraint refused the write.
            Unavailable: The server does not answer, or the transaction exceeded its deadline.
        """
        claimed = AsyncRetrying(
            stop=stop_after_attempt(attempts), retry=retry_if_exception(_was_claimed), reraise=True
        )
        return await claimed(self._transact, work)

    async def _transact(self, work: Callable[[Runner], Awaitable[T]]) -> T:
        @unit_of_work(timeout=self._server_timeout)
        async def in_transaction(tx: AsyncManagedTransaction) -> T:
            return await work(_Transaction(tx, self._measurements, self._monitor))

        try:
            async with (
                self._bounded(writes=True),
                self._driver.session(
                    database=self._name, bookmark_manager=self._driver.execute_query_bookmark_manager
                ) as session,
            ):
                return await session.execute_write(in_transaction)
        except (Neo4jError, DriverError) as error:
            raise _translated(error) from error

    async def _run_schema(self, statement: Statement, parameters: Mapping[str, Any]) -> list[Record]:
        for part in statement.parts:
            try:
                async with self._monitor.bounded(seconds=_LONG_TIMEOUT_SECONDS, writes=True):
                    await self._driver.execute_query(part, dict(parameters), database_=self._name)
            except (Neo4jError, DriverError) as error:
                if not _is_there_already(error):
                    raise _translated(error) from error
        return []

    async def server_agent(self) -> str:
        """Return the server's name and version, such as ``Neo4j/2026.08.1``, without a statement.

        Raises:
            Unavailable: The server does not answer, or refuses the login.
        """
        try:
            async with self._bounded(writes=False):
                return (await self._driver.get_server_info()).agent
        except (Neo4jError, DriverError) as error:
            raise _translated(error) from error

    async def answers_within(self, seconds: float) -> bool:
        """Tell whether the server answers a minimal request in time; never raises."""
        return await self._monitor.answers_within(seconds)

    def patient(self, seconds: float) -> AbstractContextManager[None]:
        """Within the block, wait up to ``seconds`` for a silent server, because it is starting."""
        return self._monitor.patient(seconds)

    async def close(self) -> None:
        """Close the driver and its connections; cut connections that do not close in time."""
        await self._monitor.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSING_SECONDS):
                await self._driver.close()

    @property
    def _server_timeout(self) -> float:
        return _LONG_TIMEOUT_SECONDS if is_long_work() else _REQUEST_TIMEOUT_SECONDS

    def _bounded(self, *, writes: bool) -> AbstractAsyncContextManager[None]:
        return self._monitor.bounded(seconds=self._server_timeout + _SERVER_LATE_SECONDS, writes=writes)

    async def _ping(self) -> None:
        await self._driver.execute_query(
            Query(load("ping").text), routing_=RoutingControl.READ, database_=self._name
        )


class _Transaction:
    """A runner inside one managed transaction."""

    def __init__(
        self, tx: AsyncManagedTransaction, measurements: Measurements, monitor: ResponsivenessMonitor
    ) -> None:
        self._tx = tx
        self._measurements = measurements
        self._monitor = monitor

    async def run(self, statement: Statement, parameters: Mapping[str, Any]) -> list[Record]:
        with self._measurements.statement(statement.name):
            result = await self._tx.run(statement.text, _summarised_for_log(parameters))
            records = [record async for record in result]
        self._monitor.note_answer()
        return records


class _SummarisedList(list[Any]):
    """A list whose ``repr`` is only its length."""

    def __repr__(self) -> str:
        return f"[{len(self)} values]"


class _SummarisedMap(dict[str, Any]):
    """A map whose ``repr`` is only its number of values."""

    def __repr__(self) -> str:
        return f"{{{len(self)} values}}"


def _summarised_for_log(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the same parameters, with a short ``repr`` of lists and maps.

    The driver formats the parameters of every statement for its log, even if logging is off. For a batch with texts or
    vectors this took longer than sending it, and blocked the event loop.
    """
    return {
        name: _SummarisedList(value)
        if isinstance(value, list | tuple)
        else _SummarisedMap(value)
        if isinstance(value, dict)
        else value
        for name, value in parameters.items()
    }


def _is_there_already(error: Neo4jError | DriverError) -> bool:
    """Return whether another process created the same index or constraint, which IF NOT EXISTS misses."""
    return isinstance(error, Neo4jError) and error.code in _ALREADY_THERE


def _is_gone(error: BaseException | None) -> bool:
    """Return whether another transaction has permanently deleted a node of the statement."""
    return isinstance(error, Neo4jError) and error.code == _GONE


def _translated(error: Neo4jError | DriverError) -> Exception:
    """Return the domain error for a driver error, or the error itself if it is a defect of this service."""
    if isinstance(error, RecollectError):
        return error
    if isinstance(error, ConstraintError):
        return Conflict("another write claimed the same id or key; try again")
    if _is_gone(error):
        return Unavailable("neo4j", "what was read is being deleted; try again", retry_after_seconds=1)
    if isinstance(error, DriverError):
        return Unavailable("neo4j", "the graph database does not answer; try again shortly")
    return _unavailable(error) or error


def _unavailable(error: Neo4jError) -> Unavailable | None:
    """Return the domain error if the server cannot serve the statement now; None if the statement itself is wrong."""
    code = error.code or ""
    if (index := _index_missed(error)) is not None:
        state = "is not ready yet" if _POPULATING in (error.message or "") else "cannot be searched"
        return Unavailable("neo4j", f"the index {index} {state}", index=index)
    if _TIMED_OUT in code:
        return Unavailable("neo4j", "the graph database ran into the deadline of this request")
    for prefix, message in _REFUSED.items():
        if code.startswith(prefix) and not error.is_retryable():
            return Unavailable("neo4j", message, is_refused=True)
    if code.startswith((*_UNAVAILABLE, *_REFUSED)):
        return Unavailable("neo4j", "the graph database cannot serve the request now; try again shortly")
    return None


def _index_missed(error: Neo4jError) -> str | None:
    """Return the missing or unavailable search index, ``fulltext`` if unnamed, else None."""
    message = error.message or ""
    if error.code == _NO_INDEX:
        named = _NAMED_INDEX.search(message)
        return named["name"] if named else None
    if _FULLTEXT_CALL in message:
        named = _FULLTEXT_INDEX.search(message)
        return named["name"] if named else "fulltext"
    return None


OLDEST: Final = (2026, 8)
"""Year and month of the first release that supports all statements, such as SEARCH with filters in the vector index."""
_AGENT = re.compile(r"Neo4j/(?P<year>\d+)\.(?P<month>\d+)")


def is_too_old(agent: str) -> bool:
    """Tell whether a server is older than ``OLDEST``; False for Aura, whose version does not name its release.

    >>> is_too_old("Neo4j/5.26.1"), is_too_old("Neo4j/2026.08.1"), is_too_old("Neo4j/5.27-aura")
    (True, False, False)
    """
    named = _AGENT.match(agent)
    if named is None or "aura" in agent:
        return False
    return (int(named["year"]), int(named["month"])) < OLDEST


def requirement() -> str:
    """Return the required release, for a message."""
    year, month = OLDEST
    return f"Neo4j {year}.{month:02} or later"
