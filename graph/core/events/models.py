"""Shapes of the events that travel between processes.

Messages contain only ids, vocabularies and times. A subscriber's process reads the rest from the graph, so that Redis
holds no text of a memory, and events show the current state.
"""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import Field

from graph.core.jobs.models import JobChange
from graph.core.models import Frozen


class MemoryEventType(StrEnum):
    """Event of a memory; AUTO_SAVED is an automatic save."""

    SAVED = "SAVED"
    UPDATED = "UPDATED"
    DELETED = "DELETED"
    AUTO_SAVED = "AUTO_SAVED"


class Occurred(StrEnum):
    """Event type, as subscribers outside see it."""

    MEMORY_SAVED = "memory.saved"
    MEMORY_UPDATED = "memory.updated"
    MEMORY_DELETED = "memory.deleted"
    PATTERN_PROMOTED = "pattern.promoted"
    JOB_FAILED = "job.failed"


class Occurrence(Frozen):
    """An event of a workspace, for observers other than the bus.

    Attributes:
        memory_ids: The memories it happened to, where it is about memories.
        data: Further data; JSON values without text of users.
    """

    workspace_id: str
    type: Occurred
    at: datetime
    memory_ids: tuple[str, ...] = ()
    data: Mapping[str, Any] = {}


class MemoriesChanged(Frozen):
    """The message that the same happened to some memories of one workspace."""

    topic: Literal["memories"] = "memories"
    type: MemoryEventType
    ids: tuple[str, ...]
    at: datetime


class JobsChanged(Frozen):
    """The message that jobs of one workspace came as far as their ``state`` says."""

    topic: Literal["jobs"] = "jobs"
    jobs: tuple[JobChange, ...]


Message = Annotated[MemoriesChanged | JobsChanged, Field(discriminator="topic")]
