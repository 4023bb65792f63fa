"""Refuses requests with a cookie that another site makes a browser send."""

from typing import Any, Final
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection

from graph.core.errors import Forbidden

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
