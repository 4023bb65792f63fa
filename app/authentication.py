"""Resolves every request to a principal before anything else runs, and answers those without one."""

from typing import Any

from litestar import MediaType, Request, Response
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.middleware import AbstractAuthenticationMiddleware, AuthenticationResult

from app.credentials import CREDENTIAL, Credential, secret_in
from app.graphql import controller as graphql
from app.rest.errors import answer_domain_error
from graph.access.models import Principal, Scope
from graph.access.service import Access
from graph.core.errors import Forbidden, Unauthenticated

_PATIENCE_SECONDS = 0.3  # of a turn of the chat proxy, for the graph to confirm a key that is known


class Authentication(AbstractAuthenticationMiddleware):
    """Takes from each request the credential that its route asks for.

    GraphQL's websocket asks for the key itself, because a browser cannot send headers with one.
    """

    async def authenticate_request(
        self, connection: ASGIConnection[Any, Any, Any, Any]
    ) -> AuthenticationResult:
        """Return the principal that the credential stands for; nobody where the route asks for none.

        Raises:
            Unauthenticated: There is no valid credential.
            Forbidden: It is not an administrator's, and has to be.
            Unavailable: The graph does not answer.
        """
        asked = Credential(connection.route_handler.opt.get(CREDENTIAL, Credential.KEY))
        if asked is Credential.NONE or _is_graphql_socket(connection):
            return AuthenticationResult(user=None, auth=None)
        principal = await _principal(connection, asked)
        return AuthenticationResult(user=principal.name, auth=principal)


async def _principal(connection: ASGIConnection[Any, Any, Any, Any], asked: Credential) -> Principal:
    access: Access = connection.app.state.services.access
    secret = secret_in(connection.headers)
    if asked is Credential.KEY_OR_QUERY:
        secret = secret or connection.query_params.get("api_key")
    if asked is Credential.REMEMBERED_KEY:
        return await access.recognise(secret, patience_seconds=_PATIENCE_SECONDS)
    principal = await access.authenticate(secret)
    if asked is Credential.MANAGEMENT and not principal.may(Scope.ADMIN):
        raise Forbidden("this route needs an administrator's key")
    return principal


def _is_graphql_socket(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    return connection.scope["type"] == ScopeType.WEBSOCKET and connection.url.path == graphql.PATH


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
