"""Cache of recent lookups, kept in this process for some seconds."""

import time
from typing import Generic, TypeVar

from cachetools import TTLCache

V = TypeVar("V")


class Lookups(Generic[V]):
    """Values by their keys; lives as long as the process, on one event loop.

    A value may change between its lookup and its storage in the cache: a lookup that began before a ``forget`` serves
    only its own caller, not later ones.

    >>> lookups = Lookups[str](10, seconds=60)
    >>> begun = lookups.begin()
    >>> lookups.forget("key")
    >>> lookups.keep("key", "as it was", begun), lookups.get("key")
    (False, None)

    Args:
        most: Maximum number of cached entries.
        seconds: Lifetime of an entry.
    """

    def __init__(self, most: int, *, seconds: float) -> None:
        self._values: TTLCache[str, V] = TTLCache(most, seconds, timer=time.monotonic)
        self._changes = 0

    def get(self, key: str) -> V | None:
        """Return the cached value of a key."""
        return self._values.get(key)

    def begin(self) -> int:
        """Return when a lookup begins, for :meth:`keep`."""
        return self._changes

    def keep(self, key: str, value: V, begun: int) -> bool:
        """Keep what a lookup found, unless anything was forgotten since it began; return whether it is kept."""
        if begun != self._changes:
            return False
        self._values[key] = value
        return True

    def forget(self, key: str) -> None:
        """Discard the cached value of a key, and the results of running lookups."""
        self._changes += 1
        self._values.pop(key, None)

    def clear(self) -> None:
        """Forget everything, as :meth:`forget` does."""
        self._changes += 1
        self._values.clear()
