"""The MCP server: all tools, resources and prompts."""

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import wraps
from importlib.metadata import version
from typing import Any, ParamSpec, TypeVar

import structlog
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.shared.exceptions import McpError
from pydantic import AnyUrl

from app.observability.action_notes import is_left_out, outcome_of, place_of, session_of, target_of
from app.surfaces.http.errors import masked
from app.surfaces.mcp import before_acting
from app.surfaces.mcp.before_acting import complete
from app.surfaces.mcp.profiles import ToolProfile, listed, profile_of
from app.surfaces.mcp.reading import TEMPLATES, read_resource
from app.surfaces.mcp.running import report_progress
from app.surfaces.mcp.tool import Call, Tool, failed, find
from graph.core.current_call import answering
from graph.core.errors import InvalidInput, NotFound, RecollectError
from graph.operations.services import Services
from graph.tenancy.models import Scope

RESOURCE_NOT_FOUND = -32002  # MCP 2025-11-25, server/resources, error handling

INSTRUCTIONS = """Recollect is a memory that outlasts this conversation and is shared by every agent of a workspace.
Before you act, call context; when you need a fact from earlier work, call recall.
Store what will be needed in another conversation, one statement a call: corrections and decisions with their reason \
(importance 0.9), bugs with their cause (0.7 to 0.8), patterns and preferences (0.7 to 0.9). Never store what is \
trivial, documented elsewhere, temporary or secret.
After a correction relate the old memory to the new one; after an action, record it."""

_log = structlog.get_logger("recollect.mcp")
Parameters = ParamSpec("Parameters")
Answer = TypeVar("Answer")


def _errors_as_protocol(
    handler: Callable[Parameters, Awaitable[Answer]],
) -> Callable[Parameters, Awaitable[Answer]]:
    """Convert domain errors into protocol errors, and mask unexpected ones."""

    @wraps(handler)
    async def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Answer:
        try:
            return await handler(*args, **kwargs)
        except RecollectError as error:
            raise McpError(_protocol_error(error)) from error
        except Exception as error:
            data = {"code": "INTERNAL", "field": None}
            message = masked(_log, "mcp.unexpected_error", error, what=handler.__name__)
            raise McpError(types.ErrorData(code=types.INTERNAL_ERROR, message=message, data=data)) from error

    return run


def _protocol_error(error: RecollectError) -> types.ErrorData:
    code = types.INTERNAL_ERROR
    if isinstance(error, NotFound):
        code = RESOURCE_NOT_FOUND
    elif isinstance(error, InvalidInput):
        code = types.INVALID_PARAMS
    return types.ErrorData(code=code, message=error.message, data={"code": error.code, "field": error.field})


class _Handlers:
    """The request handlers; they read the caller from the server's request context."""

    def __init__(
        self, services: Services, server: Server[Any, Any], tools: Sequence[Tool], profile: ToolProfile
    ) -> None:
        self._services = services
        self._tools = tools
        self._server = server
        self._profile = profile

    @_errors_as_protocol
    async def list_tools(self) -> list[types.Tool]:
        principal = self._call.principal
        request: Any = self._server.request_context.request
        named = request.query_params.get("profile")
        profile = self._profile if named is None else profile_of(named)
        return [tool.shown(principal) for tool in listed(self._tools, profile) if principal.may(tool.scope)]

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        try:
            tool = find(self._tools, name)
        except InvalidInput as error:
            return failed(error)
        call, start = self._call, time.perf_counter()
        with answering() as answered:
            async with report_progress(self._server.request_context, tool=tool.name):
                result = await tool.call(call, arguments)
        workspace_id = place_of(answered, call.principal, None)
        if workspace_id is not None and not is_left_out(tool.name):
            returned = (result.structuredContent or {}).get("error") if result.isError else None
            error_code = (returned or {}).get("code", "INTERNAL") if result.isError else None
            self._services.telemetry.notes.note(
                workspace_id,
                session_id=session_of("mcp", self._headers, call.principal),
                action_type=tool.name,
                node_type=target_of(tool.name),
                outcome=outcome_of(tool.name, answered, error_code),
                error_code=error_code,
                seconds=time.perf_counter() - start,
                touched=answered.touched,
            )
        return result

    async def list_resources(self) -> list[types.Resource]:
        return []  # there may be millions of memories; recall finds them, and the templates have their URIs

    async def list_templates(self) -> list[types.ResourceTemplate]:
        return TEMPLATES

    @_errors_as_protocol
    async def read_resource(self, uri: AnyUrl) -> list[ReadResourceContents]:
        return await read_resource(await self._reading(), str(uri))

    async def list_prompts(self) -> list[types.Prompt]:
        return [before_acting.PROMPT]

    @_errors_as_protocol
    async def get_prompt(self, name: str, arguments: dict[str, str] | None) -> types.GetPromptResult:
        if name != before_acting.NAME:
            raise InvalidInput("name", f"there is no prompt {name[:100]!r}")
        return await before_acting.prompt_before_acting(await self._reading(), arguments or {})

    @_errors_as_protocol
    async def complete(
        self,
        ref: types.PromptReference | types.ResourceTemplateReference,
        argument: types.CompletionArgument,
        context: types.CompletionContext | None,
    ) -> types.Completion:
        call = await self._reading()
        if not isinstance(ref, types.PromptReference):
            return types.Completion(values=[])  # there may be millions of ids
        if ref.name != before_acting.NAME:
            raise InvalidInput("name", f"there is no prompt {ref.name[:100]!r}")
        return await complete(call, argument, (context and context.arguments) or {})

    @property
    def _headers(self) -> Mapping[str, str]:
        request: Any = self._server.request_context.request
        return {
            name.decode("latin-1").lower(): value.decode("latin-1")
            for name, value in request.scope["headers"]
        }

    @property
    def _call(self) -> Call:
        request: Any = self._server.request_context.request
        return Call(self._services, request.scope["auth"])

    async def _reading(self) -> Call:
        """Return the call after checking that its key may read.

        Raises:
            Forbidden: The key may not read.
        """
        call = self._call
        await self._services.tenancy.access.authorize(call.principal, Scope.READ)
        return call


def build_server(
    services: Services, tools: Sequence[Tool], profile: ToolProfile = ToolProfile.AGENT
) -> Server[Any, Any]:
    """Return the server; one serves all requests, each of which has its principal in ``scope["auth"]``.

    Args:
        services: Services of the tools.
        tools: All tools, in the order of the full list.
        profile: Default profile, which ``?profile=`` in the address overrides.
    """
    server: Server[Any, Any] = Server("recollect", version("recollect"), INSTRUCTIONS)
    handlers = _Handlers(services, server, tools, profile)
    server.list_tools()(handlers.list_tools)  # type: ignore[no-untyped-call]
    # The tools validate their arguments themselves, with shorter errors that name the field.
    server.call_tool(validate_input=False)(handlers.call_tool)
    server.list_resources()(handlers.list_resources)  # type: ignore[no-untyped-call]
    server.list_resource_templates()(handlers.list_templates)  # type: ignore[no-untyped-call]
    server.read_resource()(handlers.read_resource)  # type: ignore[no-untyped-call]
    server.list_prompts()(handlers.list_prompts)  # type: ignore[no-untyped-call]
    server.get_prompt()(handlers.get_prompt)  # type: ignore[no-untyped-call]
    server.completion()(handlers.complete)  # type: ignore[no-untyped-call]
    return server
