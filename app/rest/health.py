"""``GET /health``: the one route that needs no key."""

from typing import Any

from litestar import Response, get
from litestar.datastructures import State

from app.credentials import CREDENTIAL, Credential


@get("/health", opt={CREDENTIAL: Credential.NONE}, summary="Whether the servers answer")
async def health(state: State) -> Response[dict[str, Any]]:
    """Answer 200 while the graph answers, 503 otherwise; Redis and the embedder are told, not needed."""
    found = await state.services.status.health()
    body = {
        "status": found.status,
        "neo4j": found.neo4j,
        "redis": found.redis,
        "embedder": {"ready": found.embedder.ready, "reason": found.embedder.reason},
    }
    if found.neo4j:
        return Response(body)
    return Response(body, status_code=503, headers={"Retry-After": "5"})
