"""The state of the engine, for people and for probes."""

import asyncio
import time
from collections.abc import Awaitable, Collection, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final, TypeVar

import structlog
from cachetools import TTLCache

from graph.core.database import Database
from graph.core.errors import RecollectError, Unavailable
from graph.core.ids import new_memory_id
from graph.core.models import JobKind
from graph.core.ports import CacheStats, Clock, EmbedderState, WakeUp
from graph.core.rows import Runner
from graph.core.text.detection import foreign_share
from graph.memories.deletion.service import Deleter
from graph.memories.models import Memory, MemoryDraft, MemoryFilter
from graph.memories.service import Memories
from graph.operations import queries
from graph.operations.admin import online_indexes
from graph.operations.queries import CountByWorkspaceRow
from graph.retrieval.pages.service import Listed, MemoryPages
from graph.retrieval.recall.models import RecallQuery
from graph.retrieval.recall.service import Recall
from graph.vectors.external.models import TierStatus
from graph.vectors.external.service import ExternalTier
from graph.vectors.index.models import BuildingIndex, EmbeddingProvider, VectorIndex
from graph.vectors.index.service import Embeddings, find_indexes


@dataclass(frozen=True)
class VectorMeta:
    """The record of the vectors in use.

    Attributes:
        active_dim: Their length; None until an embedder has been ready once.
        embedding_signature: ``source:model:dimension`` and how the index compresses them, such as ``:int8``.
        last_reset_at: When they took the place of others.
        vec_loaded: Whether the index is in use.
    """

    active_dim: int | None
    embedding_signature: str | None
    last_reset_at: datetime | None
    vec_loaded: bool


async def read_vector_meta(runner: Runner, *, online: Collection[str]) -> VectorMeta:
    """Return the record as the store has it, whose indexes ``online`` serve."""
    roles = await find_indexes(runner)
    if roles is None or roles.active is None:
        return VectorMeta(None, None, None, vec_loaded=False)
    return VectorMeta(
        active_dim=roles.active.dimension,
        embedding_signature=roles.active.index_signature,
        last_reset_at=roles.last_reset_at,
        vec_loaded=roles.active.name in online,
    )


_COUNTED = "counted"
_COUNTED_SECONDS = 5.0
_PATIENCE_SECONDS = 0.9  # with a server: probes wait two seconds for an answer that asks twice
_QUEUES: Mapping[str, str] = {
    JobKind.EMBED: "embedding",
    JobKind.LINK: "enrichment",
    JobKind.TIMELINE: "enrichment",
    JobKind.DISTILL: "distill",
    JobKind.EXTRACT: "extraction",
    JobKind.EXTRACT_FACTS: "extraction",
}
"""Work of each kind of job, in AutoMem's and Oxagen's words."""
_KEYWORD_INDEX = "memory_text"
_status_log = structlog.get_logger(__name__)
UNREAD_SHARE: Final = 0.1
"""Share of texts in languages that the model does not read from which a person is told."""
CHANGE_OVER: Final = "recollect settings set embeddingProviderModel transformers/multilingual-e5-small-q4"
"""Command that changes over to a model of many languages, without downtime."""
_SAMPLED_OF_WORKSPACE, _SAMPLED_OF_ALL, _SAMPLED_CHARS = 200, 1000, 300


@dataclass(frozen=True)
class Health:
    """Health of the servers: ``neo4j`` is required, the others are optional.

    Attributes:
        qdrant: None where the external tier is off.
        memory_count: Memories of all workspaces, up to five seconds old; None where the graph does not answer.
        queues: Waiting jobs by kind; as old as the count, and empty if the count is None.
    """

    neo4j: bool
    redis: bool
    embedder: EmbedderState
    qdrant: bool | None = None
    memory_count: int | None = None
    queues: Mapping[str, int] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """``ok``, ``degraded`` when something optional is missing, or ``unavailable``."""
        if not self.neo4j:
            return "unavailable"
        is_whole = self.redis and self.embedder.ready and self.qdrant is not False
        return "ok" if is_whole else "degraded"


@dataclass(frozen=True)
class EngineStatus:
    """Tiers of recall, and the progress of each workspace's memories; ``keyword_ready`` is the full-text index."""

    vectors: VectorMeta
    embedder: EmbedderState
    index: VectorIndex | None
    building: BuildingIndex | None
    cache: CacheStats | None
    providers: Sequence[EmbeddingProvider]
    local_models: Sequence[str]
    keyword_ready: bool
    tiers: Sequence[str]
    workspaces: Sequence[CountByWorkspaceRow]
    vector_tier: TierStatus


