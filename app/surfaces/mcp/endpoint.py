"""``/mcp``: the server over streamable HTTP.

Requests are independent and leave no state, so any replica may answer each one. The response is JSON, or an event
stream if the client requests progress. A session is only an id by which a client cancels its own requests while this
process answers them. The server offers no stream of its own, so it refuses ``GET`` and ``DELETE``.
"""

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast

from litestar import asgi
from litestar import types as litestar
from litestar.handlers import ASGIRouteHandler
from mcp import types
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import ValidationError
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

from app.surfaces.http.credentials import is_of_host
from app.surfaces.http.limits import USUAL_BODY_BYTES
from app.surfaces.http.strict_json import read_body
from app.surfaces.mcp.profiles import ToolProfile
from app.surfaces.mcp.running import RequestKey, Running
from app.surfaces.mcp.server import build_server
from app.surfaces.mcp.tool import Tool
from graph.core.errors import InvalidInput
from graph.core.text.work import TextWork
from graph.operations.services import Services

MOST_BYTES = USUAL_BODY_BYTES
"""Maximum length of a body. The SDK parses a message again on the event loop, which delays all other requests."""


# This module validates messages before the SDK does: the SDK would log parts of invalid messages, answer some with
# status 500, and quote unreadable content.


class RefusedMessage(Exception):
    """Raised if a body is not a valid MCP message.

    Attributes:
        status: HTTP status.
        code: JSON-RPC error code.
        message: Error message.
        id: Id of the request, if it has one.
    """

    def __init__(self, status: int, code: int, message: str, *, id_: str | int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.id = id_


@dataclass(frozen=True)
class Incoming:
    """A valid message with a known method.

    Attributes:
        method: Method of the message.
        id: Id of the request; None for a notification.
        wants_progress: Whether the client requests progress notifications.
        ends: Id of the request that the message cancels; None for other messages.
    """

    method: str
    id: types.RequestId | None = None
    wants_progress: bool = False
    ends: types.RequestId | None = None


async def incoming_in(body: bytes, work: TextWork) -> Incoming | None:
    """Validate a body as one JSON-RPC message of MCP; return None for a message to ignore.

    Ignores responses, and unknown notifications, which later versions of the protocol may add.

    Raises:
        RefusedMessage: The message is invalid, or its method is unknown; the error has the reason and the field.
    """
    message = await _read(body, work)
    if not isinstance(message, dict):
        raise _refused(
            types.INVALID_REQUEST, "the body must be one JSON-RPC message; batches are not accepted"
        )
    if "method" not in message:
        if "result" in message or "error" in message:
            return None  # a response, although this server sends no requests
        raise _refused(types.INVALID_REQUEST, "method is required")
    id_ = message.get("id")
    if "id" not in message:
        _check(types.JSONRPCNotification, message, None, types.INVALID_REQUEST)
        return _notification(message)
    _check(types.JSONRPCRequest, message, None, types.INVALID_REQUEST)
    if message["method"] not in _REQUESTS:
        named = str(message["method"])[:100]
        raise RefusedMessage(200, types.METHOD_NOT_FOUND, f"there is no method {named!r}", id_=id_)
    _check(_REQUESTS[message["method"]], message, id_, types.INVALID_PARAMS)
    meta = (message.get("params") or {}).get("_meta") or {}
    return Incoming(message["method"], id_, wants_progress=meta.get("progressToken") is not None)


def _notification(message: dict[str, Any]) -> Incoming | None:
    model = _NOTIFICATIONS.get(message["method"])
    if model is None:
        return None
    _check(model, message, None, types.INVALID_PARAMS)
    ends = message["params"].get("requestId") if model is types.CancelledNotification else None
    return Incoming(message["method"], ends=ends)


async def _read(body: bytes, work: TextWork) -> object:
    try:
        message: object = await read_body(body, work)
    except InvalidInput as error:
        raise _refused(types.PARSE_ERROR, error.message) from None
    return message


def _refused(code: int, message: str) -> RefusedMessage:
    return RefusedMessage(400, code, message)


def _check(model: type[Any], message: dict[str, Any], id_: str | int | None, code: int) -> None:
    try:
        model.model_validate(message)
    except ValidationError as error:
        first = error.errors()[0]
        field = "id" if first["loc"][:1] == ("id",) else ".".join(map(str, first["loc"])) or "message"
        status = 400 if id_ is None else 200
        raise RefusedMessage(status, code, f"{field}: {first['msg']}", id_=id_) from None


def _methods(union: Any) -> dict[str, type[Any]]:
    """Return the message classes of a union by method."""
    members = union.model_fields["root"].annotation.__args__
    return {member.model_fields["method"].default: member for member in members}


_REQUESTS = _methods(types.ClientRequest)
_NOTIFICATIONS = _methods(types.ClientNotification)


PATH = "/mcp"
_JSON = "application/json"
_EVENTS = "text/event-stream"
_SESSION = "mcp-session-id"
_CANCELLED = {"code": 0, "message": "the request was cancelled"}
_ABOUT_BODIES = (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE)


def mcp_route(
    services: Services,
    tools: Sequence[Tool],
    *,
    allowed_origins: Sequence[str] = (),
    hosts: Sequence[str] | None = None,
    profile: ToolProfile = ToolProfile.AGENT,
) -> ASGIRouteHandler:
    """Return the route.

    Args:
        services: Services of the tools.
        tools: All tools, in the order of the full list.
        allowed_origins: Web pages whose scripts may call from a browser, beside those of the service itself.
        hosts: Accepted host names, so that no web page reaches the service by a name that it points here; None: any.
        profile: Default profile.
    """
    endpoint = _Endpoint(services, tools, allowed_origins, hosts, profile)

    @asgi(PATH, copy_scope=True)
    async def mcp(scope: litestar.Scope, receive: litestar.Receive, send: litestar.Send) -> None:
        await endpoint.answer(cast("Scope", scope), cast("Receive", receive), cast("Send", send))

    return mcp


class _Endpoint:
    def __init__(
        self,
        services: Services,
        tools: Sequence[Tool],
        allowed_origins: Sequence[str],
        hosts: Sequence[str] | None,
        profile: ToolProfile,
    ) -> None:
        self._server = build_server(services, tools, profile)
        self._services = services
        self._running = Running()
        self._origins = frozenset(allowed_origins)
        self._security = _security(allowed_origins, hosts)

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1003, "reason": "POST to this address"})
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(send, *refusal)
            return
        body = await _body(scope, receive)
        if body is None:
            await _refuse(
                send, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"body: must have at most {MOST_BYTES} bytes"
            )
            return
        try:
            incoming = await incoming_in(body, self._services.core.body_work)
        except RefusedMessage as refused:
            await _send_refusal(send, refused)
            return
        await self._handle(incoming, scope, _replaying(body, receive), send)

    async def _handle(self, incoming: Incoming | None, scope: Scope, receive: Receive, send: Send) -> None:
        if incoming is not None and incoming.ends is not None:
            key = _request_key(scope, incoming.ends)
            if key is not None:
                self._running.cancel(key)
        if incoming is None or incoming.ends is not None:
            await _send(send, HTTPStatus.ACCEPTED, b"")
            return
        if _takes_json(scope):
            scope = _accepting(scope, _JSON, *([_EVENTS] if _takes_events(scope) else []))
        answer = _Answer(send, names_session=incoming.method == "initialize")
        key = _request_key(scope, incoming.id)
        with self._running.cancellable(key) as running:
            await self._hand_over(incoming, scope, receive, answer.send)
        if running.cancelled_caught:
            await answer.end(incoming.id)

    def _refusal(self, scope: Scope) -> tuple[HTTPStatus, str] | None:
        """Return the reason to refuse a request before its body is read, or None."""
        if scope["method"] != "POST":
            return HTTPStatus.METHOD_NOT_ALLOWED, "POST to this address; there is no stream to listen to"
        headers = Headers(scope=scope)
        origin, host = headers.get("origin"), headers.get("host")
        if origin and origin not in self._origins and not is_of_host(origin, host):
            return (
                HTTPStatus.FORBIDDEN,
                "this page may not call; RECOLLECT_ALLOWED_ORIGINS names those that may",
            )
        if headers.get("content-encoding", "identity").strip().lower() != "identity":
            return HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "body: must come as it is, without Content-Encoding"
        if headers.get("content-type", "").partition(";")[0].strip().lower() != _JSON:
            return (
                HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
                f"body: must be {_JSON}, and the header Content-Type say so",
            )
        return None

    async def _hand_over(self, incoming: Incoming, scope: Scope, receive: Receive, send: Send) -> None:
        # One manager for each request: it starts and stops its own tasks, so the application needs no lifespan hook.
        manager = StreamableHTTPSessionManager(
            self._server,
            json_response=not (incoming.wants_progress and _takes_events(scope)),
            stateless=True,
            security_settings=self._security,
            max_request_body_size=MOST_BYTES,
        )
        async with manager.run():
            await manager.handle_request(scope, receive, send)


