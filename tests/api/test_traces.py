"""Traces: a request, its service calls and their statements are nested spans without users' texts."""

import httpx
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from app.adapters.otel_spans import OpenTelemetrySpans
from app.bootstrap.runtime import open_runtime
from app.main import create_app
from app.settings import TracingSettings
from tests.fixtures.app import ADMIN_KEY, GraphQLClient
from tests.fixtures.embedders import HashingEmbedder

MARK = "quokkamarmalade"
RECALL = "query($text: String!, $ws: ID) { recall(input: {query: $text}, workspaceId: $ws) { totalTokens } }"
CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
async def traced(settings):
    """Yield a client of a traced application, and the exporter of its spans."""
    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    spans = OpenTelemetrySpans(provider)
    async with open_runtime(settings, embedder=HashingEmbedder(), spans=spans) as runtime:
        transport = httpx.ASGITransport(create_app(runtime.services, watch=runtime.watch))
        async with httpx.AsyncClient(transport=transport, base_url="http://recollect.test") as http:
            yield GraphQLClient(http, ADMIN_KEY), kept


async def test_a_recall_is_a_request_a_use_case_and_its_statements(traced, workspace_id) -> None:
    """Nested in this order, also if statements run in their own tasks."""
    client, kept = traced
    kept.clear()

    await client.ok(RECALL, text=MARK, ws=workspace_id)

    spans = {span.context.span_id: span for span in kept.get_finished_spans()}
    (request,) = [span for span in spans.values() if span.name == "POST /graphql"]
    (use,) = [span for span in spans.values() if span.name == "retrieval.recall.recall" and span.parent]
    statements = [
        span.name for span in spans.values() if span.parent and span.parent.span_id == use.context.span_id
    ]
    assert request.parent is None
    assert use.parent.span_id == request.context.span_id
    assert "find_workspace" in statements
    assert request.attributes["http.response.status_code"] == 200
    told = "".join(span.to_json() for span in spans.values())
    assert MARK not in told
    assert workspace_id not in told


async def test_a_request_is_part_of_its_callers_trace(traced) -> None:
    client, kept = traced
    await client.http.get("/health", headers={"traceparent": CALLER})

    (request,) = [span for span in kept.get_finished_spans() if span.name == "GET /health"]
    assert f"{request.context.trace_id:032x}" == CALLER.split("-")[1]
    assert f"{request.parent.span_id:016x}" == CALLER.split("-")[2]


async def test_a_failed_use_case_is_traced_by_its_error_type(traced, workspace_id) -> None:
    client, kept = traced
    await client.post("query($id: ID!, $ws: ID) { memory(id: $id, workspaceId: $ws) { id } }", id="", ws=MARK)

    failed = [span for span in kept.get_finished_spans() if span.status.status_code is StatusCode.ERROR]
    assert {span.attributes["error.type"] for span in failed} == {"NotFound"}
    assert MARK not in "".join(span.to_json() for span in failed)


@pytest.mark.parametrize(
    ("named", "is_on"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318", "OTEL_SDK_DISABLED": "true"}, False),
    ],
)
def test_the_standard_variables_enable_tracing(monkeypatch, named, is_on) -> None:
    for name, value in named.items():
        monkeypatch.setenv(name, value)

    assert TracingSettings().is_on is is_on
