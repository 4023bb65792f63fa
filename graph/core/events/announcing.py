"""Announces what was committed; a use case calls it after its transaction, never inside."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TypeVar

from graph.core.events.models import JobsChanged, MemoriesChanged, MemoryEventType
from graph.core.jobs.models import JobChange
from graph.core.ports import Clock, EventBus

T = TypeVar("T")

MOST_TOGETHER = 100
"""How many ids one message carries at most, so that none is larger than a few kilobytes."""


class Announcer:
    """Tells the subscribers of a workspace what happened in it; lives as long as the process.

    Nothing here waits or raises: what was written stays written, whether or not somebody hears of it.
    """

    def __init__(self, bus: EventBus, clock: Clock) -> None:
        self._bus = bus
        self._clock = clock

    def memories_changed(self, workspace_id: str, type_: MemoryEventType, ids: Sequence[str]) -> None:
        """Announce that the same happened to memories of a workspace."""
        now = self._clock.now()
        for some in _chunks(ids):
            message = MemoriesChanged(type=type_, ids=tuple(some), at=now)
            self._bus.publish(channel_of_memories(workspace_id), message.model_dump_json())

    def jobs_changed(self, jobs: Sequence[JobChange]) -> None:
        """Announce the state of jobs of any workspaces."""
        by_workspace: dict[str, list[JobChange]] = defaultdict(list)
        for job in jobs:
            by_workspace[job.workspace_id].append(job)
        for workspace_id, of_workspace in by_workspace.items():
            for some in _chunks(of_workspace):
                message = JobsChanged(jobs=tuple(some))
                self._bus.publish(channel_of_jobs(workspace_id), message.model_dump_json())


def channel_of_memories(workspace_id: str) -> str:
    """Return where events of a workspace's memories are told."""
    return f"{workspace_id}:memories"


def channel_of_jobs(workspace_id: str) -> str:
    """Return where events of a workspace's jobs are told."""
    return f"{workspace_id}:jobs"


def _chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), MOST_TOGETHER):
        yield items[start : start + MOST_TOGETHER]
