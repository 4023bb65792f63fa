"""Subscriptions to the events of a workspace's memories and jobs, from all processes."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

import structlog
from pydantic import TypeAdapter, ValidationError

from graph.core.events import channel_of_jobs, channel_of_memories
from graph.core.jobs import Jobs
from graph.core.models import (
    Frozen,
    Job,
    JobChange,
    JobKind,
    JobsChanged,
    JobState,
    MemoriesChanged,
    MemoryEventType,
    Message,
)
from graph.core.ports import EventBus
from graph.core.scope import EVERYTHING, current_scope
from graph.memories.models import Memory
from graph.memories.service import Memories

_log = structlog.get_logger("recollect.events")
_KINDS = frozenset(JobKind)
_MESSAGE: TypeAdapter[MemoriesChanged | JobsChanged] = TypeAdapter(Message)


class MemoryEvent(Frozen):
    """Event of one memory; ``memory`` is its current state, or None once it is deleted or expired."""

    type: MemoryEventType
    workspace_id: str
    memory_id: str
    memory: Memory | None
    at: datetime


class Events:
    """Subscribes to events; lives as long as the process.

    Events of one process arrive in the order of its commits. After an outage of Redis an event may arrive twice. A
    subscriber that may have missed an event gets an error and has to subscribe again.
    """

    def __init__(self, bus: EventBus, memories: Memories, jobs: Jobs) -> None:
        self._bus = bus
        self._memories = memories
        self._jobs = jobs

    @asynccontextmanager
    async def of_memories(self, workspace_id: str) -> AsyncIterator[AsyncIterator[MemoryEvent]]:
        """Subscribe to the events of a workspace's memories; the iterator ends with the block.

        Raises:
            Unavailable: Redis does not answer, or events may have been lost; also from the iterator.
            LimitExceeded: From the iterator: its reader is too slow.
        """
        async with self._bus.subscribe(channel_of_memories(workspace_id)) as texts:
            yield self._read_memories(workspace_id, texts)

    @asynccontextmanager
    async def of_jobs(self, workspace_id: str) -> AsyncIterator[AsyncIterator[Job]]:
        """Subscribe to the state changes of a workspace's jobs; raises as :meth:`of_memories`."""
        async with self._bus.subscribe(channel_of_jobs(workspace_id)) as texts:
            yield self._read_jobs(workspace_id, texts)

    async def _read_memories(
        self, workspace_id: str, texts: AsyncIterator[str]
    ) -> AsyncIterator[MemoryEvent]:
        async for message in _messages(texts):
            if isinstance(message, MemoriesChanged):
                found = await self._memories.find_all(workspace_id, message.ids)
                for id_ in await self._seen(workspace_id, message.ids):
                    yield MemoryEvent(
                        type=message.type,
                        workspace_id=workspace_id,
                        memory_id=id_,
                        memory=found.get(id_),
                        at=message.at,
                    )

    async def _seen(self, workspace_id: str, ids: Sequence[str]) -> Sequence[str]:
        """Return the ids of the memories that the subscriber may see.

        The owner of a permanently deleted memory is unknown, so subscribers bound to an owner do not see its event.
        """
        if current_scope() == EVERYTHING:
            return ids
        known = await self._memories.find_all(workspace_id, ids, include_deleted=True)
        return [id_ for id_ in ids if id_ in known]

    async def _read_jobs(self, workspace_id: str, texts: AsyncIterator[str]) -> AsyncIterator[Job]:
        async for message in _messages(texts):
            if isinstance(message, JobsChanged):
                failed = [change.id for change in message.jobs if _may_have_failed(change)]
                found = await self._jobs.find_all(workspace_id, failed) if failed else {}
                for change in message.jobs:
                    if change.kind not in _KINDS:
                        continue  # a kind of job that only another release has
                    stored = found.get(change.id)
                    yield Job(**change.model_dump(), error=stored.error if stored else None)


def _may_have_failed(change: JobChange) -> bool:
    return change.state is JobState.FAILED or (change.state is JobState.PENDING and change.attempts > 0)


async def _messages(texts: AsyncIterator[str]) -> AsyncIterator[MemoriesChanged | JobsChanged]:
    async for text in texts:
        try:
            yield _MESSAGE.validate_json(text)
        except ValidationError as error:
            # A process of another release may send messages that this release does not know.
            _log.warning("events.unknown_message", problems=error.error_count())
