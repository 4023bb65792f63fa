"""The embedder in use, and the embedding of memories."""

import asyncio
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.core.ports import (
    CacheStats,
    Clock,
    Embedder,
    EmbedderCatalogue,
    EmbedderCrashed,
    EmbedderState,
    EmbedderUnavailable,
    EmbeddingFailed,
    EmbeddingLate,
    PassageSplitter,
    TextsRefused,
    Vectors,
)
from graph.core.queries import ClaimJobsRow
from graph.core.rows import Runner
from graph.core.scope import require_whole_workspace
from graph.core.text.work import TextWork
from graph.vectors.index import queries
from graph.vectors.index.models import (
    BuildingIndex,
    BuildingPhase,
    EmbeddedQuery,
    EmbedderOutcomes,
    EmbeddingProvider,
    ReindexReport,
    VectorIndex,
)
from graph.vectors.index.queries import FindVectorIndexRow
from graph.vectors.index.vectors import Target, rows_for, split_chars, texts_of


@dataclass
class Patience:
    """Total time limit of the vectors of some queries, and its outcome.

    Attributes:
        until: Deadline, by the clock of the event loop, in seconds.
        reranked_until: Deadline of the reranker, by the same clock.
        was_late: True if any vector was late.
        failure: Reason of the last missing vector, if any.
    """

    until: float
    reranked_until: float = math.inf
    was_late: bool = False
    failure: str | None = None

    def left(self, most: float) -> float:
        """Return the remaining seconds for vectors, 0 to ``most``."""
        return _left(self.until, most)

    def left_to_rerank(self, most: float) -> float:
        """Return the remaining seconds for the reranker, 0 to ``most``."""
        return _left(self.reranked_until, most)


def _left(until: float, most: float) -> float:
    return max(0.0, min(most, until - asyncio.get_running_loop().time()))


_patience: ContextVar[Patience | None] = ContextVar("patience", default=None)


@contextmanager
def vectors_within(seconds: float, *, reranked_within: float = math.inf) -> Iterator[Patience]:
    """Limit the total time of query vectors within the block, including tasks that it starts.

    Args:
        seconds: Time limit of all vectors.
        reranked_within: Time limit of the reranker, after which the order stays unchanged.
    """
    now = asyncio.get_running_loop().time()
    patience = Patience(now + seconds, now + reranked_within)
    token = _patience.set(patience)
    try:
        yield patience
    finally:
        _patience.reset(token)


def patience() -> Patience | None:
    """Return the limit in effect, or None."""
    return _patience.get()


_CREATE = {"a": queries.create_vector_index_a, "b": queries.create_vector_index_b}
_DROP = {"a": queries.drop_vector_index_a, "b": queries.drop_vector_index_b}


async def create_index(runner: Runner, slot: str, *, dimension: int, quantization: str) -> None:
    """Create the slot's index unless it exists."""
    config = {
        "vector.dimensions": dimension,
        "vector.similarity_function": "cosine",
        "vector.quantization.type": quantization,
    }
    await _CREATE[slot](runner, options={"indexConfig": config})


async def drop_index(runner: Runner, slot: str) -> None:
    """Drop the slot's index if it exists."""
    await _DROP[slot](runner)


_FIRST_SLOT = "a"
_REINDEXED_TOGETHER = 5000
# A change of the embedder changes the slots in use at most once between embedding and storing.
_STORE_ATTEMPTS = 3
_MOST_LATE = 32  # maximum number of late requests, so that they do not pile up at a slow embedder


async def find_indexes(runner: Runner) -> FindVectorIndexRow | None:
    """Return the stored roles of the slots; None before an embedder has been ready once."""
    return await queries.find_vector_index(runner)


