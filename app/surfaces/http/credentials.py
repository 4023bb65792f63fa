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
"""Route option with the :class:`Credential` of a route; default: ``KEY``."""
_BEARER = "bearer "

USER_HEADER: Final = "x-recollect-user-id"
OWNER_HEADERS: Final[Mapping[str, str]] = {"user_id": USER_HEADER, "agent_id": "x-recollect-agent-id"}
"""Headers with the user and the agent that a request acts for, by the equivalent query parameters."""


class Credential(StrEnum):
    """Kind of credential that identifies the caller of a route."""

    KEY = "key"
    """An API key, by ``Authorization: Bearer`` or ``X-API-Key``."""
    KEY_OR_QUERY = "key_or_query"
    """An API key, in a header or as ``?api_key=``."""
    KEY_OR_SESSION = "key_or_session"
    """An API key, or the session of a signed-in person."""
    REMEMBERED_KEY = "remembered_key"
    """An API key; while the graph is unavailable, a recently valid one."""
    REMEMBERED_KEY_OR_SESSION = "remembered_key_or_session"
    """A key as in ``REMEMBERED_KEY``, or the session of a signed-in person."""
    MANAGEMENT = "management"
    """An administrator's API key, or the session of somebody who signed in with one."""
    SESSION = "session"
    """The cookie of a session only; a caller without one gets the sign-in page."""
    NONE = "none"
    """Any caller."""


def secret_in(headers: Mapping[str, str]) -> str | None:
    """Return the key of ``Authorization: Bearer`` or ``X-API-Key``; None without either header.

    Args:
        headers: Headers, with names in lower case.
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
    """Return the session id in a request's cookie."""
    return connection.cookies.get(COOKIE)


def session_cookie(
    connection: ASGIConnection[Any, Any, Any, Any], id_: str, *, max_age_seconds: int
) -> Cookie:
    """Return the session cookie, hidden from scripts and from other sites' forms, and restricted to https if used.

    Args:
        connection: Request to answer.
        id_: Id of the session.
        max_age_seconds: Lifetime of the cookie; 0: the browser deletes it.
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
    """Refuse a request that changes data and comes from a page of another site.

    Browsers send the origin of a request: in ``Sec-Fetch-Site`` over https and on this machine, else in ``Origin``.
    Pages cannot omit or change these headers. Programs other than browsers may send neither, and never add a cookie on
    their own. So no token is needed, and `curl` works with the cookie alone.

    Args:
        connection: Request or websocket handshake.
        asks_by_address: Whether parameters of the address cause work; another site's page may then only link to the
            address without parameters.

    Raises:
        Forbidden: A page of another site sent the request.
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
        raise Forbidden(
            "this request comes from a page of another site; session cookies work only on this service's own pages"
        )
