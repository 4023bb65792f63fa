"""An embedder that measures its calls and notes the outcome of the last one."""

import time
from collections.abc import Sequence

from graph.core.measuring import Measurements
from graph.core.ports import Embedder, EmbeddingFailed, TextsRefused, Vectors
from graph.vectors.index.outcomes import EmbedderOutcomes


class MeasuredEmbedder:
    """Fulfils ``graph.core.ports.Embedder`` by another one, and reports each call; stands behind the cache."""

    def __init__(self, inner: Embedder, measurements: Measurements, outcomes: EmbedderOutcomes) -> None:
        self._inner = inner
        self._measurements = measurements
        self._outcomes = outcomes

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
        signature, start = self._inner.signature, time.perf_counter()
        try:
            vectors = await self._inner.embed(texts, as_query=as_query)
        except TextsRefused:
            self._outcomes.doubt(signature)
            raise
        except EmbeddingFailed as error:
            self._outcomes.failed(signature, str(error))
            raise
        if texts:
            self._outcomes.worked(signature)
        self._measurements.stage("embed", time.perf_counter() - start)
        return vectors
