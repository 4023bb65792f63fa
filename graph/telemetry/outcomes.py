"""Outcomes of runs that used memories: links are written in the background, outcomes counted at the end of a run."""

from collections.abc import Sequence

from graph.core.database import Database
from graph.core.errors import InvalidInput
from graph.core.models import JobKind
from graph.core.pages import Cursor, Page, Paging, page_of
from graph.core.ports import Clock
from graph.core.queries import enqueue_jobs
from graph.core.rows import Runner
from graph.memories.service import Memories
from graph.telemetry import queries
from graph.telemetry.models import (
    PRIOR_RUNS,
    PRIOR_SUCCESSES,
    MemoryOutcomes,
    MemoryUse,
    OutcomeOrder,
    RunOutcomes,
)
from graph.telemetry.queries import open_sequences
from graph.telemetry.sequencing import sessions_to_open


class Outcomes:
    """The use cases of outcomes; lives as long as the process."""

    def __init__(self, database: Database, memories: Memories, clock: Clock) -> None:
        self._database = database
        self._memories = memories
        self._clock = clock

    async def link(self, workspace_id: str, uses: Sequence[MemoryUse]) -> None:
        """Link sessions' sequences to the memories that they used; does nothing while memory is off.

        A session without actions gets its sequence now; lists show it after its first action.
        """

        async def work(tx: Runner) -> None:
            now = self._clock.now()
            sessions = sessions_to_open({(use.user_id, use.session_id): use.agent_id for use in uses})
            sequences = await open_sequences(tx, workspace_id=workspace_id, sessions=sessions, now=now)
            ids = {(sequence.user_id, sequence.session_id): sequence.id for sequence in sequences}
            linked = [
                {
                    "sequence_id": ids[use.user_id, use.session_id],
                    "memory_id": use.memory_id,
                    "rank": use.rank,
                    "at": use.at,
                }
                for use in sorted(uses, key=lambda use: (use.user_id, use.session_id, use.memory_id))
                if (use.user_id, use.session_id) in ids
            ]
            ended = await queries.link_uses(tx, workspace_id=workspace_id, uses=linked)
            await enqueue_jobs(
                tx,
                workspace_id=workspace_id,
                kind=JobKind.PROMOTE,
                subject_ids=sorted(ended),
                now=now,
                due_at=now,
            )

        await self._database.transaction(work)

    async def of_memories(self, workspace_id: str, ids: Sequence[str]) -> dict[str, RunOutcomes]:
        """Return the outcomes of memories' runs; a memory without an ended run is omitted."""
        rows = await queries.get_memory_outcomes(self._database, workspace_id=workspace_id, ids=ids)
        return {row.memory_id: RunOutcomes(runs=row.runs, succeeded=row.succeeded) for row in rows}

    async def page(
        self,
        workspace_id: str,
        *,
        order: OutcomeOrder = OutcomeOrder.BEST,
        min_runs: int = 1,
        first: int = 20,
        after: str | None = None,
    ) -> Page[MemoryOutcomes]:
        """Return a page of the live memories that runs have used, ranked by the outcomes of these runs.

        Raises:
            InvalidInput: ``min_runs`` is below 1, or ``first`` or ``after`` is malformed.
        """
        paging = Paging.of(first, after)
        if min_runs < 1:
            raise InvalidInput("minRuns", f"minRuns must be at least 1, got {min_runs}")
        rows = await queries.list_memory_outcomes(
            self._database,
            workspace_id=workspace_id,
            min_runs=min_runs,
            is_worst_first=order is OutcomeOrder.WORST,
            prior_successes=PRIOR_SUCCESSES,
            prior_runs=PRIOR_RUNS,
            after_rank=paging.rank,
            after_id=paging.id,
            limit=paging.limit,
            now=self._clock.now(),
        )
        memories = await self._memories.find_all(workspace_id, [row.memory_id for row in rows])
        found = [row for row in rows if row.memory_id in memories]
        items = [
            MemoryOutcomes(
                memory=memories[row.memory_id],
                outcomes=RunOutcomes(runs=row.runs, succeeded=row.succeeded),
            )
            for row in found
        ]
        return page_of(items, [Cursor(rank=row.rank, id=row.memory_id) for row in found], paging.size)
