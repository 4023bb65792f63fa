"""MCP over stdin and stdout: forwards every message to ``/mcp`` of the running service, and the response back.

So the tools are defined once, and this process needs neither Neo4j nor a model.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self, TypeGuard

import anyio
import httpx
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_chain, wait_fixed

from app.client.transport import (
    IS_IT_RUNNING,
    MAY_BE_DONE,
    NOT_SENT,
    RETRY_DELAYS_SECONDS,
    Client,
    lines_of,
    no_answer,
)

_LATEST = types.LATEST_PROTOCOL_VERSION
_SESSION = "mcp-session-id"
_EVENTS = "text/event-stream"
_DATA = b"data: "
ONCE_TOOLS = frozenset(
    {"record", "memory.record_actions", "ask", "move_conversation", "omniroute_memory_clear"}
)
"""Names and aliases of tools that must not be retried: a repeated call adds again, or runs beside the first."""
_UNREADABLE = "a line on standard input is no JSON-RPC message; it was passed over\n"


class _TransientError(Exception):
    """Raised if another attempt may succeed; its text is for people."""


class _LostError(Exception):
    """Raised if an attempt may have succeeded and must not be repeated; its text is for people."""


class Bridge:
    """Forwards messages to one service; an asynchronous context manager.

    Args:
        client: Address of the service, and the API key.
        profile: Profile of the listed tools; None: the service's default.
        sleep: Waits between two attempts.
        transport: Replaces the network in tests.
    """

    def __init__(
        self,
        client: Client,
        *,
        profile: str | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._url = f"{client.base_url}/mcp" + (f"?profile={profile}" if profile else "")
        self._sleep = sleep
        self._seconds = client.timeout_seconds
        self._version: str | None = None
        self._session: str | None = None
        self._running: dict[types.RequestId, anyio.CancelScope] = {}
        self._http = httpx.AsyncClient(
            headers={
                **client.credential,
                "Content-Type": "application/json",
                "Accept": "application/json, text/event-stream",
            },
            timeout=client.timeout_seconds,
            trust_env=client.trusts_environment,
            transport=transport,
        )

    async def __aenter__(self) -> Self:
        await self._http.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._http.__aexit__(kind, error, trace)

    async def run(
        self,
        reading: MemoryObjectReceiveStream[SessionMessage | Exception],
        writing: MemoryObjectSendStream[SessionMessage],
    ) -> None:
        """Forward messages until the input ends, and return once every request has a response."""
        async with writing, anyio.create_task_group() as tasks:
            async for read in reading:
                message = read if isinstance(read, Exception) else read.message.root
                if isinstance(message, Exception):
                    sys.stderr.write(_UNREADABLE)
                elif isinstance(message, types.JSONRPCRequest):
                    tasks.start_soon(self._answer, message, writing)
                elif isinstance(message, types.JSONRPCNotification) and self._cancel(message):
                    tasks.start_soon(self._pass_on, message)

    async def _answer(
        self, request: types.JSONRPCRequest, writing: MemoryObjectSendStream[SessionMessage]
    ) -> None:
        with anyio.CancelScope() as scope:
            self._running[request.id] = scope
            try:
                answer = await self._ask(request, writing)
            finally:
                self._running.pop(request.id, None)
            await writing.send(SessionMessage(types.JSONRPCMessage(answer)))

    def _cancel(self, notification: types.JSONRPCNotification) -> bool:
        """Cancel the request that a notification names; return whether it was running."""
        named = (notification.params or {}).get("requestId")
        if notification.method != "notifications/cancelled" or not _is_id(named):
            return False
        scope = self._running.get(named)
        if scope is not None:
            scope.cancel()
        return scope is not None

    async def _pass_on(self, notification: types.JSONRPCNotification) -> None:
        if self._session is None:
            return
        body = notification.model_dump_json(by_alias=True, exclude_none=True)
        with suppress(httpx.RequestError):
            await self._http.post(self._url, content=body, headers=self._headers)

    async def _ask(
        self, request: types.JSONRPCRequest, writing: MemoryObjectSendStream[SessionMessage]
    ) -> types.JSONRPCResponse | types.JSONRPCError:
        retrying = AsyncRetrying(
            stop=stop_after_attempt(1 + len(RETRY_DELAYS_SECONDS)),
            wait=wait_chain(*(wait_fixed(seconds) for seconds in RETRY_DELAYS_SECONDS)),
            retry=retry_if_exception_type(_TransientError),
            sleep=self._sleep,
            reraise=True,
        )
        response: httpx.Response
        content: bytes
        tool = _tool_in(request)
        try:
            # An error with a reason before the host's own timeout, which would show none.
            with anyio.fail_after(self._seconds):
                answered: tuple[httpx.Response, bytes] = await retrying(self._post, request, writing)
        except (_TransientError, _LostError) as error:
            return _error(request.id, str(error), "UNAVAILABLE")
        except TimeoutError:
            advice = MAY_BE_DONE if tool in ONCE_TOOLS else IS_IT_RUNNING
            late = no_answer(self._url, httpx.ReadTimeout("late"), advice=advice)
            return _error(request.id, late, "UNAVAILABLE")
        response, content = answered
        answer = _answer_in(response, content, request.id)
        if request.method == "initialize" and isinstance(answer, types.JSONRPCResponse):
            self._version = str(answer.result.get("protocolVersion", _LATEST))
            self._session = response.headers.get(_SESSION)
        return answer

    @property
    def _headers(self) -> dict[str, str]:
        named = {"MCP-Protocol-Version": self._version, _SESSION: self._session}
        return {name: value for name, value in named.items() if value is not None}

    async def _post(
        self, request: types.JSONRPCRequest, writing: MemoryObjectSendStream[SessionMessage]
    ) -> tuple[httpx.Response, bytes]:
        """Return a response and its body; forward progress notifications as they arrive."""
        body = request.model_dump_json(by_alias=True, exclude_none=True)
        tool = _tool_in(request)
        may_be_repeated = tool not in ONCE_TOOLS
        post = self._http.stream("POST", self._url, content=body, headers=self._headers)
        try:
            async with post as response:
                is_stream = response.headers.get("content-type", "").startswith(_EVENTS)
                content = await (_last_event(response, writing) if is_stream else response.aread())
        except httpx.RequestError as error:
            if may_be_repeated or isinstance(error, NOT_SENT):
                raise _TransientError(no_answer(self._url, error, advice=IS_IT_RUNNING)) from error
            raise _LostError(no_answer(self._url, error, advice=MAY_BE_DONE)) from error
        if response.is_server_error and (
            may_be_repeated or response.status_code == HTTPStatus.SERVICE_UNAVAILABLE
        ):
            raise _TransientError(_message_in(response, content))
        return response, content


def _is_id(named: object) -> TypeGuard[types.RequestId]:
    return isinstance(named, str | int) and not isinstance(named, bool)  # which to Python is 0 or 1


def _tool_in(request: types.JSONRPCRequest) -> str | None:
    name = (request.params or {}).get("name") if request.method == "tools/call" else None
    return name if isinstance(name, str) else None


async def _last_event(response: httpx.Response, writing: MemoryObjectSendStream[SessionMessage]) -> bytes:
    """Return the response at the end of a stream; forward notifications before it."""
    last = b""
    async for line in lines_of(response):
        if not line.startswith(_DATA):
            continue
        last = line.removeprefix(_DATA)
        try:
            message = types.JSONRPCMessage.model_validate_json(last)
        except ValidationError:
            break  # _answer_in reports an invalid response
        if isinstance(message.root, types.JSONRPCNotification):
            await writing.send(SessionMessage(message))
    return last


def _answer_in(
    response: httpx.Response, content: bytes, id_: types.RequestId
) -> types.JSONRPCResponse | types.JSONRPCError:
    try:
        answer = types.JSONRPCMessage.model_validate_json(content).root
    except ValidationError:
        answer = None
    if isinstance(answer, types.JSONRPCResponse | types.JSONRPCError):
        return answer.model_copy(update={"id": id_})
    advice = "; set RECOLLECT_API_KEY to a key of the service" if response.status_code == 401 else ""  # noqa: PLR2004
    code = "UNAUTHENTICATED" if advice else "UNEXPECTED"
    return _error(id_, f"{_message_in(response, content)}{advice}", code)


def _message_in(response: httpx.Response, content: bytes) -> str:
    """Return the error message of a response that is not an MCP message."""
    try:
        answer: Any = json.loads(content)
    except ValueError:
        answer = None
    if isinstance(answer, dict) and isinstance(answer.get("error"), str):
        return str(answer["error"])
    return f"{response.request.url} gave {response.status_code} and no MCP message; check RECOLLECT_API_URL"


def _error(id_: types.RequestId, message: str, code: str) -> types.JSONRPCError:
    data = {"code": code, "field": None}
    error = types.ErrorData(code=types.INTERNAL_ERROR, message=message, data=data)
    return types.JSONRPCError(jsonrpc="2.0", id=id_, error=error)
