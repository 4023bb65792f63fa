"""The cookie that names a session."""

from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

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
