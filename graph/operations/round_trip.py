"""Round trips that save, recall and delete a memory: proof that the engine works, for people and for probes."""

import asyncio
import time
from collections.abc import Awaitable, Coroutine
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any, Final, TypeVar

import structlog

from graph.core.database import Database
from graph.core.errors import RecollectError, Unavailable
from graph.core.ids import new_memory_id
from graph.core.ports import Clock
from graph.memories.deletion import Deleter
from graph.memories.models import MemoryDraft, MemoryFilter
from graph.memories.service import Memories
from graph.operations import queries
from graph.operations.status import Status
from graph.retrieval.pages import Listed, MemoryPages
from graph.retrieval.recall.models import RecallQuery
from graph.retrieval.recall.service import Recall

Result = TypeVar("Result")

_log = structlog.get_logger("recollect.round_trip")

PROBE_WORKSPACE: Final = "readiness"
"""Workspace of probes; ids of workspaces begin with ``ws_``, so no caller can name it, and it has no node."""
_TEXT = "a line that is saved, recalled and deleted again"  # has no name that linking recognises
_SHARED_SECONDS = 5.0
_DEADLINE_SECONDS = 5.0  # timeout of each stage for a load balancer
_STAGE_SECONDS = 30.0  # timeout of each stage for a person
_ASK_AGAIN_SECONDS = 1.0  # interval of checks during a trip: a probe learns of a silent graph within 2 s
_LEFT_BEHIND = timedelta(minutes=10)
_STARTING_SECONDS = 600.0  # `recollect up` waits this long for its servers


class Stage(StrEnum):
    """Steps of a round trip; ``STARTING`` until the first success."""

    STARTING = "starting"
    SAVE = "save"
    RECALL = "recall"
    DELETE = "delete"


@dataclass(frozen=True)
class Readiness:
    """Result of a round trip.

    Attributes:
        failed: Failed stage; None if all succeeded and the service is ready.
        missing: Servers that do not answer, and the embedder if it cannot embed. The service may be ready without
            optional ones.
    """

    failed: Stage | None
    missing: tuple[str, ...] = ()

    @property
    def is_ready(self) -> bool:
        """True if the service accepts requests."""
        return self.failed is None


@dataclass(frozen=True)
class Verification:
    """Result of a requested round trip, with its duration; ``error`` describes a failure."""

    latency_ms: float
    error: str | None = None


@dataclass(frozen=True)
class _Failure:
    """A failed stage with its reason, the missing server, and whether it may succeed later."""

    stage: Stage
    reason: str
    missing: str | None = None
    may_pass: bool = False


class RoundTripFailed(Exception):
    """Raised if a stage did not have its effect."""


