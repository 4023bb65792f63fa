"""Subscriptions to the progress of background jobs."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from graph.conversations.capture.service import Conversations
from graph.core.models import Job, JobKind
from graph.core.scope import EVERYTHING, current_scope
from graph.memories.service import Memories
from graph.memories.subscriptions import Events

_EXTRACTIONS: Final = frozenset({JobKind.EXTRACT, JobKind.EXTRACT_FACTS})
_RERUNS: Final = frozenset({JobKind.RESTATE, JobKind.SYNTHESIZE})


class JobWatch:
    """The use case of watching jobs; lives as long as the process."""

    def __init__(self, events: Events, conversations: Conversations, memories: Memories) -> None:
        self._events = events
        self._conversations = conversations
        self._memories = memories

    @asynccontextmanager
    async def of_workspace(self, workspace_id: str) -> AsyncIterator[AsyncIterator[Job]]:
        """Subscribe to the jobs of a workspace.

        A subscriber that sees only one user's or agent's memory receives events about extraction and reprocessing
        within the scope.

        Raises:
            Unavailable: The server for the events does not answer.
            LimitExceeded: There are too many subscriptions.
        """
        async with self._events.of_jobs(workspace_id) as jobs:
            yield self._visible(jobs)

    async def _visible(self, jobs: AsyncIterator[Job]) -> AsyncIterator[Job]:
        async for job in jobs:
            if await self._is_visible(job):
                yield job

    async def _is_visible(self, job: Job) -> bool:
        if current_scope() == EVERYTHING:
            return True
        if job.kind in _EXTRACTIONS:
            return await self._conversations.find(job.workspace_id, job.subject_id) is not None
        if job.kind in _RERUNS:
            return await self._memories.find(job.workspace_id, job.subject_id) is not None
        return False
