"""Credentials that a route requires, and the places of a key: headers, or a websocket's first message."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

from graph.core.errors import Forbidden
from graph.core.text.checks import short_text

Owners = dict[str, str | None]

GRAPHQL_PATH: Final = "/graphql"
CREDENTIAL: Final = "credential"
"""The option by which a route names its :class:`Credential`; one that names none takes ``KEY``."""
_BEARER = "bearer "

USER_HEADER: Final = "x-recollect-user-id"
OWNER_HEADERS: Final[Mapping[str, str]] = {"user_id": USER_HEADER, "agent_id": "x-recollect-agent-id"}
"""The headers that name on whose behalf a request is made, by the query parameters that do so without one."""


class Credential(StrEnum):
    """Kind of credential that identifies the caller of a route."""

    KEY = "key"
    """An API key, by ``Authorization: Bearer`` or ``X-API-Key``."""
    KEY_OR_QUERY = "key_or_query"
    """The same, or as ``?api_key=``."""
    KEY_OR_SESSION = "key_or_session"
    """An API key, or the session of a signed-in person."""
    REMEMBERED_KEY = "remembered_key"
    """An API key, taken at its word while the graph is unavailable."""
    REMEMBERED_KEY_OR_SESSION = "remembered_key_or_session"
    """The same, or the session of a signed-in person."""
    MANAGEMENT = "management"
    """An administrator's API key, or the session of somebody who signed in with one."""
    SESSION = "session"
    """The cookie of a session only; a caller without one gets the sign-in page."""
    NONE = "none"
    """Any caller."""


def secret_in(headers: Mapping[str, str]) -> str | None:
    """Return the key of ``Authorization: Bearer`` or ``X-API-Key``; None where there is neither.

    Args:
        headers: By names in lower case.
    """
    authorization = headers.get("authorization", "")
    if authorization.lower().startswith(_BEARER):
        return authorization[len(_BEARER) :].strip()
    return headers.get("x-api-key")


def owners_in(headers: Mapping[str, str], query: Mapping[str, str] = MappingProxyType({})) -> Owners:
    """Return the user and the agent that a request acts for; a header overrides the query.

    Raises:
        InvalidInput: An id is blank or too long.
    """
    return {
        name: short_text(name, headers.get(header) or query.get(name))
        for name, header in OWNER_HEADERS.items()
    }


COOKIE: Final = "session"


def session_id_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """Return the id that a request's cookie names."""
    return connection.cookies.get(COOKIE)


def session_cookie(
    connection: ASGIConnection[Any, Any, Any, Any], id_: str, *, max_age_seconds: int
) -> Cookie:
    """Return the cookie: no script reads it, no other site's form carries it, and over https it stays there.

    Args:
        connection: The request that it answers.
        id_: The session's.
        max_age_seconds: After how long the browser forgets it; 0: at once.
    """
    return Cookie(
        key=COOKIE,
        value=id_,
        max_age=max_age_seconds,
        path="/",
        secure=connection.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )


_HARMLESS_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_HARMLESS_SITES: Final = frozenset({"same-origin", "none"})


def is_of_host(origin: str, host: str | None) -> bool:
    """Tell whether an ``Origin`` is a page of this host; false for an invalid address."""
    try:
        return urlsplit(origin).netloc == host
    except ValueError:
        return False


def refuse_cross_site(
    connection: ASGIConnection[Any, Any, Any, Any], *, asks_by_address: bool = False
) -> None:
    """Let a request pass that changes nothing, comes from this service's own pages, or comes from no browser.

    Browsers say where a request comes from: in ``Sec-Fetch-Site`` over https and on this machine, else in ``Origin``.
    No page can leave these out or change them, and a program that sends neither carries no cookie unasked. So no token
    is needed, and `curl` works with the cookie alone.

    Args:
        connection: The request, or what opens a websocket.
        asks_by_address: Whether parameters of the address cause work; another site's page may then only link to the
            address without parameters.

    Raises:
        Forbidden: A page of another site sent it.
    """
    is_harmless = connection.scope.get("method") in _HARMLESS_METHODS
    if is_harmless and not (asks_by_address and connection.query_params):
        return
    site = connection.headers.get("sec-fetch-site")
    if site is not None:
        is_own = site in _HARMLESS_SITES
    else:
        origin = connection.headers.get("origin")
        is_own = origin is None or is_of_host(origin, connection.headers.get("host"))
    if not is_own:
        raise Forbidden("this request comes from a page of another site; sessions are for this service's own")
