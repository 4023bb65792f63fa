"""MCP over stdin and stdout: every message is passed on to ``/mcp`` of the running service, and its answer back.

So the tools are defined once, and whoever starts this needs neither Neo4j nor a model.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self

import anyio
import httpx
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp import types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt, wait_chain, wait_fixed

from app.client.transport import RETRY_DELAYS_SECONDS, Client

_LATEST = types.LATEST_PROTOCOL_VERSION
_UNREADABLE = "a line on standard input is no JSON-RPC message; it was passed over\n"


class _TransientError(Exception):
    """Raised by one attempt to say that another may succeed; its text is for people."""


class Bridge:
    """Passes messages on to one service; an asynchronous context manager.

    Args:
        client: The service, and the key to use there.
        sleep: Waits between two attempts.
        transport: Takes the place of the network.
    """

    def __init__(
        self,
        client: Client,
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._url = f"{client.base_url}/mcp"
        self._sleep = sleep
        self._version: str | None = None
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
        """Pass on what is read until there is no more, and return once everything is answered."""
        async with writing, anyio.create_task_group() as tasks:
            async for read in reading:
                if isinstance(read, Exception):
                    sys.stderr.write(_UNREADABLE)
                elif isinstance(read.message.root, types.JSONRPCRequest):
                    tasks.start_soon(self._answer, read.message.root, writing)
                elif isinstance(read.message.root, types.JSONRPCNotification):
                    await self._notify(read.message.root)

    async def _answer(
        self, request: types.JSONRPCRequest, writing: MemoryObjectSendStream[SessionMessage]
    ) -> None:
        with anyio.CancelScope() as scope:
            self._running[request.id] = scope
            try:
                answer = await self._ask(request)
            finally:
                self._running.pop(request.id, None)
            await writing.send(SessionMessage(types.JSONRPCMessage(answer)))

    async def _notify(self, notification: types.JSONRPCNotification) -> None:
        """End the request that is cancelled. The service is told nothing: it keeps nothing between two requests."""
        if notification.method == "notifications/cancelled":
            named = (notification.params or {}).get("requestId")
            if named in self._running:
                self._running[named].cancel()

    async def _ask(self, request: types.JSONRPCRequest) -> types.JSONRPCResponse | types.JSONRPCError:
        retrying = AsyncRetrying(
            stop=stop_after_attempt(1 + len(RETRY_DELAYS_SECONDS)),
            wait=wait_chain(*(wait_fixed(seconds) for seconds in RETRY_DELAYS_SECONDS)),
            retry=retry_if_exception_type(_TransientError),
            sleep=self._sleep,
            reraise=True,
        )
        try:
            response: httpx.Response = await retrying(self._post, request)
        except _TransientError as error:
            return _error(request.id, str(error), "UNAVAILABLE")
        answer = _answer_in(response, request.id)
        if request.method == "initialize" and isinstance(answer, types.JSONRPCResponse):
            self._version = str(answer.result.get("protocolVersion", _LATEST))
        return answer

    async def _post(self, request: types.JSONRPCRequest) -> httpx.Response:
        body = request.model_dump_json(by_alias=True, exclude_none=True)
        headers = {"MCP-Protocol-Version": self._version} if self._version else {}
        try:
            response = await self._http.post(self._url, content=body, headers=headers)
        except httpx.TransportError as error:
            what = "took too long" if isinstance(error, httpx.TimeoutException) else "does not answer"
            raise _TransientError(
                f"Recollect at {self._url} {what}; is it running (`recollect up`)?"
            ) from error
        if response.is_server_error:
            raise _TransientError(_message_in(response))
        return response


def _answer_in(response: httpx.Response, id_: types.RequestId) -> types.JSONRPCResponse | types.JSONRPCError:
    try:
        answer = types.JSONRPCMessage.model_validate_json(response.content).root
    except ValidationError:
        answer = None
    if isinstance(answer, types.JSONRPCResponse | types.JSONRPCError):
        return answer.model_copy(update={"id": id_})
    advice = "; set RECOLLECT_API_KEY to a key of the service" if response.status_code == 401 else ""  # noqa: PLR2004
    code = "UNAUTHENTICATED" if advice else "UNEXPECTED"
    return _error(id_, f"{_message_in(response)}{advice}", code)


def _message_in(response: httpx.Response) -> str:
    """Return what an answer that is no message of the protocol says of the matter."""
    try:
        told: Any = response.json()
    except ValueError:
        told = None
    if isinstance(told, dict) and isinstance(told.get("error"), str):
        return str(told["error"])
    return f"{response.request.url} gave {response.status_code} and no MCP message; check RECOLLECT_API_URL"


def _error(id_: types.RequestId, message: str, code: str) -> types.JSONRPCError:
    data = {"code": code, "field": None}
    error = types.ErrorData(code=types.INTERNAL_ERROR, message=message, data=data)
    return types.JSONRPCError(jsonrpc="2.0", id=id_, error=error)
