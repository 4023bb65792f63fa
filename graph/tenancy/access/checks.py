"""Validation of a new key's properties."""

from collections.abc import Sequence
from datetime import datetime

from graph.core.errors import InvalidInput
from graph.core.time import in_utc
from graph.tenancy.access.models import Scope

_SHORTEST_CHOSEN_KEY = 16
_HIGHEST_LIMIT = 1_000_000


def check_scopes(scopes: Sequence[Scope], *, is_bound: bool) -> None:
    """Check that a key allows something, and that one that is bound to a user or an agent administers nothing.

    Raises:
        InvalidInput: It does not.
    """
    if not scopes:
        raise InvalidInput("scopes", "scopes must name at least one of read, write, admin")
    if is_bound and Scope.ADMIN in scopes:
        raise InvalidInput("scopes", "scopes of a key that is bound to a user or an agent cannot hold admin")


def check_expiry(expires_at: datetime | None, now: datetime) -> None:
    """Check that a key ends in the future, if it ends.

    Raises:
        InvalidInput: It would have ended.
    """
    if expires_at is not None and (in_utc("expiresAt", expires_at) or now) <= now:
        raise InvalidInput("expiresAt", "expiresAt must lie in the future")


def check_secret(secret: str | None) -> None:
    """Check that a secret that somebody chose is long enough.

    Raises:
        InvalidInput: It is too short.
    """
    if secret is not None and len(secret) < _SHORTEST_CHOSEN_KEY:
        raise InvalidInput("secret", f"a chosen key must have at least {_SHORTEST_CHOSEN_KEY} characters")


def checked_limit(requests_per_minute: int | None) -> int | None:
    """Return a key's own limit of requests, 0 for none, or None for the deployment's.

    Raises:
        InvalidInput: It is negative or too large.
    """
    if requests_per_minute is not None and not 0 <= requests_per_minute <= _HIGHEST_LIMIT:
        allowed = f"requestsPerMinute must be between 0 and {_HIGHEST_LIMIT}"
        raise InvalidInput("requestsPerMinute", f"{allowed}, got {requests_per_minute}")
    return requests_per_minute
