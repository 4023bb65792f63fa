"""Where a caller's key is found, in the headers of a request or in what a websocket sends first."""

from collections.abc import Mapping

_BEARER = "bearer "


def secret_in(headers: Mapping[str, str]) -> str | None:
    """Return the key of ``Authorization: Bearer`` or ``X-API-Key``; None where there is neither.

    Args:
        headers: By names in lower case.
    """
    authorization = headers.get("authorization", "")
    if authorization.lower().startswith(_BEARER):
        return authorization[len(_BEARER) :].strip()
    return headers.get("x-api-key")