class Embeddings:
    """The embedders with the indexes of their vectors; lives as long as the process.

    The configured embedder may differ from that of the stored vectors. Then a job fills a second slot (see
    ``graph.vectors.index.reembedding``), and the stored vectors stay in use with their own embedder, if the catalogue
    has it. A process requests its embedder once, at its start or after a change. Of two processes with different
    configurations, the one started last therefore decides, and they do not alternate.
    """

    def __init__(
        self,
        database: Database,
        embedder: Embedder | None,
        clock: Clock,
        *,
        quantization: str,
        text_work: TextWork,
        catalogue: EmbedderCatalogue | None = None,
        splitter: PassageSplitter | None = None,
        providers: Sequence[EmbeddingProvider] = (),
        local_models: Sequence[str] = (),
        reads_english_only: Callable[[str], bool] = lambda _: False,
        cache_stats: Callable[[], CacheStats] | None = None,
        query_seconds: float = 3.0,
        stays_in_use: Callable[[str], bool] = lambda _: False,
        outcomes: EmbedderOutcomes | None = None,
    ) -> None:
        """Prepare, without a request.

        ``stays_in_use``: Tells whether stored vectors of a signature stay in use although the embedder differs.
        ``reads_english_only``: Tells whether the model of a signature supports English only.
        """
        self._database = database
        self._embedder = embedder
        self._clock = clock
        self._quantization = quantization
        self._catalogue = catalogue
        self._indexes: FindVectorIndexRow | None = None
        self._requested: tuple[str, int] | None = None
        self._outcomes = outcomes or EmbedderOutcomes(clock)
        self._unready_since: datetime | None = None
        self._cache_stats = cache_stats
        self._query_seconds = query_seconds
        self._stays_in_use = stays_in_use
        self._late: set[asyncio.Task[Vectors]] = set()
        self.splitter = splitter
        self.text_work = text_work
        self.providers = tuple(providers)
        self.local_models = tuple(local_models)
        self.reads_english_only = reads_english_only

    @property
    def active(self) -> VectorIndex | None:
        """The index for recall; None until an embedder has been ready once."""
        return self._indexes.active if self._indexes else None

    @property
    def building(self) -> BuildingIndex | None:
        """The index that a new embedder fills, with its progress."""
        return self._indexes.building if self._indexes else None

    @property
    def indexes(self) -> FindVectorIndexRow | None:
        """Roles of the two slots at the last refresh."""
        return self._indexes

    @property
    def cache_stats(self) -> CacheStats | None:
        """Counters of the cache in front of the embedders; None without a cache."""
        return self._cache_stats() if self._cache_stats else None

    @property
    def state(self) -> EmbedderState:
        """State of the embedder in use: the result of its last call or probe."""
        try:
            signature = (
                self._usable(self.active).index.signature if self.active else self._configured().signature
            )
        except EmbeddingFailed as error:
            self._unready_since = self._unready_since or self._clock.now()
            return EmbedderState(ready=False, signature=None, reason=str(error), since=self._unready_since)
        self._unready_since = None
        return self._outcomes.state(signature)

    async def check(self) -> EmbedderState:
        """Return ``state``, after a probe if the last call is too long ago or failed; never raises."""
        if self.active is not None and (target := self._target(self.active)) is not None:
            await self._outcomes.check(target.index.signature, target.probe)
        return self.state

    @property
    def can_embed_memories(self) -> bool:
        """True if memories can be embedded for the active slot or for the one being filled."""
        return bool(self._targets()) or (self.active is None and self.state.ready)

    @property
    def vector_property(self) -> str:
        """Property with the vectors of the active index."""
        return self.active.vector_property if self.active else f"embedding_{_FIRST_SLOT}"

    def require_dimension(self) -> int:
        """Return the required length of a submitted vector.

        Raises:
            InvalidInput: No embedder has been ready yet, so vectors cannot be accepted.
        """
        if self.active is None:
            raise InvalidInput("embedding", "embedding cannot be accepted yet: no embedding model is active")
        return self.active.dimension

    async def use(self, embedder: Embedder | None) -> None:
        """Switch to another embedder, or none; its vectors fill a second index while the old ones serve."""
        self._embedder = embedder
        self._requested, self._stays_in_use = None, lambda _: False
        await self.refresh()

    async def close(self) -> None:
        """Cancel late embeddings of queries, and a probe."""
        await self._outcomes.close()
        late = list(self._late)
        for embedding in late:
            embedding.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def refresh(self) -> None:
        """Read the slots' roles; create the first index, or request another, once the configured embedder is known."""
        self._indexes = await queries.find_vector_index(self._database)
        if self.active is not None and self._stays_in_use(self.active.signature):
            return
        described = self._described()
        if described is None or described == self._requested:
            return
        await self._request_index(*described)
        self._requested = described
        self._indexes = await queries.find_vector_index(self._database)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text, by the embedder of the active index.

        Raises:
            EmbeddingFailed: There is no embedder, it is not ready or failed, or its vectors are unusable.
        """
        return await (await self._active_target()).embed(texts)

    async def embed_query(self, *texts: str) -> EmbeddedQuery:
        """Return the vectors of texts and the index for them, consistent even during a change of embedders.

        Raises:
            EmbeddingFailed: See ``embed``; the message has the progress of a re-embedding.
            EmbeddingLate: There is no result within the deadline of the query or its caller.
        """
        bound = patience()
        try:
            return await self._embedded(
                texts, bound.left(self._query_seconds) if bound else self._query_seconds
            )
        except EmbeddingFailed as error:
            if bound:
                bound.was_late |= isinstance(error, EmbeddingLate)
                bound.failure = str(error)
            raise

    async def _embedded(self, texts: Sequence[str], seconds: float) -> EmbeddedQuery:
        target = await self._active_target()
        embedding = asyncio.create_task(target.embed(texts, as_query=True))
        try:
            done, _ = await asyncio.wait([embedding], timeout=seconds)
        except asyncio.CancelledError:
            embedding.cancel()
            raise
        if not done:
            self._leave(embedding)
            raise EmbeddingLate(f"{target.index.signature} did not answer within {seconds:.3g} seconds")
        return EmbeddedQuery(embedding.result().tolist(), target.index)

    def _leave(self, embedding: "asyncio.Task[Vectors]") -> None:
        """Let late vectors complete in the background: a repeated query finds them in the cache."""
        if len(self._late) >= _MOST_LATE:
            embedding.cancel()
        self._late.add(embedding)
        embedding.add_done_callback(self._ended)

    def _ended(self, embedding: "asyncio.Task[Vectors]") -> None:
        self._late.discard(embedding)
        if not embedding.cancelled():
            embedding.exception()  # retrieves the error, because no caller waits any more

    async def embed_memories(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Embed the memories of claimed jobs and store their vectors; skip deleted ones.

        While another slot is being filled, they get a vector there as well, so that memories saved during the change
        are complete after it.

        Raises:
            EmbeddingFailed: The texts could not be embedded; nothing was stored.
        """
        sources = await queries.list_embedding_sources(
            self._database,
            subjects=[{"workspace_id": job.workspace_id, "id": job.subject_id} for job in jobs],
        )
        if not sources:
            return
        texts = await self.text_work.run(texts_of, sources, self.splitter, chars=split_chars(sources))
        for _ in range(_STORE_ATTEMPTS):
            await self.refresh()
            targets: Sequence[Target] = self._targets()
            if not targets:
                await self._active_target()  # raises the reason
            try:
                rows_to_store, targets = await rows_for(texts, targets)
            except EmbedderCrashed as error:
                await targets[0].probe()  # raises if the embedder is down
                raise TextsRefused(str(error)) from error
            stored = await queries.store_embeddings(
                self._database,
                rows=rows_to_store,
                targets=[target.as_parameter() for target in targets],
                replaces=True,
                cursor=None,
            )
            if stored is not None and stored.accepted:
                return
        raise EmbedderUnavailable("the index in use changed while the vectors were made")

    async def mark_failed(self, jobs: Sequence[ClaimJobsRow], reason: str) -> None:
        """Record the reason for the missing vector on the memories of parked jobs."""
        await queries.mark_embedding_failed(
            self._database,
            rows=[{"workspace_id": job.workspace_id, "id": job.subject_id, "reason": reason} for job in jobs],
        )

    async def reindex(self, workspace_id: str, *, force: bool = False) -> ReindexReport:
        """Enqueue the embedding of a workspace's nodes without a vector, or of all with ``force``; count the memories.

        This does not change the embedder, which is the deployment's. Vectors stay in use until replaced.

        Raises:
            Forbidden: The task sees only one user's or agent's memory.
        """
        require_whole_workspace("embedding again")
        enqueued, memories, after_id = 0, 0, ""
        while True:
            row = await queries.enqueue_reindexing(
                self._database,
                workspace_id=workspace_id,
                vector_property=self.vector_property,
                force=force,
                after_id=after_id,
                limit=_REINDEXED_TOGETHER,
                now=self._clock.now(),
            )
            enqueued += row.enqueued
            memories += row.memories
            if row.last_id is None:
                return ReindexReport(started=enqueued > 0, pending=memories)
            after_id = row.last_id

    async def targets(self) -> Sequence[Target]:
        """Return the slots that need vectors now: the active one, and the one being filled.

        Raises:
            EmbeddingFailed: The embedder of the active vectors is missing or not ready.
        """
        await self.refresh()
        active = await self._active_target()
        building = self.building_target()
        return [active, building] if building else [active]

    def building_target(self) -> Target | None:
        """Return the slot being filled with its embedder; None if there is none or its model is not available."""
        building = self.building
        if building is None or building.phase is not BuildingPhase.FILLING:
            return None
        return self._target(building)

    def _targets(self) -> list[Target]:
        found = [self._target(self.active) if self.active else None, self.building_target()]
        return [target for target in found if target is not None]

    def _target(self, index: VectorIndex) -> Target | None:
        try:
            return self._usable(index)
        except EmbeddingFailed:
            return None

    def _usable(self, index: VectorIndex) -> Target:
        """Return the index with its embedder.

        Raises:
            EmbeddingFailed: The embedder is loading, or is no longer available.
        """
        configured = self._configured()
        try:
            if configured.signature == index.signature:
                return Target(index, configured)
        except EmbeddingFailed as error:
            reason = str(error)
        else:
            reason = self._why_not(index)
        stored = self._catalogue.find(index.signature) if self._catalogue else None
        if stored is not None and stored.signature == index.signature:
            return Target(index, stored)
        raise EmbedderUnavailable(reason)

    def _why_not(self, index: VectorIndex) -> str:
        reason = f"the stored vectors are of {index.signature}, which cannot be loaded any more"
        if self.building:
            reason += f"; {self.building.done} of {self.building.total} memories have one of {self.building.signature}"
        return reason

    async def _active_target(self) -> Target:
        if self.active is None:
            await self.refresh()
        if self.active is None:
            self._configured().signature  # noqa: B018 - raises what there is to say of an embedder that is not ready
            raise EmbedderUnavailable("no vectors are stored yet")
        return self._usable(self.active)

    def _configured(self) -> Embedder:
        if self._embedder is None:
            raise EmbedderUnavailable("no embedding model is configured")
        return self._embedder

    def _described(self) -> tuple[str, int] | None:
        """Return the configured embedder's signature and dimension, or None while these are unknown."""
        try:
            return self._configured().signature, self._configured().dimension
        except EmbeddingFailed:
            return None

    async def _request_index(self, signature: str, dimension: int) -> None:
        """Use the first slot of an empty store for the embedder, or start filling the other slot if it differs."""
        parameters: dict[str, Any] = {
            "signature": signature,
            "dimension": dimension,
            "quantization": self._quantization,
        }
        now = self._clock.now()
        if self._indexes is None:
            await queries.adopt_vector_index(self._database, slot=_FIRST_SLOT, now=now, **parameters)
            self._indexes = await queries.find_vector_index(self._database)
        if self.active is not None:
            await create_index(
                self._database,
                self.active.slot,
                dimension=self.active.dimension,
                quantization=self.active.quantization,
            )
        await queries.begin_building(self._database, now=now, **parameters)
