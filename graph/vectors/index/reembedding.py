"""Embeds every node with a new embedder while the old vectors stay in use, then switches to the new ones.

::

    begin_building       clear the other slot and create its index
    list … store         fill it, one batch per run of the job; each batch moves the stored cursor
    copy_vectors         copy the vectors instead if only the compression changes
    switch_vector_index  one small write, under a lock and only if no vector is missing
    clear_vectors        drop the old index and, some memories at a time, its vectors

The graph stores the progress, so that another worker continues after a crash.
"""

from collections.abc import Sequence
from datetime import timedelta

from graph.core.database import Database
from graph.core.ids import place_of
from graph.core.models import DEPLOYMENT
from graph.core.ports import Clock, EmbedderCrashed, EmbedderUnavailable, EmbeddingFailed
from graph.core.queries import ClaimJobsRow
from graph.vectors.index import queries
from graph.vectors.index.models import (
    BuildingIndex,
    BuildingPhase,
    EmbeddingSource,
    RetiringSlot,
    VectorIndex,
)
from graph.vectors.index.service import Embeddings, create_index, drop_index
from graph.vectors.index.vectors import Target, Texts, embedded_rows, split_chars, texts_of

_CLEARED_TOGETHER = 2000
_COPIED_TOGETHER = 500
_REVIVE_AFTER = timedelta(seconds=60)


