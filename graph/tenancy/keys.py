"""Use cases of API keys: create, rotate, limit and revoke."""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TypeVar

from graph.core.audit import note_act
from graph.core.database import Database
from graph.core.errors import Conflict, InvalidInput, NotFound
from graph.core.ids import default_key_id, new_id
from graph.core.models import AuditAction
from graph.core.ports import Clock
from graph.core.rows import Runner
from graph.core.text.checks import short_name, short_text
from graph.core.time import in_utc
from graph.tenancy import queries
from graph.tenancy.access import Access, digest_of
from graph.tenancy.models import ApiKey, Scope
from graph.tenancy.queries import RevokeApiKeyRow

_SHORTEST_CHOSEN_KEY = 16
_HIGHEST_LIMIT = 1_000_000


def check_scopes(scopes: Sequence[Scope], *, is_bound: bool) -> None:
    """Check that a key has a scope, and that a key bound to a user or an agent does not have ``admin``.

    Raises:
        InvalidInput: The key has no scope, or is bound and has ``admin``.
    """
    if not scopes:
        raise InvalidInput("scopes", "scopes must name at least one of read, write, admin")
    if is_bound and Scope.ADMIN in scopes:
        raise InvalidInput("scopes", "scopes of a key bound to a user or an agent must not include admin")


def check_expiry(expires_at: datetime | None, now: datetime) -> None:
    """Check that the expiry of a key, if set, lies in the future.

    Raises:
        InvalidInput: The expiry is not in the future.
    """
    if expires_at is not None and (in_utc("expiresAt", expires_at) or now) <= now:
        raise InvalidInput("expiresAt", "expiresAt must be in the future")


def check_secret(secret: str | None) -> None:
    """Check the length of a chosen secret.

    Raises:
        InvalidInput: The secret is too short.
    """
    if secret is not None and len(secret) < _SHORTEST_CHOSEN_KEY:
        raise InvalidInput("secret", f"a chosen key must have at least {_SHORTEST_CHOSEN_KEY} characters")


def checked_limit(requests_per_minute: int | None) -> int | None:
    """Return a key's own limit of requests, 0 for none, or None for the deployment's.

    Raises:
        InvalidInput: The limit is negative or too large.
    """
    if requests_per_minute is not None and not 0 <= requests_per_minute <= _HIGHEST_LIMIT:
        allowed = f"requestsPerMinute must be between 0 and {_HIGHEST_LIMIT}"
        raise InvalidInput("requestsPerMinute", f"{allowed}, got {requests_per_minute}")
    return requests_per_minute


Changed = TypeVar("Changed", ApiKey, RevokeApiKeyRow)

_KEY_BYTES = 32
_SHOWN_PREFIX = 10
_LONGEST_GRACE_SECONDS = 30 * 24 * 3600

DEFAULT_GRACE_SECONDS = 3600
"""Default time for which a replaced secret still works."""


