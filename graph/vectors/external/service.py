"""Use cases of the external tier: search, cleanup, status and settings."""

import math
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Generic

from graph.core.audit import note_act
from graph.core.database import Database
from graph.core.errors import Conflict, InvalidInput, Unavailable
from graph.core.models import DEPLOYMENT, AuditAction
from graph.core.ports import Clock, EmbeddingFailed, TierCleanup, TierFailed, TierHealth, TierScope
from graph.core.queries import store_settings
from graph.core.rows import Runner
from graph.core.scope import current_scope, require_whole_workspace
from graph.core.text.checks import filled, query_text, short_text
from graph.vectors.external import queries
from graph.vectors.external.connection import REQUEST_SECONDS
from graph.vectors.external.mirror import Mirror
from graph.vectors.external.models import (
    MOST_HITS,
    FoundT,
    MirrorPhase,
    Nearest,
    TierChange,
    TierHit,
    TierSettings,
    TierStatus,
    VectorStore,
)
from graph.vectors.index.models import EmbeddedQuery
from graph.vectors.index.service import Embeddings

_QUERY_SECONDS = 1.0  # that a recall waits for the tier before it takes the graph's own index
_EXAMINED = (
    200  # ids: the store knows neither agents nor what was just deleted or expired, which take no place
)
_DEFAULT_RETENTION_DAYS = 30
_LONGEST_RETENTION_DAYS = 3650


FindMemories = Callable[[str, Sequence[str]], Awaitable[Mapping[str, FoundT]]]
"""Returns the memories of a workspace with some of the given ids, by id."""