class _Answer:
    """The response to one message."""

    def __init__(self, send: Send, *, names_session: bool) -> None:
        self._send = send
        self._names_session = names_session
        self._has_begun = False

    async def send(self, message: Message) -> None:
        """Send a part of the response; add the header with a session id to the start of ``initialize``'s response."""
        if message["type"] == "http.response.start":
            self._has_begun = True
            if self._names_session:
                name = (_SESSION.encode(), uuid.uuid4().hex.encode())
                message = {**message, "headers": [*message["headers"], name]}
        await self._send(message)

    async def end(self, id_: str | int | None) -> None:
        """End the response to a cancelled request."""
        if self._has_begun:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        message = {"jsonrpc": "2.0", "id": id_, "error": _CANCELLED}
        await _send(self._send, HTTPStatus.OK, json.dumps(message).encode())


def _request_key(scope: Scope, id_: str | int | None) -> RequestKey | None:
    """Return the key of a request; None for a notification, and for a client that sends no session id."""
    session_id = Headers(scope=scope).get(_SESSION)
    return RequestKey(scope["auth"].key_id, session_id, id_) if session_id and id_ is not None else None


def _takes_json(scope: Scope) -> bool:
    """Tell whether a client accepts JSON: by name, by a range, or because it sends no ``Accept``."""
    header = ",".join(Headers(scope=scope).getlist("accept"))
    ranges = {each.partition(";")[0].strip().lower() for each in header.split(",")}
    return not ranges.isdisjoint(("", "*/*", "application/*", _JSON))