class Keys:
    """The use cases of managing keys; lives as long as the process.

    Args:
        database: The graph.
        access: Authenticates keys in this process, and discards its cache when one changes.
        clock: Current time.
    """

    def __init__(self, database: Database, access: Access, clock: Clock) -> None:
        self._database = database
        self._access = access
        self._clock = clock

    async def create(
        self,
        workspace_id: str,
        *,
        name: str,
        scopes: Sequence[Scope],
        expires_at: datetime | None = None,
        requests_per_minute: int | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        secret: str | None = None,
    ) -> tuple[ApiKey, str]:
        """Create a key and return it with its secret, which is not stored.

        Args:
            workspace_id: Workspace of the key.
            name: Name for people.
            scopes: Scopes of the key.
            expires_at: Expiry; None: never.
            requests_per_minute: Limit of requests, 0 for none; None: the deployment's.
            user_id: User to whose memory the key is bound; None: everybody's.
            agent_id: Agent to whose memory the key is bound; None: every agent's.
            secret: Chosen secret of at least 16 characters; None: a random one.

        Raises:
            InvalidInput: The name, the scopes, the expiry, the user, the agent or the limit break a rule.
        """
        now = self._clock.now()
        check_expiry(expires_at, now)
        check_secret(secret)
        bound = {"user_id": short_text("userId", user_id), "agent_id": short_text("agentId", agent_id)}
        check_scopes(scopes, is_bound=any(bound.values()))
        limit = checked_limit(requests_per_minute)
        shown = secret or _new_secret()
        label = short_name("name", name, limit=200) or ""

        async def work(tx: Runner) -> ApiKey:
            key = await queries.create_api_key(
                tx,
                workspace_id=workspace_id,
                id=new_id("key"),
                default_id=default_key_id(workspace_id),
                hash=digest_of(shown),
                prefix=shown[:_SHOWN_PREFIX],
                name=label,
                scopes=sorted(set(scopes)),
                expires_at=in_utc("expiresAt", expires_at),
                requests_per_minute=limit,
                now=now,
                **bound,
            )
            await note_act(tx, AuditAction.KEY_CREATED, workspace_id, subject_id=key.id, now=now)
            return key

        return await self._database.transaction(work), shown

    async def rotate(self, id_: str, *, grace_seconds: int = DEFAULT_GRACE_SECONDS) -> tuple[ApiKey, str]:
        """Replace the secret of a key of any workspace, and return the new one; the old one stays valid for a while.

        A session ends with the secret that opened it. A second rotation ends the grace period of the first.

        Args:
            id_: Id of the key.
            grace_seconds: Time in seconds for which the old secret stays valid: 0 to 30 days.

        Raises:
            InvalidInput: The time is out of range.
            NotFound: The key does not exist or is not live.
        """
        if not 0 <= grace_seconds <= _LONGEST_GRACE_SECONDS:
            message = f"graceSeconds must be between 0 and {_LONGEST_GRACE_SECONDS}, got {grace_seconds}"
            raise InvalidInput("graceSeconds", message)
        now = self._clock.now()
        secret = _new_secret()

        async def change(tx: Runner) -> ApiKey | None:
            return await queries.rotate_api_key(
                tx,
                id=id_,
                hash=digest_of(secret),
                prefix=secret[:_SHOWN_PREFIX],
                now=now,
                grace_until=now + timedelta(seconds=grace_seconds),
            )

        return await self._changed(id_, change, AuditAction.KEY_ROTATED, now), secret

    async def limit(self, id_: str, requests_per_minute: int | None) -> ApiKey:
        """Set the limit of a key of any workspace: 0 for none, or None for the deployment's.

        Raises:
            InvalidInput: The limit is negative or too large.
            NotFound: The key does not exist or is not live.
        """
        limit = checked_limit(requests_per_minute)

        async def change(tx: Runner) -> ApiKey | None:
            return await queries.limit_api_key(tx, id=id_, requests_per_minute=limit)

        return await self._changed(id_, change, AuditAction.KEY_LIMITED, self._clock.now())

    async def revoke(self, id_: str) -> None:
        """Revoke a key of any workspace; in this process it is invalid immediately.

        Raises:
            NotFound: The key does not exist or is not live.
        """
        now = self._clock.now()

        async def change(tx: Runner) -> RevokeApiKeyRow | None:
            return await queries.revoke_api_key(tx, id=id_, now=now)

        await self._changed(id_, change, AuditAction.KEY_REVOKED, now)

    async def list_live(self, workspace_id: str) -> list[ApiKey]:
        """Return the live keys of a workspace, oldest first."""
        return await queries.list_api_keys(self._database, workspace_id=workspace_id)

    async def require(self, workspace_id: str, id_: str) -> str:
        """Return the id of a key, revoked or not, that may own memories of a workspace.

        Raises:
            InvalidInput: The id is blank or too long.
            NotFound: The workspace does not have the key; another workspace may.
        """
        named = short_text("apiKeyId", id_) or ""
        if named == default_key_id(workspace_id):
            return named
        if await queries.find_workspace_key(self._database, workspace_id=workspace_id, id=named) is None:
            raise NotFound(f"there is no API key {named!r} in this workspace", field="apiKeyId")
        return named

    async def revoke_of_user(self, tx: Runner, workspace_id: str, user_id: str) -> None:
        """Revoke a user's keys in the caller's transaction; the caller clears the cache of keys afterwards."""
        now, owner = self._clock.now(), {"workspace_id": workspace_id, "user_id": user_id}
        for id_ in await queries.revoke_keys_of_user(tx, **owner, now=now):
            await note_act(tx, AuditAction.KEY_REVOKED, workspace_id, subject_id=id_, now=now)

    async def delete_of_user(self, workspace_id: str, user_id: str) -> None:
        """Delete the keys bound to a user, and the records of answers given to them."""
        await queries.delete_keys_of_user(self._database, workspace_id=workspace_id, user_id=user_id)
        self._access.forget_keys()

    async def _changed(
        self,
        id_: str,
        change: Callable[[Runner], Awaitable[Changed | None]],
        action: AuditAction,
        now: datetime,
    ) -> Changed:
        """Change a live key with an audit entry, and clear the cache of keys; return the key."""

        async def work(tx: Runner) -> Changed:
            key = await change(tx)
            if key is None:
                raise NotFound(f"there is no key {id_!r}", field="id")
            await note_act(tx, action, key.workspace_id, subject_id=id_, now=now)
            return key

        changed = await self._database.transaction(work)
        self._access.forget_keys()
        return changed


def _new_secret() -> str:
    return "rk_" + secrets.token_urlsafe(_KEY_BYTES)


class ChosenKeys:
    """Creates missing keys; several processes may start concurrently."""

    def __init__(self, database: Database, keys: Keys, clock: Clock) -> None:
        self._database = database
        self._keys = keys
        self._clock = clock

    async def ensure_admin(self, workspace_id: str, chosen: str | None) -> str | None:
        """Create the first administrator's key; return its secret if the key is new and its secret random.

        A chosen key is created whenever it is unknown, so that automation can set it. Earlier chosen keys stay valid
        until they are revoked.

        Raises:
            Conflict: The chosen key was revoked.
            InvalidInput: The chosen key is too short.
        """
        if chosen is not None:
            await self._ensure_chosen(workspace_id, chosen)
            return None
        if await queries.count_admin_keys(self._database):
            return None
        _, secret = await self._keys.create(workspace_id, name="admin", scopes=list(Scope))
        return secret

    async def ensure(self, workspace_id: str, secret: str, *, name: str, scopes: Sequence[Scope]) -> None:
        """Create a key with a chosen secret unless it exists; a revoked key stays revoked.

        Raises:
            InvalidInput: The secret is too short.
        """
        if await self._is_live(secret):
            return
        with suppress(Conflict):  # the secret of a key that was revoked
            await self._keys.create(workspace_id, name=name, scopes=scopes, secret=secret)

    async def _ensure_chosen(self, workspace_id: str, secret: str) -> None:
        if await self._is_live(secret):
            return
        try:
            await self._keys.create(workspace_id, name="admin (chosen)", scopes=list(Scope), secret=secret)
        except Conflict as error:
            if await self._is_live(secret):  # another starting process has just created it
                return
            raise Conflict("RECOLLECT_ADMIN_KEY is a revoked key: set another value, or remove it") from error

    async def _is_live(self, secret: str) -> bool:
        now = self._clock.now()
        return await queries.find_api_key(self._database, hash=digest_of(secret), now=now) is not None
