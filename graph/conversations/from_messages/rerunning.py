"""Making memories again from their messages in the background: the work of the jobs of kinds RESTATE and SYNTHESIZE."""

from collections.abc import Sequence

import structlog

from graph.conversations.from_messages.service import MessageMemories
from graph.core.background import side_by_side
from graph.core.database import Database
from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.core.jobs.models import JobKind
from graph.core.jobs.queries import ClaimJobsRow, enqueue_jobs
from graph.core.ports import Clock, WakeUp
from graph.core.rows import Runner
from graph.memories.service import Memories

_log = structlog.get_logger("recollect.remembering")


class Reruns:
    """The use cases of asking for it where nobody waits; lives as long as the process."""

    def __init__(
        self,
        database: Database,
        memories: Memories,
        remembering: MessageMemories,
        wake_up: WakeUp,
        clock: Clock,
    ) -> None:
        self._database = database
        self._memories = memories
        self._remembering = remembering
        self._wake_up = wake_up
        self._clock = clock

    async def request(self, workspace_id: str, id_: str, *, synthesize: bool = False) -> None:
        """Have a worker do what ``MessageMemories.rerun_extraction`` does; asked twice, it is done once more.

        Raises:
            NotFound: There is no such memory.
            InvalidInput: It was not made of a message.
            Conflict: Its source is deleted.
        """
        memory = await self._memories.get(workspace_id, id_)
        await self._remembering.source_of(workspace_id, memory)
        # Whether what a model stated is made again is decided when it is done: somebody may change it until then.
        kind = JobKind.SYNTHESIZE if synthesize else JobKind.RESTATE
        now = self._clock.now()

        async def work(tx: Runner) -> None:
            await enqueue_jobs(
                tx, workspace_id=workspace_id, kind=kind, subject_ids=[id_], now=now, due_at=now
            )

        await self._database.transaction(work)
        await self._wake_up.signal()

    async def restate(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Make summaries again."""
        await side_by_side(self._rerun(job, synthesize=False) for job in jobs)

    async def synthesize(self, jobs: Sequence[ClaimJobsRow]) -> None:
        """Make summaries and contents again; raises as :meth:`restate`."""
        await side_by_side(self._rerun(job, synthesize=True) for job in jobs)

    async def _rerun(self, job: ClaimJobsRow, *, synthesize: bool) -> None:
        try:
            await self._remembering.rerun_extraction(job.workspace_id, job.subject_id, synthesize=synthesize)
        except (NotFound, InvalidInput, Conflict) as error:
            # The memory or its message went meanwhile: trying again would find no more.
            _log.warning("remembering.rerun_without_source", memory_id=job.subject_id, code=error.code)
