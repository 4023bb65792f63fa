"""Shared models of all rooms: jobs, events, audit entries, automatic changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator
from pydantic.alias_generators import to_camel
from pydantic_core import from_json

from graph.core.scope import EVERYTHING, current_scope


class Frozen(BaseModel):
    """Base of immutable models."""

    model_config = ConfigDict(frozen=True)


class RecallTier(StrEnum):
    """Tier that served a recall, the least capable first."""

    KEYWORD = "keyword"
    VECTOR = "vector"
    EXTERNAL = "external"


class AuditAction(StrEnum):
    """Audited action."""

    KEY_CREATED = "KEY_CREATED"
    KEY_ROTATED = "KEY_ROTATED"
    KEY_LIMITED = "KEY_LIMITED"
    KEY_REVOKED = "KEY_REVOKED"
    SIGNED_IN = "SIGNED_IN"
    WORKSPACE_CREATED = "WORKSPACE_CREATED"
    WORKSPACE_UPDATED = "WORKSPACE_UPDATED"
    WORKSPACE_DELETED = "WORKSPACE_DELETED"
    WORKSPACE_REMOVED = "WORKSPACE_REMOVED"
    WORKSPACE_EXPORTED = "WORKSPACE_EXPORTED"
    WORKSPACE_RESTORED = "WORKSPACE_RESTORED"
    MEMORIES_REMOVED = "MEMORIES_REMOVED"
    CONVERSATION_REMOVED = "CONVERSATION_REMOVED"
    CONVERSATION_MOVED = "CONVERSATION_MOVED"
    DOCUMENT_REMOVED = "DOCUMENT_REMOVED"
    ARTIFACT_REMOVED = "ARTIFACT_REMOVED"
    ENTITY_DELETED = "ENTITY_DELETED"
    CONNECTION_REMOVED = "CONNECTION_REMOVED"
    USER_ERASED = "USER_ERASED"
    SETTINGS_CHANGED = "SETTINGS_CHANGED"
    LANGUAGE_MODEL_CHANGED = "LANGUAGE_MODEL_CHANGED"
    VECTOR_TIER_CHANGED = "VECTOR_TIER_CHANGED"
    SIGN_IN_FAILED = "SIGN_IN_FAILED"


class AuditEntry(Frozen):
    """One audited action.

    Attributes:
        actor_key_id: Key of the actor; None if the service itself acted (a worker, or creation of the first key), or if
            a sign-in failed.
        workspace_id: Workspace of the action, which may be deleted by now; ``deployment`` for others.
        subject_id: Target, if there is exactly one other than the workspace: an id, the name of a setting, or the
            address of a failed sign-in.
        count: Number of targets.
    """

    id: str
    action: AuditAction
    actor_key_id: str | None = None
    workspace_id: str
    subject_id: str | None = None
    count: int
    at: datetime


DEPLOYMENT: Final = "deployment"
"""Workspace of jobs that serve all workspaces; ids of workspaces begin with ``ws_``, so nobody can name it."""


class JobKind(StrEnum):
    """Kind of a job; its subject is the id of the node that it processes."""

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
    """The graph, in a separate lane because erasures take so long that other jobs would wait."""


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


# Messages contain only ids, vocabularies and times. A subscriber's process reads the rest from the graph, so that
# Redis holds no text of a memory, and events show the current state.


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
        memory_ids: Affected memories, for an event of memories.
        data: Further data; JSON values without users' texts.
    """

    workspace_id: str
    type: Occurred
    at: datetime
    memory_ids: tuple[str, ...] = ()
    data: Mapping[str, Any] = {}


class MemoriesChanged(Frozen):
    """Message about one event of several memories in a workspace."""

    topic: Literal["memories"] = "memories"
    type: MemoryEventType
    ids: tuple[str, ...]
    at: datetime


class JobsChanged(Frozen):
    """Message about new states of jobs in a workspace."""

    topic: Literal["jobs"] = "jobs"
    jobs: tuple[JobChange, ...]


