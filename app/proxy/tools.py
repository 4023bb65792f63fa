"""The tools that the proxy offers to models and executes itself (F§3)."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from graph.access.models import Principal, Scope
from graph.core.errors import RecollectError
from graph.memories.models import MemoryDraft, SaveOutcome
from graph.memories.sources import SourceType
from graph.services import Services

_SECONDS = 10.0  # a model that waits for its memory any longer is told that there is none
_log = structlog.get_logger("recollect.proxy")


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="ignore")


class SaveArguments(_Arguments):
    """What ``x_save_memory`` takes."""

    content: str = Field(description="What to remember, as one statement that can be understood by itself.")
    category: str | None = Field(
        None, description="A short label, such as preference, fact, instruction or decision."
    )


class RecallArguments(_Arguments):
    """What ``x_recall_memory`` takes."""

    query: str = Field(description="What to look for, in natural language.")
    offset: int = Field(0, ge=0, description="How many of the best results to skip.")
    limit: int = Field(5, ge=1, description="How many results to return; 20 at most.")


class SearchArguments(RecallArguments):
    """What ``x_workspace_search`` takes."""


@dataclass(frozen=True)
class ToolDefinition:
    """A tool as models are told of it; ``parameters`` is a JSON Schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class ToolCall:
    """A model's wish; ``arguments`` is JSON as the model wrote it."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class ToolResult:
    """What a call returned, as a text for the model."""

    call_id: str
    text: str


class DoneCall(BaseModel):
    """A call and what it returned."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    arguments: str
    text: str


@dataclass(frozen=True)
class Caller:
    """On whose behalf a tool is called."""

    principal: Principal
    conversation_id: str | None

    @property
    def workspace_id(self) -> str:
        """The workspace of the key."""
        return self.principal.workspace_id


@dataclass(frozen=True)
class _Tool:
    definition: ToolDefinition
    arguments: type[_Arguments]
    scope: Scope
    run: Callable[[Services, Caller, Any], Awaitable[str]]


async def _save(services: Services, caller: Caller, asked: SaveArguments) -> str:
    draft = MemoryDraft(
        content=asked.content,
        category=asked.category,
        source_type=SourceType.MODEL,
        source_conversation_id=caller.conversation_id,
        api_key_id=caller.principal.key_id,
    )
    saved = await services.memories.save(caller.workspace_id, draft)
    verb = "Known already" if saved.outcome is SaveOutcome.DEDUPLICATED else "Saved"
    return f"{verb} as {saved.memory.id}."


async def _recall(services: Services, caller: Caller, asked: RecallArguments) -> str:
    return await services.recall.as_text(
        caller.workspace_id, asked.query, limit=asked.limit, offset=asked.offset
    )


async def _search(services: Services, caller: Caller, asked: SearchArguments) -> str:
    return await services.search.as_text(
        caller.workspace_id, asked.query, limit=asked.limit, offset=asked.offset
    )


def _tool(
    name: str, arguments: type[_Arguments], scope: Scope, description: str, run: Callable[..., Awaitable[str]]
) -> _Tool:
    schema = arguments.model_json_schema()
    parameters = {
        "type": "object",
        "properties": {key: _plain(value) for key, value in schema["properties"].items()},
        "required": schema["required"],
    }
    return _Tool(ToolDefinition(name, description, parameters), arguments, scope, run)


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a property's schema in the few words that every provider understands."""
    choices = [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
    return {"type": choices[0]["type"], "description": schema["description"]}


_TOOLS = {
    tool.definition.name: tool
    for tool in (
        _tool(
            "x_save_memory",
            SaveArguments,
            Scope.WRITE,
            "Remember something for later conversations: a preference, a fact, an instruction or a decision.",
            _save,
        ),
        _tool(
            "x_recall_memory",
            RecallArguments,
            Scope.READ,
            "Look for what is remembered from earlier conversations.",
            _recall,
        ),
        _tool(
            "x_workspace_search",
            SearchArguments,
            Scope.READ,
            "Look through everything in the workspace: memories, documents, artifacts and entities.",
            _search,
        ),
    )
}


def definitions_for(principal: Principal) -> list[ToolDefinition]:
    """Return the tools that a key may use."""
    return [tool.definition for tool in _TOOLS.values() if principal.may(tool.scope)]


class Tools:
    """Executes calls; lives as long as the process. Whatever goes wrong is told to the model, never raised."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def execute(self, caller: Caller, calls: Sequence[ToolCall]) -> list[ToolResult]:
        """Return the results of calls, in their order."""
        texts = await asyncio.gather(*(self._text(caller, call) for call in calls))
        return [ToolResult(call.id, text) for call, text in zip(calls, texts, strict=True)]

    async def _text(self, caller: Caller, call: ToolCall) -> str:
        tool = _TOOLS[call.name]
        if not caller.principal.may(tool.scope):
            return f"error: this key lacks the scope {tool.scope.value!r}"
        try:
            asked = tool.arguments.model_validate_json(call.arguments or "{}")
            async with asyncio.timeout(_SECONDS):
                return await tool.run(self._services, caller, asked)
        except ValidationError as error:
            first = error.errors()[0]
            return f"error: {'.'.join(map(str, first['loc'])) or 'arguments'}: {first['msg']}"
        except RecollectError as error:
            return f"error: {error.message}"
        except Exception as error:  # noqa: BLE001 - a model's turn goes on without its memory (N1)
            _log.warning("proxy.tool_failed", tool=call.name, reason=type(error).__name__)
            return "error: memory does not answer now"
