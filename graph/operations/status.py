"""State of the engine and its round trips, for people and probes."""

import asyncio
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import structlog
from cachetools import TTLCache

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.models import JobKind
from graph.core.ports import CacheStats, EmbedderState, WakeUp
from graph.core.rows import Runner
from graph.core.text.detection import foreign_share
from graph.memories.models import Memory
from graph.operations import queries
from graph.operations.admin import online_indexes
from graph.operations.queries import CountByWorkspaceRow
from graph.vectors.external.models import TierStatus
from graph.vectors.external.service import ExternalTier
from graph.vectors.index.models import BuildingIndex, EmbeddingProvider, VectorIndex
from graph.vectors.index.service import Embeddings, find_indexes


@dataclass(frozen=True)
class VectorMeta:
    """The record of the vectors in use.

    Attributes:
        active_dim: Length of the vectors; None until an embedder has been ready once.
        embedding_signature: ``source:model:dimension`` with the compression of the index, such as ``:int8``.
        last_reset_at: Time at which these vectors replaced others.
        vec_loaded: True if the index is in use.
    """

    active_dim: int | None
    embedding_signature: str | None
    last_reset_at: datetime | None
    vec_loaded: bool


async def read_vector_meta(runner: Runner, *, online: Collection[str]) -> VectorMeta:
    """Return the record in the store; ``online`` has the names of its online indexes."""
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
_PATIENCE_SECONDS = 0.9  # timeout of a request; a probe waits two seconds and may need two requests
_QUEUES: Mapping[str, str] = {
    JobKind.EMBED: "embedding",
    JobKind.LINK: "enrichment",
    JobKind.TIMELINE: "enrichment",
    JobKind.DISTILL: "distill",
    JobKind.EXTRACT: "extraction",
    JobKind.EXTRACT_FACTS: "extraction",
}
"""Queue of each kind of job, by its name in AutoMem and Oxagen."""
_KEYWORD_INDEX = "memory_text"
_log = structlog.get_logger(__name__)
UNREAD_SHARE: Final = 0.1
"""Minimum share of texts in languages that the model does not support for a warning."""
CHANGE_OVER: Final = "recollect settings set embeddingProviderModel transformers/multilingual-e5-small-q4"
"""Command that switches to a multilingual model without downtime."""
_SAMPLED_OF_WORKSPACE, _SAMPLED_OF_ALL, _SAMPLED_CHARS = 200, 1000, 300
_SHARE_SECONDS = 900.0  # the Studio asks whenever it shows Home
_MOST_SHARES = 1000


@dataclass(frozen=True)
class Health:
    """Health of the servers: ``neo4j`` is required, the others are optional.

    Attributes:
        qdrant: Health of the external tier; None if it is off.
        memory_count: Number of memories in all workspaces, up to five seconds old; None if the graph does not answer.
        queues: Number of waiting jobs by queue; as old as the count, and empty if the count is None.
    """

    neo4j: bool
    redis: bool
    embedder: EmbedderState
    qdrant: bool | None = None
    memory_count: int | None = None
    queues: Mapping[str, int] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """``ok``; ``degraded`` if an optional server is missing; or ``unavailable``."""
        if not self.neo4j:
            return "unavailable"
        is_whole = self.redis and self.embedder.ready and self.qdrant is not False
        return "ok" if is_whole else "degraded"


@dataclass(frozen=True)
class EngineStatus:
    """Tiers of recall, and progress of each workspace's memories; ``keyword_ready`` concerns the full-text index."""

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
    """Return the beginnings of a sample of memories from the whole store."""
    rows = await queries.sample_texts_of_all(database, count=_SAMPLED_OF_ALL, length=_SAMPLED_CHARS)
    return [row.text for row in rows]


class Status:
    """The use cases of status; lives as long as the process."""

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
        self._shares: TTLCache[tuple[str, str], float] = TTLCache(
            _MOST_SHARES, _SHARE_SECONDS, timer=time.monotonic
        )

    async def health(self) -> Health:
        """Check each server within two seconds; never raises."""
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
        """Return the state of the engine with the counts of workspaces."""
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
        """Return the share of a workspace's newest memories in languages that the current model does not support.

        It is 0 unless the current model supports English only. It reads the memories at most every 15 minutes.
        """
        active = self._embeddings.active
        if active is None or not self._reads_english_only:
            return 0.0
        known = self._shares.get((workspace_id, active.signature))
        if known is not None:
            return known
        rows = await queries.sample_texts(
            self._database, workspace_id=workspace_id, count=_SAMPLED_OF_WORKSPACE, length=_SAMPLED_CHARS
        )
        share = await self._foreign_share([row.text for row in rows])
        if rows:  # the first memories of a workspace must not wait
            self._shares[workspace_id, active.signature] = share
        return share

    async def warn_of_unread(self) -> None:
        """Log the command for a multilingual model if the current one does not support a tenth of the store."""
        active = self._embeddings.active
        if active is None or not self._reads_english_only:
            return
        share = await self._foreign_share(await sampled_texts(self._database))
        if share >= UNREAD_SHARE:
            _log.warning(
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
        """Return the counts, at most five seconds old, because anybody may request them."""
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
        """Return whether the graph answers and, if it answers in time, its counts."""
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
