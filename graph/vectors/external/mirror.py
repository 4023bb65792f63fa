"""Keeps the external store in line with the settings and the graph.

::

    select_vector_tier    make this process's configured store the deployment's
    begin_mirroring       start filling it with the vectors in use: at first, and after each change of the embedder
    begin_mirroring_all   once every process knows it, continue with an empty collection
    note_mirrored         record each copied batch, one per run of the job; after the last, recall may search it

A job sends a memory's state at the time of the run, so jobs may run late, twice and in any order.
"""

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import structlog
from pydantic_core import from_json

from graph.core import queries as settings
from graph.core.database import Database
from graph.core.ids import place_of
from graph.core.models import DEPLOYMENT
from graph.core.ports import Clock, TierFailed, TierPoint
from graph.core.queries import ClaimJobsRow
from graph.core.rows import Runner
from graph.vectors.external import queries
from graph.vectors.external.connection import REQUEST_SECONDS, StoreConnection
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.external.models import TIER_KEYS, MirrorPhase, TierMeta, TierSettings
from graph.vectors.external.queries import ListMirrorSourcesRow
from graph.vectors.index.models import VectorIndex
from graph.vectors.index.service import Embeddings
from graph.vectors.index.vectors import texts_of

_log = structlog.get_logger("recollect.vector_tier")

Subject = tuple[str, str]
"""A memory's workspace and id."""

_JOBS_DROPPED_TOGETHER = 5000
_MOST_REFUSED_AT_FIRST = 3
_SEPARATOR = "\n\n"  # OmniRoute's, between key and content


