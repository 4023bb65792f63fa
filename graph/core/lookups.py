"""Cache of recent lookups in this process, for a few seconds."""

import time
from typing import Generic, TypeVar

from cachetools import TTLCache

V = TypeVar("V")


class Lookups(Generic[V]):
    """Values by their keys; lives as long as the process, on one event loop.

    A value may change between its lookup and its storage here. Therefore the cache does not store the result of a
    lookup that began before a ``forget``.

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
        """Return a mark of the start of a lookup, for :meth:`keep`."""
        return self._changes

    def keep(self, key: str, value: V, begun: int) -> bool:
        """Cache the result of a lookup, unless ``forget`` was called since its start; return whether it is cached."""
        if begun != self._changes:
            return False
        self._values[key] = value
        return True

    def forget(self, key: str) -> None:
        """Discard the cached value of a key, and all results of running lookups."""
        self._changes += 1
        self._values.pop(key, None)

    def clear(self) -> None:
        """Discard all cached values, and all results of running lookups."""
        self._changes += 1
        self._values.clear()
