"""Whether the engine does its work: what a load balancer asks before it sends requests here."""

import asyncio
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Final

import structlog

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.ids import new_memory_id
from graph.memories.models import MemoryDraft, MemoryFilter
from graph.memories.service import Memories
from graph.ports import Clock
from graph.recall.models import RecallQuery
from graph.recall.service import Recall
from graph.status import queries
from graph.status.service import Status

_log = structlog.get_logger("recollect.readiness")

PROBE_WORKSPACE: Final = "readiness"
"""Ids of workspaces begin with ``ws_``, so nobody can name it; there is no node of it either."""
_TEXT = "a line that is saved, recalled and deleted again"  # names nothing that linking would make a node of
_SHARED_SECONDS = 5.0
_DEADLINE_SECONDS = 5.0  # of each stage
_LEFT_BEHIND = timedelta(minutes=10)


class Stage(StrEnum):
    """The steps of a round trip."""

    SAVE = "save"
    RECALL = "recall"
    DELETE = "delete"


@dataclass(frozen=True)
class Readiness:
    """What a round trip found.

    Attributes:
        failed: The stage that did not succeed; None where all did, which is being ready.
        missing: The servers that do not answer and the embedder where it cannot embed; what is not needed may be
            missing while the engine is ready.
    """

    failed: Stage | None
    missing: tuple[str, ...] = ()

    @property
    def is_ready(self) -> bool:
        """Whether requests may come."""
        return self.failed is None


class ReadinessProbe:
    """Saves, recalls and deletes a memory in a workspace of its own; lives as long as the process.

    One round trip runs at a time, and its result serves for a few seconds: however often it is asked, the graph has
    one probe to answer.
    """

    def __init__(
        self,
        database: Database,
        memories: Memories,
        recall: Recall,
        status: Status,
        clock: Clock,
        *,
        shared_seconds: float = _SHARED_SECONDS,
        deadline_seconds: float = _DEADLINE_SECONDS,
    ) -> None:
        self._database = database
        self._memories = memories
        self._recall = recall
        self._status = status
        self._clock = clock
        self._shared_seconds = shared_seconds
        self._deadline_seconds = deadline_seconds
        self._running: asyncio.Task[Readiness] | None = None
        self._known: tuple[float, Readiness] | None = None

    async def check(self) -> Readiness:
        """Return what the latest round trip found, after making one where that is too long ago; never raises."""
        if self._known is not None and time.monotonic() - self._known[0] < self._shared_seconds:
            return self._known[1]
        if self._running is None:
            self._running = asyncio.create_task(self._find_out())
        # Whoever asked may go away; the round trip is ended all the same, and leaves nothing.
        return await asyncio.shield(self._running)

    async def close(self) -> None:
        """Return once no round trip is under way."""
        if self._running is not None:
            await self._running

    async def _find_out(self) -> Readiness:
        try:
            found = await self._round_trip()
            self._known = (time.monotonic(), found)
            return found
        finally:
            self._running = None

    async def _round_trip(self) -> Readiness:
        (failed, missing), health = await asyncio.gather(self._failed_stage(), self._status.health())
        states = (("neo4j", health.neo4j), ("redis", health.redis), ("embedder", health.embedder.ready))
        missing |= {name for name, answers in states if not answers}
        if failed is not None:
            _log.warning("readiness.failed", stage=failed.value, missing=sorted(missing))
        return Readiness(failed, tuple(sorted(missing)))

    async def _failed_stage(self) -> tuple[Stage | None, set[str]]:
        """Return the first stage that did not succeed, if one did not, and whom it missed."""
        id_ = new_memory_id()
        outcome = await self._attempt(Stage.SAVE, self._save(id_))
        if outcome is None:
            outcome = await self._attempt(Stage.RECALL, self._is_found(id_))
            gone = await self._attempt(Stage.DELETE, self._delete(id_))
            outcome = outcome or gone
        return outcome or (None, set())

    async def _attempt(self, stage: Stage, work: Awaitable[bool]) -> tuple[Stage, set[str]] | None:
        """Return None for a stage that succeeds in time, else its name and whom it missed."""
        try:
            async with asyncio.timeout(self._deadline_seconds):
                return None if await work else (stage, set())
        except Unavailable as error:
            return stage, {error.dependency}
        except TimeoutError:
            return stage, set()
        except Exception:  # noqa: BLE001 - whatever it is, requests would meet it too
            _log.exception("readiness.crashed", stage=stage.value)
            return stage, set()

    async def _save(self, id_: str) -> bool:
        draft = MemoryDraft(content=_TEXT, id=id_, session_id=id_, dedup=False)
        return (await self._memories.save(PROBE_WORKSPACE, draft)).memory.id == id_

    async def _is_found(self, id_: str) -> bool:
        query = RecallQuery(query=_TEXT, limit=1, filter=MemoryFilter(session_id=id_), dry_run=True)
        found = await self._recall.recall(PROBE_WORKSPACE, query)
        return [hit.memory.id for hit in found.hits] == [id_]

    async def _delete(self, id_: str) -> bool:
        await self._memories.forget(PROBE_WORKSPACE, [id_])
        before = self._clock.now() - _LEFT_BEHIND
        await queries.delete_probe_remains(
            self._database, workspace_id=PROBE_WORKSPACE, id=id_, before=before
        )
        return True