class RoundTrip:
    """Makes round trips for load balancers and for people; lives as long as the process.

    Each trip has its own memory and always deletes it, without an audit entry, because a probe is not an administrative
    action. If the caller disconnects, the trip still runs to its end.
    """

    def __init__(
        self,
        database: Database,
        memories: Memories,
        deletion: Deleter,
        listing: MemoryPages,
        recall: Recall,
        status: Status,
        clock: Clock,
        *,
        shared_seconds: float = _SHARED_SECONDS,
        deadline_seconds: float = _DEADLINE_SECONDS,
        starting_seconds: float = _STARTING_SECONDS,
    ) -> None:
        self._database = database
        self._memories = memories
        self._deletion = deletion
        self._listing = listing
        self._recall = recall
        self._status = status
        self._clock = clock
        self._shared_seconds = shared_seconds
        self._deadline_seconds = deadline_seconds
        self._starts_until: float | None = time.monotonic() + starting_seconds
        self._running: asyncio.Task[Readiness] | None = None
        self._known: tuple[float, Readiness] | None = None
        self._under_way: set[asyncio.Task[Any]] = set()
        self._left: set[str] = set()

    async def check(self) -> Readiness:
        """Return the result of a recent round trip, or of a new one; never raises.

        One trip runs at a time, and its result serves all requests of a few seconds. If the graph becomes silent,
        callers do not wait for the end of the trip.
        """
        if (known := self._just_found()) is not None:
            return known
        if self._running is None:
            if not await self._status.graph_answers():
                return self._silent()
            if (known := self._just_found()) is not None:
                return known
            self._running = self._running or self._begin(self._find_out())
        running = self._running
        while not (await asyncio.wait({running}, timeout=_ASK_AGAIN_SECONDS))[0]:
            if not await self._status.graph_answers():
                return self._silent()
        return await running

    async def verify(self) -> Verification:
        """Make a round trip and return its duration; never raises for an unavailable store."""
        start = time.perf_counter()
        failure = await asyncio.shield(self._begin(self._make(_STAGE_SECONDS)))
        latency_ms = round((time.perf_counter() - start) * 1000, 3)
        return Verification(latency_ms, failure.reason if failure else None)

    async def close(self) -> None:
        """Return when no round trip is running any more."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    def _begin(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.create_task(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        return task

    def _silent(self) -> Readiness:
        return Readiness(Stage.STARTING if self._is_starting() else Stage.SAVE, ("neo4j",))

    def _is_starting(self) -> bool:
        """Tell whether no trip has succeeded yet since a recent start of the process."""
        return self._starts_until is not None and time.monotonic() < self._starts_until

    def _just_found(self) -> Readiness | None:
        if self._known is not None and time.monotonic() - self._known[0] < self._shared_seconds:
            return self._known[1]
        return None

    async def _find_out(self) -> Readiness:
        try:
            failure, health = await asyncio.gather(self._make(self._deadline_seconds), self._status.health())
            states = (("neo4j", health.neo4j), ("redis", health.redis), ("embedder", health.embedder.ready))
            missing = {name for name, answers in states if not answers}
            if failure and failure.missing:
                missing.add(failure.missing)
            stage = failure.stage if failure else None
            if failure is None:
                self._starts_until = None
            elif failure.may_pass and self._is_starting():
                stage = Stage.STARTING
            found = Readiness(stage, tuple(sorted(missing)))
            self._known = (time.monotonic(), found)
            return found
        finally:
            self._running = None

    async def _make(self, seconds: float) -> _Failure | None:
        """Return the first stage that failed or timed out, or None."""
        id_ = new_memory_id()
        failure = await self._attempt(Stage.SAVE, self._save(id_), seconds)
        if failure is None:
            failure = await self._attempt(Stage.RECALL, self._find(id_), seconds)
            gone = await self._attempt(Stage.DELETE, self._delete(id_), seconds)
            failure = failure or gone
        # A save that timed out may still have been written, so clean up in any case; wait for this like for one stage.
        await asyncio.wait({self._begin(self._clean_up(id_))}, timeout=seconds)
        if failure is not None:
            _log.warning("round_trip.failed", stage=failure.stage.value, reason=failure.reason)
        return failure

    async def _attempt(self, stage: Stage, work: Awaitable[None], seconds: float) -> _Failure | None:
        """Return None if a stage succeeds in time, else its failure."""
        try:
            async with asyncio.timeout(seconds):
                await work
        except RoundTripFailed as failed:
            return _Failure(stage, str(failed))
        except Unavailable as error:
            return _Failure(stage, error.message, error.dependency, may_pass=True)
        except RecollectError as error:
            return _Failure(stage, error.message)
        except TimeoutError:
            return _Failure(stage, f"{stage.value} took longer than {seconds:g} seconds", may_pass=True)
        except Exception:  # noqa: BLE001 - whatever it is, requests would meet it too
            _log.exception("round_trip.crashed", stage=stage.value)
            return _Failure(stage, f"{stage.value} failed unexpectedly; see the log")
        return None

    async def _save(self, id_: str) -> None:
        draft = MemoryDraft(content=_TEXT, id=id_, session_id=id_, dedup=False)
        if (await self._memories.save(PROBE_WORKSPACE, draft)).memory.id != id_:
            raise RoundTripFailed("the save returned another memory")

    async def _find(self, id_: str) -> None:
        if await self._listed(id_) != [id_]:
            raise RoundTripFailed("the saved memory is not listed")
        query = RecallQuery(query=_TEXT, limit=1, filter=MemoryFilter(session_id=id_), dry_run=True)
        found = await self._recall.recall(PROBE_WORKSPACE, query)
        if [hit.memory.id for hit in found.hits] != [id_]:
            raise RoundTripFailed("the saved memory is not recalled")

    async def _delete(self, id_: str) -> None:
        await self._deletion.forget(PROBE_WORKSPACE, [id_], is_act=False)
        if await self._listed(id_):
            raise RoundTripFailed("the deleted memory is still listed")

    async def _listed(self, id_: str) -> list[str]:
        page = await self._listing.page(PROBE_WORKSPACE, Listed(session_id=id_), limit=10)
        return [memory.id for memory in page.memories]

    async def _clean_up(self, id_: str) -> None:
        """Remove the remains of the deleted memory, and of earlier trips that could not clean up."""
        self._left.add(id_)
        ids, before = sorted(self._left), self._clock.now() - _LEFT_BEHIND
        try:
            await queries.delete_probe_remains(
                self._database, workspace_id=PROBE_WORKSPACE, ids=ids, before=before
            )
        except RecollectError as error:
            _log.warning("round_trip.not_cleaned_up", reason=error.message)  # the next trip cleans up
        else:
            self._left.difference_update(ids)
