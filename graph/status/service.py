"""The state of the engine, for people and for probes."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.embeddings.models import BuildingIndex, EmbeddingProvider, VectorIndex
from graph.embeddings.service import Embeddings
from graph.ports import CacheStats, EmbedderState, WakeUp
from graph.status import queries
from graph.status.queries import CountByWorkspaceRow
from graph.status.vector_meta import VectorMeta, read_vector_meta
from graph.vector_tier.models import TierStatus
from graph.vector_tier.service import ExternalTier


@dataclass(frozen=True)
class Health:
    """Whether the servers answer: ``neo4j`` is needed, the others are done without."""

    neo4j: bool
    redis: bool
    embedder: EmbedderState

    @property
    def status(self) -> str:
        """``ok``, ``degraded`` when something optional is missing, or ``unavailable``."""
        if not self.neo4j:
            return "unavailable"
        return "ok" if self.redis and self.embedder.ready else "degraded"


@dataclass(frozen=True)
class EngineStatus:
    """What serves recall, and how far each workspace's memories have come."""

    vectors: VectorMeta
    embedder: EmbedderState
    index: VectorIndex | None
    building: BuildingIndex | None
    cache: CacheStats | None
    providers: Sequence[EmbeddingProvider]
    tiers: Sequence[str]
    workspaces: Sequence[CountByWorkspaceRow]
    vector_tier: TierStatus


class Status:
    """The use cases of looking at the engine; lives as long as the process."""

    def __init__(
        self, database: Database, embeddings: Embeddings, wake_up: WakeUp, vector_tier: ExternalTier
    ) -> None:
        self._vector_tier = vector_tier
        self._database = database
        self._embeddings = embeddings
        self._wake_up = wake_up

    async def health(self) -> Health:
        """Ask each server whether it answers; never raises."""
        return Health(
            neo4j=await self._graph_answers(),
            redis=await self._wake_up.ping(),
            embedder=self._embeddings.state,
        )

    async def engine(self, workspace_ids: Sequence[str]) -> EngineStatus:
        """Describe the engine with the counts of the workspaces named.

        Raises:
            Unavailable: The graph does not answer.
        """
        index = self._embeddings.active
        tier = await self._vector_tier.status(workspace_ids)
        tiers = ("keyword", "vector") if index and self._embeddings.state.ready else ("keyword",)
        return EngineStatus(
            vectors=await read_vector_meta(self._database),
            embedder=self._embeddings.state,
            index=index,
            building=self._embeddings.building,
            cache=self._embeddings.cache_stats,
            providers=self._embeddings.providers,
            tiers=(*tiers, "external") if len(tiers) > 1 and tier.serves else tiers,
            workspaces=await queries.count_by_workspace(self._database, workspace_ids=workspace_ids),
            vector_tier=tier,
        )

    async def _graph_answers(self) -> bool:
        try:
            await queries.ping(self._database)
        except Unavailable:
            return False
        return True
