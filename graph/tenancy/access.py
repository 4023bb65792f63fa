"""Authentication and authorisation: the principal of a key, and the workspace of a request."""

import asyncio
import hashlib
import time
from dataclasses import dataclass
from datetime import datetime

import structlog
from cachetools import TTLCache
from pydantic_core import from_json

from graph.core.audit import address_in, note_act
from graph.core.current_call import ACTING_KEY, acts_in
from graph.core.database import Database
from graph.core.errors import Forbidden, InvalidInput, LimitExceeded, NotFound, Unauthenticated, Unavailable
from graph.core.lookups import Lookups
from graph.core.models import DEPLOYMENT, AuditAction
from graph.core.ports import Clock, Counters
from graph.core.scope import ReadScope, narrowed, see_only
from graph.core.text.owners import note_owner
from graph.tenancy import queries
from graph.tenancy.models import Principal, Scope
from graph.tenancy.queries import FindApiKeyRow
from graph.tenancy.settings import WorkspaceSettings
from graph.tenancy.workspaces import Workspaces

_FRESH_SECONDS = 60
_KEYS = 10_000


class KeyUse:
    """Collects uses of keys and writes them later; lives as long as the process. Unwritten uses are lost with it."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._written: TTLCache[str, bool] = TTLCache(_KEYS, _FRESH_SECONDS, timer=time.monotonic)
        self._pending: dict[str, datetime] = {}

    def note(self, key_id: str) -> None:
        """Record that a key is used; returns immediately and never fails."""
        if key_id not in self._written:
            self._written[key_id] = True
            self._pending[key_id] = self._clock.now()

    async def flush(self) -> None:
        """Write the recorded uses.

        Raises:
            Unavailable: The graph does not answer; the recorded uses are kept.
        """
        if not self._pending:
            return
        noted, self._pending = self._pending, {}
        try:
            # Sorted, so that two processes lock the keys in the same order and cannot deadlock.
            rows = [{"id": key_id, "at": at} for key_id, at in sorted(noted.items())]
            await queries.note_key_use(self._database, rows=rows, fresh_seconds=_FRESH_SECONDS)
        except Unavailable:
            self._pending = {**noted, **self._pending}
            raise


Known = tuple[Principal, datetime | None]
"""Key with its owner and its expiry."""


def principal_of(row: FindApiKeyRow) -> Principal:
    """Return the principal of a key: its user, or the key itself if its workspace has a pool for each key."""
    scopes = frozenset(Scope(scope) for scope in row.scopes)
    has_own_pool = (
        row.user_id is None
        and Scope.ADMIN not in scopes
        and WorkspaceSettings.of(
            from_json(row.settings or "{}"), workspace_id=row.workspace_id
        ).has_pool_of_each_key
    )
    return Principal(
        key_id=row.id,
        name=row.name,
        workspace_id=row.workspace_id,
        scopes=scopes,
        requests_per_minute=row.requests_per_minute,
        user_id=row.id if has_own_pool else row.user_id,
        agent_id=row.agent_id,
        has_own_pool=has_own_pool,
    )


_KNOWN_SECONDS = 5.0  # time for which a revoked key may still work in another process
_KNOWN_KEYS = 10_000
_REMEMBERED_SECONDS = 3600.0  # time for which a key is accepted while the graph does not answer


class Access:
    """Authenticates callers and checks their permissions; lives as long as the process."""

    def __init__(self, database: Database, workspaces: Workspaces, clock: Clock) -> None:
        self._database = database
        self._workspaces = workspaces
        self._clock = clock
        self.use = KeyUse(database, clock)
        self._known = Lookups[Known](_KNOWN_KEYS, seconds=_KNOWN_SECONDS)
        self._remembered: TTLCache[str, Known] = TTLCache(_KNOWN_KEYS, _REMEMBERED_SECONDS, time.monotonic)

    async def authenticate(self, secret: str | None) -> Principal:
        """Return the principal of the key.

        Raises:
            Unauthenticated: There is no key, or it is unknown, revoked or expired.
        """
        if not secret:
            raise Unauthenticated(
                "an API key is needed: send it as 'Authorization: Bearer <key>' or 'X-API-Key'"
            )
        return await self.authenticate_digest(digest_of(secret))

    async def authenticate_digest(self, digest: str) -> Principal:
        """Return the principal of the key with that digest, which its sessions store.

        Raises:
            Unauthenticated: The key is unknown, revoked or expired.
        """
        known = self._known.get(digest)
        if known is None:
            known = await self._look_up(digest)
        principal = self._unexpired(known)
        self.use.note(principal.key_id)
        return principal

    async def recognise(self, secret: str | None, *, patience_seconds: float) -> Principal:
        """Return the principal of the key, also while the graph is unavailable, for work that does not need the graph.

        During an outage it accepts a key that was valid within the last hour. Nobody can revoke a key then. A key that
        another process revoked shortly before still works until the graph is available.

        Raises:
            Unauthenticated: There is no key, or it is unknown, revoked or expired.
            Unavailable: The graph does not answer, and the key is not cached.
        """
        remembered = self._remembered.get(digest_of(secret)) if secret else None
        if remembered is None:
            return await self.authenticate(secret)
        try:
            async with asyncio.timeout(patience_seconds):
                return await self.authenticate(secret)
        except (Unavailable, TimeoutError):
            return self._unexpired(remembered)

    async def authorize(self, principal: Principal, scope: Scope, workspace_id: str | None = None) -> str:
        """Return the workspace of the request, if the principal has the scope there.

        From now on the task acts under the principal's key and has the key's read scope.

        Raises:
            Forbidden: The key lacks the scope.
            InvalidInput: The workspace id is blank.
            NotFound: The workspace does not exist, or belongs to another tenant and the principal is not an
                administrator.
        """
        if not principal.may(scope):
            raise Forbidden(f"this key lacks the scope {scope.value!r}")
        ACTING_KEY.set(principal.key_id)
        place = principal.workspace_id if workspace_id is None else workspace_id
        if not place.strip():
            raise InvalidInput("workspaceId", "workspaceId must not be blank; leave it out for the key's own")
        if place != principal.workspace_id:
            if not principal.may(Scope.ADMIN):
                raise NotFound(f"there is no workspace {place!r}", field="workspaceId")
            await self._workspaces.require(place)
        note_owner(place)
        acts_in(place)
        see_only(principal.memory_scope)
        return place

    async def enter_pool_of(self, workspace_id: str, key_id: str | None) -> None:
        """Restrict this task to a key's own pool, if the workspace has a pool for each key.

        Raises:
            Forbidden: The caller has another key's pool, or is bound to a user.
        """
        if key_id and (await self._workspaces.settings_of(workspace_id)).has_pool_of_each_key:
            see_only(narrowed(ReadScope(user_id=key_id)))

    async def note_sign_in(self, principal: Principal) -> None:
        """Record a sign-in with a key in the audit."""
        ACTING_KEY.set(principal.key_id)
        await note_act(
            self._database,
            AuditAction.SIGNED_IN,
            principal.workspace_id,
            subject_id=principal.key_id,
            now=self._clock.now(),
        )

    async def note_failed_sign_in(self, client: str) -> None:
        """Record a failed sign-in in the audit.

        Args:
            client: Address of the client; stored if it is an IP address.
        """
        ACTING_KEY.set(None)
        await note_act(
            self._database,
            AuditAction.SIGN_IN_FAILED,
            DEPLOYMENT,
            subject_id=address_in(client),
            now=self._clock.now(),
        )

    async def delete_workspace(self, workspace_id: str, *, hard: bool = False) -> bool:
        """Delete a workspace as :meth:`Workspaces.delete` does; in this process its keys are invalid immediately.

        Raises:
            NotFound: The workspace does not exist.
            Conflict: The workspace is the default one.
        """
        deleted = await self._workspaces.delete(workspace_id, hard=hard)
        self.forget_keys()
        return deleted

    def _unexpired(self, known: Known) -> Principal:
        principal, expires_at = known
        if expires_at is not None and expires_at <= self._clock.now():
            raise _unknown_key()
        note_owner(principal.workspace_id)
        return principal

    def forget_keys(self) -> None:
        """Clear the cache of keys."""
        self._known.clear()
        self._remembered.clear()

    async def _look_up(self, digest: str) -> Known:
        """Return the owner of a key; caches it unless a key was revoked or changed during the lookup."""
        begun = self._known.begin()
        row = await queries.find_api_key(self._database, hash=digest, now=self._clock.now())
        if row is None:
            self._remembered.pop(digest, None)
            raise _unknown_key()
        found = principal_of(row), row.expires_at
        if self._known.keep(digest, found, begun):
            self._remembered[digest] = found
        return found


def digest_of(secret: str) -> str:
    """Return the stored digest of a key's secret."""
    # A plain hash suffices, because the secret has 256 random bits; a look-up by hash leaks nothing by its duration.
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _unknown_key() -> Unauthenticated:
    return Unauthenticated("this API key is unknown, revoked or expired")


