"""Models of distillation."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from pydantic import field_validator
from pydantic_core import from_json

from graph.core.models import Frozen
from graph.memories.policy import SourceType


class DistillSource(StrEnum):
    """Source of a text."""

    TOOL = "tool"
    DEEP_THINK = "deep_think"
    RESEARCH = "research"
    COMPACTION = "compaction"
    ANSWER = "answer"

    @property
    def is_of_others(self) -> bool:
        """True if "I" and "you" in it are not the user's words, and little of it is lasting."""
        return self in {DistillSource.TOOL, DistillSource.ANSWER}

    @property
    def source_type(self) -> SourceType:
        """The source type of memories made of it."""
        return SourceType.MODEL if self.is_of_others else SourceType(f"auto_{self.value}")


class Output(Frozen):
    """A text that may hold something worth remembering.

    Attributes:
        invocation_id: Names what brought it, among what its conversation, key, user and agent bring: it is not taken
            in again while it waits. Once it is distilled, it is.
        tool_name: Of the tool, where it was one.
        api_key_id: The key on whose behalf it came; without one nothing is kept.
    """

    source: DistillSource
    text: str
    invocation_id: str | None = None
    tool_name: str | None = None
    conversation_id: str | None = None
    message_id: str | None = None
    session_id: str | None = None
    api_key_id: str | None = None


class Intake(Frozen):
    """Result of submitting a text: its id in the queue, or the reason for a refusal."""

    taken: bool
    id: str | None = None
    skipped: str | None = None


class Distilled(Frozen):
    """One thing worth remembering."""

    content: str
    summary: str | None = None
    category: str | None = None
    confidence: float | None = None


class Distillation(Frozen):
    """A text that waits to be distilled; it goes when its memories are saved.

    Attributes:
        user_id: Owner of the memories; None: everybody. ``agent_id`` likewise.
        is_wanted: Whether memory is on in its workspace.
        found: Extracted facts; None before the text is read.
    """

    id: str
    workspace_id: str
    source: DistillSource
    text: str
    tool_name: str | None = None
    conversation_id: str | None = None
    message_id: str | None = None
    session_id: str | None = None
    api_key_id: str
    user_id: str | None = None
    agent_id: str | None = None
    created_at: datetime
    is_wanted: bool
    found: Sequence[Distilled] | None = None

    @field_validator("found", mode="before")
    @classmethod
    def _read_json(cls, value: object) -> object:
        # Neo4j cannot store nested maps, so they are kept as JSON text.
        return from_json(value) if isinstance(value, str) else value
