"""Wire shapes of Xerotier's chats that its programmatic mirror does not share."""

from datetime import datetime
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel
from pydantic.config import JsonDict

from app.surfaces.rest.memory_pages import ListedMemory
from app.surfaces.rest.texts import Content, Name
from graph.conversations.distillation.models import DistillSource
from graph.core.exact import Flag
from graph.memories.models import Memory

_A_ROW: JsonDict = {
    "id": "mem_4fJ7qX2mB9sK1tV8wZ3yR6pL",
    "content": "The project deadline is March 15, 2026",
    "summary": "Project deadline is March 15",
    "category": "fact",
    "source_type": "user",
    "created_at": "2026-03-07T10:30:00Z",
    "updated_at": "2026-03-07T10:30:00Z",
}


class _Asked(BaseModel):
    """A body in camel case, as the browser's scripts write it."""

    model_config = ConfigDict(alias_generator=to_camel, extra="forbid")


class NewChatMemory(_Asked):
    """A memory to make of a message, of a text, or of both."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"messageId": "msg_abc123", "content": "The project deadline is March 15, 2026"}]
        }
    )

    message_id: Name | None = None
    content: Content | None = None
    category: Name | None = None
    synthesize: Flag = False


class TurnOutput(_Asked):
    """Result of a tool, or final output of a turn, to distil in the background."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"source": "tool", "text": "We keep the blue crates.", "toolName": "web_search"}]
        }
    )

    source: DistillSource
    text: str = Field(min_length=1)
    invocation_id: Name | None = None
    tool_name: Name | None = None
    message_id: Name | None = None


class ChatPlace(_Asked):
    """The workspace that a chat is to be part of, and the one that it is in, where that is not the session's."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"workspaceId": "ws_def456"}]})

    workspace_id: Name
    from_workspace_id: Name | None = None


class ChatMemory(ListedMemory):
    """A memory as a row of a chat's list."""

    model_config = ConfigDict(json_schema_extra={"examples": [_A_ROW]})

    updated_at: datetime

    @classmethod
    def of(cls, memory: Memory) -> Self:
        """Return the row of a memory."""
        row = ListedMemory.of(memory)
        return cls(**row.model_dump(), updated_at=memory.updated_at)


class ChatMemories(BaseModel):
    """Every memory of a chat, the newest first."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"memories": [_A_ROW]}]})

    memories: list[ChatMemory]


class Rerun(BaseModel):
    """The memory whose new extraction a worker will do."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"status": "queued", "id": "mem_4fJ7qX2mB9sK1tV8wZ3yR6pL"}]}
    )

    status: Literal["queued"] = "queued"
    id: str


class DistillBody(BaseModel):
    """Result of sending a text for distillation.

    Attributes:
        skipped: Why it was not.
        id: Id of the text in the events about its end; omitted if the text was not accepted.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"status": "queued", "skipped": None, "id": "dst_4f7q2m9s1t8w3y6p5k0d1c2b"}]
        }
    )

    status: Literal["queued", "skipped"]
    skipped: str | None
    id: str | None = Field(None, exclude_if=lambda value: value is None)
