"""The web application: surfaces over the services of a runtime."""

from litestar import Litestar
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.middleware import DefineMiddleware
from litestar.openapi import OpenAPIConfig
from strawberry.litestar import make_graphql_controller

from app.authentication import ApiKeyAuthentication
from app.graphql.context import build_context
from app.graphql.schema import schema
from app.rest.errors import answer_domain_error, answer_http_error, answer_unexpected_error
from app.rest.health import health
from graph.core.errors import RecollectError
from graph.services import Services

_LARGEST_BODY_BYTES = 32 * 1024 * 1024


def create_app(services: Services) -> Litestar:
    """Return the application; everything but ``GET /health`` needs a key."""
    graphql = make_graphql_controller(schema, path="/graphql", context_getter=build_context)
    return Litestar(
        route_handlers=[graphql, health],
        middleware=[DefineMiddleware(ApiKeyAuthentication, exclude_from_auth_key="exclude_from_auth")],
        exception_handlers={
            RecollectError: answer_domain_error,
            HTTPException: answer_http_error,
            Exception: answer_unexpected_error,
        },
        openapi_config=OpenAPIConfig(title="Recollect", version="1", path="/openapi"),
        request_max_body_size=_LARGEST_BODY_BYTES,
        state=State({"services": services}),
    )
