"""``GET /health`` and ``GET /ready``, which need no key: probes have none, and learn nothing of anybody."""

from datetime import datetime
from typing import Self

from litestar import Response, get
from litestar.datastructures import State
from litestar.openapi import ResponseSpec
from pydantic import BaseModel, ConfigDict, Field

from app.surfaces.http.credentials import CREDENTIAL, Credential
from app.surfaces.http.shapes import shown_by
from graph.operations.status import Health, Stage


class EmbedderHealth(BaseModel):
    """Readiness of the embedder, with the reason and the time of a failure."""

    model_config = ConfigDict(frozen=True)

    ready: bool
    reason: str | None
    since: datetime | None = Field(None, exclude_if=lambda value: value is None)


class HealthAnswer(BaseModel):
    """State of the servers.

    Attributes:
        status: ``healthy``, ``degraded`` where something is missing that is done without, or ``unavailable``.
        qdrant: Null where the external tier is off.
        memory_count: Memories of all workspaces, up to five seconds old; null where the graph does not answer.
        queues: Waiting jobs by kind.
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
        failed: The stage of the round trip that did not succeed.
        missing: Servers that do not answer; where ``ready`` is true they are done without.
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
            ReadinessAnswer, description="It is not ready, and says at which stage.", generate_examples=False
        )
    },
)
async def ready(state: State) -> Response[ReadinessAnswer]:
    """Answer 200 after a round trip through the engine, 503 otherwise; asked often, one trip serves five seconds."""
    found = await state.services.operations.readiness.check()
    body = ReadinessAnswer(ready=found.is_ready, failed=found.failed, missing=list(found.missing))
    if found.is_ready:
        return Response(body)
    return Response(body, status_code=503, headers={"Retry-After": "5"})


@get("/metrics", opt={CREDENTIAL: Credential.MANAGEMENT}, include_in_schema=False)
async def metrics(state: State) -> Response[bytes]:
    """Answer with the measurements of this process in Prometheus' text format; no label names anybody's data."""
    # As a header, since Litestar would add a second charset to the media type.
    return Response(await state.metrics.text(), headers={"content-type": state.metrics.media_type})
