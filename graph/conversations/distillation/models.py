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
        """True for the output of a tool or model: "I" is not the user, and little of it is lasting."""
        return self in {DistillSource.TOOL, DistillSource.ANSWER}

    @property
    def has_known_day(self) -> bool:
        """True if relative times in the text count from the day of its arrival; a tool may return an old text."""
        return self is not DistillSource.TOOL

    @property
    def source_type(self) -> SourceType:
        """The source type of its memories."""
        return SourceType.MODEL if self.is_of_others else SourceType(f"auto_{self.value}")


class Output(Frozen):
    """A text that may contain memorable facts.

    Attributes:
        invocation_id: Id of the invocation that produced the text, unique for the conversation, API key, user and
            agent. A second text with the id is rejected while the first is pending.
        tool_name: Name of the tool, if a tool produced the text.
        api_key_id: API key of the request; a text without one is rejected.
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
    """Result of submitting a text: its id in the queue, or the reason of its rejection."""

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
    """A text that waits for distillation; it is deleted once its memories are saved.

    Attributes:
        user_id: Owner of the memories; None: the whole workspace. ``agent_id`` likewise.
        is_wanted: Whether the workspace's memory is on.
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
        # Neo4j cannot store nested maps, so the property holds JSON.
        return from_json(value) if isinstance(value, str) else value
