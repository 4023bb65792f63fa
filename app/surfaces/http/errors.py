"""Maps errors to HTTP responses, in the error shape of each path."""

import re
import uuid
from collections.abc import Mapping
from typing import Any

import structlog
from litestar import Request, Response
from litestar.exceptions import (
    HTTPException,
    MethodNotAllowedException,
    SerializationException,
    ValidationException,
)
from litestar.params import ParameterKwarg
from litestar.status_codes import HTTP_500_INTERNAL_SERVER_ERROR

from app.surfaces.http.answer_headers import JSON, allowed, media_type_for
from app.surfaces.http.limits import BodyTooSlow
from graph.core.errors import (
    Conflict,
    Forbidden,
    InvalidInput,
    LimitExceeded,
    NotFound,
    RecollectError,
    Unauthenticated,
    Unavailable,
)


def masked(log: structlog.stdlib.BoundLogger, event: str, error: Exception, **noted: Any) -> str:
    """Log an unexpected error and return the sentence that says where, never the error's own text.

    Args:
        log: Of the surface.
        event: Event of the log entry.
        error: Raised error.
        noted: Further fields of the log entry.
    """
    reference = uuid.uuid4().hex[:12]
    log.error(event, reference=reference, exc_info=error, **noted)
    return f"an unexpected error occurred; the log has it under {reference}"


_TYPES: Mapping[int, str] = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "invalid_request_error",
    429: "rate_limit_error",
}
_SERVERS_FAULT = "server_error"
_CALLERS_FAULT = "invalid_request_error"
_FIRST_SERVERS_STATUS = 500


