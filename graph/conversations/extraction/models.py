"""Models of extraction: its policy, its progress in a conversation, known memories and suggestions."""

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
    """Readers of the extraction: the rules, a language model, both, or none unless a person requests it."""

    REGEX = "regex"
    LLM = "llm"
    BOTH = "both"
    OFF = "off"


@dataclass(frozen=True)
class ExtractionPolicy:
    """Extraction policy of a workspace.

    Attributes:
        mode: Readers that extract.
        speakers: Speakers whose messages are read; facts about an assistant have the assistant as their subject.
        window_seconds: Pause before a conversation is read, in seconds; each message restarts it.
        at_once: Whether the rules also read captured messages immediately.
        least_confidence: Minimum confidence of automatic facts; a statement has 0.9, an inference 0.6.
        least_confidence_on_request: Minimum confidence in an extraction that a person requests.
        raw_retention: Retention of the messages' original texts.
    """

    mode: ExtractionMode = ExtractionMode.BOTH
    speakers: Speakers = "user"
    window_seconds: float = 30.0
    at_once: bool = False
    least_confidence: float = 0.6
    least_confidence_on_request: float = 0.3
    raw_retention: RawRetention = RawRetention.UNTIL_CONSOLIDATED

    @property
    def is_automatic(self) -> bool:
        """True if captured messages are extracted without a request."""
        return self.mode is not ExtractionMode.OFF

    def threshold(self, *, is_requested: bool) -> float:
        """Return the minimum confidence of a fact.

        Args:
            is_requested: Whether a person requested the extraction.
        """
        return self.least_confidence_on_request if is_requested else self.least_confidence

    def reads(self, role: MessageRole | None) -> bool:
        """Tell whether messages of a role are read; None counts as a person."""
        if role in (MessageRole.SYSTEM, MessageRole.TOOL):
            return False
        is_assistant = role is MessageRole.ASSISTANT
        return self.speakers == "both" or (self.speakers == "assistant") is is_assistant

    def of(self, settings: WorkspaceSettings) -> "ExtractionPolicy":
        """Return this policy with the overrides of a workspace's settings."""
        overrides: dict[str, Any] = {
            "mode": ExtractionMode(settings.extraction_mode) if settings.extraction_mode else None,
            "speakers": settings.extract_from,
            "window_seconds": settings.extraction_window_seconds,
            "least_confidence": settings.extraction_confidence,
            "raw_retention": settings.raw_retention,
        }
        return replace(self, **{name: value for name, value in overrides.items() if value is not None})


class ExtractionState(Frozen):
    """Progress of the extraction of one conversation.

    Attributes:
        user_id: Owner of the conversation; None: the whole workspace. ``agent_id`` likewise.
        api_key_id: API key that created the conversation and owns its memories; None if unknown.
        workspace_settings: Workspace settings, JSON.
        facts_up_to: Last position that the rules have read; -1: none.
        extracted_up_to: Last position that all configured readers have read; -1: none.
        last_position: Position of the last message; -1: there is none.
        rereads: Number of events that need another reading: late, changed or erased messages, and requests.
        requested_at: Time of a person's extraction request that is still pending.
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
    requested_at: datetime | None = None

    def owned(self, drafts: Iterable[MemoryDraft]) -> list[MemoryDraft]:
        """Return the drafts with the conversation's user, agent and API key as owners."""
        owner = {"user_id": self.user_id, "agent_id": self.agent_id, "api_key_id": self.api_key_id}
        return [draft.model_copy(update=owner) for draft in drafts]

    def of_speaker(self, user_id: str | None) -> "ExtractionState":
        """Return the state with another user as owner, for facts that one of several users states."""
        return self.model_copy(update={"user_id": user_id})


class KnownMemory(Frozen):
    """A live memory that may state a new fact already, or that a new fact may change."""

    id: str
    content: str
    version: int
    source_type: str
    timestamp: datetime


class DeletionSuggestion(Frozen):
    """A memory that a language model considers no longer true; a person decides.

    Attributes:
        reason: The model's reason.
        conversation_id: Conversation that made the model suggest the deletion.
    """

    workspace_id: str
    memory_id: str
    reason: str
    conversation_id: str
    suggested_at: datetime


class KnownFact(Frozen):
    """A live memory with the key or the text of a fact.

    Attributes:
        agent_id: Agent that owns the memory; empty: all agents of the user.
        is_superseded: Whether a live memory supersedes it.
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
        """Tell whether the memory is valid at a time: neither superseded nor ended."""
        return not self.is_superseded and (self.t_invalid is None or self.t_invalid > now)
