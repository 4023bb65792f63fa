"""Watches the service until it has embedded what some workspaces hold."""

import asyncio
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.client.generated import RecollectClient

POLL_SECONDS = 0.5
STALL_SECONDS = 300.0
"""A worker may be busy with other workspaces for a while."""
OBSTACLE_SECONDS = 60.0
"""A model that is being loaded is there sooner; one that is not configured never comes."""


@dataclass(frozen=True)
class EmbeddingCounts:
    """Progress of workspaces: stored and embedded memories, waiting and parked jobs.

    ``obstacle`` is the reason why the embedder cannot work now, or None.
    """

    memories: int
    embedded: int
    pending: int
    failed: int
    obstacle: str | None = None


@dataclass(frozen=True)
class WaitOutcome:
    """Outcome of waiting; ``is_complete`` is false if there was no progress within the time limit."""

    counts: EmbeddingCounts
    is_complete: bool


async def count_embedded(client: "RecollectClient", workspace_ids: Collection[str]) -> EmbeddingCounts:
    """Return the sums over the workspaces named.

    Raises:
        ApiError: The service refused, or does not answer.
    """
    engine = await client.embedding_progress(list(workspace_ids))
    embedder, rows = engine.embedder, engine.workspaces
    return EmbeddingCounts(
        memories=sum(row.memories for row in rows),
        embedded=sum(row.embedded for row in rows),
        pending=sum(row.pending_jobs for row in rows),
        failed=sum(row.failed_jobs for row in rows),
        obstacle=None if embedder.ready else embedder.reason or "the embedder is not ready",
    )


async def wait_until_embedded(
    client: "RecollectClient",
    workspace_ids: Collection[str],
    *,
    on_progress: Callable[[EmbeddingCounts], None],
) -> WaitOutcome:
    """Poll the service until no job is pending, or until nothing has moved for too long.

    Too long is ``STALL_SECONDS``, and ``OBSTACLE_SECONDS`` while the embedder cannot work.

    Raises:
        ApiError: The service refused, or does not answer.
    """
    last: EmbeddingCounts | None = None
    moved_at = time.monotonic()
    while True:
        counts = await count_embedded(client, workspace_ids)
        on_progress(counts)
        if counts.pending == 0:
            return WaitOutcome(counts, is_complete=True)
        if counts != last:
            last, moved_at = counts, time.monotonic()
        elif time.monotonic() - moved_at >= (OBSTACLE_SECONDS if counts.obstacle else STALL_SECONDS):
            return WaitOutcome(counts, is_complete=False)
        await asyncio.sleep(POLL_SECONDS)