_log = structlog.get_logger("recollect.access")

WINDOW_SECONDS = 60
_BLIND_SECONDS = 5.0  # pause of counting after the counters did not answer


@dataclass(frozen=True)
class Allowance:
    """Remaining requests of a key in this minute.

    Attributes:
        limit: Maximum number of requests in a minute.
        remaining: Remaining requests after this one.
        reset_seconds: Seconds until the next minute begins.
    """

    limit: int
    remaining: int
    reset_seconds: int


class RequestLimits:
    """Counts requests for all processes; lives as long as the process.

    While the counters do not answer, there is no limit: the purpose of a limit is to keep the service available.

    Args:
        counters: Stores the counts.
        per_minute: Limit of a key without its own; 0: no limit.
    """

    def __init__(self, counters: Counters, *, per_minute: int) -> None:
        self._counters = counters
        self._per_minute = per_minute
        self._blind_until = 0.0

    async def admit(self, principal: Principal) -> Allowance | None:
        """Count a request; return the remaining allowance, or None without a limit.

        Raises:
            LimitExceeded: The key has exceeded its limit for this minute.
        """
        own = principal.requests_per_minute
        limit = self._per_minute if own is None else own
        if limit == 0 or time.monotonic() < self._blind_until:
            return None
        try:
            counted = await self._counters.count(f"key:{principal.key_id}", window_seconds=WINDOW_SECONDS)
        except Unavailable as error:
            self._blind_until = time.monotonic() + _BLIND_SECONDS
            _log.warning("access.not_limited", reason=error.message)
            return None
        if counted.count > limit:
            raise LimitExceeded(
                f"this key may make {limit} requests a minute", retry_after_seconds=counted.seconds_left
            )
        return Allowance(limit, limit - counted.count, counted.seconds_left)
