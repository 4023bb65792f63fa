"""Jobs that update the external store: one for each written memory, and one that fills the store.

A job sends the memory's state at the time of the run, so jobs may run late, twice and in any order.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from graph.core.database import Database
from graph.core.ids import place_of
from graph.core.models import DEPLOYMENT
from graph.core.ports import Clock, TierFailed, TierPoint, VectorTier
from graph.core.queries import ClaimJobsRow
from graph.vectors.external import queries
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.external.models import MirrorPhase, TierMeta
from graph.vectors.external.queries import ListMirrorSourcesRow
from graph.vectors.external.reconciler import TierReconciler
from graph.vectors.index.models import VectorIndex
from graph.vectors.index.service import Embeddings
from graph.vectors.index.vectors import texts_of

Subject = tuple[str, str]
"""A memory's workspace and id."""

_MOST_REFUSED_AT_FIRST = 3
_SEPARATOR = "\n\n"  # OmniRoute's, between key and content


class Mirror:
    """The use cases of workers; lives as long as the process.

    Args:
        batch_size: Number of memories in one run of the filling job; other jobs have their turn in between.
    """

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        mirroring: Mirroring,
        reconciler: TierReconciler,
        clock: Clock,
        *,
        batch_size: int = 64,
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._mirroring = mirroring
        self._reconciler = reconciler
        self._clock = clock
        self._batch_size = batch_size

    async def mirror(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Update the memories of claimed jobs in the store: write existing ones, remove deleted ones.

        Raises:
            TierFailed: The store does not accept them now.
            EmbeddingFailed: The embedder cannot embed a key with its content now.
        """
        await self._mirror([(job.workspace_id, job.subject_id) for job in jobs])

    async def remove_workspaces(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Remove all points of the claimed jobs' workspaces.

        Raises:
            TierFailed: The store does not answer.
        """
        for job in jobs:
            await self._reconciler.connection.ask(partial(_delete_workspace, workspace_id=job.subject_id))

    async def mirror_all(self, _: Sequence[ClaimJobsRow]) -> None:
        """Do one step of filling the store, and enqueue another run unless this was the last.

        Raises:
            TierFailed: The store accepts nothing now.
            EmbeddingFailed: The embedder cannot embed a key with its content now.
        """
        await self._reconciler.refresh()
        meta = self._reconciler.meta
        if meta is None or not self._reconciler.can_mirror_all:
            return
        if meta.phase is MirrorPhase.PREPARING:
            await self._prepare(meta)
        elif not await self._mirror_batch(meta):
            return
        await queries.ensure_mirroring_job(
            self._database, workspace_id=DEPLOYMENT, again=True, now=self._clock.now()
        )

    async def _prepare(self, meta: TierMeta) -> None:
        index = self._reconciler.index()
        await self._reconciler.connection.ask(lambda tier: tier.prepare(index.signature, index.dimension))
        await queries.begin_mirroring_all(self._database, target=meta.target or "", signature=index.signature)

    async def _mirror_batch(self, meta: TierMeta) -> bool:
        """Mirror the next memories; return whether more may follow."""
        rows = await queries.list_memories_to_mirror(
            self._database, after=meta.cursor, limit=self._batch_size
        )
        subjects = [(row.workspace_id, row.id) for row in rows if row.active]
        try:
            await self._mirror(subjects)
        except TierFailed as error:
            await self._mirror_each(subjects, error)
        await queries.note_mirrored(
            self._database,
            target=meta.target or "",
            signature=meta.signature or "",
            cursor=place_of(rows[-1].workspace_id, rows[-1].id) if rows else None,
            count=len(rows),
        )
        await self._reconciler.refresh()
        return bool(rows)

    async def _mirror_each(self, subjects: Sequence[Subject], error: TierFailed) -> None:
        """Mirror a refused batch memory by memory; a memory refused again waits in a separate job.

        Raises:
            TierFailed: The store refuses all of the first memories, so the store is the cause, not a memory.
        """
        refused: list[Subject] = []
        if not await self._reconciler.connection.is_ready():
            raise error
        for tried, subject in enumerate(subjects, start=1):
            try:
                await self._mirror([subject])
            except TierFailed:
                refused.append(subject)
                if len(refused) == tried and tried in (_MOST_REFUSED_AT_FIRST, len(subjects)):
                    raise error from None
        if refused:
            await self._mirroring.enqueue_memories(self._database, refused, self._clock.now())

    async def _mirror(self, subjects: Sequence[Subject]) -> None:
        if not subjects:
            return
        index = self._reconciler.index()
        rows = await queries.list_mirror_sources(
            self._database,
            subjects=[{"workspace_id": workspace_id, "id": id_} for workspace_id, id_ in subjects],
            slot=index.slot,
            vector_property=index.vector_property,
            now=self._clock.now(),
        )
        found = {(row.source.workspace_id, row.source.id): row for row in rows}
        await self._remove([subject for subject in subjects if subject not in found])
        points = await self._points(rows, index)
        if points:
            await self._reconciler.connection.ask(lambda tier: tier.upsert(index.signature, points))
        await queries.requeue_changed(
            self._database,
            rows=[_stamped(subject, found.get(subject)) for subject in subjects],
            vector_property=index.vector_property,
            now=self._clock.now(),
        )

    async def _remove(self, subjects: Sequence[Subject]) -> None:
        gone: dict[str, list[str]] = defaultdict(list)
        for workspace_id, id_ in subjects:
            gone[workspace_id].append(id_)
        for workspace_id, ids in gone.items():
            await self._reconciler.connection.ask(partial(_delete, workspace_id=workspace_id, ids=ids))

    async def _points(self, rows: Sequence[ListMirrorSourcesRow], index: VectorIndex) -> list[TierPoint]:
        """Return the points of memories; the vector of a memory with a key represents key and content."""
        with_key = [row.source for row in rows if row.source.key]
        texts = [
            f"{source.key}{_SEPARATOR}{text.own}"
            for source, text in zip(with_key, texts_of(with_key, None), strict=True)
        ]
        made = (await self._embeddings.embed(texts)).tolist() if texts else []
        if self._embeddings.active != index:
            raise TierFailed("the embedder changed while memories were mirrored")
        keyed = dict(zip([source.id for source in with_key], made, strict=True))
        return [row.source.point(keyed.get(row.source.id, row.vector), row.parts) for row in rows]


def _stamped(subject: Subject, row: ListMirrorSourcesRow | None) -> dict[str, str | None]:
    workspace_id, id_ = subject
    return {"workspace_id": workspace_id, "id": id_, "stamp": row.source.stamp if row else None}


async def _delete(tier: VectorTier, *, workspace_id: str, ids: Sequence[str]) -> None:
    await tier.delete(workspace_id, ids)


async def _delete_workspace(tier: VectorTier, *, workspace_id: str) -> None:
    await tier.delete_workspace(workspace_id)
