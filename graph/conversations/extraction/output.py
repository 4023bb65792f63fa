"""What a language model answers when it is asked for memories: typed, and strictly read."""

from typing import Any, Literal

import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from graph.conversations.extraction.facts import SHORTEST
from graph.core.models import Frozen

Facet = Literal["skill", "preference", "objective", "context"]
Topic = Literal["preference", "personal", "plan", "activity", "health", "career", "other"]
Action = Literal["ADD", "UPDATE", "DELETE", "NOOP"]

MOST_ITEMS = 20
_MOST_CHARS = 2000
_MOST_WORDS = 16

_log = structlog.get_logger("recollect.extraction")


class ExtractedMemory(BaseModel):
    """One thing worth remembering, and what to do about it given the memories that are known."""

    model_config = ConfigDict(frozen=True, strict=True)

    type: Facet
    text: str = Field(
        min_length=SHORTEST,
        max_length=_MOST_CHARS,
        description="The memory, in the user's language, understandable without the conversation; for DELETE: why.",
    )
    tags: list[str] = Field(default_factory=list, max_length=_MOST_WORDS)
    keywords: list[str] = Field(
        default_factory=list,
        max_length=_MOST_WORDS,
        description="Words by which it is found, each in English and in Chinese.",
    )
    confidence: float = Field(
        ge=0, le=1, description="About 0.9 for what is stated, 0.6 for what follows from it."
    )
    topic: Topic = "other"
    subject: Literal["user", "assistant"] = Field(
        default="user", description="assistant only for what an assistant says of itself."
    )
    action: Action
    target_id: str | None = Field(
        default=None,
        description="The id of the known memory that UPDATE, DELETE or NOOP is about, else null.",
    )

    @field_validator("action", mode="before")
    @classmethod
    def _in_capitals(cls, value: Any) -> Any:
        return value.upper() if isinstance(value, str) else value

    @field_validator("tags", "keywords", mode="before")
    @classmethod
    def _not_too_many(cls, value: Any) -> Any:
        if value is None:
            return []
        return value[:_MOST_WORDS] if isinstance(value, list) else value

    @field_validator("text")
    @classmethod
    def _not_blank(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("text is blank")
        return value


class ExtractedMemories(Frozen):
    """What is worth remembering of a conversation."""

    memories: list[ExtractedMemory] = Field(description="Empty if nothing is; usually one to five.")

    @field_validator("memories", mode="before")
    @classmethod
    def _without_invalid(cls, value: Any) -> Any:
        """Drop what does not keep the form, so that one bad item does not spoil the others."""
        if not isinstance(value, list):
            return value
        kept = [item for item in map(_valid, value) if item is not None][:MOST_ITEMS]
        if len(kept) < len(value):
            _log.warning("extraction.model_items_dropped", count=len(value) - len(kept))
        return kept


def _valid(item: object) -> ExtractedMemory | None:
    try:
        return ExtractedMemory.model_validate(item)
    except ValidationError:
        return None
