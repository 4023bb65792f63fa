"""``GET /health`` and ``GET /ready``, which need no key and show no user's data, and ``GET /metrics``."""

from datetime import datetime
from typing import Self

from litestar import Response, get
from litestar.datastructures import State
from litestar.openapi import ResponseSpec
from pydantic import BaseModel, ConfigDict, Field

from app.surfaces.http.credentials import CREDENTIAL, Credential
from app.surfaces.http.shapes import shown_by
from graph.operations.round_trip import Stage
from graph.operations.status import Health


class EmbedderHealth(BaseModel):
    """Readiness of the embedder, with the reason and the time of a failure."""

    model_config = ConfigDict(frozen=True)

    ready: bool
    reason: str | None
    since: datetime | None = Field(None, exclude_if=lambda value: value is None)


class HealthAnswer(BaseModel):
    """State of the servers.

    Attributes:
        status: ``healthy``, ``degraded`` if a server is missing that is not required, or ``unavailable``.
        qdrant: Whether Qdrant answers; null if the external tier is off.
        memory_count: Number of memories of all workspaces, up to five seconds old; null if the graph does not answer.
        queues: Number of waiting jobs by kind.
    """

    model_config = ConfigDict(frozen=True, json_schema_extra=shown_by("HealthAnswer"))

    status: str
    neo4j: bool
    qdrant: bool | None
    redis: bool
    memory_count: int | None
    queues: dict[str, int]
    embedder: EmbedderHealth

    @classmethod
    def of(cls, found: Health) -> Self:
        """Return the response for a health report."""
        return cls(
            status="healthy" if found.status == "ok" else found.status,
            neo4j=found.neo4j,
            qdrant=found.qdrant,
            redis=found.redis,
            memory_count=found.memory_count,
            queues=dict(found.queues),
            embedder=EmbedderHealth(
                ready=found.embedder.ready, reason=found.embedder.reason, since=found.embedder.since
            ),
        )


@get(
    "/health",
    opt={CREDENTIAL: Credential.NONE},
    tags=["operations"],
    summary="Whether the servers answer",
    responses={
        503: ResponseSpec(HealthAnswer, description="The graph does not answer.", generate_examples=False)
    },
)
async def health(state: State) -> Response[HealthAnswer]:
    """Return 200 while the graph answers, otherwise 503; Redis and the embedder are reported but not required."""
    found = await state.services.operations.status.health()
    body = HealthAnswer.of(found)
    if found.neo4j:
        return Response(body)
    return Response(body, status_code=503, headers={"Retry-After": "5"})


class ReadinessAnswer(BaseModel):
    """Readiness for requests, and the missing servers.

    Attributes:
        failed: Failed stage of the round trip; null if it succeeded.
        missing: Servers that do not answer; none of them is required if ``ready`` is true.
    """

    model_config = ConfigDict(frozen=True, json_schema_extra=shown_by("ReadinessAnswer"))

    ready: bool
    failed: Stage | None
    missing: list[str]


@get(
    "/ready",
    opt={CREDENTIAL: Credential.NONE},
    tags=["operations"],
    summary="Whether a memory can be saved, recalled and deleted",
    responses={
        503: ResponseSpec(
            ReadinessAnswer,
            description="The service is not ready; `failed` is the stage.",
            generate_examples=False,
        )
    },
)
async def ready(state: State) -> Response[ReadinessAnswer]:
    """Return 200 after a round trip through the engine, otherwise 503; a result is reused for five seconds."""
    found = await state.services.operations.readiness.check()
    body = ReadinessAnswer(ready=found.is_ready, failed=found.failed, missing=list(found.missing))
    if found.is_ready:
        return Response(body)
    return Response(body, status_code=503, headers={"Retry-After": "5"})


@get("/metrics", opt={CREDENTIAL: Credential.MANAGEMENT}, include_in_schema=False)
async def metrics(state: State) -> Response[bytes]:
    """Return the metrics of this process in Prometheus' text format; no label contains users' data."""
    # As a header, because Litestar would add a second charset to the media type.
    return Response(await state.metrics.text(), headers={"content-type": state.metrics.media_type})
