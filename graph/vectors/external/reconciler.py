"""Applies the settings of the external store, and fills it with the vectors in use.

::

    select_vector_tier    make this process's configured store the deployment's
    begin_mirroring       start filling it with the vectors in use: at first, and after each change of the embedder
    begin_mirroring_all   once every process knows it, continue with an empty collection
    note_mirrored         record each copied batch, one per run of the job; after the last, recall may search it

The job runs the last two (``graph.vectors.external.mirror``).
"""

import asyncio
import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import structlog
from pydantic_core import from_json

from graph.core import queries as settings
from graph.core.database import Database
from graph.core.models import DEPLOYMENT
from graph.core.ports import Clock, TierFailed
from graph.core.rows import Runner
from graph.vectors.external import queries
from graph.vectors.external.connection import StoreConnection
from graph.vectors.external.mirroring import Mirroring
from graph.vectors.external.models import TIER_KEYS, MirrorPhase, TierMeta, TierSettings
from graph.vectors.index.models import VectorIndex
from graph.vectors.index.service import Embeddings

_log = structlog.get_logger("recollect.vector_tier")

_JOBS_DROPPED_TOGETHER = 5000


class TierReconciler:
    """Keeps the store in line with the settings and the graph; lives as long as the process.

    Args:
        own: Settings of this process, which run-time changes override.
        grace: Time until every process knows the store.
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
        grace: timedelta = timedelta(seconds=10),
    ) -> None:
        self._database = database
        self._embeddings = embeddings
        self._mirroring = mirroring
        self._clock = clock
        self._own = own
        self._grace = grace
        self._stored: Mapping[str, Any] = {}
        self._selected: str | None = None
        self._has_selected = False
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
        return self._has_place(MirrorPhase.FILLING, MirrorPhase.COMPLETE)

    @property
    def can_mirror_all(self) -> bool:
        """True if the next batch of all memories can be mirrored now."""
        meta = self.meta
        if meta is None or not self._has_place(MirrorPhase.PREPARING, MirrorPhase.FILLING):
            return False
        return meta.grace_until is None or self._clock.now() >= meta.grace_until

    def index(self) -> VectorIndex:
        """Return the index whose vectors the store contains.

        Raises:
            TierFailed: The embedder changed, and the store is not refilled yet.
        """
        active = self._embeddings.active
        if self.meta is None or active is None or active.signature != self.meta.signature:
            raise TierFailed("the store is about to be refilled for another embedder")
        return active

    async def refresh(self) -> None:
        """Read the state from the graph, apply changed settings, and schedule the filling of the store.

        Every process calls this every few seconds; it sends no request to the store.
        """
        async with self._refreshing:
            await self._mirroring.refresh(self._database)
            self._stored = await _stored_settings(self._database)
            await self._follow(self._own.with_stored(self._stored))
            meta, active = self.meta, self._embeddings.active
            if meta is not None and active is not None:
                if meta.signature != active.signature:
                    await self._begin(again=False)
                await self._ensure_job()

    async def watch(self) -> None:
        """Probe a failed store, and refill it if it lost its data."""
        gate = self.connection.gate
        if gate.is_worth_a_probe:
            self._is_checked = False
            if not await self.connection.is_ready():
                return
        elif not gate.is_open:
            return
        if not self._is_checked and self._is_to_hold(MirrorPhase.FILLING, MirrorPhase.COMPLETE):
            await self._check()
        if gate.is_worth_a_probe:
            gate.probed()

    async def _follow(self, settings: TierSettings) -> None:
        if not self._has_selected or settings.target != self._selected:
            await self._select(settings.target)
        meta = self._mirroring.meta
        await self.connection.use(settings, meta.namespace if meta else "")

    async def _select(self, target: str | None) -> None:
        """Set or remove the deployment's store; write nothing if there has never been one."""
        self._selected, self._has_selected = target, True
        if target is None and self._mirroring.meta is None:
            return
        changed = await queries.select_vector_tier(self._database, target=target, namespace=new_namespace())
        if changed:
            _log.info("vector_tier.changed", on=target is not None)
            if target is None:
                await self._drop_jobs()
        await self._mirroring.refresh(self._database)

    async def _drop_jobs(self) -> None:
        deleted = _JOBS_DROPPED_TOGETHER
        while deleted == _JOBS_DROPPED_TOGETHER:
            deleted = await queries.delete_mirror_jobs(self._database, limit=_JOBS_DROPPED_TOGETHER)

    async def _begin(self, *, again: bool) -> None:
        target = self.connection.settings.target
        if target is not None:
            now = self._clock.now()
            await queries.begin_mirroring(
                self._database, target=target, again=again, grace_until=now + self._grace, now=now
            )
            await self._mirroring.refresh(self._database)

    async def _ensure_job(self) -> None:
        if self.meta is not None and self.meta.phase in (MirrorPhase.PREPARING, MirrorPhase.FILLING):
            await queries.ensure_mirroring_job(
                self._database, workspace_id=DEPLOYMENT, again=False, now=self._clock.now()
            )

    async def _check(self) -> None:
        """Schedule a refill if the store no longer has the collection."""
        signature = self.index().signature
        try:
            held = await self.connection.ask(lambda tier: tier.holds(signature), is_proof=False)
        except TierFailed:
            return  # asked again after the next probe
        self._is_checked = True
        if not held:
            _log.warning("vector_tier.lost", reason="the store has no place for this deployment's vectors")
            await self._begin(again=True)

    def _has_place(self, *phases: MirrorPhase) -> bool:
        return self.connection.reason is None and self._is_to_hold(*phases)

    def _is_to_hold(self, *phases: MirrorPhase) -> bool:
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


def new_namespace() -> str:
    """Return a random name for this deployment within a shared store."""
    return secrets.token_hex(4)
