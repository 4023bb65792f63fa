"""Models of handoff summaries."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from pydantic import field_validator
from pydantic_core import from_json

from graph.core.models import Frozen


class HandoffLanguage(StrEnum):
    """Language of a summary."""

    ENGLISH = "en"
    CHINESE = "zh"


class Summariser(StrEnum):
    """Author of a summary."""

    RULES = "rules"
    MODEL = "model"


class HandoffTopic(Frozen):
    """Points that belong together."""

    topic: str
    points: Sequence[str]


class Handoff(Frozen):
    """The six sections of a summary, in single lines of plain text; a section without information is empty.

    Attributes:
        project_topic: Subject of the conversation, in one line.
        continuation_point: Next step for the agent that continues, in one line.
    """

    user_background: Sequence[str] = ()
    project_topic: str = ""
    current_status: Sequence[str] = ()
    key_information: Sequence[HandoffTopic] = ()
    open_items: Sequence[str] = ()
    continuation_point: str = ""


class ConversationSummary(Frozen):
    """The only handoff summary of a conversation; a new one replaces it.

    Attributes:
        model: Language model that wrote the summary; None: the rules wrote it.
        fallback: Reason why the configured language model did not write it; None if it did or there is none.
        message_count: Number of messages that the author read, at most 400.
        created_at: Time of the conversation's first summary.
        updated_at: Time of this summary.
    """

    id: str
    workspace_id: str
    conversation_id: str
    language: HandoffLanguage
    handoff: Handoff
    summarised_by: Summariser
    model: str | None = None
    fallback: str | None = None
    message_count: int
    created_at: datetime
    updated_at: datetime

    @field_validator("handoff", mode="before")
    @classmethod
    def _read_json(cls, value: object) -> object:
        # Neo4j cannot store nested maps, so the property holds JSON.
        return from_json(value) if isinstance(value, str) else value
