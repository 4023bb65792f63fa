"""The surface by which a request is measured: one for each route."""

import httpx
import pytest
from litestar.routes import HTTPRoute

from app.main import create_app
from app.observability.requests import surface_of
from tests.api.test_metrics import measured, samples

SURFACES = {
    "/chat/api/": "xerotier",
    "/sign-in": "xerotier",
    "/sign-out": "xerotier",
    "/api/memory": "omniroute",
    "/api/settings": "omniroute",
    "/graphql": "graphql",
    "/mcp": "mcp",
    "/memory": "automem",
    "/recall": "automem",
    "/associate": "automem",
    "/v1/chat/": "chat_proxy",
    "/v1/responses": "chat_proxy",
    "/v1/inject": "rest",
    "/v1/models": "rest",
    "/v1/profile": "rest",
    "/v1/embeddings": "rest",
    "/studio": "studio",
    "/dashboard/": "studio",
    "/openapi.json": "rest",
    "/docs": "rest",
    "/pages/": "rest",
    "/health": "operations",
    "/ready": "operations",
    "/metrics": "operations",
}
OF_OXAGEN = ("/memory/enable", "/memory/disable", "/settings")


def expected(path: str) -> str:
    """Return the surface of a path; two surfaces share the paths of workspaces and conversations."""
    if path == "/":
        return "studio"
    if path.startswith("/v1/workspaces/"):
        return "oxagen" if path.endswith(OF_OXAGEN) else "rest"
    if path.startswith("/v1/conversations/"):
        return "oxagen" if path.endswith(("{conversation_id:str}", "{episode_id:str}")) else "rest"
    (surface,) = {surface for beginning, surface in SURFACES.items() if path.startswith(beginning)}
    return surface


def test_every_route_has_its_surface(services, runtime) -> None:
    """M15: none counts as the framework's; preflights and sockets have their surface too."""
    app = create_app(services, watch=runtime.watch, allowed_origins=["http://page.test"])
    found: dict[str, set[str]] = {}
    for route in app.routes:
        handlers = route.route_handlers if isinstance(route, HTTPRoute) else [route.route_handler]
        surfaces = {surface_of({"route_handler": handler, "litestar_app": app}) for handler in handlers}
        found.setdefault(route.path, set()).update(surfaces)

    assert found == {path: {expected(path)} for path in found}


@pytest.mark.parametrize(
    ("method", "path", "surface"),
    [
        ("POST", "/mcp", "mcp"),
        ("GET", "/sign-in", "xerotier"),
        ("GET", "/chat/api/c/memories", "xerotier"),
        ("GET", "/openapi.json", "rest"),
        ("OPTIONS", "/memory/by-tag", "automem"),
        ("OPTIONS", "/v1/inject", "rest"),
        ("DELETE", "/v1/conversations/c", "oxagen"),
        ("GET", "/nothing", "none"),
    ],
)
async def test_a_request_is_counted_for_its_surface(http: httpx.AsyncClient, method, path, surface) -> None:
    """Also a refused request."""

    async def counted() -> float:
        counts = samples(await measured(http))
        return sum(
            count.value
            for count in counts
            if count.name == "recollect_requests_total" and count.labels["surface"] == surface
        )

    before = await counted()
    await http.request(method, path)

    assert await counted() == before + 1
