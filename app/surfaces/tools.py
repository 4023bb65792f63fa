"""The x_ tools of the chat proxy and MCP, and the form of a profile in MCP and REST."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from app.surfaces.http.strict_json import read_json
from graph.core.errors import InvalidInput
from graph.core.exact import Instant, number, whole
from graph.memories.models import Memory, MemoryDraft, SaveOutcome
from graph.memories.policy import SourceType
from graph.operations.services import Services
from graph.retrieval.profile.models import ProfileSection
from graph.retrieval.search.markdown import render
from graph.retrieval.search.models import SearchKind
from graph.tenancy.models import Principal, Scope


def _meant(value: Any) -> Any:
    if isinstance(value, str):
        with suppress(InvalidInput):
            value = read_json(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _whole_meant(value: Any) -> Any:
    return whole(_meant(value))


def _number_meant(value: Any) -> Any:
    return number(_meant(value))


def without_empty(of: type[BaseModel], values: Any, *, but: Collection[str] = ()) -> Any:
    """Return arguments without empty texts of optional ones, except those in ``but``; other values stay unchanged."""
    if not isinstance(values, dict):
        return values
    optional = {
        known.alias or name
        for name, known in of.model_fields.items()
        if not known.is_required() and name not in but
    }
    return {name: value for name, value in values.items() if value != "" or name not in optional}


Count = Annotated[int, BeforeValidator(_whole_meant)]
Measure = Annotated[float, BeforeValidator(_number_meant)]
Fraction = Annotated[float, Field(ge=0, le=1), BeforeValidator(_number_meant)]
Time = Annotated[
    Instant,
    Field(description="ISO 8601; without an offset it is taken as UTC."),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]


_READ = frozenset({SearchKind.CHUNK, SearchKind.ARTIFACT})
"""Kinds whose texts were not in memory before; other hits derive from memories and turns."""


class XArguments(BaseModel):
    """Arguments of a tool; null and empty values count as omitted, and unknown ones are ignored."""

    model_config = ConfigDict(extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        return without_empty(cls, {name: value for name, value in values.items() if value is not None})


class SaveArguments(XArguments):
    """Arguments of ``x_save_memory``."""

    content: str = Field(
        description="What to remember, as one statement that can be understood by itself; dates for times such as "
        "tomorrow or last week."
    )
    category: str | None = Field(
        None, description="A short label, such as preference, fact, instruction or decision."
    )


class RecallArguments(XArguments):
    """Arguments of ``x_recall_memory``."""

    query: str = Field(description="What to look for, in natural language.")
    offset: Count = Field(
        0,
        ge=0,
        description="How many of the best results to skip; to go on, the number of the last one shown.",
    )
    limit: Count = Field(5, ge=1, description="How many results to return; 20 at most.")


class SearchArguments(RecallArguments):
    """Arguments of ``x_workspace_search``."""


@dataclass(frozen=True)
class Caller:
    """Caller of a tool, and its conversation."""

    principal: Principal
    conversation_id: str | None

    @property
    def workspace_id(self) -> str:
        """The workspace of the key."""
        return self.principal.workspace_id


@dataclass(frozen=True)
class Answer:
    """Result of a tool.

    Attributes:
        text: Text for the model.
        brought: Texts that were not in memory yet; empty if there are none.
        saved: Memory that the call created; None if it created none.
    """

    text: str
    brought: str = ""
    saved: Memory | None = None


@dataclass(frozen=True)
class XTool:
    """A tool: its arguments, its required scope, and its function, which returns one text."""

    name: str
    description: str
    arguments: type[XArguments]
    scope: Scope
    run: Callable[[Services, Caller, Any], Awaitable[Answer]]


async def _save(services: Services, caller: Caller, arguments: SaveArguments) -> Answer:
    draft = MemoryDraft(
        content=arguments.content,
        category=arguments.category,
        source_type=SourceType.MODEL,
        source_conversation_id=caller.conversation_id,
        api_key_id=caller.principal.key_id,
    )
    saved = await services.memories.store.save(caller.workspace_id, draft)
    if saved.outcome is SaveOutcome.DEDUPLICATED:
        return Answer(f"Known already as {saved.memory.id}.")
    return Answer(f"Saved as {saved.memory.id}.", saved=saved.memory)


async def _recall(services: Services, caller: Caller, arguments: RecallArguments) -> Answer:
    return Answer(
        await services.retrieval.recall.as_text(
            caller.workspace_id, arguments.query, limit=arguments.limit, offset=arguments.offset
        )
    )


async def _search(services: Services, caller: Caller, arguments: SearchArguments) -> Answer:
    found = await services.retrieval.search.for_model(
        caller.workspace_id, arguments.query, limit=arguments.limit, offset=arguments.offset
    )
    brought = "\n\n".join(hit.text for hit in found.hits if hit.kind in _READ)
    return Answer(render(found, offset=arguments.offset), brought)


X_TOOLS: Mapping[str, XTool] = {
    tool.name: tool
    for tool in (
        XTool(
            "x_save_memory",
            "Use it when something will be needed in later conversations: remembers a preference, a fact, an "
            "instruction or a decision.",
            SaveArguments,
            Scope.WRITE,
            _save,
        ),
        XTool(
            "x_recall_memory",
            "Use it when an answer may depend on earlier conversations: looks for what is remembered of them.",
            RecallArguments,
            Scope.READ,
            _recall,
        ),
        XTool(
            "x_workspace_search",
            "Use it when what you need may stand in a document as well: looks through everything in the workspace, "
            "memories, documents, artifacts and entities.",
            SearchArguments,
            Scope.READ,
            _search,
        ),
    )
}


class ProfileEntryObject(BaseModel):
    """A current fact with its source.

    Attributes:
        slots: Slots that it fills, such as `home`; empty in other sections.
        name: Name of the project or person.
        date: Start of its validity, or else the time of the statement.
    """

    model_config = ConfigDict(frozen=True)

    section: ProfileSection
    slots: tuple[str, ...]
    name: str | None
    text: str
    date: datetime
    memory_id: str
    source_type: str
    source_conversation_id: str | None
    source_message_id: str | None


class ProfileFields(BaseModel):
    """Fields of a profile."""

    user_id: str | None
    text: str
    entries: tuple[ProfileEntryObject, ...]
    tokens: int
    left_out: int
