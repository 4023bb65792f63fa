"""Use cases of sessions: sign in, sign out, and authenticate a request."""

import hashlib
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from pydantic import ValidationError

from graph.core.errors import LimitExceeded, Unauthenticated
from graph.core.models import Frozen
from graph.core.ports import Clock, Counters, SessionStore
from graph.tenancy.access import Access, digest_of
from graph.tenancy.models import Principal


@dataclass(frozen=True)
class SessionRules:
    """Lifetime of sessions, and limit of sign-in attempts.

    Attributes:
        idle: Time without a request after which a session ends.
        longest: Time after which a session ends in any case.
        attempts_per_minute: Maximum number of failed attempts from one address; more than a person needs.
    """

    idle: timedelta = timedelta(hours=12)
    longest: timedelta = timedelta(days=7)
    attempts_per_minute: int = 20


class Session(Frozen):
    """A stored session, under the digest of its id.

    Attributes:
        key_digest: Digest of the secret that opened it; the session ends when this secret becomes invalid.
    """

    key_digest: str
    started_at: datetime


@dataclass(frozen=True)
class SignedIn:
    """A newly opened session; only its owner knows its id."""

    id: str
    principal: Principal


_ID_BYTES = 32
_ID = re.compile(r"[A-Za-z0-9_-]{43}")
_ATTEMPTS_WINDOW_SECONDS = 60


class Sessions:
    """The use cases of sessions; lives as long as the process.

    A session represents its key and has the same permissions. It ends when the key is revoked, expires or gets another
    secret. Without Redis there are no sessions, and every method raises ``Unavailable``.
    """

    def __init__(
        self, store: SessionStore, counters: Counters, access: Access, clock: Clock, rules: SessionRules
    ) -> None:
        self._store = store
        self._counters = counters
        self._access = access
        self._clock = clock
        self.rules = rules

    async def sign_in(self, secret: str | None, *, client: str, replaces: str | None = None) -> SignedIn:
        """Open a session with a new id.

        Args:
            secret: Secret of an API key.
            client: Address of the client; only invalid keys count against its limit.
            replaces: Id of the browser's previous session, which ends.

        Raises:
            Unauthenticated: There is no key, or it is unknown, revoked or expired.
            LimitExceeded: Too many attempts from that address failed within a minute.
            Unavailable: Redis or the graph does not answer.
        """
        await self._admit(client)
        try:
            principal = await self._access.authenticate(secret)
        except Unauthenticated:
            if secret:
                await self._access.note_failed_sign_in(client)
            raise
        except Exception:
            await self._take_back(client)  # the failure has another cause than the key
            raise
        await self._take_back(client)
        if replaces:
            await self.sign_out(replaces)
        id_ = secrets.token_urlsafe(_ID_BYTES)
        session = Session(key_digest=digest_of(secret or ""), started_at=self._clock.now())
        await self._store.set(_digest(id_), session.model_dump_json(), ttl_seconds=self._idle_seconds)
        await self._access.note_sign_in(principal)
        return SignedIn(id_, principal)

    async def resume(self, id_: str | None) -> Principal:
        """Return the principal of a session, and restart its idle time.

        Raises:
            Unauthenticated: The session does not exist or is over.
            Unavailable: Redis or the graph does not answer.
        """
        if not id_:
            raise Unauthenticated("sign in first: this path requires a session cookie and accepts no API key")
        # Look up only values in the form of a session id.
        stored_session = (
            await self._store.get(_digest(id_), renew_seconds=self._idle_seconds)
            if _ID.fullmatch(id_)
            else None
        )
        if stored_session is None:
            raise _is_over()
        try:
            session = Session.model_validate_json(stored_session)
            if session.started_at + self.rules.longest <= self._clock.now():
                raise _is_over()
            return await self._access.authenticate_digest(session.key_digest)
        except (ValidationError, Unauthenticated):
            await self._store.delete(_digest(id_))
            raise _is_over() from None

    async def sign_out(self, id_: str | None) -> None:
        """End a session, if there is one.

        Raises:
            Unavailable: Redis does not answer; the session continues.
        """
        if id_:
            await self._store.delete(_digest(id_))

    @property
    def _idle_seconds(self) -> int:
        return int(self.rules.idle.total_seconds())

    async def _admit(self, client: str) -> None:
        """Count an attempt in advance, so that concurrent attempts count as well."""
        allowed = self.rules.attempts_per_minute
        counted = await self._counters.count(_attempts_of(client), window_seconds=_ATTEMPTS_WINDOW_SECONDS)
        if counted.count > allowed:
            raise LimitExceeded(
                "too many failed sign-ins; wait a minute", retry_after_seconds=counted.seconds_left
            )

    async def _take_back(self, client: str) -> None:
        """Take back the count of an attempt that did not fail because of its key."""
        await self._counters.uncount(_attempts_of(client), window_seconds=_ATTEMPTS_WINDOW_SECONDS)


def _attempts_of(client: str) -> str:
    return f"sign-in:{client}"


def _digest(id_: str) -> str:
    # The store has only digests, so a reader of the store cannot use a session.
    return hashlib.sha256(id_.encode()).hexdigest()


def _is_over() -> Unauthenticated:
    return Unauthenticated("this session is over: sign in again")
