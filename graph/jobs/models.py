"""Shapes of background jobs."""

from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class JobKind(StrEnum):
    """What a job does; its subject is the id of the thing it does it to."""

    EMBED = "EMBED"
    REEMBED = "REEMBED"


class JobState(StrEnum):
    """Where a job stands; a finished job is gone."""

    PENDING = "PENDING"
    RUNNING = "RUNNING"
    FAILED = "FAILED"


class Job(BaseModel):
    """One piece of background work."""

    model_config = ConfigDict(frozen=True)

    id: str
    workspace_id: str
    kind: JobKind
    subject_id: str
    state: JobState
    attempts: int
    error: str | None = None
    created_at: datetime
    updated_at: datetime
    due_at: datetime | None = None
