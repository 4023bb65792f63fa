"""The requests that are being answered in this process, so that the client of one can end it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from anyio import CancelScope
from mcp import types


class RequestKey(NamedTuple):
    """Identifies a request among those of all clients.

    Attributes:
        key_id: Key of the caller.
        session_id: That of the client, which ``initialize`` gave it: several clients may have one key.
        id: Client's id of the request.
    """

    key_id: str
    session_id: str
    id: types.RequestId


class Running:
    """Cancellable calls; lives as long as the process."""

    def __init__(self) -> None:
        self._scopes: dict[RequestKey, CancelScope] = {}

    @contextmanager
    def cancellable(self, key: RequestKey | None) -> Iterator[CancelScope]:
        """Make the enclosed call cancellable, unless no session identifies its owner."""
        with CancelScope() as scope:
            if key is not None:
                self._scopes[key] = scope
            try:
                yield scope
            finally:
                if key is not None and self._scopes.get(key) is scope:
                    del self._scopes[key]

    def cancel(self, key: RequestKey) -> None:
        """End a request, if it is being answered here."""
        scope = self._scopes.get(key)
        if scope is not None:
            scope.cancel()
