"""The web application: surfaces over the services of a runtime."""

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.middleware import DefineMiddleware
from litestar.openapi import OpenAPIConfig

from app.authentication import ApiKeyAuthentication, answer_unauthenticated
from app.graphql.controller import GraphQL
from app.rest.errors import answer_domain_error, answer_http_error, answer_unexpected_error
from app.rest.health import health
from graph.core.errors import RecollectError, Unauthenticated
from graph.services import Services

_LARGEST_BODY_BYTES = 32 * 1024 * 1024


def create_app(services: Services) -> Litestar:
    """Return the application; everything but ``GET /health`` needs a key."""
    return Litestar(
        route_handlers=[GraphQL, health],
        middleware=[DefineMiddleware(ApiKeyAuthentication, exclude_from_auth_key="exclude_from_auth")],
        exception_handlers={
            Unauthenticated: answer_unauthenticated,
            RecollectError: answer_domain_error,
            HTTPException: answer_http_error,
            Exception: answer_unexpected_error,
        },
        openapi_config=OpenAPIConfig(title="Recollect", version="1", path="/openapi"),
        request_max_body_size=_LARGEST_BODY_BYTES,
        state=State({"services": services}),
    )
