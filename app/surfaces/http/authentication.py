"""Resolves every request to a principal before anything else runs."""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.middleware import AbstractAuthenticationMiddleware, AuthenticationResult

from app.surfaces.http.credentials import (
    CREDENTIAL,
    GRAPHQL_PATH,
    Credential,
    owners_in,
    refuse_cross_site,
    secret_in,
    session_id_of,
)
from graph.core.errors import Forbidden
from graph.tenancy.access import Access
from graph.tenancy.models import Principal, Scope
from graph.tenancy.sessions import Sessions

_KEY_OR_SESSION = (Credential.KEY_OR_SESSION, Credential.REMEMBERED_KEY_OR_SESSION, Credential.MANAGEMENT)
_REMEMBERED = (Credential.REMEMBERED_KEY, Credential.REMEMBERED_KEY_OR_SESSION)
_PATIENCE_SECONDS = 0.3  # of a turn of the chat proxy, for the graph to confirm a key that is known


class Authentication(AbstractAuthenticationMiddleware):
    """Takes from each request the credential that its route asks for.

    GraphQL's websocket asks for the key itself, because a browser cannot send headers with a websocket.
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
        required = Credential(connection.route_handler.opt.get(CREDENTIAL, Credential.KEY))
        if required is Credential.NONE or _is_graphql_socket(connection):
            return AuthenticationResult(user=None, auth=None)
        principal = await _principal(connection, required)
        owners = owners_in(connection.headers, connection.query_params)
        if any(owners.values()):
            principal = principal.speaking_for(**owners)
        return AuthenticationResult(user=principal.name, auth=principal)


async def _principal(connection: ASGIConnection[Any, Any, Any, Any], required: Credential) -> Principal:
    access: Access = connection.app.state.services.tenancy.access
    secret = secret_in(connection.headers)
    if required is Credential.SESSION:
        return await _signed_in(connection)
    if required is Credential.KEY_OR_QUERY:
        secret = secret or connection.query_params.get("api_key")
    if required in _KEY_OR_SESSION and secret is None and session_id_of(connection) is not None:
        principal = await _signed_in(connection)
    elif required in _REMEMBERED:
        return await access.recognise(secret, patience_seconds=_PATIENCE_SECONDS)
    else:
        principal = await access.authenticate(secret)
    if required is Credential.MANAGEMENT and not principal.may(Scope.ADMIN):
        raise Forbidden("this route needs an administrator's key")
    return principal


async def _signed_in(connection: ASGIConnection[Any, Any, Any, Any]) -> Principal:
    """Return the principal of the session; refuses requests that another site makes a browser send."""
    sessions: Sessions = connection.app.state.services.tenancy.sessions
    principal = await sessions.resume(session_id_of(connection))
    refuse_cross_site(connection, asks_by_address=connection.url.path == GRAPHQL_PATH)
    return principal


def _is_graphql_socket(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    return connection.scope["type"] == ScopeType.WEBSOCKET and connection.url.path == GRAPHQL_PATH
