"""Credentials that a route requires, and the places of a key: headers, or a websocket's first message."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from graph.core.text.checks import short_text

Owners = dict[str, str | None]

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