Message = Annotated[MemoriesChanged | JobsChanged, Field(discriminator="topic")]


SAVED: Final = "saved"
"""Field that holds the fields of the save, in the entry of a merged save."""


class ChangeKind(StrEnum):
    """Kind of an automatic change.

    LEARNT: extraction or distillation saved or changed a memory. MERGED: a save or an entity became part of another.
    CLOSED: a newer statement ended an older one. COMPACTED: a summary or a shorter text replaced memories. ARCHIVED: an
    episode replaced messages. FORGOTTEN: retention or an erasure removed something.
    """

    LEARNT = "LEARNT"
    MERGED = "MERGED"
    CLOSED = "CLOSED"
    COMPACTED = "COMPACTED"
    ARCHIVED = "ARCHIVED"
    FORGOTTEN = "FORGOTTEN"


class SubjectKind(StrEnum):
    """Kind of the changed node."""

    MEMORY = "MEMORY"
    ENTITY = "ENTITY"
    CONVERSATION = "CONVERSATION"
    USER = "USER"


class NewChange(Frozen):
    """A change to record in its transaction.

    Attributes:
        subject_id: Id of the changed node; None if it was erased and must not be named.
        rule: Rule that decided, as a short token such as ``slot:home``.
        cause_id: Id of the node that took the subject's place.
        other_ids: Ids of further changed nodes, such as the originals of a summary.
        user_id: Owner of the subject; None: the whole workspace. ``agent_id`` likewise.
        words: Words that caused the change, cut to 500 characters; None if the source message contains them.
        conversation_id: Conversation of the source message.
        message_id: Id of the source message.
        version: Version of the subject's text after the change.
        before: Fields before the change, under their stored names; None: the node did not exist.
        after: The same fields after the change.
        count: Number of affected nodes.
        is_final: True if there is nothing to restore.
        job: Kind of the job that did it; None: a request.
    """

    kind: ChangeKind
    subject_id: str | None
    rule: str
    subject_kind: SubjectKind = SubjectKind.MEMORY
    cause_id: str | None = None
    other_ids: tuple[str, ...] = ()
    user_id: str | None = None
    agent_id: str | None = None
    words: str | None = None
    conversation_id: str | None = None
    message_id: str | None = None
    version: int | None = None
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None
    count: int = 1
    is_final: bool = False
    job: str | None = None

    @classmethod
    def of_messages(
        cls, kind: ChangeKind, conversation_id: str, *, rule: str, count: int, **others: str | None
    ) -> "NewChange":
        """Return the permanent change that removed messages of a conversation."""
        return cls(
            kind=kind,
            subject_kind=SubjectKind.CONVERSATION,
            subject_id=conversation_id,
            rule=rule,
            count=count,
            is_final=True,
            **others,
        )


class AutomaticChange(NewChange):
    """A recorded change.

    Attributes:
        created_at: Time of the change.
        undone_at: Time at which it was undone or ceased to apply; None: it is in effect.
    """

    id: str
    created_at: datetime
    undone_at: datetime | None = None

    @field_validator("before", "after", mode="before")
    @classmethod
    def _read_json(cls, value: object) -> object:
        # Neo4j cannot store maps, so the database has fields as JSON text.
        return from_json(value) if isinstance(value, str) else value

    @field_validator("user_id", "agent_id", mode="before")
    @classmethod
    def _shared_is_nobodys(cls, value: object) -> object:
        return value or None

    @property
    def before_in_camel_case(self) -> dict[str, Any] | None:
        """Fields before the change, under the names of the surfaces."""
        return None if self.before is None else _in_camel_case(self.before)

    @property
    def can_be_undone(self) -> bool:
        """True if the change is in effect and its former state is stored."""
        return self.undone_at is None and not self.is_final


def _in_camel_case(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields under camel-case names; keys inside metadata stay unchanged."""
    return {
        to_camel(name): _in_camel_case(value) if name == SAVED else value for name, value in fields.items()
    }
