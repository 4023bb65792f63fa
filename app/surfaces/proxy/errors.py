"""Errors in OpenAI's form: ``{"error": {"message", "type", "param", "code"}}``."""

from collections.abc import Mapping
from typing import Any

_TYPES: Mapping[int, str] = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "invalid_request_error",
    429: "rate_limit_error",
}
_SERVERS_FAULT = "server_error"
_CALLERS_FAULT = "invalid_request_error"
_FIRST_SERVERS_STATUS = 500


class ProxyError(Exception):
    """Raised when the proxy itself has to refuse or to give up.

    Attributes:
        status: Of the answer.
        code: Error code for programs.
    """

    def __init__(self, status: int, message: str, *, code: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.code = code

    def body(self) -> dict[str, Any]:
        """Return the whole answer."""
        return {"error": error_object(self.status, self.message, code=self.code)}


def error_object(status: int, message: str, *, code: str | None, param: str | None = None) -> dict[str, Any]:
    """Return the value of ``error``."""
    default = _SERVERS_FAULT if status >= _FIRST_SERVERS_STATUS else _CALLERS_FAULT
    return {"message": message, "type": _TYPES.get(status, default), "param": param, "code": code}
