"""Shapes of checkpoints: the states of a thread that a framework for agents saves, step by step."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import field_validator
from pydantic_core import from_json

from graph.conversations.checkpoints.states import unpacked
from graph.core.models import Frozen


class CheckpointDraft(Frozen):
    """A checkpoint to save; see ``Checkpoint``.

    Attributes:
        state: Base64.
        user_id: Whose a new thread becomes; None: that of the present scope. ``agent_id`` likewise.
    """

    thread_id: str
    namespace: str = ""
    checkpoint_id: str
    parent_id: str | None = None
    state: str
    state_type: str
    metadata: Mapping[str, Any] | None = None
    user_id: str | None = None
    agent_id: str | None = None


class WriteDraft(Frozen):
    """Something that a task wrote; see ``CheckpointWrite``. The value is base64."""

    position: int
    channel: str
    value: str
    value_type: str


class WritesDraft(Frozen):
    """What one task wrote on top of a checkpoint, which may be saved later.

    Attributes:
        task_path: Where the task stands among those of its step, by which writes are ordered.
        user_id: Whose a new thread becomes; None: that of the present scope. ``agent_id`` likewise.
    """

    thread_id: str
    namespace: str = ""
    checkpoint_id: str
    task_id: str
    task_path: str = ""
    writes: Sequence[WriteDraft]
    user_id: str | None = None
    agent_id: str | None = None


class CheckpointFilter(Frozen):
    """Which checkpoints a list holds.

    Attributes:
        thread_id: None: of all threads.
        namespace: None: of every one.
        before: Only ids below this one.
        metadata: Values that the metadata must have under these names; None: they must have none.
    """

    thread_id: str | None = None
    namespace: str | None = None
    before: str | None = None
    metadata: Mapping[str, Any] = {}


class CheckpointWrite(Frozen):
    """Something that a task wrote before its step was done.

    Attributes:
        position: Its place among the writes of its task, from 0; below it stand errors, interrupts and the like.
        value: As the framework serialised it.
        value_type: How it did.
    """

    task_id: str
    task_path: str
    position: int
    channel: str
    value: bytes
    value_type: str

    @field_validator("value", mode="before")
    @classmethod
    def _unpack(cls, value: object) -> object:
        return unpacked(value) if isinstance(value, bytes | bytearray) else value


class Checkpoint(Frozen):
    """The state of a thread after one step.

    Attributes:
        namespace: Of a graph within the graph; empty for the outermost.
        id: Unique in its thread and namespace; later ones are greater.
        parent_id: The checkpoint that it follows; None for the first.
        state: As the framework serialised it.
        state_type: How it did.
        writes: What tasks wrote on top of it, in the order in which they are applied.
    """

    workspace_id: str
    thread_id: str
    namespace: str
    id: str
    parent_id: str | None = None
    state: bytes
    state_type: str
    metadata: Mapping[str, Any]
    user_id: str | None = None
    agent_id: str | None = None
    created_at: datetime
    updated_at: datetime
    writes: Sequence[CheckpointWrite] = ()

    @field_validator("state", mode="before")
    @classmethod
    def _unpack(cls, value: object) -> object:
        return unpacked(value) if isinstance(value, bytes | bytearray) else value

    @field_validator("metadata", mode="before")
    @classmethod
    def _read_json(cls, value: object) -> object:
        return from_json(value) if isinstance(value, str) else value

    @field_validator("user_id", "agent_id", mode="before")
    @classmethod
    def _shared_is_nobodys(cls, value: object) -> object:
        return value or None
