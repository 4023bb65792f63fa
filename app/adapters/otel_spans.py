"""Spans of OpenTelemetry (the extra ``otel``)."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, get_current_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

_PROPAGATOR = TraceContextTextMapPropagator()
_SERVER_ERROR = 500


class OpenTelemetrySpans:
    """Implements ``app.observability.tracing.Spans``; lives as long as the process."""

    def __init__(self, provider: TracerProvider) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("recollect")

    @classmethod
    def to_collector(cls, service_name: str) -> "OpenTelemetrySpans":
        """Return an adapter that sends spans to the collector of the standard variables, in its own thread."""
        provider = TracerProvider(resource=Resource.create({"service.name": service_name}))
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        return cls(provider)

    def close(self) -> None:
        """Send the remaining spans, which may take some seconds."""
        self._provider.shutdown()

    @contextmanager
    def request(self, method: str, headers: Sequence[tuple[bytes, bytes]]) -> Iterator["_RequestSpan"]:
        """Trace a request."""
        carrier = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers}
        with self._tracer.start_as_current_span(
            method,
            context=_PROPAGATOR.extract(carrier),
            kind=SpanKind.SERVER,
            attributes={"http.request.method": method},
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            yield _RequestSpan(method, span)

    def use_case(self, name: str) -> AbstractContextManager[None]:
        """Trace a use case."""
        return self._within(name, SpanKind.INTERNAL, {})

    @contextmanager
    def statement(self, name: str) -> Iterator[None]:
        """Trace a statement, but only inside another span."""
        if not get_current_span().is_recording():
            yield
            return
        attributes = {"db.system.name": "neo4j", "db.query.summary": name}
        with self._within(name, SpanKind.CLIENT, attributes):
            yield

    @contextmanager
    def _within(self, name: str, kind: SpanKind, attributes: dict[str, str]) -> Iterator[None]:
        with self._tracer.start_as_current_span(
            name, kind=kind, attributes=attributes, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                yield
            except BaseException as error:
                # Only the type, because the message may quote users' texts.
                span.set_attribute("error.type", type(error).__qualname__)
                span.set_status(Status(StatusCode.ERROR))
                raise


class _RequestSpan:
    """Implements ``app.observability.tracing.RequestSpan``."""

    def __init__(self, method: str, span: Span) -> None:
        self._method = method
        self._span = span

    def answered(self, route: str | None, status: int | None) -> None:
        """Name the span by its route."""
        if route is not None:
            self._span.update_name(f"{self._method} {route}")
            self._span.set_attribute("http.route", route)
        if status is not None:
            self._span.set_attribute("http.response.status_code", status)
        if status is None or status >= _SERVER_ERROR:
            self._span.set_status(Status(StatusCode.ERROR))
