"""Parses requests to ``/mcp`` and refuses messages that break the protocol.

The SDK would log parts of such messages, answer some with 500, and quote unreadable content.
"""

from dataclasses import dataclass
from typing import Any

from mcp import types
from pydantic import ValidationError

from app.surfaces.http.body_limits import USUAL_BODY_BYTES
from app.surfaces.http.large_json import read_body
from graph.core.errors import InvalidInput
from graph.core.text.work import TextWork

MOST_BYTES = USUAL_BODY_BYTES
"""The SDK parses a checked message once more, which blocks every other request."""


class RefusedMessage(Exception):
    """Raised when a body is no message of the protocol.

    Attributes:
        status: Of HTTP.
        code: Of JSON-RPC.
        id: Of the request, where it has one.
    """

    def __init__(self, status: int, code: int, message: str, *, id_: str | int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.id = id_


@dataclass(frozen=True)
class Incoming:
    """A message that this server knows what to do with.

    Attributes:
        method: Method of the message.
        id: Of the request; None for a notification.
        wants_progress: Whether the client requested progress notifications.
        ends: The id of the request that it cancels.
    """

    method: str
    id: types.RequestId | None = None
    wants_progress: bool = False
    ends: types.RequestId | None = None


async def incoming_in(body: bytes, work: TextWork) -> Incoming | None:
    """Check that a body is one JSON-RPC message of MCP, and return it if this server knows what to do with it.

    A notification that it does not know is taken and passed over, as later versions of the protocol may have more.

    Raises:
        RefusedMessage: It is invalid or cannot be answered; the error has the reason and the place.
    """
    message = await _read(body, work)
    if not isinstance(message, dict):
        raise _refused(types.INVALID_REQUEST, "the body must be one JSON-RPC message; batches are not taken")
    if "method" not in message:
        if "result" in message or "error" in message:
            return None  # an answer, to a question that this server never asks
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
    """Return the messages of a union by their methods."""
    members = union.model_fields["root"].annotation.__args__
    return {member.model_fields["method"].default: member for member in members}


_REQUESTS = _methods(types.ClientRequest)
_NOTIFICATIONS = _methods(types.ClientNotification)
