"""Recorder of an engine's statements, for running them without the engine."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cypher import Statement
from graph.core.database import Database
from graph.core.rows import Runner


class StatementRecorder:
    """Wrapper of a database that records statements and their parameters."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.sent: list[tuple[Statement, Mapping[str, Any]]] = []

    async def run(self, statement: Statement, parameters: Mapping[str, Any]) -> Any:
        self.sent.append((statement, parameters))
        return await self._database.run(statement, parameters)

    async def transaction(self, work: Callable[[Runner], Awaitable[Any]], *, attempts: int = 1) -> Any:
        async def recorded(tx: Runner) -> Any:
            return await work(_Recorded(tx, self.sent))

        return await self._database.transaction(recorded, attempts=attempts)


@dataclass(frozen=True)
class _Recorded:
    """A transaction that records its statements."""

    tx: Runner
    sent: list[tuple[Statement, Mapping[str, Any]]]

    async def run(self, statement: Statement, parameters: Mapping[str, Any]) -> Any:
        self.sent.append((statement, parameters))
        return await self.tx.run(statement, parameters)