class Mirror:
    """The background work for the external store; lives as long as the process.

    Args:
        own: Settings of this process, which run-time changes override.
        grace: Time until every process knows the store.
        batch_size: Number of memories in one run of the filling job; other jobs have their turn in between.
    """

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        mirroring: Mirroring,
        connection: StoreConnection,
        clock: Clock,
        *,
        own: TierSettings,
        grace: timedelta,
        batch_size: int,
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._mirroring = mirroring
        self._clock = clock
        self._own = own
        self._grace = grace
        self._batch_size = batch_size
        self._selected: str | None = ""  # neither a store nor none
        self._is_checked = False
        self._refreshing = asyncio.Lock()
        self.connection = connection

    @property
    def meta(self) -> TierMeta | None:
        """Stored state of the tier, if it is the store that this process uses."""
        meta, target = self._mirroring.meta, self.connection.settings.target
        return meta if meta is not None and target is not None and meta.target == target else None

    @property
    def can_remove(self) -> bool:
        """True if deleted memories can be removed from the store now."""
        return self.meta is not None and self.connection.reason is None

    @property
    def can_mirror(self) -> bool:
        """True if single memories can be mirrored now."""
        return self.can_remove and self._is_in(MirrorPhase.FILLING, MirrorPhase.COMPLETE)

    @property
    def can_mirror_all(self) -> bool:
        """True if the next batch of all memories can be mirrored now."""
        meta = self.meta
        is_known = meta is None or meta.grace_until is None or self._clock.now() >= meta.grace_until
        return is_known and self.can_remove and self._is_in(MirrorPhase.PREPARING, MirrorPhase.FILLING)

    async def refresh(self) -> None:
        """Read the state from the graph, apply changed settings, and schedule the filling of the store.

        It sends no request to the store.
        """
        async with self._refreshing:
            await self._mirroring.refresh(self._database)
            await self._follow(self._own.with_stored(await _stored_settings(self._database)))
            meta, active = self.meta, self._embeddings.active
            if meta is not None and active is not None and meta.signature != active.signature:
                await self._begin(meta, again=False)
            if self._is_in(MirrorPhase.PREPARING, MirrorPhase.FILLING):
                await self._ensure_job(again=False)

    async def watch(self) -> None:
        """Refresh, probe a failed store, and refill a store that lost its data.

        Every process calls this every few seconds.
        """
        await self.refresh()
        connection = self.connection
        if connection.reason is not None:
            if not (connection.is_worth_a_probe and await connection.is_ready()):
                return
            self._is_checked = False
        has_place = self._is_in(MirrorPhase.FILLING, MirrorPhase.COMPLETE)
        if self._is_checked or not has_place or await self._check():
            connection.probed()

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
            await self._remove_workspace(job.subject_id)

    async def mirror_all(self, _: Sequence[ClaimJobsRow]) -> None:
        """Do one step of filling the store, and enqueue another run unless this was the last.

        Raises:
            TierFailed: The store accepts nothing now.
            EmbeddingFailed: The embedder cannot embed a key with its content now.
        """
        await self.refresh()
        meta = self.meta
        if meta is None or not self.can_mirror_all:
            return
        if meta.phase is MirrorPhase.PREPARING:
            await self._prepare(meta)
        elif not await self._mirror_batch(meta):
            return
        await self._ensure_job(again=True)

    async def _follow(self, settings: TierSettings) -> None:
        if settings.target != self._selected:
            await self._select(settings.target)
        meta = self._mirroring.meta
        await self.connection.use(settings, meta.namespace if meta else "")

    async def _select(self, target: str | None) -> None:
        """Set or remove the deployment's store; write nothing if there has never been one."""
        self._selected = target
        if target is None and self._mirroring.meta is None:
            return
        changed = await queries.select_vector_tier(
            self._database, target=target, namespace=secrets.token_hex(4)
        )
        if changed:
            _log.info("vector_tier.changed", on=target is not None)
            limit = _JOBS_DROPPED_TOGETHER
            while target is None and await queries.delete_mirror_jobs(self._database, limit=limit) == limit:
                pass
        await self._mirroring.refresh(self._database)

    async def _begin(self, meta: TierMeta, *, again: bool) -> None:
        now = self._clock.now()
        await queries.begin_mirroring(
            self._database, target=meta.target or "", again=again, grace_until=now + self._grace, now=now
        )
        await self._mirroring.refresh(self._database)

    async def _ensure_job(self, *, again: bool) -> None:
        await queries.ensure_mirroring_job(
            self._database, workspace_id=DEPLOYMENT, again=again, now=self._clock.now()
        )

    async def _check(self) -> bool:
        """Refill the store if it no longer has the collection; return whether it answered."""
        try:
            meta, index = self._vectors()
            held = await self.connection.ask(
                lambda tier: tier.holds(index.signature), seconds=REQUEST_SECONDS, is_proof=False
            )
        except TierFailed:
            return False  # asked again after the next probe
        self._is_checked = True
        if not held:
            _log.warning("vector_tier.lost", reason="the store has no place for this deployment's vectors")
            await self._begin(meta, again=True)
        return True

    async def _prepare(self, meta: TierMeta) -> None:
        _, index = self._vectors()
        await self.connection.ask(lambda tier: tier.prepare(index.signature, index.dimension))
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
        return bool(rows)

    async def _mirror_each(self, subjects: Sequence[Subject], error: TierFailed) -> None:
        """Mirror a refused batch memory by memory; a memory refused again waits in a separate job.

        Raises:
            TierFailed: The store refuses all of the first memories, so the store is the cause, not a memory.
        """
        refused: list[Subject] = []
        if not await self.connection.is_ready():
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
        _, index = self._vectors()
        rows = await queries.list_mirror_sources(
            self._database,
            subjects=[{"workspace_id": workspace_id, "id": id_} for workspace_id, id_ in subjects],
            slot=index.slot,
            vector_property=index.vector_property,
            now=self._clock.now(),
        )
        stamps = {(row.source.workspace_id, row.source.id): row.stamp for row in rows}
        gone: dict[str, list[str]] = defaultdict(list)
        for workspace_id, id_ in subjects:
            if (workspace_id, id_) not in stamps:
                gone[workspace_id].append(id_)
        for workspace_id, ids in gone.items():
            await self._remove(workspace_id, ids)
        points = await self._points(rows, index)
        if points:
            await self.connection.ask(lambda tier: tier.upsert(index.signature, points))
        await queries.requeue_changed(
            self._database,
            rows=[
                {"workspace_id": workspace_id, "id": id_, "stamp": stamps.get((workspace_id, id_))}
                for workspace_id, id_ in subjects
            ],
            vector_property=index.vector_property,
            now=self._clock.now(),
        )

    async def _remove(self, workspace_id: str, ids: Sequence[str]) -> None:
        await self.connection.ask(lambda tier: tier.delete(workspace_id, ids))

    async def _remove_workspace(self, workspace_id: str) -> None:
        await self.connection.ask(lambda tier: tier.delete_workspace(workspace_id))

    async def _points(self, rows: Sequence[ListMirrorSourcesRow], index: VectorIndex) -> list[TierPoint]:
        """Return the points of memories; the vector of a memory with a key represents key and content."""
        with_key = [row for row in rows if row.point.key]
        texts = [
            f"{row.point.key}{_SEPARATOR}{text.own}"
            for row, text in zip(with_key, texts_of([row.source for row in with_key], None), strict=True)
        ]
        made = iter((await self._embeddings.embed(texts)).tolist() if texts else ())
        if self._embeddings.active != index:
            raise TierFailed("the embedder changed while memories were mirrored")
        return [replace(row.point, vector=next(made)) if row.point.key else row.point for row in rows]

    def _vectors(self) -> tuple[TierMeta, VectorIndex]:
        """Return the state of the store and the index whose vectors it contains.

        Raises:
            TierFailed: The embedder changed, and the store is not refilled yet.
        """
        meta, active = self.meta, self._embeddings.active
        if meta is None or active is None or active.signature != meta.signature:
            raise TierFailed("the store is about to be refilled for another embedder")
        return meta, active

    def _is_in(self, *phases: MirrorPhase) -> bool:
        """Tell whether the store is in one of the phases, for the vectors in use."""
        meta, active = self.meta, self._embeddings.active
        return (
            meta is not None
            and active is not None
            and meta.phase in phases
            and meta.signature == active.signature
        )


async def _stored_settings(runner: Runner) -> dict[str, Any]:
    """Return the tier's settings that were changed at run time."""
    rows = await settings.list_settings(runner, workspace_id=DEPLOYMENT)
    values = {row.key: from_json(row.value) for row in rows}
    return {name: values[key] for name, key in TIER_KEYS.items() if key in values}
