"""Shapes of the events that travel between processes.

What travels holds ids, vocabularies and times only. A subscriber's own process reads the rest from the graph, so that
no text of a memory lies in Redis, and what is told is what may be read at that moment.
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from graph.core.jobs.models import JobChange
from graph.core.models import Frozen


class MemoryEventType(StrEnum):
    """What happened to a memory; AUTO_SAVED is a save that the system made by itself."""

    SAVED = "SAVED"
    UPDATED = "UPDATED"
    DELETED = "DELETED"
    AUTO_SAVED = "AUTO_SAVED"


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
