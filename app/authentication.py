"""Resolves every request to a principal before anything else runs."""

from typing import Any

from litestar.connection import ASGIConnection
from litestar.middleware import AbstractAuthenticationMiddleware, AuthenticationResult

from graph.services import Services

_BEARER = "bearer "


class ApiKeyAuthentication(AbstractAuthenticationMiddleware):
    """Reads the key from ``Authorization: Bearer`` or ``X-API-Key``; routes opt out with ``exclude_from_auth``."""

    async def authenticate_request(
        self, connection: ASGIConnection[Any, Any, Any, Any]
    ) -> AuthenticationResult:
        """Return the principal that holds the key.

        Raises:
            Unauthenticated: There is no valid key.
            Unavailable: The graph does not answer.
        """
        services: Services = connection.app.state.services
        principal = await services.access.authenticate(_secret_of(connection))
        return AuthenticationResult(user=principal.name, auth=principal)


def _secret_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    authorization = connection.headers.get("authorization", "")
    if authorization.lower().startswith(_BEARER):
        return authorization[len(_BEARER) :].strip()
    return connection.headers.get("x-api-key")
