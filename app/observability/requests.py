"""Observes each request: its id in log lines, its measurements, its span."""

import re
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import structlog
from litestar import Litestar
from litestar.handlers import BaseRouteHandler
from litestar.routes import HTTPRoute
from litestar.types import Message

from app.observability.action_notes import is_left_out, outcome_of, place_of, session_of, target_of
from app.observability.metrics import Metrics
from app.observability.tracing import Spans
from app.surfaces.http.answer_headers import as_get
from app.surfaces.http.errors import CODE_OF_STATUS
from app.surfaces.http.limits import BODY_SECONDS, SLOW_BODY, within
from graph.core.current_call import CurrentCall, answering
from graph.operations.services import Services
from graph.tenancy.models import Principal

REQUEST_ID: Final = "X-Request-Id"
_HEADER = REQUEST_ID.lower().encode()
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._:-]{1,64}")
_WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_WRITTEN_BY = frozenset({"automem", "omniroute", "oxagen", "xerotier", "rest"})
_READS = frozenset({"embeddings", "inject", "preview", "search"})  # reads with a request body
_REFUSED = 400
_NO_ANSWER = "none"  # the caller disconnected first

_SURFACES: Mapping[str, str] = {
    "app.surfaces.graphql": "graphql",
    "app.surfaces.mcp": "mcp",
    "app.surfaces.dialects.automem": "automem",
    "app.surfaces.dialects.omniroute": "omniroute",
    "app.surfaces.dialects.oxagen": "oxagen",
    "app.surfaces.dialects.xerotier": "xerotier",
    "app.surfaces.pages.signing_in": "xerotier",
    "app.surfaces.pages.studio": "studio",
    "app.surfaces.pages": "rest",
    "app.surfaces.proxy.service": "chat_proxy",
    "app.surfaces.proxy": "rest",
    "app.surfaces.rest.health": "operations",
    "app.surfaces.rest": "rest",
}
"""Surfaces, and operators' requests, by the modules of their routes."""


@dataclass(frozen=True)
class Watch:
    """Observers of a process.

    Attributes:
        metrics: Receiver of request metrics; None: off.
        spans: Source of spans; None: off.
    """

    metrics: Metrics | None = None
    spans: Spans | None = None


class WatchedApplication(Litestar):
    """The web application; gives every request an id and observes its outcome."""

    watch: Watch = Watch()
    body_seconds: float = BODY_SECONDS

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle one request with an id, measurements and a span."""
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        method = scope["method"]
        if method == "HEAD":  # routes of GET also answer HEAD (RFC 9110)
            scope, receive, send = as_get(scope, receive, send)
        request_id = _request_id(scope)
        start = time.perf_counter()
        status: int | None = None

        async def send_marked(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = list(message.get("headers", ()))
                if all(name.lower() != _HEADER for name, _ in headers):  # an upstream's response has its own
                    headers.append((_HEADER, request_id.encode()))
                message["headers"] = headers
            await send(message)

        spans, metrics = self.watch.spans, self.watch.metrics
        traced = spans.request(method, scope["headers"]) if spans else nullcontext()
        with (
            structlog.contextvars.bound_contextvars(request_id=request_id),
            traced as span,
            answering() as call,
        ):
            try:
                timely = within(receive, self.body_seconds, comes_on=lambda: _may_be_slow(scope))
                await super().__call__(scope, timely, send_marked)
            finally:
                if span is not None:
                    span.answered(_route(scope), status)
                if status is not None:
                    self._note(scope, call, status, time.perf_counter() - start)
                if metrics is not None:
                    label = _NO_ANSWER if status is None else str(status)
                    metrics.request(surface_of(scope), label, time.perf_counter() - start)

    def _note(self, scope: Mapping[str, Any], call: CurrentCall, status: int, seconds: float) -> None:
        """Record a write over REST as telemetry."""
        surface, principal, handler = surface_of(scope), scope.get("auth"), scope.get("route_handler")
        if (
            scope["method"] not in _WRITES
            or surface not in _WRITTEN_BY
            or not isinstance(principal, Principal)
        ):
            return
        name = handler.fn.__name__ if handler is not None else ""
        workspace_id = place_of(call, principal, scope.get("path_params", {}).get("workspace_id"))
        if workspace_id is None or name in _READS or is_left_out(name):
            return
        headers = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        services: Services = self.state.services
        error_code = None if status < _REFUSED else CODE_OF_STATUS.get(status, "INTERNAL")
        services.telemetry.notes.note(
            workspace_id,
            session_id=session_of(surface, headers, principal),
            action_type=f"{surface}.{name}",
            node_type=target_of(name),
            outcome=outcome_of(name, call, error_code),
            error_code=error_code,
            seconds=seconds,
            touched=call.touched,
        )


def _may_be_slow(scope: Mapping[str, Any]) -> bool:
    handler = scope.get("route_handler")
    return handler is not None and bool(handler.opt.get(SLOW_BODY))


def surface_of(scope: Mapping[str, Any]) -> str:
    """Return the surface of a request, by the module of its handler; ``none`` without a route.

    A browser's preflight request, which the framework answers, counts for the surface of its address.
    """
    handler = scope.get("route_handler")
    if handler is None:
        return "none"
    surfaces = map(_surface, chain((handler,), _beside(handler, scope)))
    return next(filter(None, surfaces), "framework")


def _surface(handler: BaseRouteHandler) -> str | None:
    controller = getattr(handler.fn, "__self__", None)  # its methods may be a library's
    module: str = handler.fn.__module__ if controller is None else type(controller).__module__
    for beginning, surface in _SURFACES.items():
        if module == beginning or module.startswith(beginning + "."):
            return surface
    return None


def _beside(handler: BaseRouteHandler, scope: Mapping[str, Any]) -> Iterator[BaseRouteHandler]:
    """Yield the other handlers of the same address."""
    app: Litestar = scope["litestar_app"]
    for route in app.routes:
        if isinstance(route, HTTPRoute) and handler in route.route_handlers:
            yield from (other for other in route.route_handlers if other is not handler)


def _route(scope: Mapping[str, Any]) -> str | None:
    template: str | None = scope.get("path_template")
    return template if scope.get("route_handler") is not None else None


def _request_id(scope: Mapping[str, Any]) -> str:
    """Return the request id from the caller or a proxy, else a new one."""
    for name, value in scope["headers"]:
        if name.lower() == _HEADER and _REQUEST_ID.fullmatch(value):
            request_id: str = value.decode()
            return request_id
    return uuid.uuid4().hex