def _accepting(scope: Scope, *types: str) -> Scope:
    """Return a request with explicit media types in ``Accept``: the SDK refuses ranges, and requests without them."""
    others = [(name, value) for name, value in scope["headers"] if name.lower() != b"accept"]
    return {**scope, "headers": [*others, (b"accept", ", ".join(types).encode())]}


def _takes_events(scope: Scope) -> bool:
    return _EVENTS in Headers(scope=scope).get("accept", "")


def _security(origins: Sequence[str], hosts: Sequence[str] | None) -> TransportSecuritySettings:
    if hosts is None:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    own = [f"{scheme}://{host}" for scheme in ("http", "https") for host in hosts]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*hosts, *(f"{host}:*" for host in hosts)],
        allowed_origins=[*origins, *own, *(f"{origin}:*" for origin in own)],
    )


async def _body(scope: Scope, receive: Receive) -> bytes | None:
    """Return the body; None if it is too large."""
    declared = Headers(scope=scope).get("content-length", "0")
    if declared.isdecimal() and int(declared) > MOST_BYTES:
        return None
    body = bytearray()
    while True:
        message: Any = await receive()
        if message["type"] != "http.request":
            return bytes(body)
        body += message.get("body", b"")
        if len(body) > MOST_BYTES:
            return None
        if not message.get("more_body", False):
            return bytes(body)


def _replaying(body: bytes, receive: Receive) -> Receive:
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Any:
        return waiting.pop() if waiting else await receive()

    return replay


async def _send_refusal(send: Send, refused: RefusedMessage) -> None:
    error = {"code": refused.code, "message": refused.message}
    message = {"jsonrpc": "2.0", "id": refused.id, "error": error}
    await _send(send, HTTPStatus(refused.status), json.dumps(message, ensure_ascii=False).encode())


async def _refuse(send: Send, status: HTTPStatus, message: str) -> None:
    extra = [(b"allow", b"POST")] if status is HTTPStatus.METHOD_NOT_ALLOWED else []
    field = "body" if status in _ABOUT_BODIES else None
    body = json.dumps({"error": message, "field": field}).encode()
    await _send(send, status, body, extra)


async def _send(
    send: Send, status: HTTPStatus, body: bytes, headers: Sequence[tuple[bytes, bytes]] = ()
) -> None:
    fields = [(b"content-type", _JSON.encode()), (b"content-length", str(len(body)).encode()), *headers]
    await send({"type": "http.response.start", "status": status, "headers": fields})
    await send({"type": "http.response.body", "body": body, "more_body": False})
