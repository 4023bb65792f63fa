"""Cache of recent vectors, one per process, in front of all embedders."""

import asyncio
import hashlib
import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from cachetools import TTLCache
from numpy.typing import NDArray

from app.adapters.embedding.values import EmbedderAround
from graph.core.ports import CacheStats, Embedder, Vectors
from graph.core.text.owners import owners_of

Vector = NDArray[np.float32]


def cache_key(signature: str, text: str, owner: str, *, as_query: bool) -> str:
    """Return ``source:model:dimension:sha256(text)``, prefixed by the owner and the purpose of the text.

    With the owner in the key, no workspace can detect another's texts by a fast response.
    """
    role = "query" if as_query else "passage"
    return f"{owner}/{role}/{signature}:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


MOST_CACHED = 4
"""Maximum number of texts in a call that fills the cache. A query or a save has one text. Calls with more are bulk
work, such as imports: they only read the cache, because they would evict repeated queries and rarely repeat a text."""


class EmbeddingCache:
    """Least-recently-used vectors with an age limit, shared by all embedders of a process.

    Belongs to one event loop. The embedder's signature is part of every key, so the vectors of different models stay
    separate.
    """

    def __init__(
        self,
        *,
        max_entries: int = 1000,
        ttl_seconds: float = 300.0,
        timer: Callable[[], float] = time.monotonic,
    ) -> None:
        """Create an empty cache; with ``max_entries=0`` it stores nothing, but joins equal concurrent requests."""
        self._vectors: TTLCache[str, Vector] = TTLCache(max_entries, ttl_seconds, timer)
        self._under_way: dict[str, asyncio.Task[Mapping[str, Vector]]] = {}
        self._hits = self._joined = self._misses = 0

    @property
    def stats(self) -> CacheStats:
        """Return the current counters."""
        self._vectors.expire()
        return CacheStats(self._hits, self._joined, self._misses, len(self._vectors))

    async def embed(
        self, embedder: Embedder, texts: Sequence[str], owners: Sequence[str], *, as_query: bool = False
    ) -> Vectors:
        """Return the vectors of ``texts``; calls ``embedder`` only for texts neither cached nor being computed.

        ``owners`` has the workspace of each text; entries of other workspaces are neither used nor awaited. New vectors
        are cached if the call has at most ``MOST_CACHED`` texts.

        Raises:
            EmbeddingFailed: The embedder failed; nothing is cached.
        """
        signature = embedder.signature
        keys = [
            cache_key(signature, text, owner, as_query=as_query)
            for text, owner in zip(texts, owners, strict=True)
        ]
        requested = dict(zip(keys, texts, strict=True))
        found = {key: vector for key in requested if (vector := self._vectors.get(key)) is not None}
        joined = {
            key: self._under_way[key] for key in requested if key not in found and key in self._under_way
        }
        missing = {key: text for key, text in requested.items() if key not in found and key not in joined}
        self._count(hits=len(found), joined=len(joined), misses=len(missing))
        tasks = set(joined.values())
        if missing:
            tasks.add(self._begin(embedder, missing, as_query=as_query, keep=len(texts) <= MOST_CACHED))
        for task in tasks:
            # Shielded, so that one cancelled caller does not cancel the computation for others that joined.
            found.update(await asyncio.shield(task))
        rows = [found[key] for key in keys]
        return np.stack(rows) if rows else np.empty((0, embedder.dimension), dtype=np.float32)

    def _begin(
        self, embedder: Embedder, missing: dict[str, str], *, as_query: bool, keep: bool
    ) -> asyncio.Task[Mapping[str, Vector]]:
        task = asyncio.create_task(self._compute(embedder, missing, as_query=as_query, keep=keep))
        self._under_way.update(dict.fromkeys(missing, task))
        task.add_done_callback(_mark_seen)
        return task

    async def _compute(
        self, embedder: Embedder, missing: dict[str, str], *, as_query: bool, keep: bool
    ) -> Mapping[str, Vector]:
        try:
            rows = await embedder.embed(list(missing.values()), as_query=as_query)
            # Copies, because a row of a large answer would keep the whole answer in memory.
            computed = {key: row.copy() for key, row in zip(missing, rows, strict=True)}
            if self._vectors.maxsize and keep:
                self._vectors.update(computed)
            return computed
        finally:
            for key in missing:
                del self._under_way[key]

    def _count(self, *, hits: int, joined: int, misses: int) -> None:
        self._hits += hits
        self._joined += joined
        self._misses += misses


def _mark_seen(task: asyncio.Task[Mapping[str, Vector]]) -> None:
    """Retrieve the error of a task whose only waiter was cancelled, so that asyncio does not log it."""
    if not task.cancelled():
        task.exception()


class CachedEmbedder(EmbedderAround):
    """Wraps an embedder and answers from the cache if possible."""

    def __init__(self, inner: Embedder, cache: EmbeddingCache) -> None:
        super().__init__(inner)
        self._cache = cache

    async def embed(self, texts: Sequence[str], *, as_query: bool = False) -> Vectors:
        """Return one unit vector per text, in order; texts without a known owner bypass the cache."""
        owners = owners_of(len(texts))
        if owners is None:
            return await self._inner.embed(texts, as_query=as_query)
        return await self._cache.embed(self._inner, texts, owners, as_query=as_query)
