"""State of the external store, and the scheduling of its updates."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from graph.core import queries as jobs
from graph.core.models import DEPLOYMENT, JobKind
from graph.core.rows import Runner
from graph.vectors.external import queries
from graph.vectors.external.models import TierMeta


class Mirroring:
    """State of the external store, as every process knows it; lives as long as the process.

    Writers enqueue updates in the transaction of the write itself, so no acknowledged write can miss the store. The job
    sends the memory's state at the time of the run.
    """

    def __init__(self) -> None:
        self.meta: TierMeta | None = None

    @property
    def is_on(self) -> bool:
        """True if a store mirrors writes."""
        return self.meta is not None and self.meta.target is not None

    async def refresh(self, runner: Runner) -> None:
        """Read the state from the graph; every process calls this every few seconds."""
        self.meta = await queries.find_vector_tier(runner)

    async def enqueue(self, runner: Runner, workspace_id: str, ids: Sequence[str], now: datetime) -> None:
        """Enqueue the update of memories of one workspace, including deleted ones."""
        await self._enqueue(runner, workspace_id, JobKind.MIRROR, list(dict.fromkeys(ids)), now)

    async def enqueue_memories(
        self, runner: Runner, subjects: Iterable[tuple[str, str]], now: datetime
    ) -> None:
        """Enqueue the update of nodes that are memories; a subject is a workspace and an id."""
        if self.is_on:
            rows = [{"workspace_id": workspace_id, "id": id_} for workspace_id, id_ in subjects]
            await queries.enqueue_mirroring(runner, rows=rows, now=now)

    async def enqueue_workspace(self, runner: Runner, workspace_id: str, now: datetime) -> None:
        """Enqueue the removal of a workspace from the store; the job outlives the workspace."""
        await self._enqueue(runner, DEPLOYMENT, JobKind.UNMIRROR, [workspace_id], now)

    async def _enqueue(
        self, runner: Runner, workspace_id: str, kind: JobKind, ids: Sequence[str], now: datetime
    ) -> None:
        if self.is_on and ids:
            await jobs.enqueue_jobs(
                runner, workspace_id=workspace_id, kind=kind, subject_ids=ids, now=now, due_at=now
            )
