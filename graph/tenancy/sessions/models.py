"""Shapes of sessions."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from graph.core.models import Frozen
from graph.tenancy.access.models import Principal


@dataclass(frozen=True)
class SessionRules:
    """Lifetime of sessions, and limit of sign-in attempts.

    Attributes:
        idle: After how long without a request a session ends.
        longest: After how long it ends in any case.
        attempts_per_minute: Maximum number of failed attempts from one address: more than a person needs.
    """

    idle: timedelta = timedelta(hours=12)
    longest: timedelta = timedelta(days=7)
    attempts_per_minute: int = 20


class Session(Frozen):
    """A session as it is kept, under the digest of its id.

    Attributes:
        key_digest: Of the secret it was opened with: it ends with that secret, however that ends.
    """

    key_digest: str
    started_at: datetime


@dataclass(frozen=True)
class SignedIn:
    """A newly opened session; only its owner knows its id."""

    id: str
    principal: Principal
