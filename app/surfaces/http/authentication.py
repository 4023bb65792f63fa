"""Resolves every request to a principal before anything else runs, and answers those without one."""

from typing import Any

from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.middleware import AbstractAuthenticationMiddleware, AuthenticationResult

from app.surfaces.graphql import controller as graphql
from app.surfaces.http.credentials import CREDENTIAL, Credential, owners_in, secret_in
from app.surfaces.http.cross_site import refuse_cross_site
from app.surfaces.http.session_cookie import COOKIE, session_id_of
from app.surfaces.pages.graphiql import graphiql_page
from app.surfaces.rest.errors import answer_domain_error
from app.surfaces.rest.signing_in import PATH, local_path, sign_in_page
from graph.core.errors import Forbidden, Unauthenticated
from graph.tenancy.access import Access
from graph.tenancy.models import Principal, Scope
from graph.tenancy.sessions import Sessions

_KEY_OR_SESSION = (Credential.KEY_OR_SESSION, Credential.REMEMBERED_KEY_OR_SESSION, Credential.MANAGEMENT)
_REMEMBERED = (Credential.REMEMBERED_KEY, Credential.REMEMBERED_KEY_OR_SESSION)
_PATIENCE_SECONDS = 0.3  # of a turn of the chat proxy, for the graph to confirm a key that is known


class Authentication(AbstractAuthenticationMiddleware):
    """Takes from each request the credential that its route asks for.

    GraphQL's websocket asks for the key itself, because a browser cannot send headers with one.
    """

    async def authenticate_request(
        self, connection: ASGIConnection[Any, Any, Any, Any]
    ) -> AuthenticationResult:
        """Return the principal of the credential; anonymous if the route requires none.

        Raises:
            Unauthenticated: There is no valid credential.
            Forbidden: The route requires an administrator; or a page of another site sends a session; or the key is
                bound to another user or agent than the request names.
            InvalidInput: The user or agent in the request is blank or too long.
            Unavailable: The graph, or Redis for a session, does not answer.
        """
        asked = Credential(connection.route_handler.opt.get(CREDENTIAL, Credential.KEY))
        if asked is Credential.NONE or _is_graphql_socket(connection):
            return AuthenticationResult(user=None, auth=None)
        principal = await _principal(connection, asked)
        owners = owners_in(connection.headers, connection.query_params)
        if any(owners.values()):
            principal = principal.speaking_for(**owners)
        return AuthenticationResult(user=principal.name, auth=principal)


async def _principal(connection: ASGIConnection[Any, Any, Any, Any], asked: Credential) -> Principal:
    access: Access = connection.app.state.services.tenancy.access
    secret = secret_in(connection.headers)
    if asked is Credential.SESSION:
        return await _signed_in(connection)
    if asked is Credential.KEY_OR_QUERY:
        secret = secret or connection.query_params.get("api_key")
    if asked in _KEY_OR_SESSION and secret is None and session_id_of(connection) is not None:
        principal = await _signed_in(connection)
    elif asked in _REMEMBERED:
        return await access.recognise(secret, patience_seconds=_PATIENCE_SECONDS)
    else:
        principal = await access.authenticate(secret)
    if asked is Credential.MANAGEMENT and not principal.may(Scope.ADMIN):
        raise Forbidden("this route needs an administrator's key")
    return principal


async def _signed_in(connection: ASGIConnection[Any, Any, Any, Any]) -> Principal:
    """Return the principal of the session; refuses requests that another site makes a browser send."""
    sessions: Sessions = connection.app.state.services.tenancy.sessions
    principal = await sessions.resume(session_id_of(connection))
    refuse_cross_site(connection, asks_by_address=connection.url.path == graphql.PATH)
    return principal


def _is_graphql_socket(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    return connection.scope["type"] == ScopeType.WEBSOCKET and connection.url.path == graphql.PATH


def answer_unauthenticated(request: Request[Any, Any, Any], error: Unauthenticated) -> Response[Any]:
    """Answer 401, with the page to sign in on where a session is needed.

    A browser at ``/graphql`` without a key gets GraphiQL, in which people enter the key.

    A browser cannot send a key when it opens an address. The page holds no data, and each query it sends is a
    request that needs the key.
    """
    if request.route_handler.opt.get(CREDENTIAL) is Credential.SESSION:
        return _page_to_sign_in_on(request)
    refusal = answer_domain_error(request, error)
    if not _opens_graphiql(request):
        return refusal
    page = graphiql_page()
    page.status_code = refusal.status_code
    page.headers |= refusal.headers
    return page


def _page_to_sign_in_on(request: Request[Any, Any, Any]) -> Response[Any]:
    address = f"{request.url.path}?{request.url.query}" if request.url.query else request.url.path
    return sign_in_page(
        status_code=401,
        complaint="This session is over. Sign in again." if session_id_of(request) else None,
        next_path=local_path(address) if request.method == "GET" else "",
        is_elsewhere=True,
        headers={
            "WWW-Authenticate": f'Cookie realm="recollect", form-action="{PATH}", cookie-name="{COOKIE}"'
        },
    )


def _opens_graphiql(request: Request[Any, Any, Any]) -> bool:
    """Tell whether a person opens the page, without a query and without a key."""
    return (
        request.method == "GET"
        and request.url.path == graphql.PATH
        and "query" not in request.query_params
        and "text/html" in request.headers.get("accept", "")
        and secret_in(request.headers) is None
    )
