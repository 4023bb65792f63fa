"""When keys were last used: noted at once, written in the background, at most once a minute for each key."""

import time
from datetime import datetime

from cachetools import TTLCache

from graph.core.database import Database
from graph.core.errors import Unavailable
from graph.core.ports import Clock
from graph.tenancy.access import queries

_FRESH_SECONDS = 60
_KEYS = 10_000


class KeyUse:
    """Collects uses of keys and writes them later; lives as long as the process, with which unwritten uses are lost."""

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
            # A fixed order of locks keeps two processes from waiting for each other.
            rows = [{"id": key_id, "at": at} for key_id, at in sorted(noted.items())]
            await queries.note_key_use(self._database, rows=rows, fresh_seconds=_FRESH_SECONDS)
        except Unavailable:
            self._pending = {**noted, **self._pending}
            raise
