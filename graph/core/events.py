"""Announces committed changes; use cases announce after their transaction, never inside it."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeVar

from graph.core.models import (
    JobChange,
    JobKind,
    JobsChanged,
    JobState,
    MemoriesChanged,
    MemoryEventType,
    Occurred,
    Occurrence,
)
from graph.core.ports import Clock, EventBus

T = TypeVar("T")

MOST_TOGETHER = 100
"""Maximum number of ids in a message, so that none is larger than a few kilobytes."""


_OCCURRED: Final[Mapping[MemoryEventType, Occurred]] = {
    MemoryEventType.SAVED: Occurred.MEMORY_SAVED,
    MemoryEventType.AUTO_SAVED: Occurred.MEMORY_SAVED,
    MemoryEventType.UPDATED: Occurred.MEMORY_UPDATED,
    MemoryEventType.DELETED: Occurred.MEMORY_DELETED,
}


def _nobody(_occurrence: Occurrence) -> None:
    """Ignore an occurrence."""


class Announcer:
    """Announces events of a workspace to its subscribers; lives as long as the process.

    Nothing here waits or raises: written data stays written, even if nobody receives the event.
    """

    def __init__(self, bus: EventBus, clock: Clock) -> None:
        self._bus = bus
        self._clock = clock
        self._take: Callable[[Occurrence], None] = _nobody

    def noted_by(self, take: Callable[[Occurrence], None]) -> None:
        """Also pass this process's announcements to ``take``, which must not wait or raise."""
        self._take = take

    def memories_changed(self, workspace_id: str, type_: MemoryEventType, ids: Sequence[str]) -> None:
        """Announce one event for several memories of a workspace."""
        now = self._clock.now()
        for some in _chunks(ids):
            message = MemoriesChanged(type=type_, ids=tuple(some), at=now)
            self._bus.publish(channel_of_memories(workspace_id), message.model_dump_json())
            self._take(
                Occurrence(workspace_id=workspace_id, type=_OCCURRED[type_], at=now, memory_ids=message.ids)
            )

    def patterns_promoted(self, workspace_id: str, ids: Sequence[str]) -> None:
        """Announce new failure patterns."""
        for some in _chunks(ids):
            self._take(
                Occurrence(
                    workspace_id=workspace_id,
                    type=Occurred.PATTERN_PROMOTED,
                    at=self._clock.now(),
                    data={"patternIds": list(some)},
                )
            )

    def jobs_changed(self, jobs: Sequence[JobChange]) -> None:
        """Announce the states of jobs, of any workspaces."""
        by_workspace: dict[str, list[JobChange]] = defaultdict(list)
        for job in jobs:
            by_workspace[job.workspace_id].append(job)
        for workspace_id, of_workspace in by_workspace.items():
            for some in _chunks(of_workspace):
                message = JobsChanged(jobs=tuple(some))
                self._bus.publish(channel_of_jobs(workspace_id), message.model_dump_json())
        for job in jobs:
            # A failed webhook delivery is not announced by webhook: it might fail again and repeat without end.
            if job.state is JobState.FAILED and job.kind != JobKind.WEBHOOK:
                self._take(_failure(job))


def _failure(job: JobChange) -> Occurrence:
    data = {"jobId": job.id, "kind": job.kind, "subjectId": job.subject_id, "attempts": job.attempts}
    return Occurrence(workspace_id=job.workspace_id, type=Occurred.JOB_FAILED, at=job.updated_at, data=data)


def channel_of_memories(workspace_id: str) -> str:
    """Return the channel of the memory events of a workspace."""
    return f"{workspace_id}:memories"


def channel_of_jobs(workspace_id: str) -> str:
    """Return the channel of the job events of a workspace."""
    return f"{workspace_id}:jobs"


def _chunks(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), MOST_TOGETHER):
        yield items[start : start + MOST_TOGETHER]