class Reembedding:
    """The use case of changing the embedder; lives as long as the process.

    Args:
        batch_size: Number of memories in one run of the job, between which other jobs run.
        grace: Time for which a replaced slot stays for processes that have not read the change yet; a multiple of the
            interval of ``Embeddings.refresh``.
    """

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        clock: Clock,
        *,
        batch_size: int = 64,
        grace: timedelta = timedelta(seconds=15),
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._clock = clock
        self._batch_size = batch_size
        self._grace = grace

    @property
    def is_ready(self) -> bool:
        """True if a run can make progress: there is work, and the new embedder works."""
        indexes = self._embeddings.indexes
        if indexes is None:
            return False
        if indexes.building is None:
            return indexes.retiring is not None
        needs_embedder = indexes.building.phase is BuildingPhase.FILLING and not (
            indexes.active and indexes.building.has_vectors_of(indexes.active)
        )
        return not needs_embedder or self._embeddings.building_target() is not None

    async def refresh(self) -> None:
        """Read the roles of the slots, and enqueue the job while one of them changes.

        Every process calls this every few seconds.
        """
        await self._embeddings.refresh()
        indexes = self._embeddings.indexes
        if indexes is not None and (indexes.building or indexes.retiring):
            await self._ensure_job(again=False)

    async def run(self, _: Sequence[ClaimJobsRow]) -> None:
        """Do one step, and enqueue another run unless this was the last or the next is not due yet.

        Raises:
            EmbeddingFailed: The new embedder cannot answer now.
        """
        await self._embeddings.refresh()
        if await self._step():
            await self._ensure_job(again=True)

    async def _step(self) -> bool:
        indexes = self._embeddings.indexes
        if indexes is None or indexes.active is None:
            return False
        if indexes.building is not None and indexes.building.phase is BuildingPhase.FILLING:
            return await self._fill(indexes.active, indexes.building)
        if indexes.grace_until is not None and self._clock.now() < indexes.grace_until:
            return False  # the next refresh enqueues another run
        if indexes.building is not None:
            return await self._prepare(indexes.active, indexes.building)
        return indexes.retiring is not None and await self._clear(indexes.active, indexes.retiring)

    async def _prepare(self, active: VectorIndex, building: BuildingIndex) -> bool:
        if await self._clear(active, RetiringSlot(slot=building.slot, cursor=building.cursor)):
            return True
        await create_index(
            self._database, building.slot, dimension=building.dimension, quantization=building.quantization
        )
        await queries.begin_filling(self._database, slot=building.slot, signature=building.signature)
        return True

    async def _clear(self, active: VectorIndex, retiring: RetiringSlot) -> bool:
        """Drop a slot's index and its next vectors; return whether there are more."""
        now = self._clock.now()
        if not retiring.cursor:
            await drop_index(self._database, retiring.slot)
        last = await queries.clear_vectors(
            self._database,
            vector_property=retiring.vector_property,
            active_property=active.vector_property,
            after=retiring.cursor,
            limit=_CLEARED_TOGETHER,
            now=now,
        )
        if last is None and await self._clear_passages(retiring.slot):
            return True
        await queries.note_clearing(self._database, slot=retiring.slot, cursor=last)
        return last is not None

    async def _clear_passages(self, slot: str) -> bool:
        deleted = await queries.delete_passages(self._database, slot=slot, limit=_CLEARED_TOGETHER)
        return deleted == _CLEARED_TOGETHER

    async def _fill(self, active: VectorIndex, building: BuildingIndex) -> bool:
        if building.has_vectors_of(active):
            return await self._copy(active, building) or await self._switch(active, building)
        target = self._embeddings.building_target()
        if target is None:
            raise EmbedderUnavailable(f"{building.signature} is not ready")
        sources = await queries.list_sources_to_reembed(
            self._database,
            vector_property=building.vector_property,
            signature=building.signature,
            after=building.cursor,
            limit=self._batch_size,
        )
        if sources:
            await self._embed_batch(sources, building, target)
            return True
        return await self._switch(active, building)

    async def _copy(self, active: VectorIndex, building: BuildingIndex) -> bool:
        """Copy the next vectors; return whether any were left."""
        copied = await queries.copy_vectors(
            self._database,
            signature=building.signature,
            from_slot=active.slot,
            from_property=active.vector_property,
            to_slot=building.slot,
            to_property=building.vector_property,
            after=building.cursor,
            limit=_COPIED_TOGETHER,
        )
        return bool(copied)

    async def _embed_batch(
        self, sources: Sequence[EmbeddingSource], building: BuildingIndex, target: Target
    ) -> None:
        embeddings = self._embeddings
        texts = await embeddings.text_work.run(
            texts_of, sources, embeddings.splitter, chars=split_chars(sources)
        )
        last = max(place_of(source.workspace_id, source.id) for source in sources)
        try:
            await self._store(texts, target, cursor=last)
        except EmbeddingFailed as error:
            await self._store_what_passes(texts, target, error, cursor=building.cursor)
            await self._store([], target, cursor=last)

    async def _store_what_passes(
        self, texts: Sequence[Texts], target: Target, failure: EmbeddingFailed, *, cursor: str
    ) -> None:
        """Halve a refused batch until the refused text is alone, and mark it.

        Raises:
            EmbeddingFailed: The embedder also refuses other texts, or is overloaded, so no single text is the cause.
        """
        await target.probe()
        if len(texts) == 1:
            await self._store_or_mark(texts[0], target, failure, cursor=cursor)
            return
        half = len(texts) // 2
        for part in (texts[:half], texts[half:]):
            try:
                await self._store(part, target, cursor=cursor)
            except EmbeddingFailed as error:
                await self._store_what_passes(part, target, error, cursor=cursor)

    async def _store_or_mark(
        self, text: Texts, target: Target, failure: EmbeddingFailed, *, cursor: str
    ) -> None:
        """Mark a text that causes the failure; after a crash, first test the embedder and then retry the text."""
        if isinstance(failure, EmbedderCrashed):
            try:
                await self._store([text], target, cursor=cursor)
            except EmbedderCrashed:
                await target.probe()
            else:
                return
        elif isinstance(failure, EmbedderUnavailable):
            raise failure
        await self._mark(text.source, target, str(failure))

    async def _store(self, texts: Sequence[Texts], target: Target, *, cursor: str) -> None:
        await queries.store_embeddings(
            self._database,
            rows=await embedded_rows(texts, [target]) if texts else [],
            targets=[target.as_parameter()],
            replaces=False,
            cursor=cursor,
        )

    async def _mark(self, source: EmbeddingSource, target: Target, reason: str) -> None:
        await queries.mark_unembeddable(
            self._database,
            rows=[{"workspace_id": source.workspace_id, "id": source.id, "reason": reason}],
            signature=target.index.signature,
        )

    async def _switch(self, active: VectorIndex, building: BuildingIndex) -> bool:
        now = self._clock.now()
        missing = await queries.switch_vector_index(
            self._database,
            slot=building.slot,
            signature=building.signature,
            active_property=active.vector_property,
            building_property=building.vector_property,
            grace_until=now + self._grace,
            now=now,
        )
        if missing:
            await queries.restart_filling(self._database, slot=building.slot, signature=building.signature)
        await self._embeddings.refresh()
        return bool(missing)

    async def _ensure_job(self, *, again: bool) -> None:
        now = self._clock.now()
        await queries.ensure_reembedding_job(
            self._database, workspace_id=DEPLOYMENT, again=again, now=now, revive_at=now + _REVIVE_AFTER
        )
