"""The web application: surfaces over the services of a runtime."""

from collections.abc import Sequence

from litestar.config.cors import CORSConfig
from litestar.datastructures import State
from litestar.exceptions import HTTPException, ValidationException
from litestar.plugins.pydantic import PydanticPlugin
from litestar.types import ExceptionHandlersMap

from app.observability.requests import Watch, WatchedApplication
from app.surfaces.dialects import TOOLS
from app.surfaces.dialects.automem import ROUTES as AUTOMEM
from app.surfaces.dialects.omniroute import ROUTES as OMNIROUTE
from app.surfaces.dialects.oxagen import Oxagen
from app.surfaces.dialects.xerotier import ROUTES as XEROTIER
from app.surfaces.graphql.controller import GraphQL
from app.surfaces.graphql.limits import GraphQLLimits
from app.surfaces.http.answer_headers import NOTICE_HEADER, KeyRateLimit, guard_answer, name_methods
from app.surfaces.http.authentication import Authentication
from app.surfaces.http.errors import (
    answer_domain_error,
    answer_http_error,
    answer_invalid_request,
    answer_unexpected_error,
)
from app.surfaces.http.limits import BODY_SECONDS, USUAL_BODY_BYTES
from app.surfaces.http.strict_json import refuse_unreadable
from app.surfaces.mcp.endpoint import mcp_route
from app.surfaces.mcp.profiles import ToolProfile
from app.surfaces.pages.routes import ROUTES as PAGES
from app.surfaces.pages.routes import PagePackages
from app.surfaces.pages.signing_in import answer_unauthenticated, show_sign_in, sign_in, sign_out
from app.surfaces.pages.studio import ROUTES as STUDIO
from app.surfaces.pages.studio import Studio
from app.surfaces.proxy.composing import MEMORY_HEADER, NODES_HEADER
from app.surfaces.proxy.injection import inject
from app.surfaces.proxy.openai import EmbeddingRoutes
from app.surfaces.proxy.service import ChatProxy, ChatProxyRoutes
from app.surfaces.rest.archives import ArchiveRoutes
from app.surfaces.rest.conversations import ConversationRoutes
from app.surfaces.rest.health import health, ready
from app.surfaces.rest.health import metrics as metrics_route
from app.surfaces.rest.language_models import LanguageModelRoutes
from app.surfaces.rest.memories import WorkspaceMemories, read_profile
from app.surfaces.rest.openapi import ModelSchemas, openapi_config, openapi_document
from graph.core.errors import RecollectError, Unauthenticated
from graph.operations.services import Services

_EXPOSED = (
    MEMORY_HEADER,
    NODES_HEADER,
    NOTICE_HEADER,
    "etag",
    "mcp-session-id",
    "retry-after",
    "ratelimit-policy",
    "ratelimit-limit",
    "ratelimit-remaining",
    "ratelimit-reset",
)
"""Response headers that scripts of other origins may read."""
_ROUTES = (
    GraphQL,
    ChatProxyRoutes,
    EmbeddingRoutes,
    inject,
    health,
    ready,
    openapi_document,
    *PAGES,
    ConversationRoutes,
    read_profile,
    WorkspaceMemories,
    ArchiveRoutes,
    LanguageModelRoutes,
    *AUTOMEM,
    Oxagen,
    *OMNIROUTE,
    show_sign_in,
    sign_in,
    sign_out,
    *XEROTIER,
    *STUDIO,
)

_ANSWERS: ExceptionHandlersMap = {
    Unauthenticated: answer_unauthenticated,
    RecollectError: answer_domain_error,
    ValidationException: answer_invalid_request,
    HTTPException: answer_http_error,
    Exception: answer_unexpected_error,
}


def create_app(
    services: Services,
    chat_proxy: ChatProxy | None = None,
    *,
    allowed_origins: Sequence[str] = (),
    hosts: Sequence[str] | None = None,
    mcp_profile: ToolProfile = ToolProfile.AGENT,
    graphql_limits: GraphQLLimits | None = None,
    watch: Watch | None = None,
    page_packages: PagePackages | None = None,
    body_seconds: float = BODY_SECONDS,
    studio: Studio | None = None,
) -> WatchedApplication:
    """Return the application; every route needs a key, unless it names another credential.

    Args:
        services: Services of the surfaces.
        chat_proxy: Chat proxy; None without an upstream.
        allowed_origins: Web pages whose scripts may call from a browser.
        hosts: Host names that ``/mcp`` accepts; None: any.
        mcp_profile: Default profile of ``/mcp``.
        graphql_limits: Limits of one query.
        watch: Sink of request metrics; enables ``GET /metrics`` when set.
        page_packages: Packages of the pages; None: pages that need packages report that they are missing.
        body_seconds: Timeout of a request's body.
        studio: The built pages; None: those of this installation.
    """
    watch = watch or Watch()
    app = WatchedApplication(
        route_handlers=[
            *_ROUTES,
            mcp_route(services, TOOLS, allowed_origins=allowed_origins, hosts=hosts, profile=mcp_profile),
            *([metrics_route] if watch.metrics else []),
        ],
        before_request=refuse_unreadable,
        middleware=[Authentication, KeyRateLimit],
        before_send=[guard_answer, name_methods],
        cors_config=_cors(allowed_origins),
        exception_handlers=_ANSWERS,
        plugins=[ModelSchemas(prefer_alias=True), PydanticPlugin(prefer_alias=True)],
        openapi_config=openapi_config(),
        logging_config=None,  # app/observability/logging.py is what configures logging
        request_max_body_size=USUAL_BODY_BYTES,
        state=State(
            {
                "services": services,
                "chat_proxy": chat_proxy,
                "metrics": watch.metrics,
                "page_packages": page_packages,
            }
        ),
    )
    app.state.studio = studio or Studio()
    app.state.graphql_limits = graphql_limits or GraphQLLimits()
    app.watch = watch
    app.body_seconds = body_seconds
    return app


def create_operations_app(services: Services, watch: Watch) -> WatchedApplication:
    """Return the application of the operators' port: probes and metrics, without a key."""
    return WatchedApplication(
        route_handlers=[health, ready, metrics_route],
        exception_handlers={HTTPException: answer_http_error, Exception: answer_unexpected_error},
        openapi_config=None,
        logging_config=None,
        state=State({"services": services, "metrics": watch.metrics}),
    )


def _cors(allowed_origins: Sequence[str]) -> CORSConfig | None:
    """Return the CORS rules of other origins, which may also read ``_EXPOSED``; None: no access."""
    if not allowed_origins:
        return None
    return CORSConfig(allow_origins=list(allowed_origins), expose_headers=list(_EXPOSED))
