"""The web application: surfaces over the services of a runtime."""

from collections.abc import Sequence

from litestar import Litestar
from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.middleware import DefineMiddleware
from litestar.openapi import OpenAPIConfig

from app.authentication import ApiKeyAuthentication, answer_unauthenticated
from app.graphql.controller import GraphQL
from app.proxy.service import ChatProxy
from app.rest.chat_proxy import ChatProxyRoutes
from app.rest.errors import answer_domain_error, answer_http_error, answer_unexpected_error
from app.rest.health import health
from app.rest.injection import inject
from graph.core.errors import RecollectError, Unauthenticated
from graph.services import Services

_LARGEST_BODY_BYTES = 32 * 1024 * 1024


def create_app(
    services: Services, chat_proxy: ChatProxy | None = None, *, allowed_origins: Sequence[str] = ()
) -> Litestar:
    """Return the application; everything but ``GET /health`` needs a key.

    Args:
        services: What the surfaces stand for.
        chat_proxy: Answers chats; None where no upstream is configured.
        allowed_origins: Web pages whose scripts may call from a browser.
    """
    return Litestar(
        route_handlers=[GraphQL, ChatProxyRoutes, inject, health],
        middleware=[DefineMiddleware(ApiKeyAuthentication, exclude_from_auth_key="exclude_from_auth")],
        cors_config=CORSConfig(allow_origins=list(allowed_origins)) if allowed_origins else None,
        exception_handlers={
            Unauthenticated: answer_unauthenticated,
            RecollectError: answer_domain_error,
            HTTPException: answer_http_error,
            Exception: answer_unexpected_error,
        },
        openapi_config=OpenAPIConfig(title="Recollect", version="1", path="/openapi"),
        request_max_body_size=_LARGEST_BODY_BYTES,
        state=State({"services": services, "chat_proxy": chat_proxy}),
    )
