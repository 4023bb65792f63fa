"""Shapes of handoff summaries."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from pydantic import field_validator
from pydantic_core import from_json

from graph.core.models import Frozen


class HandoffLanguage(StrEnum):
    """The language a summary is written in."""

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
    """The six sections, plain text in single lines; a section about which nothing is known is empty.

    Attributes:
        project_topic: One line.
        continuation_point: Where whoever goes on picks up; one line.
    """

    user_background: Sequence[str] = ()
    project_topic: str = ""
    current_status: Sequence[str] = ()
    key_information: Sequence[HandoffTopic] = ()
    open_items: Sequence[str] = ()
    continuation_point: str = ""


class ConversationSummary(Frozen):
    """The handoff summary of a conversation, of which there is one at most: a new one takes its place.

    Attributes:
        model: The language model that wrote it; None where rules did.
        fallback: Why the language model did not write it now although there is one.
        message_count: How many messages it was made of.
        updated_at: When it was made.
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
        # Neo4j cannot store nested maps, so the sections are kept as JSON text.
        return from_json(value) if isinstance(value, str) else value
