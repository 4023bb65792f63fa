"""Resolves every request to a principal before anything else runs, and answers those without one."""

from typing import Any

from litestar import MediaType, Request, Response
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.middleware import AbstractAuthenticationMiddleware, AuthenticationResult

from app.credentials import secret_in
from app.graphql import controller as graphql
from app.rest import chat_proxy
from app.rest.errors import answer_domain_error
from graph.core.errors import Unauthenticated
from graph.services import Services

_PATIENCE_SECONDS = 0.3  # of a turn of the chat proxy, for the graph to confirm a key that is known


class ApiKeyAuthentication(AbstractAuthenticationMiddleware):
    """Reads the key from ``Authorization: Bearer`` or ``X-API-Key``; routes opt out with ``exclude_from_auth``.

    GraphQL's websocket asks for the key itself, because a browser cannot send headers with one. The chat proxy goes on
    without the graph, for keys that it knows.
    """

    async def authenticate_request(
        self, connection: ASGIConnection[Any, Any, Any, Any]
    ) -> AuthenticationResult:
        """Return the principal that holds the key.

        Raises:
            Unauthenticated: There is no valid key.
            Unavailable: The graph does not answer.
        """
        if connection.scope["type"] == ScopeType.WEBSOCKET and connection.url.path == graphql.PATH:
            return AuthenticationResult(user=None, auth=None)
        services: Services = connection.app.state.services
        secret = secret_in(connection.headers)
        if connection.url.path in chat_proxy.PATHS:
            principal = await services.access.recognise(secret, patience_seconds=_PATIENCE_SECONDS)
        else:
            principal = await services.access.authenticate(secret)
        return AuthenticationResult(user=principal.name, auth=principal)


def answer_unauthenticated(request: Request[Any, Any, Any], error: Unauthenticated) -> Response[Any]:
    """Answer 401; whoever opens ``/graphql`` in a browser gets GraphiQL with it, to type the key there.

    A browser cannot send a key when it opens an address. The page holds no data, and each query it sends is a
    request that needs the key.
    """
    refusal = answer_domain_error(request, error)
    if not _opens_graphiql(request):
        return refusal
    return Response(
        graphql.graphiql_page(),
        status_code=refusal.status_code,
        headers=refusal.headers,
        media_type=MediaType.HTML,
    )


def _opens_graphiql(request: Request[Any, Any, Any]) -> bool:
    """Tell whether a person opens the page: nothing is asked and no key was tried."""
    return (
        request.method == "GET"
        and request.url.path == graphql.PATH
        and "query" not in request.query_params
        and "text/html" in request.headers.get("accept", "")
        and secret_in(request.headers) is None
    )
