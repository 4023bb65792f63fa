"""Opens what makes spans, where operators ask for them."""

import asyncio
from contextlib import AsyncExitStack

import structlog

from app.observability.tracing import Spans
from app.settings import TracingSettings

_log = structlog.get_logger("recollect.tracing")


def open_tracing(settings: TracingSettings, stack: AsyncExitStack) -> Spans | None:
    """Return what makes spans, to be closed by the stack; None where nobody wants them."""
    if not settings.is_on:
        return None
    try:
        from app.adapters.otel_spans import OpenTelemetrySpans  # noqa: PLC0415 - only where the extra is there
    except ImportError:
        _log.warning("tracing.extra_missing", extra="otel")
        return None
    spans = OpenTelemetrySpans.to_collector(settings.otel_service_name)
    stack.push_async_callback(asyncio.to_thread, spans.close)
    return spans
