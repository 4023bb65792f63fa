"""The keys that a start makes: the first administrator's, and those whose secrets the deployment chooses."""

from collections.abc import Sequence
from contextlib import suppress

from graph.core.database import Database
from graph.core.errors import Conflict
from graph.core.ports import Clock
from graph.tenancy.access import queries
from graph.tenancy.access.keys import Keys
from graph.tenancy.access.models import Scope
from graph.tenancy.access.service import digest_of


class ChosenKeys:
    """Creates missing keys; several processes may start concurrently."""

    def __init__(self, database: Database, keys: Keys, clock: Clock) -> None:
        self._database = database
        self._keys = keys
        self._clock = clock

    async def ensure_admin(self, workspace_id: str, chosen: str | None) -> str | None:
        """Make the first administrator's key; return its secret if it was made now and not chosen.

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
        """Make a key with a secret that automation chose, unless there is one; one that was revoked stays so.

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
            if await self._is_live(secret):  # another process that starts has just made it
                return
            raise Conflict(
                "RECOLLECT_ADMIN_KEY is a key that was revoked, and stays so: set another value, or none"
            ) from error

    async def _is_live(self, secret: str) -> bool:
        now = self._clock.now()
        return await queries.find_api_key(self._database, hash=digest_of(secret), now=now) is not None
