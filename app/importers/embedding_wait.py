"""Watches the service until it has embedded what some workspaces hold."""

import asyncio
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from app.client import Client

POLL_SECONDS = 0.5

_ENGINE = """
query Engine($workspaceIds: [ID!]!) {
  engine(workspaceIds: $workspaceIds) { workspaces { memories embedded pendingJobs failedJobs } }
}
"""


@dataclass(frozen=True)
class EmbeddingCounts:
    """How far workspaces have come: memories held, embedded, and jobs waiting and given up."""

    memories: int
    embedded: int
    pending: int
    failed: int


@dataclass(frozen=True)
class WaitOutcome:
    """How waiting ended; ``is_complete`` is false where nothing moved for as long as was allowed."""

    counts: EmbeddingCounts
    is_complete: bool


async def count_embedded(client: Client, workspace_ids: Collection[str]) -> EmbeddingCounts:
    """Return the sums over the workspaces named.

    Raises:
        ApiError: The service refused, or does not answer.
    """
    data = await client.execute(_ENGINE, {"workspaceIds": list(workspace_ids)})
    rows: list[dict[str, Any]] = data["engine"]["workspaces"]
    return EmbeddingCounts(
        memories=sum(row["memories"] for row in rows),
        embedded=sum(row["embedded"] for row in rows),
        pending=sum(row["pendingJobs"] for row in rows),
        failed=sum(row["failedJobs"] for row in rows),
    )


async def wait_until_embedded(
    client: Client,
    workspace_ids: Collection[str],
    *,
    stall_seconds: float,
    on_progress: Callable[[EmbeddingCounts], None],
) -> WaitOutcome:
    """Poll the service until no job is pending, or until nothing has changed for ``stall_seconds``.

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
        elif time.monotonic() - moved_at >= stall_seconds:
            return WaitOutcome(counts, is_complete=False)
        await asyncio.sleep(POLL_SECONDS)
