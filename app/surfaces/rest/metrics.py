"""``GET /metrics``: how the work of this process goes, for Prometheus."""

from litestar import Response, get
from litestar.datastructures import State

from app.surfaces.http.credentials import CREDENTIAL, Credential


@get("/metrics", opt={CREDENTIAL: Credential.MANAGEMENT}, include_in_schema=False)
async def metrics(state: State) -> Response[bytes]:
    """Answer with the measurements of this process in Prometheus' text format; no label names anybody's data."""
    # As a header, since Litestar would add a second charset to the media type.
    return Response(await state.metrics.text(), headers={"content-type": state.metrics.media_type})
