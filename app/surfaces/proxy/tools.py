"""Offers the x_ tools to models, and executes their calls."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from pydantic import BaseModel, ConfigDict, ValidationError

from app.observability.action_notes import outcome_of, session_of, target_of
from app.surfaces.proxy.output_feed import OutputFeed
from app.surfaces.tools import X_TOOLS, Answer, Caller, XTool
from graph.conversations.distillation.models import DistillSource, Output
from graph.core.current_call import answering
from graph.core.errors import Forbidden, InvalidInput, RecollectError, Unavailable
from graph.core.scope import current_scope
from graph.memories.models import Memory
from graph.operations.services import Services
from graph.tenancy.models import Principal

_SECONDS = 10.0  # after this time, the model gets _NO_ANSWER
_NO_ANSWER = "error: memory does not answer now"
_log = structlog.get_logger("recollect.proxy")


@dataclass(frozen=True)
class ToolDefinition:
    """Definition of a tool for models; ``parameters`` is a JSON Schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class ToolCall:
    """A model's call of a tool; ``arguments`` is JSON in the model's own text."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class ToolResult:
    """Result of a call, as text for the model; ``saved`` is the memory that it created."""

    call_id: str
    text: str
    saved: Memory | None = None


class DoneCall(BaseModel):
    """A call and its result."""

    model_config = ConfigDict(frozen=True)

    id: str
    name: str
    arguments: str
    text: str


def _definition(tool: XTool) -> ToolDefinition:
    schema = tool.arguments.model_json_schema()
    parameters = {
        "type": "object",
        "properties": {key: _plain(value) for key, value in schema["properties"].items()},
        "required": schema["required"],
    }
    return ToolDefinition(tool.name, tool.description, parameters)


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a property's schema with type and description only, which every provider supports."""
    choices = [each for each in schema.get("anyOf", [schema]) if each.get("type") != "null"]
    return {"type": choices[0]["type"], "description": schema["description"]}


_DEFINITIONS = {tool.name: _definition(tool) for tool in X_TOOLS.values()}


def definitions_for(principal: Principal) -> list[ToolDefinition]:
    """Return the definitions of the tools that a key may use."""
    return [_DEFINITIONS[tool.name] for tool in X_TOOLS.values() if principal.may(tool.scope)]


class Tools:
    """Executes calls; lives as long as the process. Reports every error to the model and raises none.

    Args:
        services: Services of the tools.
        feed: Receives the texts that tools read, for distillation.
        seconds: Timeout of one call.
    """

    def __init__(self, services: Services, feed: OutputFeed, *, seconds: float = _SECONDS) -> None:
        self._services = services
        self._feed = feed
        self._seconds = seconds

    async def execute(self, caller: Caller, calls: Sequence[ToolCall]) -> list[ToolResult]:
        """Return the results of calls, in their order."""
        return await asyncio.gather(*(self._result(caller, call) for call in calls))

    async def _result(self, caller: Caller, call: ToolCall) -> ToolResult:
        start = time.perf_counter()
        with answering() as answered:
            answer, error_code = await self._run(caller, call)
        self._services.telemetry.notes.note(
            caller.workspace_id,
            session_id=caller.conversation_id or session_of("chat_proxy", {}, caller.principal),
            action_type=call.name,
            node_type=target_of(call.name),
            outcome=outcome_of(call.name, answered, error_code),
            error_code=error_code,
            seconds=time.perf_counter() - start,
            touched=answered.touched,
        )
        if answer.brought:
            brought = Output(
                source=DistillSource.TOOL,
                text=answer.brought,
                tool_name=call.name,
                conversation_id=caller.conversation_id,
            )
            self._feed.offer(caller.principal, current_scope(), brought)
        return ToolResult(call.id, answer.text, answer.saved)

    async def _run(self, caller: Caller, call: ToolCall) -> tuple[Answer, str | None]:
        """Return the result for the model, and the error code."""
        tool = X_TOOLS[call.name]
        if not caller.principal.may(tool.scope):
            return Answer(f"error: this key lacks the scope {tool.scope.value!r}"), Forbidden.code
        try:
            arguments = tool.arguments.model_validate_json(call.arguments or "{}")
            async with asyncio.timeout(self._seconds):
                return await tool.run(self._services, caller, arguments), None
        except ValidationError as error:
            first = error.errors()[0]
            named = ".".join(map(str, first["loc"])) or "arguments"
            message = first["msg"].removeprefix("Value error, ")
            return Answer(f"error: {named}: {message}"), InvalidInput.code
        except RecollectError as error:
            return Answer(f"error: {error.message}"), error.code
        except TimeoutError:
            _log.warning("proxy.tool_late", tool=call.name, seconds=self._seconds)
            return Answer(_NO_ANSWER), Unavailable.code
        except Exception as error:  # noqa: BLE001 - a turn continues without its memory
            _log.error("proxy.tool_failed", tool=call.name, reason=type(error).__name__, exc_info=error)
            return Answer(_NO_ANSWER), RecollectError.code