class ProxyError(Exception):
    """Raised when the proxy itself refuses a request or cannot complete it.

    Attributes:
        status: HTTP status of the response.
        message: Error message for people.
        code: Error code for programs.
    """

    def __init__(self, status: int, message: str, *, code: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code

    def body(self) -> dict[str, Any]:
        """Return the response body."""
        return {"error": error_object(self.status, self.message, code=self.code)}


def error_object(status: int, message: str, *, code: str | None, param: str | None = None) -> dict[str, Any]:
    """Return the value of ``error`` in a response body."""
    default = _SERVERS_FAULT if status >= _FIRST_SERVERS_STATUS else _CALLERS_FAULT
    return {"message": message, "type": _TYPES.get(status, default), "param": param, "code": code}


_log = structlog.get_logger("recollect.rest")

STATUS: Mapping[type[RecollectError], int] = {
    InvalidInput: 400,
    Unauthenticated: 401,
    Forbidden: 403,
    NotFound: 404,
    Conflict: 409,
    LimitExceeded: 429,
    Unavailable: 503,
}
OPENAI_PATHS = tuple(
    f"/v1/{resource}"
    for resource in (
        "assistants", "audio", "batches", "chat", "completions", "containers", "embeddings", "evals", "files",
        "fine_tuning", "images", "models", "moderations", "realtime", "responses", "threads", "uploads",
        "vector_stores", "videos",
    )
)  # fmt: skip
"""Paths that OpenAI's clients call, whether or not a route exists."""
AUTOMEM_PATHS = ("/memory", "/recall", "/associate")
_OPENAI_CODES = {"UNAUTHENTICATED": "invalid_api_key", "RATE_LIMITED": "rate_limit_exceeded"}
_READABLE = "must be JSON in UTF-8, without NaN or lone surrogates"
# Pydantic appends the tried member of a union to the field: `host.constrained-str`, `quantization.literal[…]`.
_UNION_MEMBER = re.compile(r"\.[a-z]+[-\[].*$")
_MISSING = re.compile(r"Missing required \w+ parameter '([^']+)'")  # only Litestar's message has the name
_ABOUT_BODIES = {
    413: "body: is larger than this route takes",
    415: "body: must come as it is, without Content-Encoding",
}
CODE_OF_STATUS = {
    400: "INVALID_INPUT",
    401: "UNAUTHENTICATED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    405: "INVALID_INPUT",
    408: "INVALID_INPUT",
    413: "INVALID_INPUT",
    415: "INVALID_INPUT",
    429: "RATE_LIMITED",
}


def answer_domain_error(request: Request[Any, Any, Any], error: RecollectError) -> Response[Any]:
    """Return the response for an expected error, with ``Retry-After`` if a retry may succeed."""
    headers = {}
    if isinstance(error, Unavailable | LimitExceeded):
        headers["Retry-After"] = str(error.retry_after_seconds)
    elif isinstance(error, Unauthenticated):
        headers["WWW-Authenticate"] = "Bearer"
    status = STATUS[type(error)]
    return _answer(request, error.message, status=status, code=error.code, field=error.field, headers=headers)


def answer_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """Return the response for a refusal by Litestar, such as an unknown route; its failures count as unexpected."""
    if error.status_code >= HTTP_500_INTERNAL_SERVER_ERROR:
        return answer_unexpected_error(request, error)
    code = CODE_OF_STATUS.get(error.status_code, "INVALID_INPUT")
    about_body = error.detail if isinstance(error, BodyTooSlow) else _ABOUT_BODIES.get(error.status_code)
    if isinstance(error.__cause__, SerializationException):
        about_body = f"body: {_READABLE}"
    field = "body" if about_body else None
    message, headers = about_body or error.detail, error.headers
    if isinstance(error, MethodNotAllowedException):
        headers = {"Allow": allowed((error.headers or {}).get("allow", "").split(", "))}
    return _answer(request, message, status=error.status_code, code=code, field=field, headers=headers)


def answer_invalid_request(request: Request[Any, Any, Any], error: ValidationException) -> Response[Any]:
    """Return 400 for an invalid body or parameter, with the first error."""
    found = error.extra if isinstance(error.extra, list) else []
    first: Mapping[str, Any] = found[0] if found and isinstance(found[0], Mapping) else {}
    if missing := _MISSING.match(error.detail):
        field, message = missing[1], f"{missing[1]}: is required"
    else:
        field = _sent_name(request, first.get("key")) or "body"
        message = f"{field}: {first.get('message', error.detail)}"
    return _answer(request, message, status=400, code="INVALID_INPUT", field=field)


def _sent_name(request: Request[Any, Any, Any], key: str | None) -> str | None:
    """Return a parameter's name in the request, which may differ from its name in Python."""
    if key == "data":  # Litestar's name of the whole body
        return "body"
    parameter = request.route_handler.parsed_fn_signature.parameters.get(key or "")
    kwarg = parameter.kwarg_definition if parameter else None
    if isinstance(kwarg, ParameterKwarg):
        return kwarg.name or key
    return _UNION_MEMBER.sub("", key) if key else None


def answer_unexpected_error(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Return 500 with a reference into the log, never with the error's own text."""
    message = masked(_log, "rest.unexpected_error", error, path=_template(request))
    return _answer(request, message, status=HTTP_500_INTERNAL_SERVER_ERROR, code="INTERNAL", field=None)


def _template(request: Request[Any, Any, Any]) -> str | None:
    """Return the route's path template, because the actual path may contain callers' data."""
    template: str | None = request.scope.get("path_template")
    return template


def _answer(
    request: Request[Any, Any, Any],
    message: str,
    *,
    status: int,
    code: str,
    field: str | None,
    headers: dict[str, str] | None = None,
) -> Response[Any]:
    body: dict[str, Any] = {"error": message, "field": field}
    media_type = JSON
    if request.url.path.startswith(OPENAI_PATHS):
        error = error_object(status, message, code=_OPENAI_CODES.get(code, code.lower()), param=field)
        body = {"error": error}
    elif request.url.path.startswith(AUTOMEM_PATHS):
        body["message"] = message
    elif request.url.path.startswith("/graphql"):
        media_type = media_type_for(request)
        body = {"errors": [{"message": message, "extensions": {"code": code, "field": field}}]}
        if media_type == JSON:
            body = {"data": None, **body}
    return Response(body, status_code=status, headers=headers, media_type=media_type)
