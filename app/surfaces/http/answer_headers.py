"""Headers that keep other pages from using an answer, the methods of an address, and answers to HEAD."""

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
"""Says what a dialect's body has no member for: what a change entails, why a list is short, or that a query was cut."""
_ALWAYS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # `no-referrer` would take `Origin` from this service's own forms as well
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",  # most answers hold somebody's memories
}
_FOR_DATA: Final = "default-src 'none'; frame-ancestors 'none'"
_FOR_PAGES: Final = "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
"""Of a page that has no policy of its own."""
_HTTPS_ONLY: Final = "max-age=31536000"


async def name_methods(message: Message, scope: Scope) -> None:
    """Name every method of an address in the answer to OPTIONS; the framework's own names those of one handler.

    Other answers stay as they are.
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
    """Return the value of ``Allow`` for the methods of a route; each that has GET also answers HEAD.

    The framework names a websocket as if that were a method, which is skipped.
    """
    found = {method for method in methods if method.isupper()}
    return ", ".join(sorted(found | {HttpMethod.HEAD} if HttpMethod.GET in found else found))


def as_get(scope: Any, receive: Receive, send: Send) -> tuple[Any, Receive, Send]:
    """Return a HEAD request as the GET request whose headers it asks for.

    The answer ends with its headers, also that of a stream. The body of the request has no meaning and is not read.
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
    """Litestar's middleware, with a limit for each key and counts that Redis adds up.

    Litestar's own keeps the times of all requests of a minute in one value, which it reads and writes back under a lock
    of the process: a limit of thousands would make every request wait for that, and processes would overwrite each
    other's counts.
    """

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app, RateLimitConfig(rate_limit=("minute", 1)))  # each key has its own number

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or refuse it.

        Raises:
            LimitExceeded: Its key has had all of its minute.
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
"""The one whose statuses tell what became of a request, and which leaves out ``data`` where nothing was executed."""


def media_type_for(request: Request[Any, Any, Any]) -> str:
    """Return which of the two a caller would rather have: JSON, where it says nothing of them."""
    return request.accept.best_match([JSON, GRAPHQL_RESPONSE], default=JSON)
