"""Traces: nested spans of a request, its use cases, and their statements.

Tracing is off and costs nothing unless the standard variables of OpenTelemetry name a collector and the extra ``otel``
is installed. Names come from the code; no span has a parameter, a text or the message of an error.
"""

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import fields, replace
from functools import wraps
from typing import Any, Final, Protocol

from graph.core.measuring import Measurements
from graph.operations.services import Services

_NO_USE_CASES: Final = frozenset({"database", "wake_up", "announcer", "text_work"})
_POLLS: Final = frozenset(
    {"core.jobs.run_due", "telemetry.usage.flush", "telemetry.notes.flush", "operations.settings.refresh"}
)
"""Statements of polling, which run every two seconds and mostly find nothing."""


class RequestSpan(Protocol):
    """The span of a running request."""

    def answered(self, route: str | None, status: int | None) -> None:
        """Record the declared route and the status; None if there was none."""
        ...


class Spans(Protocol):
    """Creates spans; each lasts as long as its block and is the parent of spans created inside, even in other tasks."""

    def request(
        self, method: str, headers: Sequence[tuple[bytes, bytes]]
    ) -> AbstractContextManager[RequestSpan]:
        """Trace a request, as part of the caller's trace if its headers name one."""
        ...

    def use_case(self, name: str) -> AbstractContextManager[None]:
        """Trace a use case."""
        ...

    def statement(self, name: str) -> AbstractContextManager[None]:
        """Trace a statement inside another span; create none outside of spans, for example in workers."""
        ...


class TracedMeasurements:
    """Implements ``graph.core.measuring.Measurements`` by another, and traces statements."""

    def __init__(self, inner: Measurements, spans: Spans) -> None:
        self._inner = inner
        self._spans = spans
        self.stage = inner.stage
        self.fallback = inner.fallback
        self.jobs = inner.jobs

    @contextmanager
    def _watched(self, name: str) -> Iterator[None]:
        with self._spans.statement(name), self._inner.statement(name):
            yield

    def statement(self, name: str) -> AbstractContextManager[None]:
        """Measure and trace a statement."""
        return self._watched(name)


class _TracedService:
    """A service whose use cases become spans if they are called from outside the engine."""

    def __init__(self, service: Any, name: str, spans: Spans) -> None:
        self._service = service
        self._name = name
        self._spans = spans

    def __getattr__(self, attribute: str) -> Any:
        found = getattr(self._service, attribute)
        name = f"{self._name}.{attribute}"
        if not inspect.iscoroutinefunction(found) or name in _POLLS:
            return found
        traced = _traced(found, name, self._spans)
        self.__dict__[attribute] = traced
        return traced


def _traced(use: Callable[..., Awaitable[Any]], name: str, spans: Spans) -> Callable[..., Awaitable[Any]]:
    @wraps(use)
    async def within_span(*arguments: Any, **named: Any) -> Any:
        with spans.use_case(name):
            return await use(*arguments, **named)

    return within_span


def traced_services(services: Services, spans: Spans | None) -> Services:
    """Return the services with a span around each use case; return them unchanged if tracing is off."""
    if spans is None:
        return services
    rooms = {
        room.name: replace(rooms_services, **_traced_room(room.name, rooms_services, spans))
        for room in fields(services)
        for rooms_services in [getattr(services, room.name)]
    }
    return replace(services, **rooms)


def _traced_room(name: str, room: Any, spans: Spans) -> Mapping[str, Any]:
    return {
        field.name: _TracedService(getattr(room, field.name), f"{name}.{field.name}", spans)
        for field in fields(room)
        if field.name not in _NO_USE_CASES
    }
