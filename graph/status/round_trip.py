"""Proves that a memory can be created, listed and deleted, in a workspace that is there for nothing else (M2)."""

import asyncio
import time
from dataclasses import dataclass

import structlog

from graph.core.errors import RecollectError
from graph.listing.models import Listed
from graph.listing.service import Listing
from graph.memories.models import MemoryDraft
from graph.memories.policy import IdFormat
from graph.memories.retention import RetentionSurface
from graph.memories.service import Memories
from graph.workspaces.service import Workspaces

_log = structlog.get_logger("recollect.status")
_PATIENCE_SECONDS = 30.0  # as long as one transaction may take
_NAME = "health check"
_TEXT = "health-check"


@dataclass(frozen=True)
class Verification:
    """Whether the round trip succeeded, and how long it took; ``error`` says what did not."""

    latency_ms: float
    error: str | None = None


class RoundTripFailed(Exception):
    """Raised when a step did not have the effect it should have."""


class RoundTrip:
    """The use case of the health check; lives as long as the process.

    The workspace is removed for good, with everything that saving and deleting left in it: jobs, and the tombstone
    that any hard delete leaves.
    """

    def __init__(self, workspaces: Workspaces, memories: Memories, listing: Listing) -> None:
        self._workspaces = workspaces
        self._memories = memories
        self._listing = listing
        self._removals: set[asyncio.Task[bool]] = set()

    async def verify(self) -> Verification:
        """Make the round trip; never raises for what is wrong with the store."""
        start = time.perf_counter()
        error: str | None = None
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await self._make()
        except TimeoutError:
            error = f"it took longer than {_PATIENCE_SECONDS:g} seconds"
        except RoundTripFailed as failed:
            error = str(failed)
        except RecollectError as failed:
            error = failed.message
        if error is not None:
            _log.warning("memory.health.failed", reason=error)
        return Verification(round((time.perf_counter() - start) * 1000, 3), error)

    async def _make(self) -> None:
        workspace = await self._workspaces.create(_NAME)
        try:
            await self._save_list_delete(workspace.id)
        finally:
            # Shielded, and held: who gives up waiting must not leave the workspace behind.
            removal = asyncio.create_task(self._workspaces.delete(workspace.id, hard=True))
            self._removals.add(removal)
            removal.add_done_callback(self._removals.discard)
            await asyncio.shield(removal)

    async def _save_list_delete(self, workspace_id: str) -> None:
        draft = MemoryDraft(content=_TEXT, key=_TEXT, dedup=False)
        saved = (await self._memories.save(workspace_id, draft, id_format=IdFormat.UUID)).memory
        if await self._listed(workspace_id) != [saved.id]:
            raise RoundTripFailed("what was created is not listed")
        if not await self._memories.delete(workspace_id, saved.id, hard=True):
            raise RoundTripFailed("what was created cannot be deleted")
        if await self._listed(workspace_id):
            raise RoundTripFailed("what was deleted is still listed")

    async def _listed(self, workspace_id: str) -> list[str]:
        page = await self._listing.page(workspace_id, Listed(), surface=RetentionSurface.API_MEMORY, limit=10)
        return [memory.id for memory in page.memories]