class ExternalTier(Generic[FoundT]):
    """The use cases of the external tier; lives as long as the process.

    It looks up every id from the store in the caller's workspace, because it does not trust the store.
    """

    def __init__(
        self,
        database: Database,
        embeddings: Embeddings,
        find_memories: FindMemories[FoundT],
        mirror: Mirror,
        clock: Clock,
        *,
        retention_days: int | None,
    ) -> None:
        """``retention_days``: Default maximum age of memories that a cleanup keeps."""
        self._database = database
        self._embeddings = embeddings
        self._find_memories = find_memories
        self._retention_days = retention_days
        self._mirror = mirror
        self._connection = mirror.connection
        self._clock = clock

    @property
    def settings(self) -> TierSettings:
        """The settings in force; their representation hides the key."""
        return self._connection.settings

    async def change_settings(self, change: TierChange) -> TierSettings:
        """Change the deployment's settings, which override those of each process, and return the effective ones.

        Other processes apply them within seconds. A different store is filled from the beginning.
        """
        rows, now = change.rows(), self._clock.now()

        async def work(tx: Runner) -> None:
            await store_settings(tx, workspace_id=DEPLOYMENT, rows=rows, now=now)
            await note_act(tx, AuditAction.VECTOR_TIER_CHANGED, DEPLOYMENT, count=len(rows), now=now)

        if rows:
            await self._database.transaction(work)
        await self._mirror.refresh()
        return self.settings

    def require_enabled_for(self, change: TierChange) -> None:
        """Refuse a change that selects Qdrant while the tier stays off.

        Raises:
            InvalidInput: The change selects Qdrant, and the tier is off.
        """
        is_on = self.settings.enabled if change.enabled is None else change.enabled
        if change.vector_store is VectorStore.QDRANT and not is_on:
            raise InvalidInput(
                "vectorStore", "vectorStore: Qdrant is off; switch it on first (its setting enabled)"
            )

    async def try_out(self, change: TierChange) -> None:
        """Test a change that turns the tier on: open the store without a request, and close it.

        Raises:
            InvalidInput: The package of the store is missing, or the address is invalid.
        """
        if not change.enabled or self.settings.enabled:
            return
        try:
            async with self._connection.trying(self._changed(change)):
                pass
        except TierFailed as error:
            raise InvalidInput("enabled", f"enabled: Qdrant cannot be used: {error}") from error

    async def test(self, change: TierChange) -> TierHealth:
        """Return the health of the store after a change, without storing it; send no stored key to a new address."""
        settings = self._changed(change)
        is_elsewhere = (settings.host, settings.port) != (self.settings.host, self.settings.port)
        if is_elsewhere and change.api_key is None:
            settings = settings.model_copy(update={"api_key": None})
        try:
            async with self._connection.trying(settings) as tier:
                return await tier.health()
        except TierFailed as error:
            return TierHealth(ok=False, latency_ms=0.0, error=str(error))

    async def refresh(self) -> None:
        """Apply newly stored settings."""
        await self._mirror.refresh()

    async def nearest(
        self, scope: TierScope, embedded: EmbeddedQuery, limit: int, *, oldest: datetime | None = None
    ) -> Nearest:
        """Return the nearest memories in the tier, or the reason to use the graph's own index instead or as well.

        Args:
            scope: Memories to search.
            embedded: Vectors of the query.
            limit: Maximum number of ids.
            oldest: Earliest creation time; None: any age.
        """
        signature = embedded.index.signature
        reason = self._why_not(signature)
        if reason is not None or not self._is_selected:
            return Nearest(reason=reason)
        lacks = await self._what_is_lacking(scope.workspace_id, oldest)
        scope = replace(scope, created_since=oldest)
        start = time.perf_counter()
        try:
            hits = await self._connection.ask(
                lambda tier: tier.search(signature, scope, embedded.vectors[0], limit),
                seconds=_QUERY_SECONDS,
            )
        except TierFailed as error:
            return Nearest(reason=str(error), milliseconds=_since(start))
        found = [{"id": id_, "similarity": _similarity(cosine)} for id_, cosine in hits[:limit]]
        return Nearest(found=found, lacks=lacks, milliseconds=_since(start))

    async def search(
        self,
        workspace_id: str,
        query: str,
        *,
        top_k: int = 5,
        api_key_id: str | None = None,
        session_id: str | None = None,
    ) -> list[TierHit[FoundT]]:
        """Return the nearest memories in the tier only, nearest first; ``top_k`` is clamped to 1 … 20.

        Raises:
            Conflict: The tier is off.
            InvalidInput: The query, the key or the session is blank.
            Unavailable: The tier, the embedder or the graph does not answer.
        """
        self._require_enabled()
        text = filled("query", query_text("query", query))
        scope = TierScope(
            workspace_id,
            api_key_id=short_text("apiKeyId", api_key_id),
            session_id=short_text("sessionId", session_id),
            users=current_scope().users,
        )
        try:
            embedded = await self._embeddings.embed_query(text)
            hits = await self._connection.ask(
                lambda tier: tier.search(
                    embedded.index.signature,
                    scope,
                    embedded.vectors[0],
                    _EXAMINED,
                    with_parts=False,
                ),
                seconds=REQUEST_SECONDS,
            )
        except EmbeddingFailed as error:
            raise Unavailable("embedder", f"the query cannot be embedded now: {error}") from error
        except TierFailed as error:
            raise _unavailable(error) from error
        memories = await self._find_memories(workspace_id, [id_ for id_, _ in hits])
        found = [TierHit(memories[id_], score) for id_, score in hits if id_ in memories]
        return found[: max(1, min(top_k, MOST_HITS))]

    async def cleanup(self, workspace_id: str, *, retention_days: int | None = None) -> TierCleanup:
        """Remove expired and old memories of a workspace from the tier, and return their numbers.

        The graph keeps them; a recall of older memories then also searches the graph's own index.

        Args:
            workspace_id: Workspace to clean.
            retention_days: Maximum age of kept memories, 1 … 3650; None: the setting of retention, else 30.

        Raises:
            Conflict: The tier is off.
            Forbidden: The task sees only one user's or agent's memory.
            InvalidInput: ``retention_days`` is out of range.
            Unavailable: The tier or the graph does not answer.
        """
        require_whole_workspace("cleaning up")
        self._require_enabled()
        days = retention_days if retention_days is not None else self._retention_days
        days = _DEFAULT_RETENTION_DAYS if days is None else days
        if not 1 <= days <= _LONGEST_RETENTION_DAYS:
            raise InvalidInput(
                "retentionDays", f"retentionDays must be between 1 and {_LONGEST_RETENTION_DAYS}"
            )
        now = self._clock.now()
        until = now - timedelta(days=days)
        # Noted before: a recall between the two must not take the tier for complete.
        await queries.note_cleanup(self._database, workspace_id=workspace_id, until=until)
        await self._mirror.refresh()
        try:
            return await self._connection.ask(
                lambda tier: tier.cleanup(workspace_id, now=now, created_before=until)
            )
        except TierFailed as error:
            raise _unavailable(error) from error

    async def health(self) -> TierHealth | None:
        """Return the health of the tier; None while it is off."""
        return await self._connection.health()

    @property
    def answers(self) -> bool | None:
        """True if the last request to the tier succeeded; None while it is off. Sends no request."""
        return self._connection.reason is None if self.settings.enabled else None

    async def status(self, workspace_ids: Sequence[str]) -> TierStatus:
        """Return the status of the tier, with the number of unfinished jobs of the workspaces and the deployment."""
        meta, active = self._mirror.meta, self._embeddings.active
        reason = self._why_not(active.signature if active else None)
        pending = await queries.count_mirror_jobs(self._database, workspace_ids=[*workspace_ids, DEPLOYMENT])
        return TierStatus(
            settings=self.settings,
            health=await self.health(),
            serves=self._is_selected and reason is None,
            reason=reason,
            phase=meta.phase if meta else None,
            mirrored=meta.done if meta else 0,
            total=meta.total if meta else 0,
            pending=pending,
        )

    def _changed(self, change: TierChange) -> TierSettings:
        return self.settings.model_copy(update=change.model_dump(exclude_none=True) | {"enabled": True})

    @property
    def _is_selected(self) -> bool:
        stores = (VectorStore.AUTO, VectorStore.QDRANT)
        return self.settings.enabled and self.settings.vector_store in stores

    def _why_not(self, signature: str | None) -> str | None:
        """Return the reason why the selected tier cannot serve recall now; None if it can or is not selected."""
        meta = self._mirror.meta
        if not self._is_selected:
            is_required = self.settings.vector_store is VectorStore.QDRANT
            return "the external tier is selected but not enabled" if is_required else None
        if self._connection.reason is not None:
            return self._connection.reason
        if meta is None:
            return "the external tier was changed by another process"
        if meta.signature != signature or meta.phase is None:
            return "the external tier is not filled with the vectors in use yet"
        if meta.phase is not MirrorPhase.COMPLETE:
            return f"the external tier has {meta.done} of {meta.total} memories so far"
        return None

    async def _what_is_lacking(self, workspace_id: str, oldest: datetime | None) -> str | None:
        """Return a note if a cleanup removed memories that the search needs; else None."""
        if self._mirror.meta is None or not self._mirror.meta.cleaned:
            return None
        until = await queries.find_cleanup(self._database, workspace_id=workspace_id)
        if until is None or (oldest is not None and oldest >= until):
            return None
        return f"a cleanup removed memories created before {until:%Y-%m-%d} from the external tier"

    def _require_enabled(self) -> None:
        if not self.settings.enabled:
            raise Conflict(
                "the external vector tier is off: set RECOLLECT_QDRANT_ENABLED, or its setting enabled"
            )


def _similarity(cosine: float) -> float:
    """Return the cosine on the scale of the graph's index; a non-finite cosine counts as the minimum."""
    return (1 + max(-1.0, min(1.0, cosine))) / 2 if math.isfinite(cosine) else 0.0


def _since(start: float) -> float:
    return round((time.perf_counter() - start) * 1000, 3)


def _unavailable(error: TierFailed) -> Unavailable:
    return Unavailable("qdrant", f"the external vector tier cannot serve the request now: {error}")
