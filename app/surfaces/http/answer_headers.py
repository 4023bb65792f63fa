"""Response headers: protection from other pages, allowed methods, rate limits, and responses to HEAD."""

from collections.abc import Iterable
from typing import Any, Final

from litestar import Request
from litestar.datastructures import MutableScopeHeaders
from litestar.enums import HttpMethod, ScopeType
from litestar.middleware.rate_limit import RateLimitConfig, RateLimitMiddleware
from litestar.routes import HTTPRoute
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from graph.operations.services import Services
from graph.tenancy.access import WINDOW_SECONDS, Allowance
from graph.tenancy.models import Principal

NOTICE_HEADER: Final = "x-recollect-notice"
"""Header for notices that a dialect's body has no field for: effect of a change, short list, truncated query."""
_ALWAYS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # `no-referrer` would take `Origin` from this service's own forms as well
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",  # most answers hold somebody's memories
}
_FOR_DATA: Final = "default-src 'none'; frame-ancestors 'none'"
_FOR_PAGES: Final = "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
"""Default content security policy of pages."""
_HTTPS_ONLY: Final = "max-age=31536000"


async def name_methods(message: Message, scope: Scope) -> None:
    """List every method of an address in the response to OPTIONS; the framework lists those of one handler only.

    Other responses stay unchanged.
    """
    if message["type"] != "http.response.start" or scope["type"] != ScopeType.HTTP:
        return
    if scope["method"] != HttpMethod.OPTIONS:
        return
    headers = MutableScopeHeaders.from_message(message)
    if "allow" not in headers:
        return
    path = scope.get("path_template")
    for route in scope["litestar_app"].routes:
        if isinstance(route, HTTPRoute) and route.path_format == path:
            headers["allow"] = allowed(route.methods)


def allowed(methods: Iterable[str]) -> str:
    """Return the value of ``Allow`` for the methods of a route; a route with GET also answers HEAD.

    Skips the framework's pseudo-method of websockets.
    """
    found = {method for method in methods if method.isupper()}
    return ", ".join(sorted(found | {HttpMethod.HEAD} if HttpMethod.GET in found else found))


def as_get(scope: Any, receive: Receive, send: Send) -> tuple[Any, Receive, Send]:
    """Return a HEAD request as a GET request whose response ends after the headers.

    This includes streamed responses. The request's body has no meaning and is not read.
    """
    is_read = has_ended = False

    async def receive_nothing() -> Any:
        nonlocal is_read
        if not is_read:
            is_read = True
            return {"type": "http.request", "body": b"", "more_body": False}
        message: Any = {"type": "http.disconnect"}
        while not has_ended and (message := await receive())["type"] != "http.disconnect":
            pass
        return message

    async def send_headers(message: Message) -> None:
        nonlocal has_ended
        if message["type"] == "http.response.start":
            has_ended = True
            await send(message)
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    return {**scope, "method": "GET"}, receive_nothing, send_headers


async def guard_answer(message: Message, scope: Scope) -> None:
    """Add the headers to a response at its start; headers set by the route stay."""
    if message["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(message)
    is_page = headers.get("content-type", "").startswith("text/html")
    for name, value in _ALWAYS.items():
        headers.setdefault(name, value)
    headers.setdefault("Content-Security-Policy", _FOR_PAGES if is_page else _FOR_DATA)
    if scope["scheme"] == "https":
        headers.setdefault("Strict-Transport-Security", _HTTPS_ONLY)


class KeyRateLimit(RateLimitMiddleware):
    """Litestar's middleware, with a limit for each key and counts in Redis.

    Litestar's own limiter reads and writes one value with the times of all requests of a minute, under a lock of the
    process. With a limit of thousands every request would wait for it, and processes would overwrite each other's
    counts.
    """

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app, RateLimitConfig(rate_limit=("minute", 1)))  # each key has its own number

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it.

        Raises:
            LimitExceeded: The key has exceeded its limit for this minute.
        """
        principal = scope.get("auth")
        if isinstance(principal, Principal):
            services: Services = scope["litestar_app"].state.services
            allowance = await services.tenancy.request_limits.admit(principal)
            if allowance is not None:
                send = self._with_headers(send, allowance)
        await self.app(scope, receive, send)

    def _with_headers(self, send: Send, allowance: Allowance) -> Send:
        headers = {
            self.config.rate_limit_policy_header_key: f"{allowance.limit}; w={WINDOW_SECONDS}",
            self.config.rate_limit_limit_header_key: str(allowance.limit),
            self.config.rate_limit_remaining_header_key: str(allowance.remaining),
            self.config.rate_limit_reset_header_key: str(allowance.reset_seconds),
        }

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                fields: Any = MutableScopeHeaders.from_message(message)
                for name, value in headers.items():
                    fields[name] = value
            await send(message)

        return send_with_headers


JSON: Final = "application/json"
"""The older media type: clients that accept nothing else expect 200 even for an invalid query."""
GRAPHQL_RESPONSE: Final = "application/graphql-response+json"
"""The media type with meaningful statuses, whose responses omit ``data`` if nothing was executed."""


def media_type_for(request: Request[Any, Any, Any]) -> str:
    """Return the media type that a caller prefers; JSON if it names neither."""
    return request.accept.best_match([JSON, GRAPHQL_RESPONSE], default=JSON)
