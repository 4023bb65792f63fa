"""Shapes of background jobs."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from graph.core.models import Frozen
from graph.core.scope import EVERYTHING, current_scope

DEPLOYMENT: Final = "deployment"
"""Workspace of jobs that serve all workspaces; ids of workspaces begin with ``ws_``, so nobody can name it."""


class JobKind(StrEnum):
    """Kind of a job; its subject is the id of the node it works on."""

    EMBED = "EMBED"
    LINK = "LINK"
    TIMELINE = "TIMELINE"
    EXTRACT = "EXTRACT"
    EXTRACT_FACTS = "EXTRACT_FACTS"
    REEMBED = "REEMBED"
    DISTILL = "DISTILL"
    RESTATE = "RESTATE"
    SYNTHESIZE = "SYNTHESIZE"
    PROMOTE = "PROMOTE"
    BENCHMARK = "BENCHMARK"
    MIRROR = "MIRROR"
    MIRROR_ALL = "MIRROR_ALL"
    UNMIRROR = "UNMIRROR"
    WEBHOOK = "WEBHOOK"
    ERASE = "ERASE"


class Lane(StrEnum):
    """Resource that a kind of job waits for; a lane runs its kinds in turn, and no lane waits for another."""

    GRAPH = "GRAPH"
    """The deployment's own resources: its stores, its embedder and the processor."""
    LANGUAGE_MODEL = "LANGUAGE_MODEL"
    """A language model, which takes seconds for an answer."""
    WEBHOOK = "WEBHOOK"
    """External servers, which may never answer."""
    ERASURE = "ERASURE"
    """The graph, for so long at a time that all the rest would wait."""


class JobState(StrEnum):
    """State of a job; a finished job no longer exists, and only its event reports it."""

    PENDING = "PENDING"
    RUNNING = "RUNNING"
    FAILED = "FAILED"
    DONE = "DONE"


@dataclass(frozen=True)
class JobRules:
    """Rules for taking, retrying and parking jobs.

    Attributes:
        batch_size: Maximum number of jobs of one kind that a worker claims together.
        lease_seconds: Lease of a claimed job; a working worker renews it, and after a crash it expires.
        max_attempts: Number of failures before a job is parked; waiting for a provider does not count.
        poll_seconds: Interval between two polls without a wake-up: the longest delay before a memory is embedded.
        gather_seconds: Delay after a small batch, to gather more jobs; the first job starts immediately.
    """

    batch_size: int = 64
    lease_seconds: float = 60.0
    max_attempts: int = 5
    first_delay_seconds: float = 2.0
    longest_delay_seconds: float = 600.0
    poll_seconds: float = 2.0
    gather_seconds: float = 0.7


class JobChange(Frozen):
    """Progress of a job, as processes announce it.

    It omits the error, which may quote a model's or a server's response to somebody's text.
    """

    id: str
    workspace_id: str
    kind: str
    subject_id: str
    state: JobState
    attempts: int
    created_at: datetime
    updated_at: datetime
    due_at: datetime | None


class JobBacklog(Frozen):
    """Number of jobs of a kind in a state, and the age of the oldest."""

    kind: str
    state: str
    jobs: int
    age_seconds: float


class Job(Frozen):
    """One piece of background work."""

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

    @property
    def visible_error(self) -> str | None:
        """Last error, for callers who see every memory: it may quote others' texts."""
        return self.error if current_scope() == EVERYTHING else None
