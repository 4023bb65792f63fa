"""Counts uses of memories, and recalls: first in memory, a moment later in the graph."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, TypeVar

import structlog

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.ports import Clock
from graph.core.scope import SHARED, owner_named
from graph.core.text.checks import is_identifier
from graph.telemetry import queries
from graph.telemetry.models import MemoryUse

_log = structlog.get_logger("recollect.usage")

_FLUSHED_TOGETHER = 1000
# During a long outage of the graph the counts must not fill the process's memory; the oldest are dropped.
_MOST_HELD = 100_000


_UseKey = tuple[str, str, str, str]
_Key = TypeVar("_Key", str, tuple[str, str], _UseKey)


@dataclass
class _Use:
    """Unwritten uses of one memory."""

    count: int
    at: datetime


@dataclass
class _Recalls:
    """Unwritten counts of one workspace: its recalls, and its recalls with a hit."""

    count: int = 0
    answered: int = 0


class Usage:
    """Collects uses of memories, and recalls, and adds them to the graph; lives as long as the process.

    Unwritten uses are lost with the process: they are a signal, not a record.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        link: Callable[[str, Sequence[MemoryUse]], Awaitable[None]] | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._pending: dict[tuple[str, str], _Use] = {}
        self._recalls: dict[str, _Recalls] = {}
        self._link = link
        self._uses: dict[_UseKey, MemoryUse] = {}
        self._flushing = asyncio.Lock()

    def record(self, workspace_id: str, ids: Iterable[str]) -> None:
        """Record the use of recalled memories; returns immediately and never fails."""
        now = self._clock.now()
        for id_ in ids:
            self._add((workspace_id, id_), 1, now)
        self._drop_oldest()

    def record_recall(
        self,
        workspace_id: str,
        ids: Sequence[str],
        *,
        session_id: str | None = None,
        first_rank: int = 1,
    ) -> None:
        """Record a recall and its memories; returns immediately and never fails.

        Args:
            workspace_id: Workspace of the memories.
            ids: Memories, best first.
            session_id: Session whose run uses them; its sequence gets links to them.
            first_rank: Rank of the first memory in the whole result, from 1.
        """
        self._add_recalls(workspace_id, _Recalls(1, 1 if ids else 0))
        self.record(workspace_id, ids)
        if self._link is not None and session_id is not None and is_identifier(session_id):
            now = self._clock.now()
            user_id, agent_id = (name or SHARED for name in owner_named(None, None))
            for rank, id_ in enumerate(ids, start=first_rank):
                use = MemoryUse(
                    user_id=user_id,
                    agent_id=agent_id,
                    session_id=session_id,
                    memory_id=id_,
                    rank=rank,
                    at=now,
                )
                self._add_use(workspace_id, use)

    async def flush(self) -> None:
        """Write the recorded uses to the graph; skips deleted memories.

        Raises:
            Unavailable: The graph does not answer; unwritten uses are kept for the next flush.
        """
        async with self._flushing:
            while self._pending:
                keys = _first(self._pending)
                await self._write({key: self._pending.pop(key) for key in keys})
            while self._link is not None and self._uses:
                chosen = _first(self._uses)
                await self._write_uses(self._link, {key: self._uses.pop(key) for key in chosen})
            while self._recalls:
                workspaces = _first(self._recalls)
                await self._write_recalls({key: self._recalls.pop(key) for key in workspaces})

    async def close(self) -> None:
        """Write the remaining counts if the graph answers."""
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

    async def _write_uses(
        self,
        link: Callable[[str, Sequence[MemoryUse]], Awaitable[None]],
        uses: dict[_UseKey, MemoryUse],
    ) -> None:
        by_workspace: dict[str, list[MemoryUse]] = defaultdict(list)
        for (workspace_id, *_), use in uses.items():
            by_workspace[workspace_id].append(use)
        try:
            for workspace_id in list(by_workspace):
                await link(workspace_id, by_workspace[workspace_id])
                del by_workspace[workspace_id]
        finally:
            for workspace_id, left in by_workspace.items():
                for use in left:
                    self._add_use(workspace_id, use)

    async def _write_recalls(self, recalls: dict[str, _Recalls]) -> None:
        now = self._clock.now()
        rows: list[dict[str, Any]] = [
            {"workspace_id": workspace_id, "count": noted.count, "answered": noted.answered, "at": now}
            for workspace_id, noted in recalls.items()
        ]
        try:
            await queries.add_recalls(self._database, rows=rows)
        except BaseException:
            for workspace_id, noted in recalls.items():
                self._add_recalls(workspace_id, noted)
            raise

    def _add_recalls(self, workspace_id: str, noted: _Recalls) -> None:
        known = self._recalls.setdefault(workspace_id, _Recalls())
        known.count += noted.count
        known.answered += noted.answered

    def _add(self, key: tuple[str, str], count: int, at: datetime) -> None:
        known = self._pending.pop(key, None)
        self._pending[key] = _Use(count + known.count, max(at, known.at)) if known else _Use(count, at)

    def _add_use(self, workspace_id: str, use: MemoryUse) -> None:
        key = (workspace_id, use.user_id, use.session_id, use.memory_id)
        known = self._uses.pop(key, None)
        self._uses[key] = use.joined(known) if known else use
        if len(self._uses) > _MOST_HELD:
            self._uses.pop(next(iter(self._uses)))

    def _drop_oldest(self) -> None:
        while len(self._pending) > _MOST_HELD:
            self._pending.pop(next(iter(self._pending)))


def _first(noted: Mapping[_Key, object]) -> list[_Key]:
    """Return the oldest entries for one write, sorted so that all processes lock them in the same order."""
    return sorted(islice(noted, _FLUSHED_TOGETHER))
