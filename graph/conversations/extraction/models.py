"""Shapes of extraction: how it goes about, and where it stands in a conversation."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from graph.conversations.capture.models import MessageRole
from graph.core.models import Frozen
from graph.memories.models import MemoryDraft
from graph.tenancy.settings import RawRetention, WorkspaceSettings

Speakers = Literal["user", "assistant", "both"]


class ExtractionMode(StrEnum):
    """Who extracts: the rules, a language model, both, or nobody unless a person asks for it."""

    REGEX = "regex"
    LLM = "llm"
    BOTH = "both"
    OFF = "off"


@dataclass(frozen=True)
class ExtractionPolicy:
    """How a workspace's conversations are extracted from.

    Attributes:
        speakers: Speakers whose messages are read; facts about an assistant are kept as the assistant's.
        window_seconds: Silence before a conversation is read; each message restarts it.
        at_once: Whether the rules read what is captured without waiting for that.
        least_confidence: Minimum confidence of automatic facts; a statement has 0.9, an inference 0.6.
        least_confidence_asked: Minimum confidence when a person requests the extraction, to keep more facts.
        raw_retention: How long messages are kept as they were said.
    """

    mode: ExtractionMode = ExtractionMode.BOTH
    speakers: Speakers = "user"
    window_seconds: float = 30.0
    at_once: bool = False
    least_confidence: float = 0.6
    least_confidence_asked: float = 0.3
    raw_retention: RawRetention = RawRetention.UNTIL_CONSOLIDATED

    @property
    def is_automatic(self) -> bool:
        """Whether anything is extracted unasked."""
        return self.mode is not ExtractionMode.OFF

    def threshold(self, *, is_asked: bool) -> float:
        """Return how sure a fact must be."""
        return self.least_confidence_asked if is_asked else self.least_confidence

    def reads(self, role: MessageRole | None) -> bool:
        """Tell whether messages of a part in the conversation are read; of no known part is a person."""
        if role in (MessageRole.SYSTEM, MessageRole.TOOL):
            return False
        is_assistant = role is MessageRole.ASSISTANT
        return self.speakers == "both" or (self.speakers == "assistant") is is_assistant

    def of(self, settings: WorkspaceSettings) -> "ExtractionPolicy":
        """Return the policy of a workspace: this one, but for what its settings say."""
        given: dict[str, Any] = {
            "mode": ExtractionMode(settings.extraction_mode) if settings.extraction_mode else None,
            "speakers": settings.extract_from,
            "window_seconds": settings.extraction_window_seconds,
            "least_confidence": settings.extraction_confidence,
            "raw_retention": settings.raw_retention,
        }
        return replace(self, **{name: value for name, value in given.items() if value is not None})


class ExtractionState(Frozen):
    """Where the extraction of one conversation stands.

    Attributes:
        user_id: Whose conversation it is; None: everybody's. ``agent_id`` likewise.
        api_key_id: Whose key began it, and owns what is found in it; None where nobody knows.
        workspace_settings: JSON, as the workspace has them.
        facts_up_to: Position up to which the rules have read; -1: nothing.
        extracted_up_to: Position up to which all have read who are to; -1: nothing.
        last_position: Of the last message; -1: there is none.
        rereads: How often something of it had to be read again: what came late, was changed or erased, and wishes.
        wished_at: When a person asked for an extraction that is not done yet.
    """

    workspace_id: str
    id: str
    user_id: str | None = None
    agent_id: str | None = None
    api_key_id: str | None = None
    workspace_settings: str
    memory_enabled: bool
    facts_up_to: int
    extracted_up_to: int
    last_position: int
    rereads: int
    wished_at: datetime | None = None

    def owned(self, drafts: Iterable[MemoryDraft]) -> list[MemoryDraft]:
        """Return what was found in the conversation as its user's and agent's, and that of the key that began it."""
        owner = {"user_id": self.user_id, "agent_id": self.agent_id, "api_key_id": self.api_key_id}
        return [draft.model_copy(update=owner) for draft in drafts]

    def of_speaker(self, user_id: str | None) -> "ExtractionState":
        """Return the state as it is of what one of several users says of themselves."""
        return self.model_copy(update={"user_id": user_id})


class KnownMemory(Frozen):
    """A live memory that may be about what is said now."""

    id: str
    content: str
    version: int
    source_type: str
    timestamp: datetime


class DeletionSuggestion(Frozen):
    """A memory that a language model takes for no longer true; a person decides.

    Attributes:
        reason: What the model says.
        conversation_id: The conversation it says so of.
    """

    workspace_id: str
    memory_id: str
    reason: str
    conversation_id: str
    suggested_at: datetime


class KnownFact(Frozen):
    """A live memory with the key of a fact, or with its text.

    Attributes:
        agent_id: Whose it is beside the user; empty: every agent's.
        is_superseded: Whether a live memory has taken its place.
    """

    id: str
    agent_id: str
    key: str | None
    content: str
    content_hash: str
    source_type: str
    metadata: str
    timestamp: datetime
    t_invalid: datetime | None = None
    is_superseded: bool

    def holds(self, now: datetime) -> bool:
        """Tell whether it still holds."""
        return not self.is_superseded and (self.t_invalid is None or self.t_invalid > now)