async def sampled_texts(database: Database) -> list[str]:
    """Return the beginnings of memories spread over the whole store."""
    rows = await queries.sample_texts_of_all(database, count=_SAMPLED_OF_ALL, length=_SAMPLED_CHARS)
    return [row.text for row in rows]


class Status:
    """The use cases of looking at the engine; lives as long as the process."""

    def __init__(
        self, database: Database, embeddings: Embeddings, wake_up: WakeUp, vector_tier: ExternalTier[Memory]
    ) -> None:
        self._vector_tier = vector_tier
        self._database = database
        self._embeddings = embeddings
        self._wake_up = wake_up
        self._counted: TTLCache[str, tuple[int, Mapping[str, int]]] = TTLCache(
            1, _COUNTED_SECONDS, timer=time.monotonic
        )

    async def health(self) -> Health:
        """Ask each server whether it answers, and wait two seconds at most; never raises."""
        (answers, memories, queues), redis, embedder = await asyncio.gather(
            self._graph(), self._redis_answers(), self._embeddings.check()
        )
        return Health(
            neo4j=answers,
            redis=redis,
            embedder=embedder,
            qdrant=self._vector_tier.answers,
            memory_count=memories,
            queues=queues,
        )

    async def engine(self, workspace_ids: Sequence[str]) -> EngineStatus:
        """Describe the engine with the counts of the workspaces named."""
        index, building = self._embeddings.active, self._embeddings.building
        tier = await self._vector_tier.status(workspace_ids)
        online = await online_indexes(self._database)
        embedder = await self._embeddings.check()
        tiers = ("keyword", "vector") if index and embedder.ready else ("keyword",)
        return EngineStatus(
            vectors=await read_vector_meta(self._database, online=online),
            embedder=embedder,
            index=index,
            building=building,
            cache=self._embeddings.cache_stats,
            providers=self._embeddings.providers,
            local_models=self._embeddings.local_models,
            keyword_ready=_KEYWORD_INDEX in online,
            tiers=(*tiers, "external") if len(tiers) > 1 and tier.serves else tiers,
            workspaces=await queries.count_by_workspace(
                self._database,
                workspace_ids=workspace_ids,
                building_property=building.vector_property if building else None,
            ),
            vector_tier=tier,
        )

    async def unread_share(self, workspace_id: str) -> float:
        """Return the share of a workspace's newest memories in languages that the model in use does not read.

        0 where no model of one language embeds them.
        """
        if not self._reads_english_only:
            return 0.0
        rows = await queries.sample_texts(
            self._database, workspace_id=workspace_id, count=_SAMPLED_OF_WORKSPACE, length=_SAMPLED_CHARS
        )
        return await self._foreign_share([row.text for row in rows])

    async def warn_of_unread(self) -> None:
        """Log how to change over where a tenth of the store is in languages that the model in use does not read."""
        active = self._embeddings.active
        if active is None or not self._reads_english_only:
            return
        share = await self._foreign_share(await sampled_texts(self._database))
        if share >= UNREAD_SHARE:
            _status_log.warning(
                "embedder.reads_english_only",
                signature=active.signature,
                share=round(share, 2),
                remedy=CHANGE_OVER,
            )

    async def _foreign_share(self, texts: Sequence[str]) -> float:
        return await self._embeddings.text_work.run(foreign_share, texts, chars=sum(map(len, texts)))

    @property
    def _reads_english_only(self) -> bool:
        active = self._embeddings.active
        return active is not None and self._embeddings.reads_english_only(active.signature)

    async def _counts(self) -> tuple[int | None, Mapping[str, int]]:
        """Return how much there is, counted at most every five seconds, since anybody may ask."""
        known = self._counted.get(_COUNTED)
        if known is None:
            try:
                row = await queries.count_stored(self._database, kinds=list(_QUEUES))
            except Unavailable:
                return None, {}
            queues = dict.fromkeys(_QUEUES.values(), 0)
            for waiting in row.waiting:
                queues[_QUEUES[waiting["kind"]]] += waiting["jobs"]
            known = self._counted[_COUNTED] = (row.memories, queues)
        return known

    async def graph_answers(self) -> bool:
        """Tell whether the graph answers, within a second; never raises."""
        return await self._database.answers_within(_PATIENCE_SECONDS)

    async def _graph(self) -> tuple[bool, int | None, Mapping[str, int]]:
        """Return whether the graph answers and, if it does so in time, its counts."""
        if not await self.graph_answers():
            return False, None, {}
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                return True, *await self._counts()
        except TimeoutError:
            return True, None, {}

    async def _redis_answers(self) -> bool:
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                return await self._wake_up.ping()
        except TimeoutError:
            return False


