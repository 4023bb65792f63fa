"""Counts how often memories are used (A37): in memory at once, in the graph a moment later (N1, N10)."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.ports import Clock
from graph.usage import queries

_log = structlog.get_logger("recollect.usage")

_FLUSHED_TOGETHER = 1000
# A graph that stays away must not fill the process: what is used least recently is dropped then.
_MOST_HELD = 100_000


@dataclass
class _Use:
    """What is still to be added to one memory."""

    count: int
    at: datetime


class Usage:
    """Collects uses of memories and adds them to the graph; lives as long as the process.

    What was recorded and not flushed is lost with the process: it is a signal, not a record.
    """

    def __init__(self, database: Database, clock: Clock, *, flush_seconds: float = 1.5) -> None:
        self._database = database
        self._clock = clock
        self._flush_seconds = flush_seconds
        self._pending: dict[tuple[str, str], _Use] = {}
        self._flushing = asyncio.Lock()

    def record(self, workspace_id: str, ids: Iterable[str]) -> None:
        """Note that memories were recalled and used; returns at once and never fails."""
        now = self._clock.now()
        for id_ in ids:
            self._add((workspace_id, id_), 1, now)
        self._drop_oldest()

    async def flush(self) -> None:
        """Add what was noted to the graph; memories that are gone by now are passed over.

        Raises:
            Unavailable: The graph does not answer; what was not added is kept for the next flush.
        """
        async with self._flushing:
            while self._pending:
                # A fixed order of locks keeps two processes from waiting for each other.
                keys = sorted(self._pending)[:_FLUSHED_TOGETHER]
                await self._write({key: self._pending.pop(key) for key in keys})

    async def run(self) -> None:
        """Flush every moment until cancelled, and once more then."""
        try:
            while True:
                await asyncio.sleep(self._flush_seconds)
                await self._try_flush()
        finally:
            await self._try_flush()

    async def _try_flush(self) -> None:
        try:
            await self.flush()
        except Unavailable as error:
            _log.warning("usage.flush_unavailable", dependency=error.dependency, pending=len(self._pending))

    async def _write(self, uses: dict[tuple[str, str], _Use]) -> None:
        rows: list[dict[str, Any]] = [
            {"workspace_id": workspace_id, "id": id_, "count": use.count, "at": use.at}
            for (workspace_id, id_), use in uses.items()
        ]
        try:
            await queries.add_usage(self._database, rows=rows)
        except BaseException:
            for key, use in uses.items():
                self._add(key, use.count, use.at)
            raise

    def _add(self, key: tuple[str, str], count: int, at: datetime) -> None:
        known = self._pending.pop(key, None)
        self._pending[key] = _Use(count + known.count, max(at, known.at)) if known else _Use(count, at)

    def _drop_oldest(self) -> None:
        while len(self._pending) > _MOST_HELD:
            self._pending.pop(next(iter(self._pending)))
