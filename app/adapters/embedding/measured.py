"""An embedder whose time is measured."""

import time
from collections.abc import Sequence

from graph.core.measuring import Measurements
from graph.core.ports import Embedder, Vectors


class MeasuredEmbedder:
    """Fulfils ``graph.core.ports.Embedder`` by another one, and tells how long it took; stands behind the cache."""

    def __init__(self, inner: Embedder, measurements: Measurements) -> None:
        self._inner = inner
        self._measurements = measurements

    @property
    def signature(self) -> str:
        """The inner embedder's."""
        return self._inner.signature

    @property
    def dimension(self) -> int:
        """The inner embedder's."""
        return self._inner.dimension

    async def embed(self, texts: Sequence[str], *, as_query: bool = False) -> Vectors:
        """Return one unit vector per text, in order.

        Raises:
            EmbeddingFailed: The inner embedder failed.
        """
        start = time.perf_counter()
        vectors = await self._inner.embed(texts, as_query=as_query)
        self._measurements.stage("embed", time.perf_counter() - start)
        return vectors