Result = TypeVar("Result")

_log = structlog.get_logger("recollect.round_trip")

PROBE_WORKSPACE: Final = "readiness"
"""Ids of workspaces begin with ``ws_``, so nobody can name it; it has no node either."""
_TEXT = "a line that is saved, recalled and deleted again"  # names nothing that linking would make a node of
_SHARED_SECONDS = 5.0
_DEADLINE_SECONDS = 5.0  # of each stage, while a load balancer waits
_STAGE_SECONDS = 30.0  # of each stage, while a person does
_ASK_AGAIN_SECONDS = 1.0  # probes are told within two seconds that the graph fell silent during the trip
_LEFT_BEHIND = timedelta(minutes=10)
_STARTING_SECONDS = 600.0  # as long as `recollect up` waits for its servers


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
        failed: The stage that did not succeed; None where all did, which is being ready.
        missing: Servers that do not answer, and the embedder if it cannot embed; optional ones may be missing while the
            engine is ready.
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
    """A stage that did not succeed, why, the server that it missed, and whether time may help."""

    stage: Stage
    reason: str
    missing: str | None = None
    may_pass: bool = False


class RoundTripFailed(Exception):
    """Raised when a step did not have the effect it should have."""


class RoundTrip:
    """Makes round trips for load balancers and for people; lives as long as the process.

    Each has its own memory and always deletes it, without an audit entry: a probe is no administrative act. If the
    caller disconnects, the trip still ends.
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
        """Return what the latest round trip found, after making one where that is too long ago; never raises.

        One trip runs at a time, and its result serves for a few seconds, so frequent requests cost the graph one trip.
        If the graph becomes silent, nobody waits for the trip's end.
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
        """Return once no round trip is under way."""
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
        """Tell whether no trip has succeeded yet and the process is young."""
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
        """Return the first stage that did not succeed within its time, if one did not."""
        id_ = new_memory_id()
        failure = await self._attempt(Stage.SAVE, self._save(id_), seconds)
        if failure is None:
            failure = await self._attempt(Stage.RECALL, self._find(id_), seconds)
            gone = await self._attempt(Stage.DELETE, self._delete(id_), seconds)
            failure = failure or gone
        # What was not saved in time may be there all the same; nobody waits longer for its removal than for a stage.
        await asyncio.wait({self._begin(self._clean_up(id_))}, timeout=seconds)
        if failure is not None:
            _log.warning("round_trip.failed", stage=failure.stage.value, reason=failure.reason)
        return failure

    async def _attempt(self, stage: Stage, work: Awaitable[None], seconds: float) -> _Failure | None:
        """Return None for a stage that succeeds in time, else what became of it."""
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
            return _Failure(stage, f"{stage.value} failed unexpectedly; the log says where")
        return None

    async def _save(self, id_: str) -> None:
        draft = MemoryDraft(content=_TEXT, id=id_, session_id=id_, dedup=False)
        if (await self._memories.save(PROBE_WORKSPACE, draft)).memory.id != id_:
            raise RoundTripFailed("what was created is another memory")

    async def _find(self, id_: str) -> None:
        if await self._listed(id_) != [id_]:
            raise RoundTripFailed("what was created is not listed")
        query = RecallQuery(query=_TEXT, limit=1, filter=MemoryFilter(session_id=id_), dry_run=True)
        found = await self._recall.recall(PROBE_WORKSPACE, query)
        if [hit.memory.id for hit in found.hits] != [id_]:
            raise RoundTripFailed("what was created is not recalled")

    async def _delete(self, id_: str) -> None:
        await self._deletion.forget(PROBE_WORKSPACE, [id_], is_act=False)
        if await self._listed(id_):
            raise RoundTripFailed("what was deleted is still listed")

    async def _listed(self, id_: str) -> list[str]:
        page = await self._listing.page(PROBE_WORKSPACE, Listed(session_id=id_), limit=10)
        return [memory.id for memory in page.memories]

    async def _clean_up(self, id_: str) -> None:
        """Take away what deleting leaves, and what earlier trips could not take away."""
        self._left.add(id_)
        ids, before = sorted(self._left), self._clock.now() - _LEFT_BEHIND
        try:
            await queries.delete_probe_remains(
                self._database, workspace_id=PROBE_WORKSPACE, ids=ids, before=before
            )
        except RecollectError as error:
            _log.warning("round_trip.not_cleaned_up", reason=error.message)  # the next trip does it
        else:
            self._left.difference_update(ids)
